import Reactive
import ReactiveTesting
import Testing

@Suite struct ConcatMapTests {
  @Test func signalsFollowInTheOrderOfTheValues() {
    let inner: [String: Marbles] = ["a": "-1-2-|", "b": "-3-4-|"]
    expectMarbles("a-b-|", "-1-2--3-4-|") { signal, time in
      signal.concatMap { time.cold(inner[$0] ?? "|") }
    }
  }

  @Test func onlyOneSignalIsSubscribedToAtATime() {
    let time = TestScheduler()
    let inner = MarbleSource(cold: "--1|", on: time)
    _ = time.cold("aaa|").concatMap { _ in inner.signal }.recorded()
    time.run()
    #expect(inner.subscriptions.map(\.began) == [.zero, .frames(3), .frames(6)])
    #expect(inner.subscriptions.map(\.ended) == [.frames(3), .frames(6), .frames(9)])
  }

  @Test func theClosureRunsWhenTheValueComes() {
    let calls = Counter()
    let outer = Subject<Int, Never>()
    let subscription = outer.signal.concatMap { _ in
      calls.add()
      return Signal<Int, Never>.never()
    }
    .subscribe()
    outer.send(1)
    outer.send(2)
    #expect(calls.value == 2)
    subscription.dispose()
  }

  @Test func aFailureOfTheOuterSignalOvertakesWaitingSignals() {
    let time = TestScheduler()
    let inner = MarbleSource(cold: "-1-1-1-1", on: time)
    let seen = time.cold("aa--#").concatMap { _ in inner.signal }.recorded()
    time.run()
    #expect(seen.values == ["1", "1"])
    #expect(seen.failure != nil)
    #expect(inner.subscriptions.count == 1)
    #expect(inner.activeCount == 0)
  }

  @Test func waitingSignalsAreFreed() {
    let lives = LifeCount()
    let outer = Subject<Int, Never>()
    let subscription = outer.signal.concatMap { [lives] _ in
      Signal<Int, Never>.never().map { [token = lives.token()] value in
        token.touch()
        return value
      }
    }
    .subscribe()
    for number in 0..<4 { outer.send(number) }
    #expect(lives.count == 4)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func aSignalThatCannotFailMapsToSignalsThatCanFail() {
    let seen: Recorder<Int, TestFailure> = Signal<Int, Never>.from([1, 2])
      .concatMap { Signal<Int, TestFailure>.just($0) }
      .recorded()
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func innerSignalsThatCannotFailAreAccepted() {
    let inner = Signal<Int, Never>.from([1, 2])
    let seen: Recorder<Int, TestFailure> = Signal<Int, TestFailure>.just(0)
      .concat(.failed(TestFailure(code: 3)))
      .concatMap { _ in inner }
      .recorded()
    #expect(seen.events == [.next(1), .next(2), .failed(TestFailure(code: 3))])
  }

  @Test func aSignalThatCannotFailWaitsForTheOneBefore() {
    let outer = Subject<Int, TestFailure>()
    let inner = [Subject<Int, Never>(), Subject<Int, Never>()]
    let seen = outer.signal
      .concatMap { [signals = inner.map(\.signal)] in signals[$0] }
      .recorded()
    outer.send(0)
    outer.send(1)
    inner[1].send(1)
    inner[0].send(2)
    inner[0].complete()
    inner[1].send(3)
    #expect(seen.values == [2, 3])
    outer.fail(TestFailure())
    #expect(seen.events == [.next(2), .next(3), .failed(TestFailure())])
  }

  @Test func endlessSignalsEnd() {
    let seen = endless().concatMap { _ in endless() }.take(3).recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("concatMap") { source in
      source.concatMap { Signal<Int, ContractFailure>.just($0) }
    }
    checkOperatorContract("concatMap") { source in
      source.concatMap { Signal<Int, Never>.just($0) }
    }
    checkOperatorContract("concatMap", .handlesFailure) { source in
      source.catch { _ in Signal<Int, Never>.empty() }
        .concatMap { Signal<Int, ContractFailure>.just($0) }
    }
  }
}
