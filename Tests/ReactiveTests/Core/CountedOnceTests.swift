import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// After a single call of `subscribe`, each signal of the chain has one subscription.
///
/// A trace contains a subscription for that call and one for the last operator of the chain, but
/// the two count as one.
@Suite struct CountedOnceTests {
  private static func listed() -> [String] {
    ActiveSignals.snapshot().signals.map {
      "\($0.name): \($0.state), \($0.subscriptions) of \($0.subscriptionsEver)"
    }
  }

  /// The same list, read from the recording.
  private static func stored() throws -> [String] {
    let now = try TraceReader(path: #require(Trace.path)).snapshot()
    return now.slots.filter { $0.kind == .signal }.sorted { $0.serial < $1.serial }.map { slot in
      "\(now.sites[Int(slot.site)].name): \(slot.state), \(slot.depth) of \(slot.eventCount)"
    }
  }

  @Test(arguments: ["at once", "handed over first", "on the main actor", "from inside"])
  func eachSignalOfAChainCountsTheSubscriptionsTheProgramMade(_ way: String) async {
    await #expect(processExitsWith: .success) { [way] in
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      let chain = subject.signal.map { $0 }.filter { $0 > 0 }.take(9)
      func subscribe() -> any Disposable {
        switch way {
        case "handed over first": chain.subscribe(started: { _ in }, next: { _ in })
        case "on the main actor": chain.subscribeOnMainActor()
        default: chain.subscribe()
        }
      }
      func expect(_ words: String) throws {
        let expected = ["Subject", "map", "filter", "take"].map { "\($0): \(words)" }
        #expect(Self.listed() == expected)
        #expect(try Self.stored() == expected)
      }
      try expect("created, 0 of 0")
      let first = subscribe()
      try expect("active, 1 of 1")
      if way == "from inside" {
        let seen = chain.doNext { _ in chain.subscribe() }.subscribe()
        subject.send(1)
        seen.dispose()
        let expected = ["Subject", "map", "filter", "take"].map { "\($0): active, 2 of 3" }
        #expect(Self.listed().prefix(4) == expected[...])
        return
      }
      let second = subscribe()
      try expect("active, 2 of 2")
      first.dispose()
      try expect("active, 1 of 2")
      second.dispose()
      try expect("inactive, 0 of 2")
      withExtendedLifetime(chain) {}
    }
  }

  @Test func aReleasedSignalIsListedUntilItsSubscriptionEnds() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      let subscription = subject.signal.map { $0 }.named("mine").subscribe()
      #expect(Self.listed() == ["Subject: active, 1 of 1", "mine: active, 1 of 1"])
      subscription.dispose()
      #expect(Self.listed() == ["Subject: inactive, 0 of 1"])
    }
  }
}
