import Dispatch
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// The backtrace of work on another thread or scheduler contains the code that scheduled it.
@Suite struct HopBacktraceTests {
  /// Calls `start` with a closure that reports a backtrace, and returns the first one reported.
  static func captured(_ start: (@escaping @Sendable () -> Void) -> Void) throws -> AsyncBacktrace {
    try PrivateTrace.start()
    let taken = Box<AsyncBacktrace>()
    let done = DispatchSemaphore(value: 0)
    start {
      if taken.value == nil { taken.value = .current }
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    PrivateTrace.remove()
    return try #require(taken.value)
  }

  /// The functions in the second part of the backtrace, which is the stack that scheduled the work.
  static func origin(_ start: (@escaping @Sendable () -> Void) -> Void) throws -> String {
    let backtrace = try captured(start)
    #expect(backtrace.parts.count > 1, "\(backtrace.debugDescription)")
    return backtrace.parts.dropFirst().first?.frames.map(\.description).joined(separator: "\n")
      ?? ""
  }

  @inline(never)
  static func schedule(_ work: @escaping @Sendable () -> Void, to scheduler: any Scheduler) {
    let handle = scheduler.schedule(work)
    withExtendedLifetime(handle) {}
  }

  @inline(never)
  static func scheduleLater(_ work: @escaping @Sendable () -> Void, to scheduler: any Scheduler) {
    let handle = scheduler.schedule(after: .milliseconds(1), work)
    withExtendedLifetime(handle) {}
  }

  private actor TestActor {}

  @Test func workOnQueuesHasItsCallersBacktrace() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { Self.schedule($0, to: QueueScheduler(label: "serial")) }
      #expect(text.contains("HopBacktraceTests.schedule"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { Self.schedule($0, to: QueueScheduler(concurrent: "concurrent")) }
      #expect(text.contains("HopBacktraceTests.schedule"), "\(text)")
    }
  }

  @Test func workOnTheMainQueueHasItsCallersBacktrace() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { Self.schedule($0, to: QueueScheduler.main) }
      #expect(text.contains("HopBacktraceTests.schedule"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { Self.schedule($0, to: UIScheduler.shared) }
      #expect(text.contains("HopBacktraceTests.schedule"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { Self.scheduleLater($0, to: UIScheduler.shared) }
      #expect(text.contains("HopBacktraceTests.scheduleLater"), "\(text)")
    }
  }

  @Test func delayedWorkOnAQueueHasItsCallersBacktrace() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { Self.scheduleLater($0, to: QueueScheduler(label: "serial")) }
      #expect(text.contains("HopBacktraceTests.scheduleLater"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { Self.scheduleLater($0, to: ImmediateScheduler.shared) }
      #expect(text.contains("HopBacktraceTests.scheduleLater"), "\(text)")
    }
  }

  @Test func repeatedWorkHasTheBacktraceOfTheCodeThatScheduledIt() async {
    await #expect(processExitsWith: .success) {
      let fires = Counter()
      let text = try Self.origin { report in
        QueueScheduler(label: "serial").schedule(every: .milliseconds(1)) {
          if fires.add() == 3 { report() }
        }
      }
      #expect(text.contains("repeatedWorkHasTheBacktraceOfTheCodeThatScheduledIt"), "\(text)")
    }
  }

  @Test func aLiveTimerHasTheBacktraceOfTheCodeThatArmedIt() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let time = TestScheduler()
      let timer = time.schedule(every: .seconds(1)) {}
      let trace = try TraceReader(path: try #require(Trace.path)).snapshot()
      let slot = try #require(trace.slots.first { $0.kind == .timer })
      let hop = try #require(trace.records.first { $0.kind == .hopScheduled })
      #expect(slot.chain != 0 && slot.chain == hop.argument)
      #expect(trace.chains[Int(slot.chain)].frames.count > 1)
      timer.dispose()
    }
  }

  @Test func workOnATrampolineHasItsCallersBacktrace() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { report in
        TrampolineScheduler.shared.schedule {
          Self.schedule(report, to: TrampolineScheduler.shared)
        }
      }
      #expect(text.contains("HopBacktraceTests.schedule"), "\(text)")
    }
  }

  @Test func workOnActorsAndExecutorsHasItsCallersBacktrace() async {
    await #expect(processExitsWith: .success) {
      let testActor = TestActor()
      let text = try Self.origin { Self.schedule($0, to: ActorScheduler(testActor)) }
      #expect(text.contains("HopBacktraceTests.schedule"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let testActor = TestActor()
      let text = try Self.origin { Self.scheduleLater($0, to: ActorScheduler(testActor)) }
      #expect(text.contains("HopBacktraceTests.scheduleLater"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { Self.schedule($0, to: ExecutorScheduler.tasks) }
      #expect(text.contains("HopBacktraceTests.schedule"), "\(text)")
    }
  }

  @Test func workInVirtualTimeHasItsCallersBacktrace() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { report in
        let time = TestScheduler()
        Self.scheduleLater(report, to: time)
        time.run()
      }
      #expect(text.contains("HopBacktraceTests.scheduleLater"), "\(text)")
    }
  }

  @Test func recursiveWorkHasOnePartForAllItsRepetitions() async {
    await #expect(processExitsWith: .success) {
      let runs = Counter()
      let backtrace = try Self.captured { report in
        QueueScheduler(label: "serial").scheduleRecursively { again in
          if runs.add() < 100 { again() } else { report() }
        }
      }
      #expect(backtrace.parts.count == 3 && backtrace.parts[1].isRepeated, "\(backtrace)")
      #expect(backtrace.description.contains("recursiveWorkHasOnePartForAllItsRepetitions"))
    }
  }

  // MARK: Operators

  @inline(never)
  static func send(_ subject: Subject<Int, TestFailure>, _ values: Int...) {
    for value in values { subject.send(value) }
    withExtendedLifetime(subject) {}
  }

  @inline(never)
  static func fail(_ subject: Subject<Int, TestFailure>) {
    subject.fail(TestFailure(code: 1))
    withExtendedLifetime(subject) {}
  }

  /// The origin of a value that the function `send` sends through `chain`.
  static func originOfValue(
    _ chain: (Signal<Int, TestFailure>) -> Signal<Int, TestFailure>
  ) throws -> String {
    let subject = Subject<Int, TestFailure>()
    return try origin { report in
      let behind = chain(subject.signal)
      behind.subscribe(next: { _ in report() }, failed: { _ in })
      send(subject, 1)
    }
  }

  @Test func timedOperatorsKeepTheBacktraceOfTheSender() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.originOfValue { $0.debounce(.milliseconds(1), on: .background) }
      #expect(text.contains("HopBacktraceTests.send"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let text = try Self.originOfValue { $0.delay(.milliseconds(1), on: .background) }
      #expect(text.contains("HopBacktraceTests.send"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let text = try Self.originOfValue {
        $0.collect(every: .milliseconds(1), on: .background).map { $0.count }
          .filter { $0 > 0 }
      }
      #expect(text.contains("HopBacktraceTests.send"), "\(text)")
    }
  }

  @Test func aTimersEventsHaveTheBacktraceOfTheSubscriber() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { report in
        Signal<Int, Never>.interval(.milliseconds(1), on: .background).take(1)
          .subscribe { _ in report() }
      }
      #expect(text.contains("aTimersEventsHaveTheBacktraceOfTheSubscriber"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { report in
        Signal<Void, Never>.timer(after: .milliseconds(1), on: .background)
          .subscribe(completed: { report() })
      }
      #expect(text.contains("aTimersEventsHaveTheBacktraceOfTheSubscriber"), "\(text)")
    }
  }

  @Test func movingToAQueueKeepsTheBacktraceOfTheSenderOrSubscriber() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.originOfValue { $0.deliver(on: .queue("q")) }
      #expect(text.contains("HopBacktraceTests.send"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { report in
        Signal<Int, Never>.just(1).subscribe(on: .queue("q")).subscribe { _ in report() }
      }
      #expect(text.contains("movingToAQueueKeepsTheBacktraceOfTheSenderOrSubscriber"), "\(text)")
    }
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { report in
        let shared = Signal<Int, Never>.startEagerly(on: .queue("q")) { _ in report() }
        withExtendedLifetime(shared) {}
      }
      #expect(text.contains("movingToAQueueKeepsTheBacktraceOfTheSenderOrSubscriber"), "\(text)")
    }
  }

  @Test func aColdStartOnAPlainThreadHasTheBacktraceOfTheSubscriber() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { report in
        onPlainThread {
          Signal<Int, Never>.deferred { .just(1) }.subscribe { _ in report() }
        }
      }
      #expect(text.contains("aColdStartOnAPlainThreadHasTheBacktraceOfTheSubscriber"), "\(text)")
    }
  }

  @Test func linkedWorkOnADispatchQueueHasItsCallersBacktrace() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.origin { report in
        DispatchQueue.global().async(execute: AsyncBacktrace.linked(report))
      }
      #expect(text.contains("linkedWorkOnADispatchQueueHasItsCallersBacktrace"), "\(text)")
    }
  }

  @Test func workInsideATaskGroupIsTracedLikeAnyOtherWork() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let counts = await withTaskGroup(of: Int.self) { group in
        group.addTask { AsyncBacktrace.current.parts.count }
        // The closures passed to `schedule` and `link` run immediately, in the body of the group;
        // the second one adds a task.
        let counts = Counter()
        ImmediateScheduler.shared.schedule { counts.add(AsyncBacktrace.current.parts.count) }
        AsyncBacktrace.link { group.addTask { AsyncBacktrace.current.parts.count } }
        return await group.reduce(into: [counts.value]) { $0.append($1) }
      }
      #expect(counts.sorted() == [2, 2, 2])
    }
  }

  // MARK: Events delivered by work that is already scheduled

  /// The backtraces of the events that a subscription received, in order.
  private static func behind(
    _ chain: (Signal<Int, TestFailure>, TestScheduler) -> Signal<Int, TestFailure>,
    _ play: (Subject<Int, TestFailure>) -> Void
  ) throws -> [String] {
    try PrivateTrace.start()
    defer { PrivateTrace.remove() }
    let time = TestScheduler()
    let subject = Subject<Int, TestFailure>()
    let log = Recorder<String, Never>()
    let subscription = chain(subject.signal, time).subscribe(
      next: { _ in log.next("\(AsyncBacktrace.current)") },
      failed: { _ in log.next("\(AsyncBacktrace.current)") }
    )
    play(subject)
    time.run()
    subscription.dispose()
    return log.values
  }

  @Test func aFailureBehindQueuedValuesHasItsOwnOrigin() async {
    await #expect(processExitsWith: .success) {
      let lines = try Self.behind({ $0.deliver(on: $1) }) { subject in
        Self.send(subject, 1, 2)
        Self.fail(subject)
      }
      #expect(lines.count == 3)
      for line in lines.dropLast() {
        #expect(line.contains("HopBacktraceTests.send") && !line.contains("HopBacktraceTests.fail"))
      }
      let last = try #require(lines.last)
      #expect(last.contains("HopBacktraceTests.fail") && !last.contains("HopBacktraceTests.send"))
    }
  }

  @Test func aValueThatWaitsBehindAnotherInDelayHasItsOwnOrigin() async {
    await #expect(processExitsWith: .success) {
      let lines = try Self.behind({ $0.delay(.milliseconds(5), on: $1) }) { subject in
        Self.send(subject, 1)
        Self.sendElsewhere(subject)
      }
      #expect(lines.count == 2)
      #expect(lines.map { $0.contains("sendElsewhere") } == [false, true], "\(lines)")
    }
  }

  /// The pending work was scheduled for the first value, which the second one replaces.
  @Test func aValueThatReplacesAnotherInLazyMapHasItsOwnOrigin() async {
    await #expect(processExitsWith: .success) {
      let lines = try Self.behind({ $0.lazyMap(on: $1) { $0 } }) { subject in
        Self.send(subject, 1)
        Self.sendElsewhere(subject)
      }
      #expect(lines.count == 1)
      #expect(lines[0].contains("sendElsewhere"), "\(lines)")
      #expect(!lines[0].contains("HopBacktraceTests.send("), "\(lines)")
    }
  }

  /// The timer was armed by the subscriber, not by the code that sent the value.
  @Test func aValueThatATimerSamplesHasItsOwnOrigin() async {
    await #expect(processExitsWith: .success) {
      let lines = try Self.behind({ $0.sample(every: .milliseconds(5), on: $1).take(2) }) {
        Self.send($0, 1)
        Self.sendElsewhere($0)
      }
      #expect(lines.count == 2, "the latest value, again at each tick")
      for line in lines {
        #expect(line.contains("sendElsewhere"), "\(lines)")
        #expect(!line.contains("HopBacktraceTests.send("), "\(lines)")
      }
    }
  }

  /// A replay is caused by the subscription, not by the code that sent the value.
  @Test func theOriginOfAReplayedValueIsItsSubscriber() async {
    await #expect(processExitsWith: .success) {
      let text = try Self.captured { report in
        let subject = ReplaySubject<Int, Never>()
        subject.send(1)
        onPlainThread { Self.listen(subject.signal, report) }
      }
      // The backtrace also contains the code that created the thread, except under the thread
      // sanitizer, where that code is unknown.
      #expect((2...3).contains(text.parts.count), "\(text)")
      #expect(text.description.contains("HopBacktraceTests.listen"), "\(text)")
    }
  }

  @inline(never)
  static func listen(_ signal: Signal<Int, Never>, _ report: @escaping @Sendable () -> Void) {
    let subscription = signal.subscribe { _ in report() }
    withExtendedLifetime(subscription) {}
  }

  @Test func aBufferedValueHasItsOwnOrigin() async {
    await #expect(processExitsWith: .success) {
      let lines = try Self.behind({ $0.buffer(5, whenFull: .dropNewest, on: $1) }) { subject in
        Self.send(subject, 1)
        Self.sendElsewhere(subject)
        Self.fail(subject)
      }
      // A failure overtakes the buffered values.
      #expect(lines.count == 1)
      #expect(lines.first?.contains("HopBacktraceTests.fail") == true, "\(lines)")
    }
    await #expect(processExitsWith: .success) {
      let lines = try Self.behind({ $0.buffer(5, whenFull: .dropNewest, on: $1) }) { subject in
        Self.send(subject, 1)
        Self.sendElsewhere(subject)
      }
      #expect(lines.map { $0.contains("sendElsewhere") } == [false, true], "\(lines)")
    }
  }

  @inline(never)
  static func sendElsewhere(_ subject: Subject<Int, TestFailure>) {
    subject.send(2)
    withExtendedLifetime(subject) {}
  }

  @Test func aValueSentWhileAnotherIsDeliveredHasItsOwnOrigin() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, TestFailure>()
      let log = Recorder<String, Never>()
      let subscription = subject.signal.subscribe { value in
        log.next("\(AsyncBacktrace.current)")
        if value == 1 { Self.sendElsewhere(subject) }
      }
      Self.send(subject, 1)
      subscription.dispose()
      #expect(log.values.map { $0.contains("sendElsewhere") } == [false, true])
    }
  }

  @Test func aBacktraceOfTenThousandHopsIsTruncatedAndSaysSo() async {
    await #expect(processExitsWith: .success) {
      let queues = ["a", "b", "c"].map { QueueScheduler(label: $0) }
      let backtrace = try Self.captured { report in Self.relay(10_000, over: queues, report) }
      #expect(backtrace.isCut && backtrace.parts.count <= 17)
      #expect(backtrace.description.hasSuffix("… older parts were not kept"))
      #expect(
        backtrace.frames.contains { $0.function?.contains("HopBacktraceTests.relay") == true }
      )
    }
  }

  @inline(never)
  static func relay(
    _ hops: Int,
    over queues: [QueueScheduler],
    _ end: @escaping @Sendable () -> Void
  ) {
    guard hops > 0 else { return end() }
    queues[hops % queues.count].schedule { relay(hops - 1, over: queues, end) }
  }
}
