public import TraceFormat

/// What an ``Action`` does when it is asked to execute while an execution is running.
public enum ActionPolicy: Sendable {
  /// Rejects the request: the caller gets ``ActionError/notEnabled(_:)``. The action is disabled
  /// while it executes.
  case reject
  /// Joins the running execution: the caller gets everything that the running execution sends, from
  /// its first value on, and the new input is not used.
  case share
  /// Queues the execution until all earlier ones have ended.
  case queue
}

/// Work that runs as one execution at a time; an execution can be cancelled by its subscribers.
///
/// ```swift
/// let save = Action<Document, Void, DiskFailure>(enabledIf: isDirty, policy: .queue) { disk.write($0) }
/// save.apply(document).subscribe(failed: { print($0) })
/// ```
///
/// ``apply(_:file:line:column:)`` returns a cold signal: each subscription requests an execution,
/// and disposal cancels it. ``execute(_:file:line:column:)`` is for callers that need no result: it
/// requests an execution on the action's scheduler, and if the action is not enabled when the
/// scheduler runs the request, only ``disabledErrors`` sends something.
///
/// The properties ``isExecuting`` and ``isEnabled`` change at once. Their signals, and ``values``,
/// ``errors``, ``disabledErrors`` and ``executionSignals``, send on the scheduler; the signal that
/// `apply` returns sends on the thread on which the work sends. When the action is released, all
/// these signals complete except those of `apply`, and new requests are refused; executions that
/// are running or queued continue.
public final class Action<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let core: ExecutionCore<Output, Failure>
  @usableFromInline let policy: ActionPolicy
  @usableFromInline let make: @Sendable (Input) -> Signal<Output, Failure>
  /// Holds the subscription to the signal `enabledIf`.
  @usableFromInline let owned: CompositeDisposable

  /// Whether an execution is running; queued executions do not count.
  public let isExecuting: Property<Bool>
  /// Whether a request made now would begin, join or queue an execution.
  public let isEnabled: Property<Bool>
  /// The values of all executions.
  public let values: Signal<Output, Never>
  /// The failures of all executions.
  public let errors: Signal<Failure, Never>
  /// A value for each request that was refused because the action was not enabled.
  ///
  /// Subscribe to it to log requests, such as clicks, that had no effect. (The name is that of
  /// ReactiveSwift.)
  public let disabledErrors: Signal<Void, Never>
  /// A signal for each execution that begins after the subscription.
  ///
  /// Each signal sends all values of one execution, from the first on, and completes when the
  /// execution ends, even if it fails or is cancelled.
  public let executionSignals: Signal<Signal<Output, Never>, Never>

  /// Creates an action.
  ///
  /// - Parameters:
  ///   - isAllowed: Sends whether executions may be requested; until its first value, they may. The
  ///     action subscribes to this signal at once; the subscription ends when the action is
  ///     released. The values do not affect executions that are queued or running.
  ///   - policy: What happens to a request while an execution is running.
  ///   - scheduler: Where the signals send, and where queued executions begin. The default is the
  ///     main queue: at once if the caller is on it and nothing waits there (``UIScheduler``). The
  ///     scheduler must run work in order.
  ///   - make: Makes the signal of an execution when the execution begins.
  @inlinable
  public init(
    enabledIf isAllowed: Signal<Bool, Never>? = nil,
    policy: ActionPolicy = .reject,
    on scheduler: some Scheduler = UIScheduler.shared,
    _ make: @escaping @Sendable (Input) -> Signal<Output, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let site = Site("Action", file, line, column)
    core = ExecutionCore(site, scheduler, allowsConcurrent: policy != .reject)
    owned = CompositeDisposable(owner: site)
    self.policy = policy
    self.make = make
    isExecuting = core.property("isExecuting", \.isExecuting)
    isEnabled = core.property("isEnabled", \.isEnabled)
    values = core.valuesSignal()
    errors = core.errorsSignal()
    disabledErrors = core.refusalsSignal()
    executionSignals = core.executionsSignal()
    core.follow(isAllowed, owned)
  }

  deinit {
    owned.dispose()
    core.end()
  }

  /// A signal that executes the action for each subscription.
  ///
  /// The execution begins when the signal is subscribed to: at once if there is a current
  /// scheduler, otherwise on the background scheduler (event contract, rule 8). A queued execution
  /// begins later, on the action's scheduler. Disposal cancels the execution, unless other
  /// subscribers share it.
  ///
  /// - Parameters:
  ///   - input: Passed to the closure that makes the signal.
  /// - Returns: A signal that sends what the execution sends. If the action is not enabled when the
  ///   signal is subscribed to, the signal fails with ``ActionError/notEnabled(_:)``. The signal
  ///   does not keep the action alive.
  /// - Complexity: Retains the values of an execution while the execution runs, for subscribers
  ///   that join it.
  @inlinable
  public func apply(
    _ input: Input,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Output, ActionError<Failure>> {
    let site = Site("apply", file, line, column, .source)
    let id = StageState(TraceID.none)
    let signal = Signal<Output, ActionError<Failure>>(site, argument: .closure) {
      [core, policy, make] down in
      let own = Execution(core, site) { make(input) }
      own.hub.id = id.value
      down.startCold { core.admit(own, policy, down) }
    }
    // No other thread can use the signal before `id` is set.
    id.value = signal.node.id
    return signal
  }

  /// Executes the action on its scheduler, if the action is enabled then, and ignores the result.
  ///
  /// ``values`` and ``errors`` send the values and the failure of the execution;
  /// ``disabledErrors`` says that it was refused.
  ///
  /// - Parameters:
  ///   - input: Passed to the closure that makes the signal.
  @inlinable
  public func execute(
    _ input: Input,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let signal = apply(input, file: file, line: line, column: column)
    core.post { signal.subscribe(failed: { _ in }, file: file, line: line, column: column) }
  }
}

extension Action where Input == Void {
  /// A signal that executes an action without input, for each subscription.
  ///
  /// - Returns: A signal that sends what the execution sends.
  @inlinable
  public func apply(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Output, ActionError<Failure>> {
    apply((), file: file, line: line, column: column)
  }

  /// Executes an action without input on its scheduler, if the action is enabled then.
  @inlinable
  public func execute(file: StaticString = #fileID, line: UInt = #line, column: UInt = #column) {
    execute((), file: file, line: line, column: column)
  }
}

extension Signal {
  /// An action whose executions are subscriptions of this signal.
  ///
  /// - Parameters:
  ///   - isAllowed: Sends whether executions may be requested; until its first value, they may.
  ///   - policy: What happens to a request while an execution is running.
  ///   - scheduler: Where the action's signals send.
  /// - Returns: An action that needs no input.
  @inlinable
  public func action(
    enabledIf isAllowed: Signal<Bool, Never>? = nil,
    policy: ActionPolicy = .reject,
    on scheduler: some Scheduler = UIScheduler.shared,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Action<Void, Value, Failure> {
    Action(
      enabledIf: isAllowed,
      policy: policy,
      on: scheduler,
      { [self] _ in self },
      file: file,
      line: line,
      column: column
    )
  }
}
