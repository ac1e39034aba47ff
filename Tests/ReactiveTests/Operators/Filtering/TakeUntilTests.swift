import Reactive
import ReactiveTesting
import Testing

@Suite struct TakeUntilTests {
  @Test func completesWhenTheTriggerSends() {
    expectMarbles("-1-2-3-4-|", "----x-", "-1-2|") { $0.take(until: $1) }
  }

  @Test func completesWhenTheTriggerCompletes() {
    expectMarbles("-1-2-3-4-|", "----|", "-1-2|") { $0.take(until: $1) }
  }

  @Test func aFailureOfTheTriggerIsIgnored() {
    expectMarbles("-1-2-|", "--#", "-1-2-|") { $0.take(until: $1) }
  }

  @Test func endsWithTheSource() {
    expectMarbles("-1-#", "------x", "-1-#") { $0.take(until: $1) }
    expectMarbles("-1-|", "------x", "-1-|") { $0.take(until: $1) }
  }

  @Test func aTriggerThatFiresAtOnceKeepsTheSourceFromBeingSubscribedTo() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-|", on: time)
    let seen = source.signal.take(until: Signal<Int, Never>.just(1)).recorded()
    #expect(seen.events == [.completed])
    #expect(source.subscriptions.isEmpty)
  }

  @Test func theTriggerIsDisposedOfWithTheSource() {
    let time = TestScheduler()
    let trigger = MarbleSource(cold: "-", on: time)
    _ = time.cold("-1-|").take(until: trigger.signal).recorded()
    time.run()
    #expect(trigger.activeCount == 0)
    #expect(trigger.subscriptions.map(\.ended) == [.frames(3)])
  }

  @Test func obeysTheOperatorContract() {
    // The subscription outlives its source because the trigger can still send.
    checkOperatorContract("take(until:)", [.outlivesSource]) {
      $0.take(until: Signal<Int, Never>.never())
    }
    checkOperatorContract("take(until:)") {
      $0.take(until: Subject<Int, Never>().signal)
    }
  }
}
