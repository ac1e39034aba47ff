import Reactive
import ReactiveTesting
import Testing

@Suite struct TimeoutTests {
  @Test func failsUnlessTheWholeSignalHasEndedInTime() {
    expectMarbles("-1-2-3-4-|", "-1-2-3#") { signal, time in
      signal.timeout(after: .frames(6), on: time, failingWith: MarbleFailure())
    }
    expectMarbles("-1-2-|", "-1-2-|") { signal, time in
      signal.timeout(after: .frames(6), on: time, failingWith: MarbleFailure())
    }
    expectMarbles("-1-#", "-1-#") { signal, time in
      signal.timeout(after: .frames(6), on: time, failingWith: MarbleFailure())
    }
  }

  @Test func failsIfAValueTakesTooLong() {
    expectMarbles("-1-2------3-|", "-1-2---#") { signal, time in
      signal.timeout(each: .frames(4), on: time, failingWith: MarbleFailure())
    }
    expectMarbles("-1-2-3-4-5-6-|", "-1-2-3-4-5-6-|") { signal, time in
      signal.timeout(each: .frames(4), on: time, failingWith: MarbleFailure())
    }
    expectMarbles("------1-|", "----#") { signal, time in
      signal.timeout(each: .frames(4), on: time, failingWith: MarbleFailure())
    }
    expectMarbles("-1------|", "-1---#") { signal, time in
      signal.timeout(each: .frames(4), on: time, failingWith: MarbleFailure())
    }
  }

  @Test func switchesToAnotherSignal() {
    expectMarbles("-1-2-3-4-|", "-1-2-3-5-6-|") { signal, time in
      signal.timeout(after: .frames(6), on: time, switchingTo: time.cold("-5-6-|"))
    }
    expectMarbles("-1-2------3-|", "-1-2----5-6-|") { signal, time in
      signal.timeout(each: .frames(4), on: time, switchingTo: time.cold("-5-6-|"))
    }
  }

  @Test func theOtherSignalHasNoTimeLimit() {
    expectMarbles("----------|", "---------5---#") { signal, time in
      signal.timeout(each: .frames(2), on: time, switchingTo: time.cold("-------5---#"))
    }
  }

  @Test func disposesOfItsSourceBeforeItSwitches() {
    let time = TestScheduler()
    let order = Recorder<String, Never>()
    let source = Signal<Int, Never>.never().doDisposed { order.next("disposed") }
    let other = Signal<Int, Never>.create { observer in
      order.next("other")
      observer.complete()
    }
    let seen = source.timeout(after: .seconds(1), on: time, switchingTo: other).recorded()
    time.run()
    #expect(order.values == ["disposed", "other"])
    #expect(seen.isCompleted)
  }

  @Test func givesASignalThatCannotFailAFailure() {
    let time = TestScheduler()
    let never = Signal<Int, Never>.never()
    let whole = never.timeout(after: .seconds(1), on: time, failingWith: TestFailure(code: 1))
      .recorded(at: time)
    let each = Signal.interval(.seconds(1), on: time).take(2).concat(never)
      .timeout(each: .seconds(2), on: time, failingWith: TestFailure(code: 2))
      .recorded(at: time)
    time.run()
    #expect(whole.events == [.failed(TestFailure(code: 1))])
    #expect(whole.entries.last?.time == .seconds(1))
    #expect(each.events == [.next(0), .next(1), .failed(TestFailure(code: 2))])
    #expect(each.entries.last?.time == .seconds(4))
  }

  @Test func oneTimerServesAllValues() {
    let time = TestScheduler()
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal.timeout(each: .seconds(1), on: time, failingWith: TestFailure())
      .recorded()
    for value in 0..<100 { subject.send(value) }
    #expect(seen.count == 100)
    #expect(time.pendingCount == 1)
    subject.complete()
    #expect(time.pendingCount == 0)
  }

