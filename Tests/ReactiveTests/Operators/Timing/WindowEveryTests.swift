import Reactive
import ReactiveTesting
import Testing

@Suite struct WindowEveryTests {
  /// Returns all events with their frames; events of a window begin with the window's number.
  private func play(
    _ source: Marbles,
    for duration: Duration = .frames(50),
    _ window:
      (Signal<String, MarbleFailure>, TestScheduler) -> Signal<
        Signal<String, MarbleFailure>, MarbleFailure
      > = { $0.window(every: .frames(4), on: $1) }
  ) -> [String] {
    let time = TestScheduler()
    let seen = Recorder<String, Never>(at: time)
    let windows = Counter()
    let all = window(time.cold(source), time).subscribe(
      next: { window in
        let number = windows.add()
        seen.next("open \(number)")
        window.subscribe(
          next: { seen.next("\(number): \($0)") },
          failed: { _ in seen.next("\(number) failed") },
          completed: { seen.next("\(number) completed") }
        )
      },
      failed: { _ in seen.next("failed") },
      completed: { seen.next("completed") }
    )
    time.advance(by: duration)
    all.dispose()
    return seen.entries.map { "\(Int($0.time / .frames(1))) \($0.event)" }
  }

  private func lines(_ lines: String...) -> [String] {
    lines.map { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      return "\(parts[0]) next(\(parts[1]))"
    }
  }

  @Test func opensAWindowAtEachInterval() {
    #expect(
      play("-1-2--3-|")
        == lines(
          "0 open 1",
          "1 1: 1",
          "3 1: 2",
          "4 1 completed",
          "4 open 2",
          "6 2: 3",
          "8 completed",
          "8 2 completed"
        )
    )
  }

  @Test func aWindowThatIsFullCompletesWithItsLastValue() {
    let events = play("-1-2-3--------|") { $0.window(every: .frames(5), orCount: 2, on: $1) }
    #expect(
      events
        == lines(
          "0 open 1",
          "1 1: 1",
          "3 1: 2",
          "3 1 completed",
          "3 open 2",
          "5 2: 3",
          "8 2 completed",
          "8 open 3",
          "13 3 completed",
          "13 open 4",
          "14 completed",
          "14 4 completed"
        )
    )
  }

  @Test func eachWindowCountsFromZero() {
    let events = play("-1---2-3-|") { $0.window(every: .frames(4), orCount: 2, on: $1) }
    #expect(events.filter { $0.contains("open") } == lines("0 open 1", "4 open 2", "7 open 3"))
  }

  @Test func windowsWithoutAValueAreSentToo() {
    #expect(
      play("---------|")
        == lines(
          "0 open 1",
          "4 1 completed",
          "4 open 2",
          "8 2 completed",
          "8 open 3",
          "9 completed",
          "9 3 completed"
        )
    )
  }

  @Test func aFailureEndsTheOuterSignalAndThenTheWindow() {
    #expect(play("-1-#") == lines("0 open 1", "1 1: 1", "3 failed", "3 1 failed"))
  }

  @Test func aSubscribedWindowContinuesToItsEnd() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let inner = Recorder<Int, Never>()
    let all = subject.signal.window(every: .seconds(1), on: time).subscribe { inner.record($0) }
    subject.send(1)
    all.dispose()
    subject.send(2)
    time.advance(by: .seconds(1))
    #expect(inner.events == [.next(1), .next(2), .completed])
    #expect(time.pendingCount == 0)
    let first = subject.signal.window(every: .seconds(1), on: time).take(1).flatten().recorded()
    subject.send(3)
    time.run()
    #expect(first.events == [.next(3), .completed])
  }

  @Test func disposalEndsItsTimerIfNoWindowHasASubscriber() {
    let time = TestScheduler()
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let all = subject.signal.window(every: .seconds(1), on: time).subscribe { _ in }
    for _ in 0..<3 { subject.send(lives.token()) }
    #expect(lives.count == 0)
    all.dispose()
    #expect(time.pendingCount == 0)
  }

  @Test func valuesBeforeTheFirstSubscriberAreKeptForIt() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let windows = subject.signal.window(every: .seconds(1), on: time).recorded()
    subject.send(1)
    let seen = windows.values.first?.recorded()
    subject.send(2)
    let late = windows.values.first?.recorded()
    time.advance(by: .seconds(1))
    #expect(seen?.events == [.next(1), .next(2), .completed])
    #expect(late?.events == [.completed])
    windows.dispose()
    #expect(time.pendingCount == 0)
  }

  @Test func theFirstWindowComesAtOnceOnAnyThread() {
    let time = TestScheduler()
    let isThere = Box<Bool>()
    onPlainThread {
      let windows = Signal<Int, Never>.never().window(every: .seconds(1), on: time).recorded()
      isThere.value = windows.values.count == 1
      windows.dispose()
    }
    #expect(isThere.value == true)
  }

  @Test func missedWindowsAreSkipped() {
    let clock = EagerClock(eager: 0)
    let seen = Signal<Int, Never>.never().window(every: .seconds(1), on: clock).recorded()
    clock.runNext(at: .milliseconds(3_500))
    #expect(seen.count == 2)
    clock.runNext(at: .milliseconds(3_900))
    #expect(seen.count == 2)
    clock.runNext(at: .seconds(4))
    #expect(seen.count == 3)
    seen.dispose()
  }

  @Test func aValueSentFromInsideAWindowFollowsTheDelivery() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = subject.signal.window(every: .seconds(1), on: time).flatten().subscribe {
      value in
      if value < 3 { subject.send(value + 1) }
      seen.next(value)
    }
    subject.send(1)
    #expect(seen.values == [1, 2, 3])
    subscription.dispose()
  }

  @Test func anIntervalOfZeroTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Int, Never>.never().window(every: .zero, on: TestScheduler())
    }
  }

  @Test func anEndlessSourceCanBeEndedFromDownstream() {
    let time = TestScheduler()
    let seen = endless().window(every: .seconds(1), on: time).flatten().take(3).recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
    #expect(time.pendingCount == 0)
  }

  @Test func obeysTheOperatorContract() {
    let still = TestScheduler()
    checkOperatorContract("window(every:)") { $0.window(every: .seconds(1), on: still) }
    checkOperatorContract("window(every:)") {
      $0.window(every: .seconds(1), orCount: 2, on: still)
    }
  }

  @Test func moreMissedWindowsThanCanBeCountedAreSkipped() {
    let clock = ManualClock()
    let interval = Duration(secondsComponent: 0, attosecondsComponent: 1)
    let seen = Signal<Int, Never>.never().window(every: interval, on: clock).recorded()
    clock.runNext(at: clock.now + .seconds(60))
    #expect(seen.values.count == 2)
    seen.dispose()
  }

  /// The timer is armed after the handler of a window has returned: otherwise the delivering thread
  /// would never finish, and waiting events would never be delivered.
  @Test func aSubscriberSlowerThanTheIntervalDoesNotBlockTheSenderForEver() {
    let clock = ManualClock()
    let source = Subject<Int, Never>()
    let windows = Counter()
    source.signal.window(every: .seconds(1), on: clock).subscribe { _ in
      if windows.add() > 100 { return }
      // The handler takes five seconds, in which an armed timer would fire.
      clock.runNext(at: clock.now + .seconds(5))
    }
    #expect(windows.value == 1)
    source.send(1)
    #expect(windows.value == 1)
    // The interval has passed meanwhile, so the timer is due at once, but for one window only.
    #expect(clock.nextDelay == .zero)
    clock.runNext(at: clock.now)
    #expect(windows.value == 2)
  }
}
