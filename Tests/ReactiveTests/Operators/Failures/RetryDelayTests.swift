import Reactive
import ReactiveTesting
import Testing

@Suite struct RetryDelayTests {
  @Test func waitsBeforeEachRetry() {
    expectMarbles("1#", "1---1---1#") { signal, time in
      signal.retry(2, delay: .frames(3), on: time)
    }
  }

  @Test func withoutACountItRetriesForEver() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-#", on: time)
    let seen = source.signal.retry(delay: .frames(9), on: time).recorded()
    time.advance(by: .frames(95))
    #expect(source.subscriptions.count == 10)
    #expect(!seen.hasEnded)
    seen.dispose()
    #expect(time.pendingCount == 0)
  }

  @Test func theClosureChoosesTheDelay() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "#", on: time)
    let seen = source.signal
      .retry(3, delay: { number, _ in .frames(1 << number) }, on: time)
      .recorded(at: time)
    time.run()
    #expect(source.subscriptions.map(\.began) == [.zero, .frames(2), .frames(6), .frames(14)])
    #expect(seen.entries.map(\.time) == [.frames(14)])
    #expect(seen.failure != nil)
  }

  @Test func aValueResetsTheNumberOfRetriesIfRequested() {
    let time = TestScheduler()
    let tries = Counter()
    let numbers = Recorder<Int, Never>()
    // Only the third try sends a value before it fails.
    let source = Signal<Int, TestFailure>.create { observer in
      tries.add()
      if tries.value == 3 { observer.send(7) }
      observer.fail(TestFailure())
    }
    let seen =
      source
      .retry(
        2,
        delay: { number, _ in
          numbers.next(number)
          return .frames(1)
        },
        on: time,
        resetsOnValue: true
      )
      .recorded(at: time)
    time.run()
    #expect(numbers.values == [1, 2, 1, 2])
    #expect(tries.value == 5)
    #expect(seen.events == [.next(7), .failed(TestFailure())])
  }

  @Test func withAConstantDelayAValueResetsTheCountIfRequested() {
    expectMarbles("-1#", "-1--1--1--1--1--1-") { signal, time in
      signal.retry(1, delay: .frames(1), on: time, resetsOnValue: true).take(6).concat(.never())
    }
  }

  @Test func theClosureMayEndTheRetries() {
    let time = TestScheduler()
    let failing = Signal<Int, TestFailure>.failed(TestFailure(code: 4))
    let calls = Recorder<Int, Never>()
    let seen =
      failing
      .retry(
        delay: { number, failure in
          calls.next(number * 10 + failure.code)
          return number == 3 ? nil : .frames(1)
        },
        on: time
      )
      .recorded(at: time)
    time.run()
    #expect(calls.values == [14, 24, 34])
    #expect(seen.entries.map(\.time) == [.frames(2)])
    #expect(seen.events == [.failed(TestFailure(code: 4))])
  }

  @Test func completionIsNotRetried() {
    expectMarbles("-1-|", "-1-|") { signal, time in
      signal.retry(3, delay: .frames(1), on: time)
    }
  }

  @Test func disposalDuringADelayCancelsTheTimer() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-#", on: time)
    let seen = source.signal.retry(5, delay: .frames(10), on: time).recorded()
    time.advance(by: .frames(5))
    #expect(time.pendingCount == 1)
    seen.dispose()
    #expect(time.pendingCount == 0)
    time.run()
    #expect(source.subscriptions.count == 1)
  }

  @Test func aZeroDelayOnTheImmediateSchedulerDoesNotGrowTheStack() {
    let tries = Counter()
    let failing = Signal<Int, TestFailure>.create { observer in
      tries.add()
      observer.fail(TestFailure())
    }
    let seen = failing.retry(scaledDepth(100_000), delay: .zero, on: .immediate).recorded()
    #expect(tries.value == scaledDepth(100_000) + 1)
    #expect(seen.failure != nil)
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Int, Never>.never().retry(-1, delay: .zero, on: .immediate)
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("retry(delay:)", .handlesFailure) { signal, time in
      signal.retry(2, delay: .frames(2), on: time)
    }
    checkOperatorContract("retry(delay:)") { signal, time in
      signal.retry(delay: { _, _ in nil }, on: time)
    }
  }
}