  @Test func aValueSentFromInsideADeliveryFollowsIt() {
    let time = TestScheduler()
    let subject = Subject<Int, TestFailure>()
    let seen = Recorder<String, Never>()
    subject.signal.timeout(each: .seconds(1), on: time, failingWith: TestFailure()).subscribe(
      next: { value in
        seen.next("begin \(value)")
        if value == 1 { subject.send(2) }
        seen.next("end \(value)")
      },
      failed: { _ in seen.next("failed") }
    )
    subject.send(1)
    time.run()
    #expect(seen.values == ["begin 1", "end 1", "begin 2", "end 2", "failed"])
  }

  @Test func anEndlessOtherSignalCanBeEndedFromDownstream() {
    let time = TestScheduler()
    let seen = Signal<Int, Never>.never()
      .timeout(after: .seconds(1), on: time, switchingTo: endless()).take(3).recorded()
    time.run()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func anEndlessSourceCanBeEndedFromDownstream() {
    let time = TestScheduler()
    let limited = endless().timeout(each: .seconds(1), on: time, failingWith: TestFailure())
    #expect(limited.take(2).recorded().events == [.next(0), .next(1), .completed])
    #expect(time.pendingCount == 0)
  }

  @Test func aSourceThatCannotFailCompletesInTime() {
    let still = TestScheduler()
    let source = Signal<Int, Never>.from([1, 2])
    let all: [Event<Int, TestFailure>] = [.next(1), .next(2), .completed]
    let whole = source.timeout(after: .seconds(1), on: still, failingWith: TestFailure())
    #expect(whole.recorded().events == all)
    let each = source.timeout(each: .seconds(1), on: still, failingWith: TestFailure())
    #expect(each.recorded().events == all)
    let switching = source.timeout(after: .seconds(1), on: still, switchingTo: .just(9))
    #expect(switching.recorded().events == [.next(1), .next(2), .completed])
    #expect(still.pendingCount == 0)
  }

  // MARK: When the time runs out

  @Test(arguments: [false, true])
  func aTimeThatRunsOutWhileAValueIsHandledComesAfterThatValue(_ each: Bool) {
    let time = TestScheduler()
    let subject = Subject<Int, TestFailure>()
    let seen = Recorder<String, Never>()
    Self.limited(subject.signal, each, on: time).subscribe(
      next: { value in
        seen.next("begin \(value)")
        time.advance(by: .seconds(1))
        subject.send(value + 1)
        seen.next("end \(value)")
      },
      failed: { _ in seen.next("failed") },
      completed: { seen.next("completed") }
    )
    subject.send(1)
    subject.complete()
    #expect(seen.values == ["begin 1", "end 1", "failed"])
    #expect(time.pendingCount == 0)
  }

  @Test func theTimersThreadDoesNotWaitForTheHandlerOfAValue() {
    let time = TestScheduler()
    let subject = Subject<Int, TestFailure>()
    let seen = Recorder<String, Never>()
    let (handling, hasFired) = (Latch(), Latch())
    Self.limited(subject.signal, true, on: time).subscribe(
      next: { value in
        handling.signal()
        #expect(hasFired.wait())
        seen.next("handled \(value)")
      },
      failed: { _ in seen.next("failed") }
    )
    onPlainThreads(2) { index in
      if index == 0 {
        subject.send(1)
        subject.send(2)
      } else {
        #expect(handling.wait())
        time.advance(by: .seconds(1))
        hasFired.signal()
      }
    }
    #expect(seen.values == ["handled 1", "failed"])
  }

  @Test func aHandlerThatDisposesAfterTheTimeoutPreventsTheSwitch() {
    for disposes in [false, true] {
      let time = TestScheduler()
      let subject = Subject<Int, Never>()
      let others = Counter()
      let other = Signal<Int, Never>.never().doStarted { others.add() }
      let held = SerialDisposable()
      held.inner = subject.signal.timeout(after: .seconds(1), on: time, switchingTo: other)
        .subscribe { _ in
          time.advance(by: .seconds(1))
          if disposes { held.dispose() }
        }
      subject.send(1)
      #expect(others.value == (disposes ? 0 : 1))
      #expect(time.pendingCount == 0)
      // The other signal never ends, so `held` and the handler would retain each other.
      held.dispose()
    }
  }

  @Test func aTimerThatFiresEarlyIsArmedForTheRemainingTime() {
    let clock = ManualClock()
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal.timeout(each: .seconds(4), on: clock, failingWith: TestFailure())
      .recorded()
    #expect(clock.nextDelay == .seconds(4))
    clock.runNext(at: .seconds(3))
    #expect(clock.nextDelay == .seconds(1))
    subject.send(1)
    clock.runNext(at: .seconds(4))
    #expect(clock.nextDelay == .seconds(3))
    #expect(seen.events == [.next(1)])
    clock.runNext(at: .seconds(9))
    #expect(seen.events == [.next(1), .failed(TestFailure())])
    #expect(clock.nextDelay == nil)
  }

  @Test(arguments: ["completion", "failure", "time", "disposal"])
  func theSourceIsReleasedHoweverTheSubscriptionEnds(_ end: String) {
    let time = TestScheduler()
    let (subject, other) = (Subject<Int, TestFailure>(), Subject<Int, TestFailure>())
    let (above, below) = (LifeCount(), LifeCount())
    let subscription = subject.signal.map { [token = above.token()] value in
      token.touch()
      return value
    }
    .timeout(each: .seconds(1), on: time, switchingTo: other.signal)
    .subscribe(next: { [token = below.token()] _ in token.touch() }, failed: { _ in })
    subject.send(1)
    #expect(above.count == 1 && below.count == 1)
    switch end {
    case "completion": subject.complete()
    case "failure": subject.fail(TestFailure())
    case "time": time.advance(by: .seconds(1))
    default: subscription.dispose()
    }
    #expect(above.count == 0)
    // After a timeout, the subscription to the other signal is still active.
    #expect(below.count == (end == "time" ? 1 : 0))
    subscription.dispose()
    #expect(below.count == 0)
    #expect(time.pendingCount == 0)
    withExtendedLifetime((subject, other)) {}
  }

  @Test(.tags(.stress)) func aCompletionAndTheEndOfTheTimeInTheSameInstantAreOneEnd() {
    for _ in 0..<scaledCount(500) {
      let time = TestScheduler()
      let subject = Subject<Int, TestFailure>()
      let seen = Self.limited(subject.signal, true, on: time).recorded()
      let barrier = SpinBarrier(of: 2)
      onPlainThreads(2) { index in
        barrier.wait()
        if index == 0 {
          subject.send(1)
          subject.complete()
        } else {
          time.advance(by: .seconds(1))
        }
      }
      let events = seen.events
      #expect(events.count { $0.isTerminal } == 1 && events.last?.isTerminal == true)
      #expect(time.pendingCount == 0)
    }
  }

  private static func limited(
    _ signal: Signal<Int, TestFailure>,
    _ each: Bool,
    on time: TestScheduler
  ) -> Signal<Int, TestFailure> {
    each
      ? signal.timeout(each: .seconds(1), on: time, failingWith: TestFailure())
      : signal.timeout(after: .seconds(1), on: time, failingWith: TestFailure())
  }

  @Test func obeysTheOperatorContract() {
    let still = TestScheduler()
    checkOperatorContract("timeout(after:)", [.outlivesSource]) {
      $0.timeout(after: .seconds(1), on: still, failingWith: ContractFailure())
    }
    checkOperatorContract("timeout(after:)", [.outlivesSource, .endsEarly]) { signal, time in
      signal.timeout(after: .seconds(1), on: time, switchingTo: .empty())
    }
    checkOperatorContract("timeout(each:)", [.outlivesSource]) {
      $0.timeout(each: .seconds(1), on: still, failingWith: ContractFailure())
    }
    checkOperatorContract("timeout(each:)", [.outlivesSource]) {
      $0.timeout(each: .seconds(1), on: still, switchingTo: .empty())
    }
  }
}
