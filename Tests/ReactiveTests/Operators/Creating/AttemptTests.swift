import Reactive
import ReactiveTesting
import Testing

@Suite struct AttemptTests {
  @Test func sendsTheResultOfTheClosure() {
    let calls = Counter()
    let signal = Signal<Int, Never>.attempt { calls.add() }
    #expect(calls.value == 0)
    #expect(signal.recorded().events == [.next(1), .completed])
    #expect(signal.recorded().events == [.next(2), .completed])
  }

  @Test func failsWithTheErrorOfTheClosure() {
    let typed = Signal<Int, TestFailure>.attempt { () throws(TestFailure) in
      throw TestFailure(code: 3)
    }
    #expect(typed.recorded().events == [.failed(TestFailure(code: 3))])
    let any = Signal<Int, any Error>.attempt { throw TestFailure(code: 4) }
    #expect(any.recorded().failure as? TestFailure == TestFailure(code: 4))
  }

  @Test func disposalFromInsideTheClosurePreventsTheValue() {
    let disposable = SerialDisposable()
    let start = Subject<Void, Never>()
    let seen = Recorder<Int, Never>()
    disposable.inner = start.signal
      .flatMap {
        Signal<Int, Never>.attempt {
          disposable.dispose()
          return 1
        }
      }
      .subscribe { seen.next($0) }
    start.send()
    #expect(seen.events.isEmpty)
  }

  @Test func aResultIsSent() {
    let good = Signal<Int, TestFailure>(.success(1))
    let bad = Signal<Int, TestFailure>(.failure(TestFailure()))
    #expect(good.recorded().events == [.next(1), .completed])
    #expect(bad.recorded().events == [.failed(TestFailure())])
    #expect(good.site.place == "AttemptTests.swift:40")
  }
}
