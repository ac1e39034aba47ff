import Reactive
import ReactiveTesting
import Testing

@Suite struct FlattenTests {
  @Test func forwardsAllInnerSignalsAtATime() {
    let inner: [String: Marbles] = ["a": "1---2-|", "b": "3---4-|"]
    expectMarbles("a-b-|", "1-3-2-4-|") { signal, time in
      signal.map { time.cold(inner[$0] ?? "|") }.flatten()
    }
  }

  @Test func completesAfterTheOuterAndAllInnerSignals() {
    expectMarbles("a-----|", "-1----|") { signal, time in
      signal.map { _ in time.cold("-1-|") }.flatten()
    }
    expectMarbles("a|", "-1---|") { signal, time in
      signal.map { _ in time.cold("-1---|") }.flatten()
    }
  }

  @Test func theFirstFailureEndsAll() {
    let time = TestScheduler()
    let other = MarbleSource(cold: "-1-1-1-1-1-|", on: time)
    let signals = [other.signal, time.cold("----#")]
    let seen = Signal.from(signals).flatten().recorded()
    time.run()
    #expect(seen.failure != nil)
    #expect(other.subscriptions.map(\.ended) == [.frames(4)])
  }

  @Test func noMoreThanTheLimitRunAtATime() {
    let time = TestScheduler()
    let inner = MarbleSource(cold: "-1--|", on: time)
    let seen = time.cold("(aaa)|").map { _ in inner.signal }.flatten(limit: 2).recorded(at: time)
    time.run()
    #expect(inner.subscriptions.map(\.began) == [.zero, .zero, .frames(4)])
    #expect(seen.values.count == 3)
    #expect(seen.isCompleted)
  }

  @Test func signalsThatWaitGoWithTheSubscription() {
    let time = TestScheduler()
    let inner = MarbleSource(cold: "-1-1", on: time)
    let seen = time.cold("(aaa)|").map { _ in inner.signal }.flatten(limit: 1).recorded()
    time.advance(by: .frames(2))
    seen.dispose()
    time.run()
    #expect(inner.subscriptions.count == 1)
    #expect(inner.activeCount == 0)
  }

  @Test func aLimitOfZeroTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Signal<Int, Never>, Never>.never().flatten(limit: 0)
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("flatten") { source in source.map { .just($0) }.flatten() }
    checkOperatorContract("flatten(limit:)") { source in
      source.map { .just($0) }.flatten(limit: 2)
    }
  }
}
