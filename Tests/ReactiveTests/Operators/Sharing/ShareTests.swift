import Reactive
import ReactiveTesting
import Testing

@Suite struct ShareTests {
  @Test func concurrentSubscribersShareOneSubscription() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    let shared = source.signal.share()
    let first = shared.recorded()
    time.advance(by: .frames(2))
    let second = shared.recorded()
    time.run()
    #expect(source.subscriptions.count == 1)
    #expect(first.events == [.next("1"), .next("2"), .next("3"), .completed])
    #expect(second.events == [.next("2"), .next("3"), .completed])
  }

  @Test func theLastSubscriberToDisposeEndsTheSource() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    let shared = source.signal.share()
    let first = shared.recorded()
    let second = shared.recorded()
    first.dispose()
    #expect(source.activeCount == 1)
    second.dispose()
    #expect(source.activeCount == 0)
  }

  @Test func afterTheLastSubscriberHasDisposedItRestartsWithoutKeptValues() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    let shared = source.signal.share(replay: 2)
    let first = shared.recorded()
    time.advance(by: .frames(2))
    first.dispose()
    let second = shared.recorded()
    #expect(source.subscriptions.count == 2)
    #expect(second.values.isEmpty)
    time.run()
    #expect(second.values == ["1", "2", "3"])
  }

  @Test func aSubscriberAfterTheEndRestartsTheSource() {
    let starts = Counter()
    let shared = Signal<Int, Never>.create { observer in
      observer.send(starts.add())
      observer.complete()
    }
    .share(replay: 1)
    #expect(shared.recorded().events == [.next(1), .completed])
    #expect(shared.recorded().events == [.next(2), .completed])
  }

  @Test func lateSubscribersGetKeptValues() {
    let subject = Subject<Int, Never>()
    let shared = subject.signal.share(replay: 2)
    let first = shared.recorded()
    for value in 1...3 { subject.send(value) }
    let second = shared.recorded()
    subject.send(4)
    #expect(first.values == [1, 2, 3, 4])
    #expect(second.values == [2, 3, 4])
  }

  @Test func withScopeForeverItSurvivesTheLastSubscriber() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    let shared = source.signal.share(replay: 1, scope: .forever)
    let first = shared.recorded()
    time.advance(by: .frames(2))
    first.dispose()
    #expect(source.activeCount == 0)
    let second = shared.recorded()
    #expect(second.values == ["1"])
    #expect(source.subscriptions.count == 2)
    time.run()
    #expect(second.events == [.next("1"), .next("1"), .next("2"), .next("3"), .completed])
    #expect(shared.recorded().events == [.next("3"), .completed])
    #expect(source.subscriptions.count == 2)
  }

  @Test func withScopeForeverTheFailureIsKeptToo() {
    let starts = Counter()
    let shared = Signal<Int, TestFailure>.create { observer in
      starts.add()
      observer.send(1)
      observer.fail(TestFailure())
    }
    .share(replay: 1, scope: .forever)
    #expect(shared.recorded().events == [.next(1), .failed(TestFailure())])
    #expect(shared.recorded().events == [.next(1), .failed(TestFailure())])
    #expect(starts.value == 1)
  }

  @Test func shareWhileActiveKeepsEverything() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    let shared = source.signal.shareWhileActive()
    let first = shared.recorded()
    time.advance(by: .frames(4))
    let second = shared.recorded()
    #expect(second.values == ["1", "2"])
    first.dispose()
    second.dispose()
    #expect(source.activeCount == 0)
    let third = shared.recorded()
    #expect(third.values.isEmpty)
    #expect(source.subscriptions.count == 2)
    third.dispose()
  }

  @Test func retryDownstreamStartsTheSourceAgain() {
    let starts = Counter()
    let shared = Signal<Int, TestFailure>.create { observer in
      observer.send(starts.add())
      observer.fail(TestFailure())
    }
    .share(replay: 1)
    #expect(shared.retry(2).recorded().values == [1, 2, 3])
  }

  /// Contract rule 10: retrying does not grow the stack, not even downstream of `share`.
  @Test(arguments: [0, 1]) func manyRetriesDownstreamDoNotGrowTheStack(_ capacity: Int) {
    let starts = Counter()
    let seen = Signal<Int, TestFailure>.create { observer in
      starts.add()
      observer.fail(TestFailure())
    }
    .share(replay: capacity)
    .retry(scaledDepth(100_000))
    .recorded()
    #expect(starts.value == scaledDepth(100_000) + 1)
    #expect(seen.events == [.failed(TestFailure())])
  }

  @Test func disposalFromInsideAValueDoesNotEndOtherSubscriptions() {
    let subject = Subject<Int, Never>()
    let shared = subject.signal.share()
    let held = SerialDisposable()
    let second = Recorder<Int, Never>()
    held.inner = shared.subscribe { _ in held.dispose() }
    second.record(shared)
    subject.send(1)
    subject.send(2)
    #expect(second.values == [1, 2])
  }

  @Test func aValueSentFromInsideADeliveryFollowsIt() {
    let subject = Subject<Int, Never>()
    let shared = subject.signal.share(replay: 1)
    let first = Recorder<Int, Never>()
    let subscription = shared.subscribe { value in
      if value < 3 { subject.send(value + 1) }
      first.next(value)
    }
    let second = shared.recorded()
    subject.send(1)
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [1, 2, 3])
    subscription.dispose()
  }

  @Test func subscribingInACompletionHandlerRestartsTheSource() {
    let starts = Counter()
    let shared = Signal<Int, Never>.create { observer in
      observer.send(starts.add())
      observer.complete()
    }
    .share()
    let again = Recorder<Int, Never>()
    shared.subscribe(completed: { again.record(shared) })
    #expect(again.events == [.next(2), .completed])
  }

  @Test func disposalFromInsideAValueEndsAnEndlessSource() {
    let plain = endless().share().take(3).recorded()
    #expect(plain.events == [.next(0), .next(1), .next(2), .completed])
    let replayed = endless().share(replay: 2).take(3).recorded()
    #expect(replayed.values == [0, 1, 2])
  }

  @Test func aFailureReachesEverySubscriber() {
    let subject = Subject<Int, TestFailure>()
    let shared = subject.signal.share()
    let both = [shared.recorded(), shared.recorded()]
    subject.fail(TestFailure())
    #expect(both.map(\.events) == [[.failed(TestFailure())], [.failed(TestFailure())]])
  }

  // MARK: Releasing the signal or the source first

  @Test func droppingTheSignalChangesNothingForItsSubscribers() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    do { seen.record(subject.signal.share()) }
    subject.send(1)
    subject.complete()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test(arguments: [ShareScope.whileConnected, .forever])
  func droppingTheSourceEndsTheSubscribersWithoutAnEvent(_ scope: ShareScope) {
    let seen = Recorder<Int, Never>()
    let shared: Signal<Int, Never>
    do {
      let subject = Subject<Int, Never>()
      shared = subject.signal.share(replay: 1, scope: scope)
      seen.record(shared)
      subject.send(1)
    }
    #expect(seen.isDisposed)
    #expect(seen.events == [.next(1)])
    #expect(shared.recorded().isDisposed)
  }

  @Test func endingTheSubscriptionsFreesKeptValues() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let shared = subject.signal.share(replay: 3)
    let first = shared.recorded()
    for _ in 0..<5 { subject.send(lives.token()) }
    first.reset()
    #expect(lives.count == 3)
    first.dispose()
    #expect(lives.count == 0)
  }

  @Test func valuesKeptForEverAreFreedWithTheSignal() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    do {
      let shared = subject.signal.share(replay: 3, scope: .forever)
      let first = shared.recorded()
      for _ in 0..<5 { subject.send(lives.token()) }
      first.dispose()
      first.reset()
      #expect(lives.count == 3)
      withExtendedLifetime(shared) {}
    }
    #expect(lives.count == 0)
  }

  @Test func aNegativeCapacityTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.just(1).share(replay: -1) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("share") { $0.share() }
    checkOperatorContract("share") { $0.share(replay: 2) }
    checkOperatorContract("share") { $0.share(replay: 2, scope: .forever) }
    checkOperatorContract("shareWhileActive") { $0.shareWhileActive() }
  }
}
