import Reactive
import ReactiveTesting
import Testing

@Suite struct DebounceTests {
  @Test func forwardsTheLastOfEachBurst() {
    expectMarbles("-1-2-3-------4-----|", "---------3-------4-|") { signal, time in
      signal.debounce(.frames(4), on: time)
    }
  }

  @Test func completionForwardsTheWaitingValue() {
    expectMarbles("-1-2-|", "-----(2|)") { signal, time in signal.debounce(.frames(9), on: time) }
    expectMarbles("---|", "---|") { signal, time in signal.debounce(.frames(9), on: time) }
  }

  @Test func aFailureDropsTheWaitingValue() {
    expectMarbles("-1-2-#", "-----#") { signal, time in signal.debounce(.frames(9), on: time) }
  }

  @Test func oneTimerServesABurst() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.debounce(.seconds(1), on: time).recorded()
    for value in 0..<1_000 { subject.send(value) }
    #expect(time.pendingCount == 1)
    time.run()
    #expect(seen.values == [999])
    #expect(time.pendingCount == 0)
  }

  @Test func forwardsValuesExemptedByItsPredicateAtOnce() {
    expectMarbles("-1-2-A-3-----|", "-----A-----3-|") { signal, time in
      signal.debounce(.frames(4), on: time) { $0 != "A" }
    }
    expectMarbles("-1-A-----|", "---A-----|") { signal, time in
      signal.debounce(.frames(4), on: time) { $0 != "A" }
    }
    expectMarbles("-A-1-|", "-A---(1|)") { signal, time in
      signal.debounce(.frames(4), on: time) { $0 != "A" }
    }
  }

  @Test func itsPredicateRunsOncePerValue() {
    let time = TestScheduler()
    let calls = Counter()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.debounce(.seconds(1), on: time) { _ in calls.add() > 0 }.recorded()
    for value in 0..<5 { subject.send(value) }
    time.run()
    #expect(seen.values == [4])
    #expect(calls.value == 5)
  }

  @Test func freesHeldValues() {
    expectHeldValuesToBeFreed { signal, time in signal.debounce(.seconds(1), on: time) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("debounce") { signal, time in signal.debounce(.seconds(1), on: time) }
    checkOperatorContract("debounce") { signal, time in
      signal.debounce(.seconds(1), on: time) { $0 % 2 == 0 }
    }
  }
}
