import Reactive
import ReactiveTesting
import Testing

@Suite final class ActionTests {
  private typealias Work = Subject<Int, TestFailure>
  private typealias Failure = ActionError<TestFailure>
  private let time = TestScheduler()

  /// Runs pending work: an action that is released schedules work that reports its end, and this
  /// work retains the action's state until it has run.
  deinit { time.run() }

  private func runPendingWork() { time.advance(by: .zero) }

  /// An action whose input is the index of the subject that it executes.
  private func action(
    _ subjects: [Work],
    _ policy: ActionPolicy = .reject,
    enabledIf isAllowed: Signal<Bool, Never>? = nil
  ) -> Action<Int, Int, TestFailure> {
    Action(enabledIf: isAllowed, policy: policy, on: time) { subjects[$0].signal }
  }

  @Test func eachSubscriptionIsAnExecution() {
    let made = Counter()
    let action = Action<Int, Int, TestFailure>(on: time) { input in
      made.add()
      return .just(input)
    }
    let signal = action.apply(7)
    #expect(made.value == 0)
    #expect(signal.recorded().events == [.next(7), .completed])
    #expect(signal.recorded().events == [.next(7), .completed])
    #expect(made.value == 2)
  }

  @Test func rejectsWhileItExecutesAndWhenItIsDisabled() {
    let subject = Work()
    let isAllowed = MutableProperty(true)
    let action = action([subject], enabledIf: isAllowed.signal)
    let enabled = action.isEnabled.signal.recorded()
    let executing = action.isExecuting.signal.recorded()
    let first = action.apply(0).recorded()
    #expect(action.isExecuting.value)
    #expect(action.apply(0).recorded().events.last?.isNotEnabled == true)
    subject.send(1)
    subject.complete()
    isAllowed.value = false
    #expect(action.apply(0).recorded().events.last?.isNotEnabled == true)
    runPendingWork()
    #expect(first.events == [.next(1), .completed])
    #expect(enabled.values == [true, false, true, false])
    #expect(executing.values == [false, true, false])
  }

  @Test func refusedRequestsAreReportedAsDisabledErrors() {
    let subject = Work()
    let isAllowed = MutableProperty(false)
    var action: Action<Int, Int, TestFailure>? = action([subject], enabledIf: isAllowed.signal)
    let refused = action?.disabledErrors.recorded()
    action?.execute(0)
    runPendingWork()
    #expect(refused?.values.count == 1)
    isAllowed.value = true
    action?.execute(0)
    runPendingWork()
    #expect(refused?.values.count == 1)
    // The action executes already.
    _ = action?.apply(0).recorded()
    runPendingWork()
    #expect(refused?.values.count == 2)
    subject.complete()
    action = nil
    runPendingWork()
    #expect(refused?.hasEnded == true)
  }

  @Test func disposalCancelsTheWorkAndCompletesTheExecutionSignal() {
    let cancelled = Counter()
    let subject = Work()
    let action = Action<Void, Int, TestFailure>(on: time) { _ in
      subject.signal.doDisposed { cancelled.add() }
    }
    let signals = Recorder<Signal<Int, Never>, Never>()
    action.executionSignals.subscribe { signals.next($0) }
    let subscription = action.apply().subscribe(failed: { _ in })
    runPendingWork()
    subject.send(1)
    let inner = signals.values.first?.recorded()
    subscription.dispose()
    #expect(cancelled.value == 1)
    #expect(!action.isExecuting.value)
    #expect(inner?.events == [.next(1), .completed])
    subject.send(2)
    #expect(inner?.values == [1])
  }

  @Test func valuesAndFailuresOfAllExecutionsAreSentOnTheScheduler() {
    let subjects = [Work(), Work()]
    let action = action(subjects)
    let values = action.values.recorded()
    let errors = action.errors.recorded()
    let results = action.apply(0).recorded()
    subjects[0].send(1)
    #expect(results.values == [1])
    #expect(values.values == [])
    subjects[0].complete()
    action.execute(1)
    runPendingWork()
    subjects[1].send(2)
    subjects[1].fail(TestFailure(code: 5))
    runPendingWork()
    #expect(values.values == [1, 2])
    #expect(errors.values == [TestFailure(code: 5)])
  }

