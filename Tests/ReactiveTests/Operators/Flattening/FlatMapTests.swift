import Reactive
import ReactiveTesting
import Testing

@Suite struct FlatMapTests {
  @Test func forwardsTheValuesOfTheInnerSignals() {
    expectMarbles("-1---2----|", "--a-a-a-a-|") { signal, time in
      signal.flatMap { _ in time.cold("-a-a-|") }
    }
  }

  @Test func interleavesSignalsThatRunAtTheSameTime() {
    let inner: [String: Marbles] = ["1": "a---a|", "2": "b---b|"]
    expectMarbles("1-2-|", "a-b-a-b|") { signal, time in
      signal.flatMap { time.cold(inner[$0] ?? "|") }
    }
  }

  @Test func aFailureOfAnInnerSignalEndsAll() {
    expectMarbles("1-1-1-|", "--#") { signal, time in signal.flatMap { _ in time.cold("--#") } }
  }

  @Test func theResultCanFailIfAnyOfTheSignalsCan() {
    let safe = Signal<Int, Never>.just(1)
    let risky = Signal<Int, TestFailure>.just(2)
    let a: Signal<Int, Never> = safe.flatMap { Signal<Int, Never>.just($0) }
    let b: Signal<Int, TestFailure> = safe.flatMap { _ in risky }
    let c: Signal<Int, TestFailure> = risky.flatMap { _ in safe }
    let d: Signal<Int, TestFailure> = risky.flatMap { _ in risky }
    #expect(a.recorded().events == [.next(1), .completed])
    #expect(b.recorded().events == [.next(2), .completed])
    #expect(c.recorded().events == [.next(1), .completed])
    #expect(d.recorded().events == [.next(2), .completed])
  }

  @Test func transformsEachValueOnce() {
    let calls = Counter()
    let signal = Signal<Int, Never>.from([1, 2, 3]).flatMap { value in
      calls.add()
      return Signal<Int, Never>.from([value, value])
    }
    #expect(signal.recorded().values == [1, 1, 2, 2, 3, 3])
    #expect(calls.value == 3)
  }

  @Test func anInnerSignalThatHasEndedIsFreed() {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    subject.signal
      .flatMap { [lives] value in
        Signal<Int, Never>.create { [token = lives.token()] observer in
          token.touch()
          observer.complete()
        }
      }
      .subscribe()
    for value in 0..<10 { subject.send(value) }
    #expect(lives.count == 0)
  }

  @Test(arguments: [true, false]) func anInnerSignalThatCannotFailWaitsForAnOpenGate(
    endsMeanwhile: Bool
  ) {
    let outer = Subject<Int, TestFailure>()
    let first = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let starts = Counter()
    let held = SerialDisposable()
    held.inner = outer.signal
      .flatMap { value -> Signal<Int, Never> in
        value == 1 ? first.signal : .from([20, 30]).doStarted { starts.add() }
      }
      .subscribe(
        next: { value in
          if value == 10 { outer.send(2) }
          seen.next(value)
          if endsMeanwhile { held.dispose() }
        },
        failed: { _ in }
      )
    outer.send(1)
    first.send(10)
    #expect(seen.values == (endsMeanwhile ? [10] : [10, 20, 30]))
    #expect(starts.value == (endsMeanwhile ? 0 : 1))
    held.dispose()
  }

  @Test func anInnerSignalThatWaitsIsNotSubscribedToAfterDisposal() {
    let outer = Subject<Int, TestFailure>()
    let first = Subject<Int, TestFailure>()
    let starts = Counter()
    let held = SerialDisposable()
    held.inner = outer.signal
      .flatMap { value -> Signal<Int, TestFailure> in
        value == 1 ? first.signal : .just(2).doStarted { starts.add() }
      }
      .subscribe(
        next: { _ in
          outer.send(2)
          held.dispose()
        },
        failed: { _ in }
      )
    outer.send(1)
    first.send(10)
    #expect(starts.value == 0)
    #expect(held.isDisposed)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("flatMap") { source in
      source.flatMap { Signal<Int, ContractFailure>.just($0) }
    }
    checkOperatorContract("flatMap") { source in source.flatMap { Signal<Int, Never>.just($0) } }
  }
}
