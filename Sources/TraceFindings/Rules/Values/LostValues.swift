public import TraceModel
import TraceReading

extension FindingKind {
  /// Values were lost, for example because their receiver did not exist yet.
  public static let lostValues = FindingKind(
    "values-lost",
    "values lost",
    needsEvents: true,
    needsAll: true,
    evidence: [.turnBegan, .subscribed, .next, .ended],
    doubt: "Only the author of the code knows whether anybody was meant to receive these values."
  )
}

/// Values that were lost.
///
/// Values are lost if they were sent before the first subscriber came, or while the other input of
/// an operator had no value yet. Values requested from inner signals are lost if the inner signals
/// were cancelled before they answered, or were ended at once by their own trigger. The last values
/// before an end or a silence are lost if an operator did not forward them or still held them, and
/// first values if an operator drops them although they are new, or a shared signal does not keep
/// them for later subscribers. Values of one input are lost if an operator that keeps the latest
/// one gives them up for those of another input.
enum LostValues: FindingRule {
  static let kinds: [FindingKind] = [.lostValues]

  /// The maximum number of seconds between the last value without a subscriber and the first
  /// subscriber.
  private static let shortly = 1.0
  /// The maximum number of seconds over which values without a subscriber came.
  private static let beginning = 2.0
  /// At least one in this many values must have been sent without a subscriber.
  private static let maximumValuesPerLost = 5
  /// The minimum number of subjects of one line whose first values had no subscriber.
  private static let minimumSubjects = 3
  /// The minimum share of such subjects among all subjects of the line that were subscribed to.
  static let minimumShareOfSubjects = 0.8
  /// A value that is sent fewer than this many seconds before the first subscriber comes counts as
  /// sent right before it.
  private static let apart = 0.02
  /// The minimum number of inner signals that were cancelled without an answer.
  static let minimumCancelledInners = 5
  /// The minimum share of such inner signals among all.
  private static let share = 0.95

  static func check(_ context: FindingContext) -> [FindingDraft] {
    // Without events it is unknown what was sent.
    guard context.facts.hasEvents, let histories = context.histories else { return [] }
    let all =
      sentBeforeSubscribing(histories, context) + unmatched(histories, context)
      + givenUp(histories, context)
      + dropped(histories, context) + cutShort(histories, context)
      + skipped(histories, context) + late(context)
      + held(histories, context) + missed(histories, context)
      + replacedInputs(histories, context)
    return all.worstOfEachLine
  }

  // MARK: Sent before the first subscriber

  private static func sentBeforeSubscribing(_ histories: Histories, _ context: FindingContext)
    -> [FindingDraft]
  {
    let facts = context.facts
    guard histories.isWhole else { return [] }
    var first: [TraceID: Int] = [:]
    var known: [TraceID: UInt64] = [:]
    for (place, one) in histories.all.enumerated()
    where histories.signalsWithoutSubscribers.contains(one.signal) {
      // A root subscription may have the same signal; only subscriptions of the subject itself
      // count.
      guard facts.site(one.site).traits.contains(.subject) else { continue }
      known[one.signal, default: 0] += 1
      if first[one.signal] == nil { first[one.signal] = place }
    }
    let losing = linesLosingFirstValues(first, histories, facts)
    let missed = justMissed(first, histories, facts)
    return first.keys.sorted { $0.rawValue < $1.rawValue }.compactMap { signal in
      guard let place = first[signal] else { return nil }
      let one = histories.all[place]
      // Every subscription that the signal ever had must be known; if the signal has been released,
      // the other signals of its line have to show the same loss.
      if let slot = facts.slot(signal), slot.kind == .signal {
        guard slot.eventCount == known[signal] else { return nil }
      } else if !losing.contains(one.site), !missed.contains(signal) {
        return nil
      }
      // Only values sent before the first subscriber came are lost.
      let before = (histories.turns[signal] ?? []).prefix { $0.ticks < one.createdAt }
      guard let last = before.last, let start = before.first else { return nil }
      let after = (histories.turns[signal] ?? []).count - before.count
      // A signal that keeps values has handed them to the subscriber.
      guard !receivesOnSubscribing(one, facts) else { return nil }
      let isAtOnce =
        facts.seconds(from: last.ticks, to: one.createdAt) <= shortly
        && facts.seconds(from: start.ticks, to: one.createdAt) <= beginning
      let isAll = after == 0 && facts.isSettled(one.createdAt)
      // Of many values, a single one may by chance be sent just before the first subscriber comes.
      guard
        isAll || missed.contains(signal)
          || isAtOnce && before.count * maximumValuesPerLost >= before.count + after
            && (before.count >= 2 || losing.contains(one.site))
      else { return nil }
      let row = facts.site(one.site)
      let root = histories.all[histories.root(of: place)]
      guard facts.site(root.site).traits.contains(.root) else { return nil }
      let time = Duration.seconds(facts.seconds(from: last.ticks, to: one.createdAt)).brief
      let isOfAll = losing.contains(one.site)
      let who =
        isOfAll
        ? "\(facts.site(root.site).place), the first subscriber,"
        : "this, its first subscriber,"
      let others = isOfAll ? " Nearly all others that were made here have lost theirs, too." : ""
      return FindingDraft(
        kind: .lostValues,
        site: isOfAll ? one.site : root.site,
        subject: isOfAll ? nil : root.key,
        summary: "\(before.count) of \(before.count + after) sent before the first subscriber",
        sentence:
          "\(before.count) of \(Words.count(before.count + after, "value")) of \(row.place) \(before.count == 1 ? "was" : "were") sent before \(who) came, the "
          + "last \(time) before: nobody received them"
          + (after == 0 ? ", and none has come since." : ".") + others,
        remedy:
          "Subscribe before the first value is sent, or let \(row.place) keep values for those who come later (BehaviorSubject, "
          + "ReplaySubject).",
        evidence: Evidence(
          events: (before.suffix(8).map(\.number) + [one.creation]).sorted(),
          counters: ["unheard \(before.count)", "sent since \(after)"]
        ),
        accusedRoots: isOfAll
          ? [] : [AccusedRoot(root)],
        affected: [root.key],
        rank: Rank(live: UInt64(before.count)),
        restsOnRecords: true,
        explains: isOfAll ? [root.site] : [],
        ruledOut: [
          "values that are kept for later subscribers: none was given to the first subscriber",
          "values after somebody had left: nobody had come before",
        ]
      )
    }
  }