  @Test func executeDoesNothingWhenItIsNotEnabled() {
    let made = Counter()
    let isAllowed = MutableProperty(false)
    let action = Action<Void, Int, TestFailure>(enabledIf: isAllowed.signal, on: time) { _ in
      made.add()
      return .just(1)
    }
    action.execute()
    runPendingWork()
    #expect(made.value == 0)
    isAllowed.value = true
    action.execute()
    #expect(made.value == 0)
    runPendingWork()
    #expect(made.value == 1)
  }

  @Test func sharedSubscribersGetEveryValueAndTheLastDisposalCancels() {
    let subjects = [Work(), Work()]
    let cancelled = Counter()
    let action = Action<Int, Int, TestFailure>(policy: .share, on: time) { input in
      subjects[input].signal.doDisposed { cancelled.add() }
    }
    let first = Recorder<Int, Failure>()
    let second = Recorder<Int, Failure>()
    let one = action.apply(0).subscribe(next: { first.next($0) }, failed: { first.fail($0) })
    subjects[0].send(1)
    let two = action.apply(1).subscribe(next: { second.next($0) }, failed: { second.fail($0) })
    subjects[0].send(2)
    #expect(action.isEnabled.value)
    #expect(first.values == [1, 2])
    #expect(second.values == [1, 2])
    one.dispose()
    #expect(cancelled.value == 0)
    two.dispose()
    #expect(cancelled.value == 1)
    #expect(!action.isExecuting.value)
    #expect(action.apply(1).recorded().hasEnded == false)
    #expect(action.isExecuting.value)
  }

  @Test func requestsThatAreWithdrawnFromTheQueueAreReleasedAtOnce() {
    let lives = LifeCount()
    let action = Action<LifeCount.Token?, Int, Never>(policy: .queue, on: time) { _ in .never() }
    let first = action.apply(nil).subscribe { _ in }
    let kept = action.apply(lives.token()).subscribe { _ in }
    for _ in 0..<100 { action.apply(lives.token()).subscribe { _ in }.dispose() }
    runPendingWork()
    #expect(lives.count == 1)
    kept.dispose()
    #expect(lives.count == 0)
    first.dispose()
  }

  @Test func queuedExecutionsRunOneAfterAnotherInTheirOrder() {
    let subjects = [Work(), Work(), Work()]
    let begun = Recorder<Int, Never>()
    let action = Action<Int, Int, TestFailure>(policy: .queue, on: time) { input in
      begun.next(input)
      return subjects[input].signal
    }
    let executing = action.isExecuting.signal.recorded()
    let seen = (0..<3).map { action.apply($0).recorded() }
    #expect(begun.values == [0])
    #expect(action.isEnabled.value)
    subjects[0].fail(TestFailure())
    runPendingWork()
    #expect(begun.values == [0, 1])
    subjects[1].send(1)
    subjects[1].complete()
    runPendingWork()
    subjects[2].complete()
    runPendingWork()
    #expect(begun.values == [0, 1, 2])
    #expect(seen[0].events == [.failed(.failed(TestFailure()))])
    #expect(seen[1].events == [.next(1), .completed])
    #expect(seen[2].events == [.completed])
    #expect(executing.values == [false, true, false])
  }

