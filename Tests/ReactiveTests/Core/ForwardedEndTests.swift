import Reactive
import ReactiveTesting
import Testing

/// In the closure of `create`, `signal.subscribe(observer)` makes the two subscriptions end
/// together, even if no value is forwarded.
@Suite struct ForwardedEndTests {
  private static func forwarding<Failure: Error>(
    _ signal: Signal<Int, Failure>
  ) -> Signal<Int, Failure> {
    .create { observer in signal.subscribe(observer) }
  }

  @Test func anEndWithoutValuesReachesTheObserverItIsForwardedTo() {
    let source = Subject<Int, TestFailure>()
    let completed = Self.forwarding(source.signal.ignoreValues(as: Int.self)).recorded()
    source.send(1)
    source.complete()
    #expect(completed.values.isEmpty)
    #expect(completed.isCompleted)

    let other = Subject<Int, TestFailure>()
    let failed = Self.forwarding(other.signal.ignoreValues(as: Int.self)).recorded()
    other.send(1)
    other.fail(TestFailure(code: 3))
    #expect(failed.failure == TestFailure(code: 3))
  }

  @Test func aForwardedSubscriptionLastsUntilItsSourceEnds() {
    let silent = Self.forwarding(Signal<Int, Never>.never()).recorded()
    #expect(!silent.isDisposed)
    silent.dispose()

    let source = Subject<Int, Never>()
    let later = Subject<Int, Never>()
    let following = Self.forwarding(
      source.signal.then { later.signal }
    ).recorded()
    source.send(1)
    source.complete()
    later.send(2)
    later.complete()
    #expect(following.values == [2])
    #expect(following.isCompleted)
  }

  @Test func anObserverEndsWhenItsSourceIsGone() {
    let lives = LifeCount()
    let gone = Box(Subject<Int, Never>())
    let seen = Self.forwarding(
      gone.value!.signal.map { [token = lives.token()] in
        token.touch()
        return $0
      }
      .ignoreValues(as: Int.self)
    ).recorded()
    #expect(!seen.isDisposed)
    gone.value = nil
    #expect(seen.isDisposed)
    #expect(!seen.hasEnded)
  }

  @Test func disposalFreesTheForwardedSubscription() {
    let lives = LifeCount()
    let source = Subject<Int, Never>()
    do {
      let signal = source.signal.map { [token = lives.token()] in
        token.touch()
        return $0
      }
      let seen = Self.forwarding(signal.ignoreValues(as: Int.self)).recorded()
      seen.dispose()
    }
    #expect(lives.count == 0)
  }
}