  /// Signals whose only value was sent right before their first subscriber came, at lines where
  /// other signals sent theirs after the first subscriber had come: whether a value is lost depends
  /// on how soon it is sent.
  private static func justMissed(
    _ first: [TraceID: Int],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Set<TraceID> {
    var missed: [UInt32: Set<TraceID>] = [:]
    for (signal, place) in first {
      let one = histories.all[place]
      guard let turns = histories.turns[signal], turns.count == 1, turns[0].ticks < one.createdAt,
        facts.seconds(from: turns[0].ticks, to: one.createdAt) < apart, one.events == 0,
        !receivesOnSubscribing(one, facts)
      else { continue }
      missed[one.site, default: []].insert(signal)
    }
    guard missed.values.contains(where: { $0.count >= minimumSubjects }) else { return [] }
    var served: [UInt32: Set<TraceID>] = [:]
    for one in histories.all
    where missed[one.site] != nil && one.events > 0
      && !histories.signalsWithoutSubscribers.contains(one.signal)
    {
      served[one.site, default: []].insert(one.signal)
    }
    return missed.reduce(into: []) { all, line in
      guard line.value.count >= minimumSubjects, served[line.key]?.count ?? 0 >= minimumSubjects
      else {
        return
      }
      all.formUnion(line.value)
    }
  }

  /// Whether a subscriber received a value immediately on subscribing.
  private static func receivesOnSubscribing(_ one: History, _ facts: FindingFacts) -> Bool {
    facts.site(one.site).traits.contains(.replays) && one.firstEvent != 0
      && facts.seconds(from: one.createdAt, to: one.firstEvent) < 0.001
  }

  /// The lines at which nearly all subjects that were subscribed to have lost their first value.
  private static func linesLosingFirstValues(
    _ first: [TraceID: Int],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Set<UInt32> {
    var lost: [UInt32: Int] = [:]
    for (signal, place) in first {
      let one = histories.all[place]
      let last = (histories.turns[signal] ?? []).last { $0.ticks < one.createdAt }
      // A value sent immediately before the subscriber came may be part of setting up the program,
      // without an intended receiver.
      guard let last, facts.seconds(from: last.ticks, to: one.createdAt) >= apart,
        !receivesOnSubscribing(one, facts)
      else { continue }
      lost[one.site, default: 0] += 1
    }
    guard lost.values.contains(where: { $0 >= minimumSubjects }) else { return [] }
    var all: [UInt32: Set<TraceID>] = [:]
    for one in histories.all where lost[one.site] != nil {
      all[one.site, default: []].insert(one.signal)
    }
    let enough = lost.filter { site, count in
      count >= minimumSubjects
        && Double(count) >= Double(all[site]?.count ?? 0) * minimumShareOfSubjects
    }
    return Set(enough.keys)
  }

  // MARK: Without a value of the other input

  /// Values that were dropped because the other input, whose latest value the operator adds, had
  /// sent none yet.
  private static func unmatched(_ histories: Histories, _ context: FindingContext) -> [FindingDraft]
  {
    let facts = context.facts
    return histories.all.indices.compactMap { place in
      let stage = histories.all[place]
      let row = facts.site(stage.site)
      guard row.traits.inputs == .sampled, row.traits.contains(.waitsForAll), stage.creation != 0
      else { return nil }
      let inputs = histories.inputs[place]
      guard inputs.count >= 2 else { return nil }
      guard let first = histories.source(of: stage, facts),
        let source = inputs.first(where: { histories.all[$0].signal == first })
      else { return nil }
      let sent = histories.all[source].events
      let latest = inputs.filter { $0 != source }.map { histories.all[$0] }
        .max { $0.firstEvent < $1.firstEvent }
      let lost = sent - min(sent, stage.events)
      guard let latest, lost > 0,
        latest.firstEvent > histories.all[source].firstEvent
      else { return nil }
      let other = facts.site(latest.site).place
      return FindingDraft(
        kind: .lostValues,
        site: stage.site,
        subject: stage.key,
        summary: "\(lost) of \(sent) came before the first value of the other side",
        sentence:
          "\(lost) of \(Words.count(sent, "value")) that came here were dropped, because \(other), whose latest is read beside them, had sent none yet: "
          + "its first came \(Duration.seconds(facts.seconds(from: stage.createdAt, to: latest.firstEvent)).brief) after this was subscribed to.",
        remedy:
          "Give \(other) a first value (startWith), or let \(row.name) read a signal that has a value before the first one comes here.",
        evidence: Evidence(
          events: [stage.creation, histories.all[source].creation, latest.creation].filter {
            $0 != 0
          }
          .sorted(),
          counters: ["values that came \(sent)", "passed \(stage.events)"]
        ),
        members: facts.slot(stage.key.id).map { [$0] } ?? [],
        accusedStages: [AccusedRoot(stage)],
        affected: [stage.key],
        rank: Rank(live: lost),
        restsOnRecords: true,
        ruledOut: [
          "values that never have a counterpart: \(other) did send one, later than the first came here"
        ]
      )
    }
  }

  // MARK: Cancelled before an answer

  /// Inner signals that the next one replaces before they have sent anything.
  private static func givenUp(_ histories: Histories, _ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    return histories.all.indices.compactMap { place in
      let stage = histories.all[place]
      let traits = facts.site(stage.site).traits
      guard traits.contains(.merging), traits.fate == .flattens, !traits.contains(.queuesInner),
        stage.creation != 0
      else { return nil }
      let source = histories.inputs[place].first
      let inners = histories.inputs[place].filter { $0 != source }
      guard inners.count >= minimumCancelledInners else { return nil }
      var lost: [Int] = []
      for (one, next) in zip(inners, inners.dropFirst()) {
        let inner = histories.all[one]
        // Only an inner signal that was cancelled when the next one began counts.
        guard inner.reason == .cancelled, inner.events == 0, hasBegunWork(one, histories, facts),
          let end = inner.endedAt,
          facts.seconds(
            from: min(end, histories.all[next].createdAt),
            to: max(end, histories.all[next].createdAt)
          ) < 0.001
        else { continue }
        lost.append(one)
      }
      guard lost.count >= minimumCancelledInners,
        Double(lost.count) >= Double(inners.count - 1) * share
      else {
        return nil
      }
      let row = facts.site(stage.site)
      return FindingDraft(
        kind: .lostValues,
        site: stage.site,
        subject: stage.key,
        summary: "\(lost.count) of \(inners.count) inner signals given up without a value",
        sentence:
          "\(lost.count) of \(inners.count) inner signals were replaced here by the next one before they had sent anything: what they had begun came to "
          + "nothing.",
        remedy:
          "Let each finish (concatMap, flatMap), leave out new ones while one runs (flatMapFirst), or debounce what comes to \(row.place).",
        evidence: Evidence(
          events: lost.flatMap { [histories.all[$0].creation, histories.all[$0].end] }.filter {
            $0 != 0
          }.sorted(),
          counters: ["given up \(lost.count)", "begun \(inners.count)"]
        ),
        members: facts.slot(stage.key.id).map { [$0] } ?? [],
        accusedStages: [AccusedRoot(stage)],
        affected: [stage.key],
        rank: Rank(live: UInt64(lost.count)),
        restsOnRecords: true,
        ruledOut: [
          "some that happen to be slow: \(lost.count) of \(inners.count) were given up",
          "inner signals that had ended: it is the next one that ended each",
        ]
      )
    }
  }

  /// Whether something upstream of an inner signal may work for it; an endless hot signal that has
  /// sent nothing has begun nothing.
  private static func hasBegunWork(_ inner: Int, _ histories: Histories, _ facts: FindingFacts)
    -> Bool
  {
    histories.tree(upstreamOf: inner, limit: 64).contains { place in
      let traits = facts.site(histories.all[place].site).traits
      return histories.inputs[place].isEmpty
        && !(traits.contains(.hot) && traits.contains(.endless))
    }
  }
}