  @Test func aQueuedExecutionThatIsDisposedOfNeverBegins() {
    let subjects = [Work(), Work(), Work()]
    let begun = Recorder<Int, Never>()
    let lives = LifeCount()
    let action = Action<Int, Int, TestFailure>(policy: .queue, on: time) { input in
      begun.next(input)
      return subjects[input].signal
    }
    let first = action.apply(0).subscribe(failed: { _ in })
    let second = action.apply(1).subscribe(
      next: { [t = lives.token()] _ in t.touch() },
      failed: { _ in }
    )
    let third = action.apply(2).subscribe(failed: { _ in })
    second.dispose()
    #expect(lives.count == 0)
    first.dispose()
    runPendingWork()
    #expect(begun.values == [0, 2])
    third.dispose()
    #expect(!action.isExecuting.value)
  }

  /// A withdrawn input is released at once if most of those that wait are withdrawn, and otherwise
  /// when its turn comes.
  @Test(arguments: [0, 3])
  func aSkippedInputMayReadTheActionWhenItIsReleased(others: Int) {
    let subject = Work()
    let answer = Box<Bool>()
    let action = Action<DeinitAction, Int, TestFailure>(policy: .queue, on: time) { input in
      input.number == 0 ? subject.signal : .empty()
    }
    let first = action.apply(DeinitAction {}).subscribe(failed: { _ in })
    let isExecuting = action.isExecuting
    do {
      let second = action.apply(DeinitAction(1) { answer.value = isExecuting.value })
      let handle = second.subscribe(failed: { _ in })
      for _ in 0..<others {
        action.apply(DeinitAction(1) {}).subscribe(failed: { _ in })
      }
      handle.dispose()
    }
    #expect(answer.value == (others == 0 ? true : nil))
    subject.complete()
    runPendingWork()
    #expect(answer.value != nil)
    #expect(!action.isExecuting.value)
    first.dispose()
  }

  @Test func aLongQueueDoesNotGrowTheStack() {
    let count = scaledDepth(20_000)
    let ran = Counter()
    let subject = Work()
    let action = Action<Int, Int, TestFailure>(policy: .queue, on: time) { input in
      if input == 0 { return subject.signal }
      ran.add()
      return .empty()
    }
    let first = action.apply(0).subscribe(failed: { _ in })
    for _ in 0..<count { action.apply(1).subscribe(failed: { _ in }) }
    subject.complete()
    #expect(time.run())
    #expect(ran.value == count)
    #expect(!action.isExecuting.value)
    first.dispose()
  }

  @Test func releasingTheActionCompletesItsSignalsAndRejectsNewExecutions() {
    let subjects = [Work()]
    var action: Action<Int, Int, TestFailure>? = action(subjects)
    let signal = action?.apply(0)
    let running = signal?.recorded()
    let ends = Recorder<String, Never>()
    action?.isExecuting.signal.subscribe(completed: { ends.next("executing") })
    action?.isEnabled.signal.subscribe(completed: { ends.next("enabled") })
    action?.values.subscribe(completed: { ends.next("values") })
    action?.errors.subscribe(completed: { ends.next("errors") })
    action?.executionSignals.subscribe(completed: { ends.next("signals") })
    action = nil
    runPendingWork()
    #expect(Set(ends.values) == ["executing", "enabled", "values", "errors", "signals"])
    subjects[0].send(1)
    subjects[0].complete()
    #expect(running?.events == [.next(1), .completed])
    #expect(signal?.recorded().events.last?.isNotEnabled == true)
  }

  @Test func executionsQueuedWhenTheActionIsReleasedStillRun() {
    let subjects = [Work(), Work()]
    var action: Action<Int, Int, TestFailure>? = action(subjects, .queue)
    let first = action?.apply(0).recorded()
    let second = action?.apply(1).recorded()
    action = nil
    runPendingWork()
    subjects[0].complete()
    runPendingWork()
    subjects[1].send(2)
    subjects[1].complete()
    #expect(first?.events == [.completed])
    #expect(second?.events == [.next(2), .completed])
  }

