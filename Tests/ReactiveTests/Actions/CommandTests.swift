import Reactive
import ReactiveTesting
import Testing

@Suite final class CommandTests {
  private let time = TestScheduler()

  /// Runs pending work: a command that is released schedules work that reports its end, and this
  /// work retains the command's state until it has run.
  deinit { time.run() }

  /// Runs the work that is due now, without moving the time.
  private func runPendingWork() { time.advance(by: .zero) }

  @Test func anExecutionIsAnnouncedBeforeItBeginsAndLateSubscribersGetEveryValue() {
    let order = Recorder<String, Never>()
    let subject = Subject<Int, TestFailure>()
    let command = Command<Int, Int, TestFailure>(on: time) { [time] input in
      subject.signal.doStarted { order.next("begins with \(input) at \(time.now)") }
    }
    command.isExecuting.signal.subscribe { order.next("executing \($0)") }
    command.executionSignals.subscribe { _ in order.next("signal") }
    let result = command.execute(7)
    #expect(command.isExecuting.value)
    #expect(order.values == ["executing false"])
    runPendingWork()
    #expect(
      order.values == [
        "executing false", "executing true", "signal", "begins with 7 at 0.0 seconds",
      ]
    )
    subject.send(1)
    let late = result.recorded()
    subject.send(2)
    subject.complete()
    #expect(late.events == [.next(1), .next(2), .completed])
    #expect(!command.isExecuting.value)
    runPendingWork()
    #expect(order.values.last == "executing false")
  }

  @Test func anExecutingCommandIsDisabledAndRefuses() {
    let subject = Subject<Int, TestFailure>()
    let made = Counter()
    let command = Command<Void, Int, TestFailure>(on: time) { _ in
      made.add()
      return subject.signal
    }
    let enabled = command.isEnabled.signal.recorded()
    command.execute()
    #expect(!command.isEnabled.value)
    let refused = command.execute().recorded()
    runPendingWork()
    #expect(refused.events.count == 1)
    guard case .failed(let error)? = refused.events.first else { return }
    #expect(error.isNotEnabled)
    #expect(error.description.contains("Command @ CommandTests.swift:"))
    #expect(made.value == 1)
    subject.complete()
    runPendingWork()
    #expect(enabled.values == [true, false, true])
  }

  @Test func concurrentExecutionsCanBeAllowed() {
    let subjects = [Subject<Int, TestFailure>(), Subject<Int, TestFailure>()]
    let command = Command<Int, Int, TestFailure>(on: time) { subjects[$0].signal }
    let executing = command.isExecuting.signal.recorded()
    let enabled = command.isEnabled.signal.recorded()
    command.allowsConcurrentExecution = true
    #expect(command.allowsConcurrentExecution)
    command.execute(0)
    command.execute(1)
    runPendingWork()
    command.allowsConcurrentExecution = false
    #expect(!command.isEnabled.value)
    subjects[0].complete()
    #expect(command.isExecuting.value)
    subjects[1].complete()
    runPendingWork()
    #expect(executing.values == [false, true, false])
    #expect(enabled.values == [true, false, true])
  }

  @Test func enabledIfDecidesWhetherTheCommandIsEnabled() {
    let isAllowed = MutableProperty(false)
    let command = Command<Void, Int, TestFailure>(enabledIf: isAllowed.signal, on: time) { _ in
      .just(1)
    }
    let refused = command.disabledErrors.recorded()
    #expect(!command.isEnabled.value)
    #expect(command.execute().recorded().failure?.isNotEnabled == true)
    isAllowed.value = true
    #expect(command.isEnabled.value)
    let result = command.execute().recorded()
    runPendingWork()
    #expect(result.events == [.next(1), .completed])
    #expect(refused.values.count == 1)
  }

  @Test func failuresOfExecutionsThatBeganBeforeTheSubscriptionAreSent() {
    let subject = Subject<Int, TestFailure>()
    let command = Command<Void, Int, TestFailure>(on: time) { _ in subject.signal }
    let signals = Recorder<Int, Never>()
    let inner = command.executionSignals.flatten()
    let outer = inner.subscribe(next: { signals.next($0) }, completed: { signals.complete() })
    let result = command.execute().recorded()
    runPendingWork()
    let errors = command.errors.recorded()
    subject.send(1)
    subject.fail(TestFailure(code: 3))
    runPendingWork()
    #expect(result.failure == .failed(TestFailure(code: 3)))
    #expect(result.failure?.failure == TestFailure(code: 3))
    #expect(errors.values == [TestFailure(code: 3)])
    #expect(signals.events == [.next(1)])
    #expect(command.isEnabled.value)
    outer.dispose()
  }

  @Test func disposalOfTheResultDoesNotCancel() {
    let subject = Subject<Int, TestFailure>()
    let command = Command<Void, Int, TestFailure>(on: time) { _ in subject.signal }
    let result = command.execute()
    let subscription = result.subscribe(failed: { _ in })
    runPendingWork()
    subscription.dispose()
    subject.send(1)
    subject.complete()
    #expect(result.recorded().events == [.next(1), .completed])
  }

  @Test func releasingTheCommandCompletesItsSignalsButNotItsExecutions() {
    let subject = Subject<Int, TestFailure>()
    let lives = LifeCount()
    var command: Command<Void, Int, TestFailure>? = Command(on: time) { [t = lives.token()] _ in
      t.touch()
      return subject.signal
    }
    let ends = Recorder<String, Never>()
    command?.isExecuting.signal.subscribe(completed: { ends.next("executing") })
    command?.isEnabled.signal.subscribe(completed: { ends.next("enabled") })
    command?.executionSignals.subscribe(completed: { ends.next("signals") })
    command?.errors.subscribe(completed: { ends.next("errors") })
    let result = command?.execute().recorded()
    runPendingWork()
    command = nil
    #expect(ends.values == [])
    runPendingWork()
    #expect(Set(ends.values) == ["executing", "enabled", "signals", "errors"])
    #expect(lives.count == 0)
    subject.send(1)
    subject.complete()
    #expect(result?.events == [.next(1), .completed])
  }

  @Test func aCompletionHandlerCanExecuteTheCommandAgain() {
    let runs = Counter()
    let box = Box<Command<Void, Int, TestFailure>>()
    let command = Command<Void, Int, TestFailure>(on: time) { _ in .just(runs.add()) }
    box.value = command
    command.execute().subscribe(
      failed: { _ in },
      completed: { if runs.value < 3 { box.value?.execute() } }
    )
    runPendingWork()
    #expect(runs.value == 2)
    box.value = nil
  }

  @Test func anExecutionEndsWhenItsSignalIsStoppedByATrigger() {
    let stop = Subject<Void, Never>()
    let command = Command<Void, Int, Never>(on: time) { _ in
      Signal<Int, Never>.never().take(until: stop.signal)
    }
    let result = command.execute().recorded()
    runPendingWork()
    stop.send()
    #expect(result.events == [.completed])
    #expect(!command.isExecuting.value)
  }

  @Test func anExecutionEndsWithoutAnEventWhenNothingCanSendToItsSignal() {
    var subject: Subject<Int, TestFailure>? = Subject()
    let signal = subject?.signal ?? .never()
    let command = Command<Void, Int, TestFailure>(on: time) { _ in signal }
    let result = command.execute().recorded()
    runPendingWork()
    subject = nil
    #expect(!command.isExecuting.value)
    #expect(result.isDisposed)
    #expect(!result.hasEnded)
  }

  @Test(.tags(.stress)) func onlyOneOfEightThreadsExecutesAtATime() {
    let queue = QueueScheduler(label: "command")
    let inside = Counter()
    let begun = Counter()
    let refused = Counter()
    let command = Command<Int, Int, Never>(on: queue) { input in
      .create { observer in
        #expect(inside.add() == 1)
        begun.add()
        inside.add(-1)
        observer.send(input)
        observer.complete()
      }
    }
    let rounds = scaledCount(200)
    let latch = Latch(8 * rounds)
    onPlainThreads(8) { _ in
      for round in 0..<rounds {
        command.execute(round).subscribe(
          failed: { _ in
            refused.add()
            latch.signal()
          },
          completed: { latch.signal() }
        )
      }
    }
    #expect(latch.wait())
    #expect(begun.value + refused.value == 8 * rounds)
    #expect(begun.value > 0)
    #expect(!command.isExecuting.value)
  }

  @Test func isConcurrentFollowsAllowsConcurrentExecution() {
    let command = Command<Void, Int, TestFailure>(on: time) { _ in .never() }
    let seen = command.isConcurrent.signal.recorded()
    #expect(!command.isConcurrent.value)
    command.allowsConcurrentExecution = true
    #expect(command.isConcurrent.value)
    command.allowsConcurrentExecution = true
    #expect(seen.values == [false])
    runPendingWork()
    command.allowsConcurrentExecution = false
    runPendingWork()
    #expect(seen.values == [false, true, false])
  }
}

extension Recorder {
  /// The failure that was recorded, if any.
  fileprivate var failure: Failure? {
    for case .failed(let failure) in events { return failure }
    return nil
  }
}
