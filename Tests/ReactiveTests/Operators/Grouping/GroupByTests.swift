import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

@Suite struct GroupByTests {
  @Test func sendsAGroupForEachKey() {
    expectMarbles("-1-2-3-4-|", "-o-e-----|", where: ["o": "odd", "e": "even"]) {
      $0.groupBy { (Int($0) ?? 0).isMultiple(of: 2) ? "even" : "odd" }.map(\.key)
    }
    expectMarbles("|", "|") { $0.groupBy { $0 }.map(\.key) }
    expectMarbles("-1-#", "-1-#") { $0.groupBy { $0 }.map(\.key) }
  }

  @Test func aGroupComesBeforeItsFirstValue() {
    let log = Recorder<String, Never>()
    let subject = Subject<Int, Never>()
    subject.signal.groupBy { $0 % 2 }.subscribe { group in
      log.next("group \(group.key)")
      group.signal.subscribe { log.next("\($0)") }
    }
    for value in 1...4 { subject.send(value) }
    #expect(log.values == ["group 1", "1", "group 0", "2", "3", "4"])
  }

  @Test func valuesAreTransformedAfterTheKey() {
    let calls = Recorder<String, Never>()
    let seen = Signal<Int, Never>.from([1, 2])
      .groupBy(
        { value in
          calls.next("key \(value)")
          return value
        },
        transform: { value in
          calls.next("transform \(value)")
          return "\(value * 10)"
        }
      )
      .flatMap { $0.signal }
      .recorded()
    #expect(seen.values == ["10", "20"])
    #expect(calls.values == ["key 1", "transform 1", "key 2", "transform 2"])
  }

  @Test(arguments: [true, false]) func theEndReachesTheGroupsAfterTheirSignalInTheirOrder(
    isFailure: Bool
  ) {
    let log = Recorder<String, Never>()
    let subject = Subject<Int, TestFailure>()
    subject.signal.groupBy { $0 }.subscribe(
      next: { group in
        group.signal.subscribe(
          failed: { _ in log.next("failed \(group.key)") },
          completed: { log.next("completed \(group.key)") }
        )
      },
      failed: { _ in log.next("failed") },
      completed: { log.next("completed") }
    )
    for value in [3, 1, 2] { subject.send(value) }
    if isFailure { subject.fail(TestFailure()) } else { subject.complete() }
    let end = isFailure ? "failed" : "completed"
    #expect(log.values == [end, "\(end) 3", "\(end) 1", "\(end) 2"])
  }

  @Test func aGroupIsASignal() {
    let sums = Signal<Int, Never>.from([1, 2, 3, 4]).groupBy { $0 % 2 }
      .flatMap { group in group.scan(0) { $0 + $1 }.map { [group.key, $0] } }
      .recorded()
    #expect(sums.values == [[1, 1], [0, 2], [1, 4], [0, 6]])
    let group: Signal<Int, Never>? = Signal<Int, Never>.just(1).groupBy { $0 }.recorded().values
      .first
    #expect(group?.recorded().values == [1])
    let joined = Signal<Int, Never>.from([1, 2]).groupBy { $0 }.flatMap { $0 }.recorded()
    #expect(joined.values == [1, 2])
  }

  // MARK: Subscribers of groups

  @Test func onlyTheFirstSubscriberGetsEarlierValues() {
    let subject = Subject<Int, Never>()
    let groups = Recorder<GroupedSignal<Int, Int, Never>, Never>()
    groups.record(subject.signal.groupBy { $0 % 2 })
    for value in [1, 3, 5] { subject.send(value) }
    let first = groups.values[0].signal.recorded()
    let second = groups.values[0].signal.recorded()
    subject.send(7)
    subject.complete()
    #expect(first.events == [1, 3, 5, 7].map { .next($0) } + [.completed])
    #expect(second.events == [.next(7), .completed])
  }

  @Test func aSubscriberAfterTheEndGetsKeptValuesAndTheEnd() {
    let groups = Signal<Int, TestFailure>.from([1, 2]).concat(.failed(TestFailure()))
      .groupBy { _ in 0 }
      .recorded()
    let group = groups.values[0].signal
    #expect(group.recorded().events == [.next(1), .next(2), .failed(TestFailure())])
    #expect(group.recorded().events == [.failed(TestFailure())])
  }

  @Test func keptValuesAreNotDeliveredAfterDisposal() {
    let groups = Signal<Int, Never>.from([1, 2, 3]).groupBy { _ in 0 }.recorded()
    let seen = groups.values[0].signal.take(2).recorded()
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func aGroupWithoutRemainingSubscribersDropsItsValues() {
    let subject = Subject<Int, Never>()
    let groups = Recorder<GroupedSignal<Int, Int, Never>, Never>()
    groups.record(subject.signal.groupBy { _ in 0 })
    subject.send(1)
    let first = groups.values[0].signal.recorded()
    first.dispose()
    subject.send(2)
    let second = groups.values[0].signal.recorded()
    subject.send(3)
    #expect(first.values == [1])
    #expect(second.values == [3])
    #expect(groups.count == 1)
  }

  @Test func noValueIsKeptForAReleasedGroup() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let subscription = subject.signal.groupBy { _ in 0 }.subscribe()
    for _ in 0..<3 { subject.send(lives.token()) }
    #expect(lives.count == 0)
    subscription.dispose()
  }

