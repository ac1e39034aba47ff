import Reactive
import ReactiveTesting
import Testing

@Suite struct DeferredTests {
  @Test func forwardsTheEventsOfTheSignalThatIsMade() {
    expectMarbles("-1-2-|", "-1-2-|") { signal in .deferred { signal } }
    expectMarbles("-1-2-#", "-1-2-#") { signal in .deferred { signal } }
  }

  @Test func eachSubscriptionMakesOne() {
    let calls = Counter()
    let signal = Signal<Int, Never>.deferred { .just(calls.add()) }
    #expect(calls.value == 0)
    #expect(signal.recorded().values == [1])
    #expect(signal.recorded().values == [2])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("deferred") { source in .deferred { source } }
  }
}
