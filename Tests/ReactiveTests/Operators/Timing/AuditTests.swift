import Reactive
import ReactiveTesting
import Testing

@Suite struct AuditTests {
  @Test func forwardsTheLatestAnIntervalAfterTheFirst() {
    expectMarbles("-1-2-3-------4-|", "-----3---------(4|)") { signal, time in
      signal.audit(.frames(4), on: time)
    }
    expectMarbles("-123456789-----|", "-----5----9----|") { signal, time in
      signal.audit(.frames(4), on: time)
    }
  }

  @Test func completionForwardsTheWaitingValue() {
    expectMarbles("-1-2-|", "-----(2|)") { signal, time in signal.audit(.frames(9), on: time) }
    expectMarbles("-----|", "-----|") { signal, time in signal.audit(.frames(9), on: time) }
  }

  @Test func aFailureDropsTheWaitingValue() {
    expectMarbles("-1-2-#", "-----#") { signal, time in signal.audit(.frames(9), on: time) }
  }

  @Test func aValueThatComesBeforeALateTimerWaitsForIt() {
    let clock = EagerClock(eager: 0)
    let subject = Subject<Int, Never>()
    let seen = subject.signal.audit(.seconds(1), on: clock).recorded()
    subject.send(1)
    clock.now = .seconds(2)
    subject.send(2)
    #expect(clock.pendingCount == 1)
    clock.runNext(at: .seconds(2))
    #expect(seen.values == [2])
  }

  @Test func freesHeldValues() {
    expectHeldValuesToBeFreed { signal, time in signal.audit(.seconds(1), on: time) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("audit") { signal, time in signal.audit(.seconds(1), on: time) }
  }
}