  @Test func keptValuesAreFreedWithTheirGroup() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let held = Box<GroupedSignal<Int, LifeCount.Token, Never>>()
    let subscription = subject.signal.groupBy { _ in 0 }.subscribe { held.value = $0 }
    for _ in 0..<3 { subject.send(lives.token()) }
    #expect(lives.count == 3)
    held.value = nil
    #expect(lives.count == 0)
    subscription.dispose()
  }

  @Test(.timeLimit(.minutes(30))) func aGroupSubscribedToLateBecauseOfATakenGateMissesNoValue() {
    let other = Subject<Int, Never>()
    let source = Subject<Int, Never>()
    let grouped = source.signal.groupBy { $0 }.flatMap { $0.signal }
    let seen = Recorder<Int, Never>()
    let subscription = Signal.merge([grouped, other.signal]).subscribe { value in
      seen.next(value)
      // The merge is delivering, so the group is subscribed to only after this value.
      if value == -1 { for sent in [1, 1, 2] { source.send(sent) } }
    }
    other.send(-1)
    #expect(seen.values == [-1, 1, 1, 2])
    subscription.dispose()
  }

  @Test func keptValuesAreDeliveredAtOnceAndBeforeLaterOnes() {
    let subject = Subject<Int, Never>()
    let groups = Recorder<GroupedSignal<Int, Int, Never>, Never>()
    groups.record(subject.signal.groupBy { _ in 0 })
    for value in 0..<3 { subject.send(value) }
    let seen = Recorder<Int, Never>()
    let subscription = SerialDisposable()
    onPlainThread {
      subscription.inner = groups.values[0].signal.subscribe { value in
        if value == 1 { subject.send(3) }
        seen.next(value)
      }
      #expect(seen.values == [0, 1, 2, 3])
    }
    #expect(seen.count == 4)
    subscription.dispose()
  }

  @Test(.tags(.stress)) func noValueIsLostBetweenThreads() {
    let count = scaledCount(20_000)
    let sources = [Subject<Int, Never>(), Subject<Int, Never>()]
    let seen = Counter()
    let sums = Counter()
    // While one thread delivers, subscriptions to the groups of the other thread wait.
    Signal.merge(sources.map { $0.signal.groupBy { $0 / 10 }.flatMap { $0.signal } })
      .subscribe { value in
        seen.add()
        sums.add(value)
      }
    onPlainThreads(2) { index in for value in 0..<count { sources[index].send(value) } }
    #expect(seen.value == 2 * count)
    #expect(sums.value == count * (count - 1))
  }

  @Test(.tags(.stress)) func subscribersOnManyThreadsSeeOneOrder() {
    let count = scaledCount(20_000)
    let subject = Subject<Int, Never>()
    let groups = Recorder<GroupedSignal<Int, Int, Never>, Never>()
    groups.record(subject.signal.groupBy { _ in 0 })
    subject.send(0)
    let group = groups.values[0].signal
    let isOrdered = Locked(true)
    let firsts = Counter()
    onPlainThreads(3) { index in
      if index == 0 {
        for value in 1..<count { subject.send(value) }
        return
      }
      for _ in 0..<count / 100 {
        let last = Box(-1)
        let held = group.subscribe { value in
          if value == 0 { firsts.add() }
          if let before = last.value, before >= value { isOrdered.withLock { $0 = false } }
          last.value = value
        }
        held.dispose()
      }
    }
    #expect(isOrdered.withLock { $0 })
    #expect(firsts.value <= 1)
    groups.dispose()
  }

  @Test func keptValuesAreCountedInTheTraceAndDeliveredInOneTurn() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      let groups = Recorder<GroupedSignal<Int, Int, Never>, Never>()
      groups.record(subject.signal.groupBy { _ in 0 })
      for value in 0..<3 { subject.send(value) }
      let kept = try Self.records().filter { $0.kind == .depth }
      // While the depth grows, it is recorded only when it is a power of two.
      #expect(kept.map(\.argument) == [1, 2])
      let before = try Self.records().filter { $0.kind == .turnBegan }
      let seen = groups.values[0].signal.recorded()
      #expect(seen.values == [0, 1, 2])
      let after = try Self.records().filter { $0.kind == .turnBegan }
      #expect(after.count == before.count + 1)
    }
  }

  private static func records() throws -> TraceRecords {
    try TraceReader(path: Trace.path ?? "", recordLimit: 1 << 16).snapshot().records
  }

  // MARK: Lifetime of the source

  @Test func theSourceIsSubscribedToWhileAGroupIs() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-1-1-1-1|", on: time)
    let inner = SerialDisposable()
    let seen = Recorder<String, MarbleFailure>()
    let outer = source.signal.groupBy { $0 }.take(1).subscribe(
      next: { inner.inner = seen.record($0.signal) },
      failed: { _ in }
    )
    time.advance(by: .frames(6))
    #expect(outer.isDisposed)
    #expect(source.activeCount == 1)
    #expect(seen.values == ["1", "1"])
    inner.dispose()
    #expect(source.activeCount == 0)
  }

  @Test func groupsContinueAfterTheirSignalToTheEndOfTheSource() {
    let seen = Recorder<Int, Never>()
    let subject = Subject<Int, Never>()
    let keys = Recorder<Int, Never>()
    subject.signal.groupBy { $0 % 2 }.take(1).subscribe { group in
      keys.next(group.key)
      seen.record(group.signal)
    }
    for value in 1...5 { subject.send(value) }
    subject.complete()
    #expect(keys.values == [1])
    #expect(seen.events == [1, 3, 5].map { .next($0) } + [.completed])
  }

  @Test func groupsEndWithoutAnEventWhenNothingIsSubscribed() {
    let subject = Subject<Int, Never>()
    let groups = Recorder<GroupedSignal<Int, Int, Never>, Never>()
    groups.record(subject.signal.groupBy { _ in 0 })
    subject.send(1)
    groups.dispose()
    let late = groups.values[0].signal.recorded()
    #expect(late.isDisposed)
    #expect(!late.hasEnded)
  }

  @Test func aSourceThatIsGoneEndsTheGroupsToo() {
    let seen = Recorder<Int, Never>()
    let keys = Recorder<Int, Never>()
    do {
      let subject = Subject<Int, Never>()
      keys.record(
        subject.signal.groupBy { $0 }.doNext { seen.record($0.signal) }.map(\.key)
      )
      subject.send(1)
    }
    #expect(keys.isDisposed && seen.isDisposed)
    #expect(keys.events == [.next(1)])
    #expect(seen.events == [.next(1)])
  }

  @Test func anEndlessSourceCanBeEnded() {
    let seen = endless().groupBy { $0 % 3 }.flatMap { $0.signal }.take(5).recorded()
    #expect(seen.events == [0, 1, 2, 3, 4].map { .next($0) } + [.completed])
    #expect(endless().groupBy { $0 }.take(2).map(\.key).recorded().values == [0, 1])
  }

  @Test func disposalFromTheHandlerOfAGroupEndsTheSource() {
    let subject = Subject<Int, Never>()
    let held = SerialDisposable()
    let cancelled = Counter()
    held.inner = subject.signal.doDisposed { cancelled.add() }.groupBy { $0 }.subscribe { _ in
      held.dispose()
    }
    subject.send(1)
    #expect(cancelled.value == 1)
  }

  @Test func aValueSentFromInsideADeliveryFollowsIt() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<String, Never>()
    subject.signal.groupBy { $0 % 2 }.subscribe { group in
      if group.key == 1 { subject.send(2) }
      seen.next("group \(group.key)")
      group.signal.subscribe { value in
        seen.next("\(value)")
        if value == 2 { subject.send(3) }
      }
    }
    subject.send(1)
    #expect(seen.values == ["group 1", "1", "group 0", "2", "3"])
    subject.complete()
  }

  private struct CountedKey: Hashable, Sendable {
    let number: Int
    let token: LifeCount.Token
    static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test(arguments: ["dispose", "complete", "fail"])
  func theKeysAreFreedWithTheSubscription(end: String) {
    let lives = LifeCount()
    let subject = Subject<Int, TestFailure>()
    let subscription = subject.signal
      .groupBy { CountedKey(number: $0 % 3, token: lives.token()) }
      .flatMap { $0.signal }
      .subscribe(failed: { _ in })
    for value in 0..<10 { subject.send(value) }
    #expect(lives.count == 3)
    switch end {
    case "dispose": subscription.dispose()
    case "complete": subject.complete()
    default: subject.fail(TestFailure())
    }
    #expect(lives.count == 0)
  }

  @Test(.timeLimit(.minutes(30))) func theCostOfAGroupDoesNotDependOnTheNumberOfGroups() {
    let seen = Counter()
    Signal<Int, Never>.from(0..<scaledDepth(200_000)).groupBy { $0 % scaledDepth(100_000) }.flatMap
    { $0.signal }
    .subscribe { _ in seen.add() }
    #expect(seen.value == scaledDepth(200_000))
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("groupBy") { $0.groupBy { $0 % 2 } }
    checkOperatorContract("groupBy") { $0.groupBy({ $0 % 2 }, transform: { "\($0)" }) }
  }
}
