/// The traits of operators that are missing in traces before version 1.4.
///
/// Sites in such traces contain only the traits of bits 0 to 7. This is the only code, apart from
/// `SignalSpelling`, that recognizes an operator by its name. A test compares the table with the
/// sites of the operators.
package enum EarlierTraits {
  /// The missing traits of the operator called `name`.
  package static func of(_ name: String) -> SiteTraits { table[name] ?? [] }

  /// The missing traits by the name of the operator.
  package static let table: [String: SiteTraits] = {
    var table: [String: SiteTraits] = [:]
    for (traits, names) in rows {
      for name in names.split(separator: " ") { table[String(name), default: []].insert(traits) }
    }
    return table
  }()

  private static let rows: [(SiteTraits, String)] = [
    (.beginsElsewhere, "subscribe(on:)"), (.dropsFirst, "skip"),
    (
      .passes,
      """
      all and any append assertNoFailure attemptMap autoconnect breakpoint catch catch(to:) combineLatest \
      combinePrevious concat defaultIfEmpty delaySubscription dematerialize dematerializeResults do doCompleted \
      doDisposed doFailed doNext doStarted doTerminated endWith enumerated failIfEmpty finally ifEmpty(switchTo:) \
      logAll logCompleted logFailed logNext map map(to:) mapFailure materialize materializeResults measureInterval \
      merge multicast negate onFailureResumeNext or prepend promoteFailure publish repeat repeat(when:) \
      replaceFailure(with:) replaceNil(with:) replay replayLast replayLazily retry retry(delay:) retry(when:) scan \
      scan(into:) scanMap scanMap(into:) share shareWhileActive startWith subscribe(on:) take take(during:) \
      take(for:) take(until:) take(untilReplacement:) timeout(after:) timeout(each:) timestamped tryMap \
      tryMap(orFail:) tryScan validStatus withLatest(from:) withUnretained
      """
    ),
    (
      .drops,
      """
      compactMap distinct distinctUntilChanged element(at:) filter first(where:) flatMapFirst ignore ignoreValues \
      last(where:) output(in:) skip skip(for:) skip(last:) skip(until:) skip(while:) skipNil take(last:) \
      take(while:) tryCompactMap tryFilter
      """
    ),
    (
      .folds,
      """
      allSatisfy buffer(boundary:) buffer(count:) buffer(openings:closing:) collect collect(count:) collect(every:) \
      collect(until:) collect(while:) contains contains(where:) count firstIndex(where:) isEmpty max min reduce \
      reduce(into:) sequenceEqual
      """
    ),
    (.queues, "buffer delay deliver(on:)"),
    (
      .keepsLatest,
      """
      audit debounce forkJoin lazyMap(on:) sample(every:) sample(on:) sample(with:) throttle throttle(while:)
      """
    ),
    (.pairs, "zip"),
    (
      .flattens,
      """
      bind concatMap expand flatMap flatMap(limit:) flatMapLatest flatten flatten(limit:) flatten(limit:policy:) \
      flattenRace mergeScan switchScan switchToLatest
      """
    ),
    (.retains, "collect distinct"),
    (.replays, "AsyncSubject BehaviorSubject ReplaySubject replay replayLast replayLazily"),
    (.shares, "multicast publish replay replayLast replayLazily share shareWhileActive"),
    (.refCounted, "share shareWhileActive"),
    (.switchesQueue, "deliver(on:)"),
    (.queuesInner, "append concat concatMap flatMap(limit:) flatten(limit:) prepend"),
    (
      .waitsForAll,
      "all and any combineLatest forkJoin or sample(on:) sample(with:) withLatest(from:) zip"
    ),
    (.retries, "retry retry(delay:) retry(when:)"),
    (.subject, "AsyncSubject BehaviorSubject ReplaySubject Subject"),
    (.onMainQueue, "subscribeOnMainActor"),
    (.ofProgram, "schedule(after:) schedule(every:)"),
    (
      .partners,
      "all amb and any append combineLatest concat forkJoin merge or prepend sequenceEqual zip"
    ),
    (
      .triggers,
      """
      buffer(boundary:) buffer(openings:closing:) sample(on:) sample(with:) skip(until:) take(during:) take(until:) \
      throttle(while:) window(boundary:) window(openings:closing:)
      """
    ),
    (.sampled, "withLatest(from:)"),
    (.sendsAtEnd, "collect count last(where:) max min reduce reduce(into:) take(last:)"),
  ]
}
