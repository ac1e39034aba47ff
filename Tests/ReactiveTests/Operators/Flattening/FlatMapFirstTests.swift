import Reactive
import ReactiveTesting
import Testing

@Suite struct FlatMapFirstTests {
  @Test func valuesThatArriveWhileAnInnerSignalRunsAreSkipped() {
    let inner: [String: Marbles] = ["1": "-a-a-|", "2": "-b-b-|", "3": "-c-c-|"]
    expectMarbles("1--2---3--|", "-a-a----c-c-|") { signal, time in
      signal.flatMapFirst { time.cold(inner[$0] ?? "|") }
    }
  }

  @Test func theClosureDoesNotRunForSkippedValues() {
    let calls = Recorder<Int, Never>()
    let outer = Subject<Int, Never>()
    let inner = Subject<Int, Never>()
    let seen = outer.signal
      .flatMapFirst { [signal = inner.signal] number in
        calls.next(number)
        return number == 1 ? signal : .just(number)
      }
      .recorded()
    outer.send(1)
    outer.send(2)
    inner.complete()
    outer.send(3)
    outer.send(4)
    #expect(calls.values == [1, 3, 4])
    #expect(seen.values == [3, 4])
  }

  @Test func completesWhenBothTheOuterAndTheInnerSignalHaveCompleted() {
    expectMarbles("a|", "--1-|") { signal, time in signal.flatMapFirst { _ in time.cold("--1-|") } }
    expectMarbles("a----|", "--1--|") { signal, time in
      signal.flatMapFirst { _ in time.cold("--1|") }
    }
  }

  @Test func aFailureOfTheOuterOrTheInnerSignalIsForwardedAtOnce() {
    expectMarbles("a---#", "-1-1#") { signal, time in
      signal.flatMapFirst { _ in time.cold("-1-1-1-1") }
    }
    expectMarbles("a-----|", "--#") { signal, time in
      signal.flatMapFirst { _ in time.cold("--#") }
    }
  }

  @Test func aSignalThatCannotFailTakesTheFailureTypeOfItsInnerSignals() {
    let seen: Recorder<Int, TestFailure> = Signal<Int, Never>.just(1)
      .flatMapFirst { _ in Signal<Int, TestFailure>.failed(TestFailure()) }
      .recorded()
    #expect(seen.events == [.failed(TestFailure())])
  }

  @Test func takeEndsAnEndlessInnerSignalThatStartsReentrantly() {
    let outer = Subject<Int, Never>()
    let first = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    outer.signal
      .flatMapFirst { [signal = first.signal] in $0 == 0 ? signal : endless() }
      .take(4)
      .subscribe(
        next: { value in
          seen.next(value)
          if value == -1 {
            first.complete()
            outer.send(1)
          }
        },
        completed: { seen.complete() }
      )
    outer.send(0)
    first.send(-1)
    #expect(seen.values == [-1] || seen.values == [-1, 0, 1, 2])
    if seen.count == 1 {
      outer.send(2)
      #expect(seen.events == [.next(-1), .next(0), .next(1), .next(2), .completed])
    }
  }

  @Test func disposalEndsTheInnerSubscription() {
    let time = TestScheduler()
    let inner = MarbleSource(cold: "-1-1-1", on: time)
    let seen = time.cold("a").flatMapFirst { _ in inner.signal }.recorded()
    time.advance(by: .frames(2))
    seen.dispose()
    #expect(inner.activeCount == 0)
    #expect(time.pendingCount == 0)
  }

  @Test func innerSignalsThatCannotFailAreAccepted() {
    let inner = Signal<Int, Never>.from([1, 2])
    let seen: Recorder<Int, TestFailure> = Signal<Int, TestFailure>.just(0)
      .concat(.failed(TestFailure(code: 3)))
      .flatMapFirst { _ in inner }
      .recorded()
    #expect(seen.events == [.next(1), .next(2), .failed(TestFailure(code: 3))])
  }

  @Test func valuesAreSkippedWhileAnInnerSignalThatCannotFailRuns() {
    let outer = Subject<Int, TestFailure>()
    let inner = [Subject<Int, Never>(), Subject<Int, Never>()]
    let seen = outer.signal
      .flatMapFirst { [signals = inner.map(\.signal)] in signals[$0] }
      .recorded()
    outer.send(0)
    outer.send(1)
    inner[1].send(1)
    inner[0].send(2)
    inner[0].complete()
    outer.send(1)
    inner[1].send(3)
    #expect(seen.values == [2, 3])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("flatMapFirst") { source in
      source.flatMapFirst { Signal<Int, ContractFailure>.just($0) }
    }
    checkOperatorContract("flatMapFirst") { source in
      source.flatMapFirst { Signal<Int, Never>.just($0) }
    }
    checkOperatorContract("flatMapFirst", .handlesFailure) { source in
      source.catch { _ in Signal<Int, Never>.empty() }
        .flatMapFirst { Signal<Int, ContractFailure>.just($0) }
    }
  }
}
