import Reactive
import ReactiveTesting
import Testing

/// Contract rule 5: side effects happen once per subscription.
@Suite struct Rule05SideEffectsTests {
  @Test func eachSubscriptionRunsTheWorkAnew() {
    let starts = Counter()
    let signal = Signal<Int, Never>.create { observer in
      observer.send(starts.add())
      observer.complete()
    }
    #expect(starts.value == 0)
    #expect(signal.recorded().values == [1])
    #expect(signal.recorded().values == [2])
  }

  @Test func closuresRunOncePerValueAndSubscription() {
    let calls = Counter()
    let signal = Signal<Int, Never>.from([1, 2, 3]).map { value in
      calls.add()
      return value
    }
    _ = signal.recorded()
    #expect(calls.value == 3)
    _ = signal.recorded()
    #expect(calls.value == 6)
  }

  @Test func subscriptionsOfOneSignalShareNoState() {
    let signal = Signal<Int, Never>.from([1, 2, 3]).scan(0, +).take(2).skip(1)
    #expect(signal.recorded().values == [3])
    #expect(signal.recorded().values == [3])
  }

  @Test func sharingRunsTheWorkOnce() {
    let starts = Counter()
    let shared = Signal<Int, Never>.create { observer in
      observer.send(starts.add())
      observer.complete()
    }
    .replay()
    #expect(shared.recorded().values == [1])
    #expect(shared.recorded().values == [1])
    #expect(starts.value == 1)
  }

  /// Signals form a monad: `flatMap` is associative, and `just` is its identity on both sides.
  @Test func flatMapObeysTheMonadLaws() {
    let twice: @Sendable (Int) -> Signal<Int, Never> = { .from([$0, $0]) }
    let next: @Sendable (Int) -> Signal<Int, Never> = { .just($0 + 1) }
    let source = Signal<Int, Never>.from([1, 2, 3])
    #expect(Signal.just(5).flatMap(twice).recorded().events == twice(5).recorded().events)
    #expect(source.flatMap { .just($0) }.recorded().events == source.recorded().events)
    let left = source.flatMap(twice).flatMap(next).recorded().events
    let right = source.flatMap { twice($0).flatMap(next) }.recorded().events
    #expect(left == right)
  }

  /// Signals form a monoid: `concat` is associative, and `empty` is its identity on both sides.
  @Test func concatObeysTheMonoidLaws() {
    let a = Signal<Int, Never>.from([1, 2])
    let b = Signal<Int, Never>.just(3)
    let c = Signal<Int, Never>.just(4)
    #expect(Signal.empty().concat(a).recorded().events == a.recorded().events)
    #expect(a.concat(.empty()).recorded().events == a.recorded().events)
    #expect(a.concat(b).concat(c).recorded().events == a.concat(b.concat(c)).recorded().events)
  }
}
