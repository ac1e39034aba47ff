import ReactiveTesting
import Testing

@testable import Reactive

@Suite struct BridgeInternalTests {
  private let ended = Counter()
  private let gone = Counter()

  private func connect(_ signal: Signal<Int, TestFailure>, _ bridge: Bridge) {
    let site = Site("wait", #fileID, #line, #column)
    let completion = CompletionOnce { [gone] in gone.add() }
    signal.connect(bridge, site, completion, ended: { [ended] _ in ended.add() }) { _ in }
  }

  @Test func aWaiterIsNotifiedOnceHoweverItsSubscriptionEnds() {
    let subject = Subject<Int, TestFailure>()
    let (first, second, third) = (Bridge(), Bridge(), Bridge())
    connect(subject.signal, first)
    subject.complete()
    first.dispose()
    #expect(ended.value == 1 && gone.value == 0)
    let other = Subject<Int, TestFailure>()
    connect(other.signal, second)
    #expect(ended.value == 1 && gone.value == 0)
    second.dispose()
    other.complete()
    #expect(ended.value == 1 && gone.value == 1)
    // The third bridge is disposed of before it has a subscription.
    third.dispose()
    connect(.just(1), third)
    #expect(ended.value == 1 && gone.value == 2)
  }
}
