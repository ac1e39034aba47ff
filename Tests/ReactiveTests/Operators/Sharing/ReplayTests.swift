import Reactive
import ReactiveTesting
import Testing

@Suite struct ReplayTests {
  @Test func replaySubscribesAtOnceAndKeepsTheLatest() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-4-|", on: time)
    let shared = source.signal.replay(2)
    #expect(source.subscriptions.count == 1)
    time.advance(by: .frames(6))
    let seen = shared.recorded(at: time)
    #expect(seen.values == ["2", "3"])
    time.run()
    #expect(seen.values == ["2", "3", "4"])
    #expect(seen.isCompleted)
    #expect(shared.recorded().events == [.next("3"), .next("4"), .completed])
    #expect(source.subscriptions.count == 1)
  }

  @Test func replayLastSubscribesAtOnceAndKeepsOne() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-|", on: time)
    let shared = source.signal.replayLast()
    #expect(source.subscriptions.count == 1)
    time.advance(by: .frames(4))
    let seen = shared.recorded()
    #expect(seen.values == ["2"])
    time.run()
    #expect(seen.isCompleted)
    #expect(shared.recorded().events == [.next("2"), .completed])
  }

  @Test func replayLazilySubscribesWithTheFirstSubscriberAndOnlyThen() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    let shared = source.signal.replayLazily()
    #expect(source.subscriptions.isEmpty)
    let first = shared.recorded()
    #expect(source.subscriptions.count == 1)
    time.advance(by: .frames(4))
    first.dispose()
    #expect(source.activeCount == 1)
    let second = shared.recorded()
    #expect(second.values == ["1", "2"])
    time.run()
    #expect(second.events == [.next("1"), .next("2"), .next("3"), .completed])
    #expect(shared.recorded().events == second.events)
    #expect(source.subscriptions.count == 1)
  }

  @Test func replayLazilyKeepsTheGivenNumberOfValues() {
    let shared = Signal<Int, TestFailure>.create { observer in
      for value in 1...4 { observer.send(value) }
      observer.fail(TestFailure())
    }
    .replayLazily(2)
    let first = shared.recorded()
    #expect(first.events == [.next(1), .next(2), .next(3), .next(4), .failed(TestFailure())])
    #expect(shared.recorded().events == [.next(3), .next(4), .failed(TestFailure())])
  }

  // MARK: Releasing the signal or the source first

  @Test func droppingTheLazySignalChangesNothingForItsSubscribers() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    do { seen.record(subject.signal.replayLazily()) }
    subject.send(1)
    subject.complete()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func droppingTheSourceEndsLazySubscribersWithoutAnEvent() {
    let seen = Recorder<Int, Never>()
    do {
      let subject = Subject<Int, Never>()
      seen.record(subject.signal.replayLazily())
      subject.send(1)
    }
    #expect(seen.isDisposed)
    #expect(seen.events == [.next(1)])
  }

  @Test func theSharedSubscriptionIsFreedWithItsSource() {
    let lives = LifeCount()
    do {
      let subject = Subject<LifeCount.Token, Never>()
      let eager = subject.signal.replay()
      let lazy = subject.signal.replayLazily()
      lazy.recorded().dispose()
      for _ in 0..<3 { subject.send(lives.token()) }
      #expect(eager.recorded().count == 3)
      #expect(lazy.recorded().count == 3)
    }
    #expect(lives.count == 0)
  }

  @Test func aLazyReplayThatNobodyUsedIsFreed() {
    let lives = LifeCount()
    let source = Signal<Int, Never>.just(1)
    do { _ = source.doNext { [token = lives.token()] _ in token.touch() }.replayLazily() }
    #expect(lives.count == 0)
  }

  @Test func aNegativeCapacityTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.just(1).replayLazily(-1) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("replay", .sharesSource) { $0.replay() }
    checkOperatorContract("replayLast", .sharesSource) { $0.replayLast() }
    checkOperatorContract("replayLazily", .sharesSource) { $0.replayLazily() }
  }

  @Test func replaysTheValuesOfARecentPeriodUpToTheCapacity() {
    let time = TestScheduler()
    let signals = [
      time.hot("-1-2-3-4-|").replay(2, lasting: .frames(4), on: time),
      time.hot("-1-2-3-4-|").replay(lasting: .frames(3), on: time),
      time.hot("-1-2-3-4-|").replayLazily(lasting: .frames(3), on: time),
      time.hot("-1-2-3-4-|").share(replay: 5, lasting: .frames(3), on: time),
    ]
    let first = signals.map { $0.recorded(at: time) }
    for one in first { #expect(one.isDisposed == false) }
    time.advance(by: .frames(6))
    let late = signals.map { $0.recorded(at: time) }
    #expect(late.map(\.values) == [["2", "3"], ["3"], ["3"], ["3"]])
    time.run()
    for one in first { expectMarbles(one, "-1-2-3-4-|") }
  }

  @Test func aConnectionKeepsValuesForATime() {
    let time = TestScheduler()
    let connection = time.hot("-1-2-3-|").multicast(lasting: .frames(3), on: time)
    connection.connect()
    time.advance(by: .frames(5))
    #expect(connection.signal.recorded().values == ["2", "3"])
    time.run()
  }
}
