import Reactive
import ReactiveTesting
import Testing

@Suite struct FlatMapLimitTests {
  @Test func noMoreThanTheLimitRunAtATime() {
    let time = TestScheduler()
    let inner = MarbleSource(cold: "-1--|", on: time)
    let seen = time.cold("(aaa)|").flatMap(limit: 2) { _ in inner.signal }.recorded()
    time.run()
    #expect(inner.subscriptions.map(\.began) == [.zero, .zero, .frames(4)])
    #expect(seen.values.count == 3)
    #expect(seen.isCompleted)
  }

  @Test func aFailureEndsAll() {
    expectMarbles("(aaa)-#", "-(11)#") { signal, time in
      signal.flatMap(limit: 2) { _ in time.cold("-1---1") }
    }
  }

  @Test func aSignalThatCannotFailMapsToSignalsThatCanFail() {
    let seen: Recorder<Int, TestFailure> = Signal<Int, Never>.from([1, 2])
      .flatMap(limit: 1) { Signal<Int, TestFailure>.just($0) }
      .recorded()
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func innerSignalsThatCannotFailAreAccepted() {
    let inner = Signal<Int, Never>.from([1, 2])
    let seen: Recorder<Int, TestFailure> = Signal<Int, TestFailure>.just(0)
      .concat(.failed(TestFailure(code: 3)))
      .flatMap(limit: 1) { _ in inner }
      .recorded()
    #expect(seen.events == [.next(1), .next(2), .failed(TestFailure(code: 3))])
  }

  @Test func endlessSignalsEnd() {
    let seen = endless().flatMap(limit: 2) { _ in endless() }.take(3).recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func aLimitOfZeroTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Int, Never>.never().flatMap(limit: 0) { Signal<Int, Never>.just($0) }
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("flatMap(limit:)") { source in
      source.flatMap(limit: 2) { Signal<Int, ContractFailure>.just($0) }
    }
    checkOperatorContract("flatMap(limit:)") { source in
      source.flatMap(limit: 1) { Signal<Int, Never>.just($0) }
    }
    checkOperatorContract("flatMap(limit:)", .handlesFailure) { source in
      source.catch { _ in Signal<Int, Never>.empty() }
        .flatMap(limit: 1) { Signal<Int, ContractFailure>.just($0) }
    }
  }
}
