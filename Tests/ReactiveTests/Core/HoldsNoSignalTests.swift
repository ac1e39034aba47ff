import Foundation
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

/// A running subscription holds what its stages need, but no signal, except for operators that
/// subscribe to a signal later, or again ("Who holds whom" in the article on memory).
@Suite struct HoldsNoSignalTests {
  private static func check(_ chain: WatchedChain) {
    let all = WatchedSignals()
    let subscription = chain.subscribe(all)
    all.clock.advance(by: .milliseconds(2))
    #expect(all.held.isSubset(of: chain.holds), "\(chain.name), subscribed to")
    all.others.send(1)
    for number in 1...2 { all.subject.send(number) }
    all.clock.advance(by: .milliseconds(2))
    #expect(all.held == chain.holds, "\(chain.name), after two values")
    #expect(!subscription.isDisposed, "\(chain.name) has ended")
    subscription.dispose()
    #expect(all.held.isEmpty, "\(chain.name), disposed of")
  }

  @Test(arguments: chains)
  func aRunningSubscriptionHoldsNoSignal(_ chain: WatchedChain) { Self.check(chain) }

  @Test(arguments: [TraceLevel.graph, .events, .values].map(\.rawValue))
  func aRunningSubscriptionHoldsNoSignalWhereItIsTraced(_ level: UInt32) async {
    await #expect(processExitsWith: .success) { [level] in
      try PrivateTrace.start(level: #require(TraceLevel(rawValue: level)))
      defer { PrivateTrace.remove() }
      for chain in HoldsNoSignalTests.chains { HoldsNoSignalTests.check(chain) }
    }
  }

  @Test func aDelayedSignalIsGoneWhileItsMappedValuesAreAwaited() {
    let clock = TestScheduler()
    let seen = Counter()
    var delayed: Signal<Int, Never>? = Signal.just(1).delay(.seconds(1), on: clock)
    weak let gone = delayed
    delayed?.map { _ in 456 }.filter { $0 > 0 }.scan(0, +).subscribe { seen.add($0) }
    delayed = nil
    #expect(gone == nil)
    clock.run()
    #expect(seen.value == 456)
  }

  @Test func aSubscriptionThatFollowsASignalDoesNotHoldIt() {
    let all = WatchedSignals()
    let followed = { all.watch("followed", all.source().replaceFailure(with: 0)) }
    let property = Property(initial: 0, then: followed())
    let bound = MutableProperty(0)
    followed().bind(to: bound)
    let promise = followed().map { $0 }.promise(on: all.clock)
    promise.start()
    all.clock.run()
    #expect(all.held.isEmpty)
    all.subject.send(7)
    #expect(property.value == 7)
    #expect(bound.value == 7)
    let seen = property.map { $0 }.signal.recorded()
    #expect(seen.values == [7])
    withExtendedLifetime(promise) {}
  }

  @Test func aSubscriptionToAFlattenedPropertyHoldsNoSignal() {
    let all = WatchedSignals()
    let outer = MutableProperty(1)
    let chosen = {
      outer.flatMapLatest { _ in
        let inner = Property(initial: 0, then: all.other().replaceFailure(with: 0))
        _ = all.watch("inner", inner.signal)
        return inner
      }
    }
    let seen = all.watch("chosen", chosen().signal).recorded()
    #expect(all.held.isEmpty)
    all.others.send(5)
    #expect(seen.values == [0, 5])
  }

  @Test func anExecutionHoldsNoSignal() {
    let all = WatchedSignals()
    let action = Action<Int, Int, TestFailure>(on: all.clock) { _ in all.other() }
    let command = Command<Int, Int, TestFailure>(on: all.clock) { _ in all.other() }
    let applied = all.watch("applied", action.apply(1)).recorded()
    let executed = all.watch("executed", command.execute(1)).recorded()
    all.clock.run()
    #expect(all.held.isEmpty)
    all.others.send(3)
    #expect(applied.values == [3])
    #expect(executed.values == [3])
  }

