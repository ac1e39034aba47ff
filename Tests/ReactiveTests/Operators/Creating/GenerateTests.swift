import Reactive
import ReactiveTesting
import Testing

@Suite struct GenerateTests {
  @Test func aRangeSendsConsecutiveNumbers() {
    #expect(
      Signal<Int, Never>.range(from: 3, count: 2).recorded().events
        == [.next(3), .next(4), .completed]
    )
    #expect(Signal<Int, Never>.range(from: 3, count: 0).recorded().events == [.completed])
    let last = Signal<UInt8, Never>.range(from: 254, count: 2).recorded()
    #expect(last.events == [.next(254), .next(255), .completed])
  }

  @Test func aRangeCanBeEndedFromInsideAValue() {
    let seen = Signal<Int, Never>.range(from: 0, count: .max).take(2).recorded()
    #expect(seen.events == [.next(0), .next(1), .completed])
  }

  @Test func aRangeThatDoesNotFitTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.range(from: 0, count: -1) }
    await #expect(processExitsWith: .failure) {
      _ = Signal<UInt8, Never>.range(from: 254, count: 3)
    }
    await #expect(processExitsWith: .failure) { _ = Signal<Int8, Never>.range(from: 0, count: 999) }
    await #expect(processExitsWith: .failure) {
      _ = Signal<Int8, Never>.range(from: -9, count: 138)
    }
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.range(from: .max, count: 2) }
  }

  @Test func generateMakesEachValueFromTheOneBefore() {
    let powers = Signal<Int, Never>.generate(1, while: { $0 < 9 }, next: { $0 * 2 })
    #expect(powers.recorded().events == [1, 2, 4, 8].map { .next($0) } + [.completed])
    #expect(powers.recorded().values == [1, 2, 4, 8])
    let none = Signal<Int, Never>.generate(1, while: { _ in false }, next: { $0 })
    #expect(none.recorded().events == [.completed])
  }

  @Test func generateMakesNoValueThatIsNotNeeded() {
    let made = Counter()
    let seen = Signal<Int, Never>
      .generate(0) { value in
        made.add()
        return value + 1
      }
      .take(3).recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
    #expect(made.value == 2)
  }

  @Test func rangeReachesFromTheSmallestToTheLargestNumber() {
    let bytes = Signal<Int8, Never>.range(from: -128, count: 256)
    #expect(bytes.recorded().values == Array(-128...127))
    let some = Signal<Int8, Never>.range(from: -100, count: 150)
    #expect(some.recorded().values == Array(-100...49))
    let words = Signal<Int32, Never>.range(from: .min, count: 1 << 32)
    #expect(words.take(1).recorded().values == [.min])
    let last = Signal<UInt8, Never>.range(from: 250, count: 6)
    #expect(last.recorded().values == Array(250...255))
    #expect(Signal<Int, Never>.range(from: .max, count: 1).recorded().values == [.max])
  }

  @Test func unfoldEndsWithNil() {
    let countdown = Signal<Int, Never>.unfold(3) { left in
      if left == 0 { return nil }
      defer { left -= 1 }
      return left
    }
    #expect(countdown.recorded().events == [3, 2, 1].map { .next($0) } + [.completed])
    #expect(countdown.recorded().values == [3, 2, 1])
    #expect(countdown.take(1).recorded().events == [.next(3), .completed])
  }

  @Test func repeatingDoesNotEndByItself() {
    let seen = Signal<Int, Never>.repeating(7).take(3).recorded()
    #expect(seen.events == [.next(7), .next(7), .next(7), .completed])
    let start = Subject<Void, Never>()
    let disposable = SerialDisposable()
    let values = Counter()
    disposable.inner = start.signal.flatMap { Signal<Int, Never>.repeating(1) }.subscribe { value in
      if values.add(value) == 10 { disposable.dispose() }
    }
    start.send()
    #expect(values.value == 10)
  }
}
