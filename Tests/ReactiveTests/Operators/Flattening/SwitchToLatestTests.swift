import Reactive
import ReactiveTesting
import Testing

@Suite struct SwitchToLatestTests {
  @Test func eachNewSignalEndsTheOneBefore() {
    let inner: [String: Marbles] = ["A": "--1-2-3-4-", "B": "--5-6-|"]
    expectMarbles("-A------B------|", "---1-2-3--5-6--|") { signal, time in
      signal.map { time.cold(inner[$0] ?? "|") }.switchToLatest()
    }
  }

  @Test func completesAfterTheOuterAndTheLatestInnerSignal() {
    expectMarbles("a|", "--1-|") { signal, time in
      signal.map { _ in time.cold("--1-|") }.switchToLatest()
    }
    expectMarbles("a-----|", "--1---|") { signal, time in
      signal.map { _ in time.cold("--1|") }.switchToLatest()
    }
    expectMarbles("--|", "--|") { signal, time in
      signal.map { _ in time.cold("--1|") }.switchToLatest()
    }
  }

  @Test func theOldSignalIsDisposedOfBeforeTheNewOneIsSubscribedTo() {
    let order = Recorder<String, Never>()
    let outer = Subject<Int, Never>()
    let subscription = outer.signal
      .map { number in
        Signal<Int, Never>.create { observer in
          order.next("subscribe \(number)")
          observer.onDispose {
            order.next("dispose \(number)")
            withExtendedLifetime(observer) {}
          }
        }
      }
      .switchToLatest()
      .subscribe()
    outer.send(1)
    outer.send(2)
    #expect(order.values == ["subscribe 1", "dispose 1", "subscribe 2"])
    subscription.dispose()
  }

  @Test func aFailureOfTheOuterOrAnInnerSignalFailsTheResult() {
    expectMarbles("a---#", "-1-1#") { signal, time in
      signal.map { _ in time.cold("-1-1-1-1") }.switchToLatest()
    }
    expectMarbles("a-----|", "--#") { signal, time in
      signal.map { _ in time.cold("--#") }.switchToLatest()
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("switchToLatest") { source in
      source.map { Signal<Int, ContractFailure>.just($0) }.switchToLatest()
    }
  }
}