  /// If a signal is released while it sends, its subscription still receives the remaining events.
  @Test func aSignalMayBeReleasedWhileItIsSubscribedTo() {
    let box = Box<Signal<Int, Never>>()
    box.value = Signal.from([1, 2]).doNext { _ in box.value = nil }.map { $0 * 10 }
    weak let gone = box.value
    #expect(box.value?.recorded().values == [10, 20])
    #expect(gone == nil)
  }

  @Test func everyOperatorHasAChain() throws {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Reactive/Reactive.docc/OperatorIndex.md")
    let index = try String(contentsOf: file, encoding: .utf8)
    // The operators of ReactiveFoundation are at the end.
    let rows = try #require(index.split(separator: "| `contents(of:)`").first)
    let names = Set(rows.matches(of: /\n\| `([^`]+)` \|/).map { String($0.1) })
    #expect(names.count > 150)
    let missing = names.subtracting(Self.chains.map(\.name)).subtracting(Self.others)
    #expect(missing.isEmpty, "without a chain: \(missing.sorted())")
  }

  /// Names without a chain: sources and properties, tested elsewhere, and functions that subscribe.
  private static let others: Set<String> = [
    "empty", "wait", "failed", "from", "from(async:)", "from(on:)", "fromCallback", "generate",
    "just",
    "range", "repeating", "result", "task", "unfold",
    "bytes(of:)", "fileEvents", "lines(of:)", "processExit", "readable", "unixSignals", "writable",
    "writing(to:)",
    "AsyncSubject", "BehaviorSubject", "ReplaySubject", "Subject",
    "Channel", "MutableProperty", "Observed", "Property", "ValidatingProperty",
    "bindTwoWay(to:)", "channel", "observing",
    "Action", "Command", "Promise", "apply", "execute",
    "first", "last", "lazyList(on:)", "values",
    "bind(to:)", "subscribe", "subscribeOnMainActor", "schedule(after:)", "schedule(every:)",
  ]

  static let chains: [WatchedChain] =
    linear + ending + combining + inner + grouping + timing + sharing + resubscribing
}

// MARK: The chains

extension HoldsNoSignalTests {
  /// The list is built in separate statements, so that the compiler type-checks each of them alone.
  private struct Chains {
    var all: [WatchedChain] = []

    mutating func add<Value, Failure>(
      _ name: String,
      holds: Set<String> = [],
      _ make:
        @escaping @Sendable (WatchedSignals, Signal<Int, TestFailure>) -> Signal<Value, Failure>
    ) { all.append(WatchedChain(name, holds: holds, make)) }

    static func of(_ fill: (inout Chains) -> Void) -> [WatchedChain] {
      var chains = Chains()
      fill(&chains)
      return chains.all
    }
  }

  private static let linear = Chains.of {
    $0.add("map") { $1.map { $0 } }
    $0.add("filter") { $1.filter { $0 > 0 } }
    $0.add("scan") { $1.scan(0, +) }
    // In these chains, the operators above follow one another and precede other operators.
    $0.add("map") { $1.map { $0 }.filter { $0 > 0 }.scan(0, +).map { $0 }.skip(0).map { $0 } }
    $0.add("filter") { $1.take(9).filter { $0 > 0 }.named("positive").filter { $0 > 0 } }
    $0.add("map(to:)") { $1.map(to: 1) }
    $0.add("map") { $1.map(\.description) }
    $0.add("replaceNil(with:)") { $1.map { Optional($0) }.replaceNil(with: 0) }
    $0.add("compactMap") { $1.compactMap { $0 } }
    $0.add("skipNil") { $1.map { Optional($0) }.skipNil() }
    $0.add("tryMap") { $1.tryMap { $0 } }
    $0.add("tryMap(orFail:)") { $1.tryMap({ $0 }, orFail: { _ in TestFailure() }) }
    $0.add("tryFilter") { $1.tryFilter { $0 > 0 } }
    $0.add("tryCompactMap") { $1.tryCompactMap { $0 } }
    $0.add("tryScan") { $1.tryScan(0) { $0 + $1 } }
    $0.add("scan(into:)") { $1.scan(into: 0) { $0 += $1 } }
    $0.add("scanMap") { $1.scanMap(0) { ($0 + $1, $0) } }
    $0.add("scanMap(into:)") { $1.scanMap(into: 0) { $0 += $1 } }
    $0.add("attempt") { $1.attempt { _ in .success(()) } }
    $0.add("attemptMap") { $1.attemptMap { .success($0) } }
    $0.add("combinePrevious") { $1.combinePrevious(0) }
    $0.add("enumerated") { $1.enumerated() }
    $0.add("mapFailure") { $1.mapFailure { $0 } }
    $0.add("promoteFailure") {
      $1.replaceFailure(with: 0).promoteFailure(to: TestFailure.self)
    }
    $0.add("materialize") { $1.materialize() }
    $0.add("materializeResults") { $1.materializeResults() }
    $0.add("dematerialize") { $1.materialize().dematerialize() }
    $0.add("dematerializeResults") { $1.materializeResults().dematerializeResults() }
    $0.add("negate") { $1.map { $0 > 0 }.negate() }
    $0.add("distinct") { $1.distinct() }
    $0.add("distinctUntilChanged") { $1.distinctUntilChanged() }
    $0.add("ignore") { $1.ignore(3) }
    $0.add("ignoreValues") { $1.ignoreValues() }
    $0.add("skip") { $1.skip(1) }
    $0.add("skip(last:)") { $1.skip(last: 1) }
    $0.add("skip(while:)") { $1.skip { $0 < 2 } }
    $0.add("flatten") { $1.map { [$0, $0] }.flatten() }
    $0.add("doNext") { $1.doNext { _ in } }
    $0.add("doFailed") { $1.doFailed { _ in } }
    $0.add("doCompleted") { $1.doCompleted {} }
    $0.add("doDisposed") { $1.doDisposed {} }
    $0.add("doStarted") { $1.doStarted {} }
    $0.add("doTerminated") { $1.doTerminated { _ in } }
    $0.add("finally") { $1.finally {} }
    $0.add("do") { $1.do(next: { _ in }) }
    $0.add("breakpoint") { $1.breakpoint(next: { _ in false }) }
    $0.add("withUnretained") { $1.withUnretained($0) }
    $0.add("logNext") { $1.logNext() }
    $0.add("logFailed") { $1.logFailed() }
    $0.add("logCompleted") { $1.logCompleted() }
    $0.add("logAll") { $1.logAll() }
    $0.add("startWith") { $1.startWith(0) }
    $0.add("endWith") { $1.endWith(0) }
    $0.add("replaceFailure(with:)") { $1.replaceFailure(with: 0) }
    // This operator holds its source because its message about a failure begins with the name of
    // the signal that failed.
    $0.add("assertNoFailure", holds: ["source"]) { $1.assertNoFailure() }
  }

  private static let ending = Chains.of {
    $0.add("take") { $1.take(3) }
    $0.add("take(last:)") { $1.take(last: 1) }
    $0.add("take(while:)") { $1.take { $0 < 3 } }
    $0.add("take(during:)") { $1.take(during: $0.lifetime) }
    $0.add("take(until:)") { $1.take(until: $0.other().filter { $0 > 1 }) }
    $0.add("skip(until:)") { $1.skip(until: $0.other()) }
    $0.add("first(where:)") { $1.first { $0 > 2 } }
    $0.add("firstIndex(where:)") { $1.firstIndex { $0 > 2 } }
    $0.add("last(where:)") { $1.last { $0 > 0 } }
    $0.add("element(at:)") { $1.element(at: 2) }
    $0.add("output(in:)") { $1.output(in: 1..<4) }
    $0.add("single") { $1.filter { $0 > 1 }.single { _ in TestFailure() } }
    $0.add("defaultIfEmpty") { $1.defaultIfEmpty(0) }
    $0.add("failIfEmpty") { $1.failIfEmpty(TestFailure()) }
    $0.add("allSatisfy") { $1.allSatisfy { $0 > 0 } }
    $0.add("collect") { $1.collect() }
    $0.add("contains") { $1.contains(3) }
    $0.add("contains(where:)") { $1.contains { $0 > 2 } }
    $0.add("count") { $1.count() }
    $0.add("isEmpty") { $1.filter { $0 > 2 }.isEmpty() }
    $0.add("max") { $1.max() }
    $0.add("min") { $1.min() }
    $0.add("reduce") { $1.reduce(0, +) }
    $0.add("reduce(into:)") { $1.reduce(into: 0) { $0 += $1 } }
  }

  private static let combining = Chains.of {
    $0.add("combineLatest") { $1.combineLatest(with: $0.other()) }
    $0.add("combineLatest") { combineLatest($1, $0.other(), $0.other()) }
    $0.add("combineLatest") { combineLatest([$1, $0.other()]) }
    $0.add("combineLatest") { combineLatest($1, $0.other(), $0.other()) { $0 + $1 + $2 } }
    $0.add("zip") { $1.zip(with: $0.other()) }
    $0.add("zip") { zip($1, $0.other(), $0.other(), $0.other()) }
    $0.add("zip") { zip([$1, $0.other()]) }
    $0.add("forkJoin") { forkJoin([$1, $0.other()]) }
    $0.add("withLatest(from:)") { $1.withLatest(from: $0.other()) }
    $0.add("merge") { $1.merge(with: $0.other(), $0.other()) }
    $0.add("merge") { .merge(AnySequence([$1, $0.other()]).lazy.map { $0 }.reversed()) }
    $0.add("amb") { $1.amb(with: $0.other()) }
    $0.add("and") { $1.map { $0 > 0 }.and($0.other().map { $0 > 0 }) }
    $0.add("or") { $1.map { $0 > 0 }.or($0.other().map { $0 > 0 }) }
    $0.add("all") { .all([$1.map { $0 > 0 }, $0.other().map { $0 > 0 }]) }
    $0.add("any") { .any([$1.map { $0 > 0 }, $0.other().map { $0 > 0 }]) }
    $0.add("sequenceEqual") { $1.sequenceEqual($0.other()) }
    $0.add("take(untilReplacement:)") { $1.take(untilReplacement: $0.other()) }
    $0.add("lift") { lift(WatchedSignals.sum, on: $0, $1, $0.other()) }
    $0.add("partition") {
      let (even, odd) = $1.partition { $0 % 2 == 0 }
      return even.merge(with: odd)
    }
  }

  private static let inner = Chains.of {
    $0.add("flatMap") { all, source in source.flatMap { _ in all.other() } }
    $0.add("flatMapLatest") { all, source in source.flatMapLatest { _ in all.other() } }
    $0.add("flatMapFirst") { all, source in source.flatMapFirst { _ in all.other() } }
    $0.add("switchToLatest") { all, source in source.map { _ in all.other() }.switchToLatest() }
    $0.add("flatten") { all, source in source.map { _ in all.other() }.flatten() }
    $0.add("flattenRace") { all, source in source.map { _ in all.other() }.flattenRace() }
    $0.add("flatten(limit:policy:)") { all, source in
      source.map { _ in all.other() }.flatten(limit: 1, policy: .disposeEarliest)
    }
    $0.add("mergeScan") { all, source in source.mergeScan(0) { _, _ in all.other() } }
    $0.add("switchScan") { all, source in source.switchScan(0) { _, _ in all.other() } }
    $0.add("expand") { all, source in source.expand { _ in all.other() } }
    $0.add("bind") { all, source in source.bind { { _, _ in all.other() } } }
    $0.add("delay(until:)") { all, source in source.delay { _ in all.other() } }
    $0.add("deferred") { all, source in .deferred { all.other() } }
    $0.add("using") { all, source in .using({ BooleanDisposable() }, { _ in all.other() }) }
    // The second signal waits for the end of the first.
    $0.add("concatMap", holds: ["other2"]) { all, source in source.concatMap { _ in all.other() } }
    $0.add("flatMap(limit:)", holds: ["other2"]) { all, source in
      source.flatMap(limit: 1) { _ in all.other() }
    }
    $0.add("flatten(limit:)", holds: ["other2"]) { all, source in
      source.map { _ in all.other() }.flatten(limit: 1)
    }
    // Any of the signals may be subscribed to again.
    $0.add("if", holds: ["other1", "other2"]) {
      .if($1.map { $0 > 1 }, then: $0.other(), else: $0.other())
    }
    $0.add("switch", holds: ["other1", "other2"]) {
      .switch($1, cases: [1: $0.other()], default: $0.other())
    }
  }

  private static let grouping = Chains.of {
    $0.add("buffer(count:)") { $1.buffer(count: 3) }
    $0.add("collect(count:)") { $1.collect(count: 3) }
    $0.add("collect(until:)") { $1.collect { $0.count > 2 } }
    $0.add("collect(while:)") { $1.collect { $0.count + $1 > 0 } }
    $0.add("buffer(boundary:)") { $1.buffer(boundary: $0.other()) }
    $0.add("buffer(openings:closing:)") { all, source in
      source.buffer(openings: all.other(), closing: { _ in all.other() })
    }
    $0.add("groupBy") { all, source in
      source.groupBy { $0 }.map { all.watch("group", $0.signal) }.flatten()
    }
    $0.add("window(count:)") { all, source in
      source.window(count: 3).map { all.watch("window", $0) }.flatten()
    }
    $0.add("window(boundary:)") { all, source in
      source.window(boundary: all.other()).map { all.watch("window", $0) }.flatten()
    }
    $0.add("window(openings:closing:)") { all, source in
      source.window(openings: all.other(), closing: { _ in all.other() })
        .map { all.watch("window", $0) }.flatten()
    }
  }

  private static let timing = Chains.of {
    let time = Duration.milliseconds(1)
    $0.add("interval") { all, _ in Signal<Int, Never>.interval(time, on: all.clock).map { $0 } }
    $0.add("timer(after:)") { all, _ in
      Signal<Void, Never>.timer(after: .seconds(9), on: all.clock).map { 1 }
    }
    $0.add("never") { _, _ in Signal<Int, Never>.never().map { $0 } }
    $0.add("create") { all, _ in
      Signal<Int, Never>.create { observer in
        observer.onDispose { withExtendedLifetime((all, observer)) {} }
      }
    }
    $0.add("startEagerly(on:)") { all, _ in
      Signal<Int, Never>.startEagerly(on: all.clock) { all.keep($0) }.map { $0 }
    }
    $0.add("startLazily(on:)") { all, _ in
      Signal<Int, Never>.startLazily(on: all.clock) { all.keep($0) }.map { $0 }
    }
    $0.add("audit") { $1.audit(time, on: $0.clock) }
    $0.add("buffer") { $1.buffer(1, whenFull: .dropOldest, on: $0.clock) }
    $0.add("collect(every:)") { $1.collect(every: time, on: $0.clock) }
    $0.add("debounce") { $1.debounce(time, on: $0.clock) }
    $0.add("delay") { $1.delay(.seconds(1), on: $0.clock) }
    $0.add("delaySubscription") { $1.delaySubscription(time, on: $0.clock) }
    $0.add("deliver(on:)") { $1.deliver(on: $0.clock) }
    $0.add("lazyMap(on:)") { $1.lazyMap(on: $0.clock) { $0 } }
    $0.add("measureInterval") { $1.measureInterval(on: $0.clock) }
    $0.add("sample(every:)") { $1.sample(every: time, on: $0.clock) }
    $0.add("sample(on:)") { $1.sample(on: $0.other()) }
    $0.add("sample(with:)") { $1.sample(with: $0.other()).map { $0 + $1 } }
    $0.add("skip(for:)") { $1.skip(for: time, on: $0.clock) }
    $0.add("subscribe(on:)") { $1.subscribe(on: $0.clock) }
    $0.add("take(for:)") { $1.take(for: .seconds(1), on: $0.clock) }
    $0.add("throttle") { $1.throttle(time, on: $0.clock) }
    $0.add("throttle(while:)") { all, source in
      let condition = Property(initial: false, then: Signal<Bool, Never>.never())
      _ = all.watch("condition", condition.signal)
      return source.throttle(while: condition)
    }
    $0.add("timestamped") { $1.timestamped(on: $0.clock) }
    $0.add("window(every:)") { all, source in
      source.window(every: time, on: all.clock).map { all.watch("window", $0) }.flatten()
    }
    $0.add("timeout(after:)") {
      $1.timeout(after: .seconds(1), on: $0.clock, failingWith: TestFailure())
    }
    $0.add("timeout(each:)") {
      $1.timeout(each: .seconds(1), on: $0.clock, failingWith: TestFailure())
    }
    // The timeout may still expire, and then switches to the other signal.
    $0.add("timeout(after:)", holds: ["other1"]) {
      $1.timeout(after: .seconds(1), on: $0.clock, switchingTo: $0.other())
    }
    $0.add("timeout(each:)", holds: ["other1"]) {
      $1.timeout(each: .seconds(1), on: $0.clock, switchingTo: $0.other())
    }
    $0.add("timeout(after:)") {
      $1.delay(.seconds(1), on: $0.clock)
        .timeout(after: time, on: $0.clock, switchingTo: $0.other())
    }
  }

  private static let sharing = Chains.of {
    $0.add("share") { $1.share() }
    $0.add("share") { $1.share(replay: 1, scope: .forever) }
    $0.add("shareWhileActive") { $1.shareWhileActive().map { $0 } }
    $0.add("replay") { $1.replay() }
    $0.add("replayLast") { $1.replayLast() }
    $0.add("replayLazily") { $1.replayLazily() }
    $0.add("autoconnect") { $1.publish().autoconnect() }
    $0.add("publish") {
      let connection = $1.publish()
      connection.connect()
      return connection.signal
    }
    $0.add("multicast") {
      let connection = $1.multicast(capacity: 1)
      connection.connect()
      return connection.signal
    }
  }

  /// An operator that subscribes to a signal later, or again, holds it while it may still do so.
  private static let resubscribing = Chains.of {
    $0.add("retry", holds: ["source"]) { $1.retry() }
    $0.add("retry(delay:)", holds: ["source"]) { $1.retry(delay: .seconds(1), on: $0.clock) }
    $0.add("retry(when:)", holds: ["source"]) { $1.retry { $0 } }
    $0.add("repeat", holds: ["source"]) { $1.repeat() }
    $0.add("repeat(when:)", holds: ["source"]) { $1.repeat { $0 } }
    $0.add("concat", holds: ["other1"]) { $1.concat($0.other()) }
    $0.add("append", holds: ["other1"]) { $1.append($0.other()) }
    $0.add("then", holds: ["other1"]) { $1.then($0.other()) }
    $0.add("catch", holds: ["other1"]) { all, source in
      source.catch { [other = all.other()] _ in other }
    }
    $0.add("catch(to:)", holds: ["other1"]) { $1.catch(to: $0.other()) }
    $0.add("ifEmpty(switchTo:)", holds: ["other1"]) {
      $1.filter { $0 > 2 }.ifEmpty(switchTo: $0.other())
    }
    $0.add("prepend", holds: ["source"]) { $1.prepend($0.other()) }
    // These operators hold the whole sequence, with all its signals.
    $0.add("onFailureResumeNext", holds: ["source", "other1"]) {
      $1.onFailureResumeNext(with: $0.other())
    }
    $0.add("concat", holds: ["source", "other1"]) { .concat([$1, $0.other()]) }
    // Once the later signals run, they are not held either.
    $0.add("concat") { Signal.empty().concat($1) }
    $0.add("append") { Signal.empty().append($1) }
    $0.add("prepend") { $1.prepend(.empty()) }
    $0.add("then") { Signal<Int, TestFailure>.empty().then($1) }
    $0.add("catch") { all, _ in
      Signal<Int, TestFailure>.failed(TestFailure()).catch { _ in all.other() }
    }
    $0.add("catch(to:)") { Signal<Int, TestFailure>.failed(TestFailure()).catch(to: $1) }
    $0.add("ifEmpty(switchTo:)") { Signal.empty().ifEmpty(switchTo: $1) }
    $0.add("concatMap") { all, _ in Signal<Int, TestFailure>.just(1).concatMap { _ in all.other() }
    }
  }
}
