import Reactive
import ReactiveTesting
import Testing

@Suite struct DelayUntilTests {
  @Test func forwardsEachValueWhenItsSignalSends() {
    expectMarbles("-1-2------|", "----2--1--|") { signal, time in
      signal.delay { $0 == "1" ? time.cold("------x") : time.cold("-x") }
    }
  }

  @Test func completionOfItsSignalForwardsTheValueToo() {
    expectMarbles("-1----|", "---1--|") { signal, time in signal.delay { _ in time.cold("--|") } }
  }

  @Test func completesWhenNoValueIsWaiting() {
    expectMarbles("-1-2-|", "-----1-(2|)") { signal, time in
      signal.delay { _ in time.cold("----x---x") }
    }
  }

  @Test func aFailureDropsWaitingValues() {
    expectMarbles("-1-2-#", "-----#") { signal, time in
      signal.delay { _ in time.cold("--------x") }
    }
    expectMarbles("-1-2-3-|", "-----#") { signal, time in
      signal.delay { $0 == "2" ? time.cold("--#") : time.cold("--------x") }
    }
  }

  @Test func aSignalThatSendsAtOnceDelaysNothing() {
    expectMarbles("-1-2-|", "-1-2-|") { signal in signal.delay { _ in Signal<Int, Never>.just(0) } }
    expectMarbles("-1-2-|", "-1-2-|") { signal in signal.delay { _ in endless() } }
  }

  @Test func aSignalThatIsGoneEndsItWithoutAnEvent() {
    let subject = Subject<Int, Never>()
    let seen = subject.signal.delay { _ in Subject<Int, Never>().signal }.recorded()
    subject.send(1)
    #expect(!seen.isDisposed)
    subject.complete()
    #expect(seen.isDisposed)
    #expect(seen.events.isEmpty)
  }

  @Test func disposesOfASignalAfterItsFirstValue() {
    let time = TestScheduler()
    let trigger = MarbleSource(cold: "--x-x-x", on: time)
    let subject = Subject<Int, Never>()
    let seen = subject.signal.promoteFailure(to: MarbleFailure.self)
      .delay { _ in trigger.signal }.recorded()
    subject.send(1)
    #expect(trigger.activeCount == 1)
    time.advance(by: .frames(2))
    #expect(trigger.activeCount == 0)
    #expect(seen.values == [1])
  }

  @Test func disposalEndsTheSignalsOfAllWaitingValues() {
    let time = TestScheduler()
    let trigger = MarbleSource(cold: "-----", on: time)
    let subject = Subject<Int, MarbleFailure>()
    let seen = subject.signal.delay { _ in trigger.signal }.recorded()
    for value in 0..<3 { subject.send(value) }
    #expect(trigger.activeCount == 3)
    seen.dispose()
    #expect(trigger.activeCount == 0)
  }

  @Test func aValueSentFromInsideADeliveryComesAfterIt() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<String, Never>()
    let subscription = subject.signal.delay { _ in Signal<Int, Never>.just(0) }.subscribe { value in
      seen.next("begin \(value)")
      if value < 3 { subject.send(value + 1) }
      seen.next("end \(value)")
    }
    subject.send(1)
    #expect(seen.values == (1...3).flatMap { ["begin \($0)", "end \($0)"] })
    subscription.dispose()
  }

  @Test func freesHeldValues() {
    expectHeldValuesToBeFreed { signal, time in
      signal.delay { _ in Signal.timer(after: .seconds(1), on: time) }
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("delay(until:)") { $0.delay { _ in Signal<Int, Never>.just(0) } }
    checkOperatorContract("delay(until:)") { signal, time in
      signal.delay { _ in Signal.timer(after: .seconds(1), on: time) }
    }
  }
}
