import ReactiveTesting
import Testing

@testable import Reactive

/// A subscription stops owning what has ended, so that a subscription that lives for long does not
/// grow.
@Suite struct OwnedMembersInternalTests {
  /// How many objects a subscription owns, directly and through what it owns.
  private func ownedCount(of subscription: Subscription) -> Int {
    let owned = Owned(subscription.owned.load(ordering: .acquiring))
    var members: [Member] = []
    if owned.isLinked {
      var next = owned.firstLinked
      while let one = next?.takeUnretainedValue() {
        members.append(one)
        next = one.after
      }
    } else if let only = owned.first?.takeUnretainedValue() {
      members.append(only)
    }
    return members.reduce(0) { count, one in
      count + 1 + ((one as? Subscription).map(ownedCount) ?? 0)
    }
  }

  private func subscribe(to signal: Signal<Int, Never>) -> UpstreamScope<Never> {
    let scope = UpstreamScope<Never>(onEnd: { _ in })
    _ = signal.begin(scope, Site("subscribe", #fileID, #line, #column, .root)) { _ in }
    return scope
  }

  /// Runs ten rounds; checks that a later round leaves nothing behind.
  private func checkThatNothingAccumulates(in scope: UpstreamScope<Never>, round: () -> Void) {
    for _ in 0..<2 { round() }
    let before = ownedCount(of: scope)
    for _ in 0..<8 { round() }
    #expect(ownedCount(of: scope) == before)
    #expect(scope.isActive)
    scope.dispose()
  }

  /// A signal that sends a number and then, after a start that takes place later, follows itself.
  private static func polling(
    _ later: @escaping @Sendable (Signal<Int, Never>) -> Signal<Int, Never>
  ) -> Signal<Int, Never> {
    Signal.just(1).concat(.deferred { later(polling(later)) })
  }

  @Test func startsAfterADelayAreReleasedWhenTheyAreOver() {
    let time = TestScheduler()
    let scope = subscribe(to: Self.polling { $0.delaySubscription(.seconds(1), on: time) })
    checkThatNothingAccumulates(in: scope) { time.advance(by: .seconds(1)) }
  }

  @Test func startsOnASchedulerAreReleasedWhenTheyAreOver() {
    let time = TestScheduler()
    let scope = subscribe(
      to: Self.polling { next in
        Signal.timer(after: .seconds(1), on: time).map { _ in 0 }.concat(next.subscribe(on: time))
      }
    )
    checkThatNothingAccumulates(in: scope) { time.advance(by: .seconds(1)) }
  }

  @Test func innerSubscriptionsThatACustomOperatorDisposesOfAreReleased() {
    let source = Subject<Int, Never>()
    let latest = Signal<Int, Never>.operator(
      Site("latest", #fileID, #line, #column, [.merging, .flattens]),
      inputs: source.signal,
      state: (any Disposable)?.none
    ) { stage in
      stage.subscribe(to: source.signal) { turn, _ in
        turn.state?.dispose()
        turn.state = stage.subscribe(to: Signal<Int, Never>.never()) { turn, value in
          turn.send(value)
        }
      }
    }
    checkThatNothingAccumulates(in: subscribe(to: latest)) { source.send(1) }
  }
}
