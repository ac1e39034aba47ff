import Reactive
import ReactiveTesting
import Testing

@Suite struct FlatMapLatestTests {
  @Test func eachNewSignalEndsTheOneBefore() {
    let inner: [String: Marbles] = ["A": "--1-2-3-4-", "B": "--5-6-|"]
    expectMarbles("-A------B------|", "---1-2-3--5-6--|") { signal, time in
      signal.flatMapLatest { time.cold(inner[$0] ?? "|") }
    }
  }

  @Test func completesAfterTheOuterAndTheLatestInnerSignal() {
    expectMarbles("a|", "--1-|") { signal, time in
      signal.flatMapLatest { _ in time.cold("--1-|") }
    }
    expectMarbles("a-----|", "--1---|") { signal, time in
      signal.flatMapLatest { _ in time.cold("--1|") }
    }
  }

  @Test func aFailureOfTheOuterOrAnInnerSignalFailsTheResult() {
    expectMarbles("a---#", "-1-1#") { signal, time in
      signal.flatMapLatest { _ in time.cold("-1-1-1-1") }
    }
    expectMarbles("a-----|", "--#") { signal, time in
      signal.flatMapLatest { _ in time.cold("--#") }
    }
  }

  @Test func theClosureRunsBeforeTheOldSignalIsDisposedOf() {
    let order = Recorder<String, Never>()
    let outer = Subject<Int, Never>()
    let subscription = outer.signal
      .flatMapLatest { number in
        order.next("transform \(number)")
        return Signal<Int, Never>.create { observer in
          order.next("subscribe \(number)")
          observer.onDispose {
            order.next("dispose \(number)")
            withExtendedLifetime(observer) {}
          }
        }
      }
      .subscribe()
    outer.send(1)
    outer.send(2)
    #expect(
      order.values == ["transform 1", "subscribe 1", "transform 2", "dispose 1", "subscribe 2"]
    )
    subscription.dispose()
  }

  @Test func theResultCanFailIfAnyOfTheSignalsCan() {
    let safe = Signal<Int, Never>.just(1)
    let risky = Signal<Int, TestFailure>.just(2)
    let a: Signal<Int, Never> = safe.flatMapLatest { Signal<Int, Never>.just($0) }
    let b: Signal<Int, TestFailure> = safe.flatMapLatest { _ in risky }
    let c = risky.flatMapLatest { _ in risky }
    #expect(a.recorded().events == [.next(1), .completed])
    #expect(b.recorded().events == [.next(2), .completed])
    #expect(c.recorded().events == [.next(2), .completed])
  }

  @Test func innerSignalsThatCannotFailAreAccepted() {
    let inner = Signal<Int, Never>.from([1, 2])
    let seen: Recorder<Int, TestFailure> = Signal<Int, TestFailure>.just(0)
      .concat(.failed(TestFailure(code: 3)))
      .flatMapLatest { _ in inner }
      .recorded()
    #expect(seen.events == [.next(1), .next(2), .failed(TestFailure(code: 3))])
  }

  @Test func aNewSignalEndsAPreviousOneThatCannotFail() {
    let outer = Subject<Int, TestFailure>()
    let inner = [Subject<Int, Never>(), Subject<Int, Never>()]
    let seen = outer.signal
      .flatMapLatest { [signals = inner.map(\.signal)] in signals[$0] }
      .recorded()
    outer.send(0)
    inner[0].send(1)
    outer.send(1)
    inner[0].send(2)
    inner[1].send(3)
    inner[1].complete()
    outer.complete()
    #expect(seen.events == [.next(1), .next(3), .completed])
  }

  @Test func takeEndsAnEndlessInnerSignalThatWasSentReentrantly() {
    let outer = Subject<Int, Never>()
    let first = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    outer.signal
      .flatMapLatest { [signal = first.signal] in $0 == 0 ? signal : endless() }
      .take(4)
      .subscribe(
        next: { value in
          seen.next(value)
          if value == -1 { outer.send(1) }
        },
        completed: { seen.complete() }
      )
    outer.send(0)
    first.send(-1)
    #expect(seen.events == [.next(-1), .next(0), .next(1), .next(2), .completed])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("flatMapLatest") { source in
      source.flatMapLatest { Signal<Int, ContractFailure>.just($0) }
    }
    checkOperatorContract("flatMapLatest") { source in
      source.flatMapLatest { Signal<Int, Never>.just($0) }
    }
    checkOperatorContract("flatMapLatest", .handlesFailure) { source in
      source.catch { _ in Signal<Int, Never>.empty() }
        .flatMapLatest { Signal<Int, ContractFailure>.just($0) }
    }
  }
}
