import Reactive
import ReactiveTesting
import Testing

/// Even if a timer fires before the call that arms it returns, no value may be lost, and nothing
/// may happen after the end.
@Suite struct EagerTimersTests {
  @Test(arguments: [0, 1, 2])
  func debounceKeepsATimerArmedByAnEagerTimer(_ eager: Int) {
    let clock = EagerClock(eager: eager)
    let subject = Subject<Int, Never>()
    let seen = subject.signal.debounce(.seconds(1), on: clock).recorded()
    subject.send(1)
    #expect(clock.pendingCount == 1)
    clock.runNext(at: .seconds(1))
    #expect(seen.values == [1])
    subject.send(2)
    clock.runNext(at: .seconds(3))
    #expect(seen.values == [1, 2])
  }

  @Test(arguments: [0, 1, 2])
  func delayKeepsATimerArmedByAnEagerTimer(_ eager: Int) {
    let clock = EagerClock(eager: eager)
    let subject = Subject<Int, Never>()
    let seen = subject.signal.delay(.seconds(1), on: clock).recorded()
    subject.send(1)
    #expect(clock.pendingCount == 1)
    clock.runNext(at: .seconds(1))
    #expect(seen.values == [1])
    seen.dispose()
  }

  @Test func anIntervalStopsWhenItsFirstTickEndsIt() {
    let clock = EagerClock(eager: 3)
    let ticks = Counter()
    let signal = Signal.interval(.seconds(1), on: clock).doNext { _ in ticks.add() }
    let seen = signal.take(1).recorded()
    #expect(seen.events == [.next(0), .completed])
    #expect(ticks.value == 1)
    #expect(clock.pendingCount == 0)
  }

  @Test(arguments: ["take(for:)", "timeout(after:)"])
  func aTimerThatFiresAtOnceKeepsTheSourceFromBeingSubscribedTo(_ name: String) {
    let clock = EagerClock(eager: 2)
    // With a limit of zero, the timer is due although it fires inside the call that arms it.
    let limit = Duration.zero
    let starts = Counter()
    let source = Signal<Int, TestFailure>.create { _ in starts.add() }
    let seen =
      name == "take(for:)"
      ? source.take(for: limit, on: clock).recorded()
      : source.timeout(after: limit, on: clock, failingWith: TestFailure()).recorded()
    #expect(seen.hasEnded)
    #expect(starts.value == 0)
    #expect(clock.pendingCount == 0)
  }

  /// A timer may have taken the value when completion arrives; the value is still delivered first.
  @Test(.tags(.stress), arguments: ["debounce", "throttle", "audit", "collect"])
  func completionDoesNotOvertakeTheValueOfATimer(_ name: String) {
    let queue = QueueScheduler.background
    onPlainThreads(8) { _ in
      for round in 0..<scaledCount(500) {
        let subject = Subject<Int, Never>()
        let signal: Signal<Int, Never> =
          switch name {
          case "debounce": subject.signal.debounce(.microseconds(1), on: queue)
          case "throttle": subject.signal.throttle(.microseconds(1), on: queue)
          case "audit": subject.signal.audit(.microseconds(1), on: queue)
          default: subject.signal.collect(every: .microseconds(1), on: queue).map { $0.last ?? -1 }
          }
        let seen = Recorder<Int, Never>()
        let ended = Latch()
        signal.subscribe(next: { seen.next($0) }, completed: { ended.signal() })
        for value in 0..<round % 4 + 1 { subject.send(value) }
        subject.complete()
        let hasEnded = ended.wait(seconds: 20)
        #expect(hasEnded)
        #expect(seen.values.last == round % 4)
        if !hasEnded || seen.values.last != round % 4 { return }
      }
    }
  }

  @Test(.tags(.stress)) func debounceLosesNoLastValueOnRealThreads() {
    let queue = QueueScheduler.background
    onPlainThreads(8) { _ in
      for round in 0..<scaledCount(250) {
        let subject = Subject<Int, Never>()
        let last = Latch()
        subject.signal.debounce(.microseconds(20), on: queue).subscribe { value in
          if value == round + 9 { last.signal() }
        }
        for value in round..<round + 10 { subject.send(value) }
        let hasCome = last.wait(seconds: 20)
        #expect(hasCome)
        if !hasCome { return }
      }
    }
  }
}
