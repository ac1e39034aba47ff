import TraceFormat

/// Work that begins with an event, such as a key press or a click, together with the state that a
/// program shows: whether the work can begin, whether it is running, and how it failed.
///
/// ```swift
/// let logIn = Command<Void, User, LoginFailure>(enabledIf: isFormValid) { _ in server.logIn(form.value) }
/// logIn.isEnabled.signal.bind(to: \.isEnabled, onMainActor: button)
/// logIn.errors.subscribeOnMainActor { alert.show($0) }
/// button.onPress { logIn.execute(()) }
/// ```
///
/// An execution begins whether or not its signal is subscribed to, and cannot be cancelled by a
/// subscriber. If it must be cancellable, apply `take(until:)` to the signal that the closure
/// makes, or use an ``Action``. While an execution runs, the command is disabled, unless
/// ``allowsConcurrentExecution`` is set.
///
/// The properties change at once. Their signals, ``executionSignals``, ``errors`` and
/// ``disabledErrors`` send on the command's scheduler. For an execution they send in this order:
/// ``isExecuting`` sends true, ``executionSignals`` sends the execution's signal, and the work
/// begins; when the work has ended, ``isExecuting`` sends false, and ``errors`` sends the failure,
/// if there is one. When the command is released, all of these signals complete; running executions
/// continue.
public final class Command<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  private let core: ExecutionCore<Output, Failure>
  private let make: @Sendable (Input) -> Signal<Output, Failure>
  /// Holds the subscription to the signal `enabledIf`.
  private let owned: CompositeDisposable

  /// Whether an execution is running; false again when all have ended.
  public let isExecuting: Property<Bool>
  /// Whether ``execute(_:file:line:column:)`` would begin an execution now.
  public let isEnabled: Property<Bool>
  /// The value of ``allowsConcurrentExecution``, as a property that can be observed.
  public let isConcurrent: Property<Bool>
  /// A signal for each execution that begins after the subscription.
  ///
  /// Each signal sends all values of one execution, from the first on, and completes when the
  /// execution ends, even if it fails.
  public let executionSignals: Signal<Signal<Output, Never>, Never>
  /// The failures of all executions, including those that began before the subscription.
  public let errors: Signal<Failure, Never>
  /// A value for each call of `execute` that was refused because the command was not enabled, from
  /// the subscription on.
  public let disabledErrors: Signal<Void, Never>

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - isAllowed: Sends whether executions may begin; until its first value, they may. The
  ///     command subscribes to this signal at once; the subscription ends when the command is
  ///     released.
  ///   - scheduler: Where work begins and where the signals send. The default is the main queue: at
  ///     once if the caller is on it and nothing waits there (``UIScheduler``). The scheduler must
  ///     run work in order.
  ///   - make: Makes the signal of an execution, on the thread that requests it. The signal is
  ///     subscribed to on the scheduler.
  public init(
    enabledIf isAllowed: Signal<Bool, Never>? = nil,
    on scheduler: some Scheduler = UIScheduler.shared,
    _ make: @escaping @Sendable (Input) -> Signal<Output, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let site = Site("Command", file, line, column)
    core = ExecutionCore(site, scheduler, allowsConcurrent: false)
    owned = CompositeDisposable(owner: site)
    self.make = make
    isExecuting = core.property("isExecuting", \.isExecuting)
    isEnabled = core.property("isEnabled", \.isEnabled)
    isConcurrent = core.property("isConcurrent", \.allowsConcurrent)
    executionSignals = core.executionsSignal()
    errors = core.errorsSignal()
    disabledErrors = core.refusalsSignal()
    core.follow(isAllowed, owned)
  }

  deinit {
    owned.dispose()
    core.end()
  }

  /// Whether an execution may begin while another is running; initially false.
  ///
  /// A new value changes ``isEnabled`` at once; running executions continue. ``isConcurrent`` sends
  /// the new value.
  public var allowsConcurrentExecution: Bool {
    get { core.state.withLock { $0.status.allowsConcurrent } }
    set { core.change { $0.status.allowsConcurrent = newValue } }
  }

  /// Begins an execution, if the command is enabled.
  ///
  /// - Parameters:
  ///   - input: Passed to the closure that makes the signal.
  /// - Returns: A signal that sends each subscriber everything that the execution sends, from the
  ///   first value on. If the command is not enabled, the signal fails with
  ///   ``ActionError/notEnabled(_:)``, and nothing is executed.
  /// - Complexity: The values are retained for as long as the returned signal exists, or the signal
  ///   that ``executionSignals`` sent for this execution.
  @discardableResult
  public func execute(
    _ input: Input,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Output, ActionError<Failure>> {
    let site = Site("execute", file, line, column)
    let mayBegin = core.change { state in
      guard state.status.isEnabled else { return false }
      state.status.running += 1
      return true
    }
    guard mayBegin else {
      let signal = Signal<Output, ActionError<Failure>>(site, argument: .closure) { [core] down in
        down.scope.end(.failed(.notEnabled(core.site)))
      }
      Execution<Output, Failure>.refuse(site, of: signal.node.id)
      core.refused()
      return signal
    }
    let source = make(input)
    let run = Execution(core, site) { source }
    let signal = Signal(site, .one(source), argument: .closure) { [hub = run.hub] in
      hub.addReplaying($0)
    }
    run.hub.id = signal.node.id
    core.began(run)
    core.post { run.begin() }
    return signal
  }
}

extension Command where Input == Void {
  /// Begins an execution of a command without input.
  ///
  /// - Returns: A signal that sends what the execution sends.
  @discardableResult
  public func execute(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Output, ActionError<Failure>> {
    execute((), file: file, line: line, column: column)
  }
}