  @Test func aRefusedExecutionLeavesNothingBehind() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, TestFailure>()
    let action = Action<LifeCount.Token, LifeCount.Token, TestFailure>(on: time) { _ in
      subject.signal
    }
    let running = action.apply(lives.token()).subscribe(failed: { _ in })
    action.apply(lives.token()).subscribe(failed: { _ in })
    subject.send(lives.token())
    running.dispose()
    runPendingWork()
    #expect(lives.count == 0)
  }

  @Test func applyingTheActionFromInsideAValueIsRejected() {
    let subject = Work()
    let action = action([subject])
    let inner = Recorder<Int, Failure>()
    let outer = action.apply(0).subscribe(
      next: { _ in inner.record(action.apply(0)) },
      failed: { _ in }
    )
    subject.send(1)
    #expect(inner.events.last?.isNotEnabled == true)
    outer.dispose()
  }

  @Test func aSubscriberCanEndAnEndlessExecution() {
    let action = Action<Void, Int, Never>(on: time) { _ in endless() }
    #expect(action.apply().take(3).recorded().values == [0, 1, 2])
    #expect(!action.isExecuting.value)
    #expect(action.apply().take(1).recorded().values == [0])
  }

  @Test func aFailureIsRetriedAsANewExecution() {
    let runs = Counter()
    let action = Action<Void, Int, TestFailure>(on: time) { _ in
      runs.add() < 3 ? .failed(TestFailure()) : .just(7)
    }
    #expect(action.apply().retry(5).recorded().events == [.next(7), .completed])
    #expect(runs.value == 3)
  }

  @Test func aSignalAndAGeneratorMakeActions() {
    let fromSignal = Signal<Int, TestFailure>.just(1).action(on: time)
    #expect(fromSignal.apply().recorded().events == [.next(1), .completed])
    let generator = SignalGenerator<Int, Int, TestFailure> { .just($0 * 2) }
    let fromGenerator = generator.action(policy: .queue, on: time)
    #expect(fromGenerator.apply(4).recorded().events == [.next(8), .completed])
  }

  @Test(.tags(.stress), arguments: [ActionPolicy.reject, .share, .queue])
  func eightThreadsExecuteOneAtATime(policy: ActionPolicy) {
    let queue = QueueScheduler(label: "action")
    let inside = Counter()
    let action = Action<Int, Int, Never>(policy: policy, on: queue) { input in
      .create { observer in
        #expect(inside.add() == 1)
        queue.schedule {
          inside.add(-1)
          observer.send(input)
          observer.complete()
        }
      }
    }
    let rounds = scaledCount(100)
    let latch = Latch(8 * rounds)
    onPlainThreads(8) { _ in
      for round in 0..<rounds {
        action.apply(round).subscribe(
          failed: { _ in latch.signal() },
          completed: { latch.signal() }
        )
      }
    }
    #expect(latch.wait())
    #expect(!action.isExecuting.value)
    #expect(inside.value == 0)
  }

  @Test(.tags(.stress)) func allExecutionsThatEightThreadsCancelEnd() {
    let queue = QueueScheduler(label: "action")
    let running = Counter()
    for policy in [ActionPolicy.reject, .share, .queue] {
      let action = Action<Int, Int, Never>(policy: policy, on: queue) { _ in
        Signal<Int, Never>.never().doStarted { running.add() }.doDisposed { running.add(-1) }
      }
      onPlainThreads(8) { _ in
        for round in 0..<scaledCount(200) {
          action.apply(round).subscribe(failed: { _ in }).dispose()
        }
      }
      let latch = Latch()
      queue.schedule { queue.schedule { queue.schedule { latch.signal() } } }
      #expect(latch.wait())
      let idle = Latch()
      let watch = action.isExecuting.signal.subscribe { if !$0 { idle.signal() } }
      #expect(idle.wait())
      watch.dispose()
      #expect(running.value == 0)
    }
  }
}

extension Event {
  /// Whether the event is the failure of an action that was not enabled.
  fileprivate var isNotEnabled: Bool {
    if case .failed(let error) = self {
      (error as? ActionError<TestFailure>)?.isNotEnabled == true
    } else {
      false
    }
  }
}
