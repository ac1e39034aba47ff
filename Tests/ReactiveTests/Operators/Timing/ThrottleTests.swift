import Reactive
import ReactiveTesting
import Testing

@Suite struct ThrottleTests {
  @Test func forwardsTheFirstAndThenTheLatestOfEachInterval() {
    expectMarbles("-1-23---------4-|", "-1---3--------4-|") { signal, time in
      signal.throttle(.frames(4), on: time)
    }
    expectMarbles("-123456789-|", "-1---5---9-|") { signal, time in
      signal.throttle(.frames(4), on: time)
    }
  }

  @Test func aForwardedWaitingValueBeginsTheNextInterval() {
    expectMarbles("-1-2---3-----|", "-1---2---3---|") { signal, time in
      signal.throttle(.frames(4), on: time)
    }
  }

  @Test func dropsTheLatestIfItIsNotWanted() {
    expectMarbles("-1-2-3-4-5-|", "-1---3---5-|") { signal, time in
      signal.throttle(.frames(4), on: time, latest: false)
    }
    expectMarbles("-12-------|", "-1--------|") { signal, time in
      signal.throttle(.frames(4), on: time, latest: false)
    }
  }

  @Test func completionForwardsTheWaitingValue() {
    expectMarbles("-1-2-|", "-1---(2|)") { signal, time in signal.throttle(.frames(9), on: time) }
    expectMarbles("-1---|", "-1---|") { signal, time in signal.throttle(.frames(9), on: time) }
  }

  @Test func aFailureDropsTheWaitingValue() {
    expectMarbles("-1-2-#", "-1---#") { signal, time in signal.throttle(.frames(9), on: time) }
  }

  @Test func armsNoTimerWhileNoValueIsWaiting() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.throttle(.seconds(1), on: time).recorded()
    subject.send(1)
    #expect(time.pendingCount == 0)
    for value in 2...100 { subject.send(value) }
    #expect(time.pendingCount == 1)
    time.run()
    #expect(seen.values == [1, 100])
    #expect(time.pendingCount == 0)
  }

  @Test func aValueThatArrivesBeforeALateTimerReplacesTheWaitingOne() {
    let clock = EagerClock(eager: 0)
    let subject = Subject<Int, Never>()
    let seen = subject.signal.throttle(.seconds(1), on: clock).recorded()
    subject.send(1)
    subject.send(2)
    clock.now = .seconds(2)
    subject.send(3)
    #expect(seen.values == [1, 3])
    clock.runNext(at: .seconds(2))
    #expect(seen.values == [1, 3])
    subject.send(4)
    #expect(clock.pendingCount == 1)
    clock.runNext(at: .seconds(3))
    #expect(seen.values == [1, 3, 4])
  }

  @Test func aValueSentFromInsideTheFirstWaits() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = subject.signal.throttle(.seconds(1), on: time).subscribe { value in
      seen.next(value)
      if value < 3 { subject.send(value + 1) }
    }
    subject.send(1)
    #expect(seen.values == [1])
    time.run()
    #expect(seen.values == [1, 2, 3])
    #expect(time.now == .seconds(2))
    subscription.dispose()
  }

  @Test func freesHeldValues() {
    expectHeldValuesToBeFreed { signal, time in signal.throttle(.seconds(1), on: time) }
  }

  @Test func anEndlessSourceCanBeEndedFromDownstream() {
    let time = TestScheduler()
    let seen = endless().throttle(.seconds(1), on: time).take(1).recorded()
    #expect(seen.events == [.next(0), .completed])
    #expect(time.pendingCount == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("throttle") { signal, time in signal.throttle(.seconds(1), on: time) }
    let still = TestScheduler()
    checkOperatorContract("throttle") { signal, _ in
      signal.throttle(.seconds(1), on: still, latest: false)
    }
  }
}
