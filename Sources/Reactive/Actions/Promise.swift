import TraceFormat

/// Work that is done at most once, and whose results are kept for every subscriber, such as
/// deleting a file or requesting data that does not change.
///
/// ```swift
/// let deletion = Promise<Void, DiskFailure>(on: disk) { observer in … }
/// deletion.start()                            // now, or
/// deletion.deferred.subscribe { … }           // when somebody wants the results
/// ```
///
/// Once begun, the work cannot be cancelled: disposing of a subscription ends only that
/// subscription, and releasing the promise does not stop the work. If work should run again for
/// each subscription, use a plain signal. Any signal can be turned into a promise
/// (``Signal/promise(on:file:line:column:)``).
public final class Promise<Value: Sendable, Failure: Error>: Sendable {
  private let shared: SharedWork<Value, Failure>

  /// A signal of the results; subscribing to it begins the work, if the work has not begun.
  ///
  /// Each subscriber gets all results from the first on, on the promise's scheduler. The promise
  /// itself need not be kept alive.
  public let deferred: Signal<Value, Failure>

  /// Creates a promise, whose work has not begun.
  ///
  /// - Parameters:
  ///   - scheduler: Where the work runs, and where its results are delivered.
  ///   - work: Runs at most once; the promise keeps the events that the work sends through the
  ///     observer. If the work releases the observer without sending an end, subscriptions end
  ///     without an event (event contract, rule 11).
  /// - Complexity: Retains all values for as long as the promise or its signal lives.
  public init(
    on scheduler: some Scheduler,
    _ work: @escaping @Sendable (_ observer: Observer<Value, Failure>) -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let site = Site("Promise", file, line, column, .source)
    let shared = SharedWork(site, scheduler, work)
    self.shared = shared
    // No other thread can use the signal before `id` is set.
    let id = StageState(TraceID.none)
    deferred = Signal(site, argument: .scheduler(scheduler.identity)) { down in
      let stage = DeliverStage(down, scheduler)
      down.scope.own(stage)
      let upstream = UpstreamScope<Failure>(in: down.scope) { stage.post(.end($0)) }
      shared.subscribe(Sink(upstream, down.trace, nil) { stage.post(.next($0)) })
      shared.start(id.value)
    }
    id.value = deferred.node.id
  }

  /// Begins the work on its scheduler, if it has not begun.
  ///
  /// - Returns: The signal of the results, ``deferred``.
  @discardableResult
  public func start() -> Signal<Value, Failure> {
    shared.start(deferred.node.id)
    return deferred
  }

  /// Waits for the end of the work, and returns its last value; begins the work, if it has not
  /// begun.
  ///
  /// Works like ``Signal/last(isolation:file:line:column:)`` of ``deferred``: returns nil if the
  /// work has sent no value. If the work has released its observer, or if the waiting task is
  /// cancelled, it returns the last value so far; cancellation ends the wait, not the work.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  /// - Throws: What the work fails with.
  /// - Returns: The last value; nil if the work has sent none.
  public func value(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) async throws(Failure) -> Value? {
    try await deferred.last(isolation: isolation, file: file, line: line, column: column)
  }
}

extension Signal {
  /// A promise whose work subscribes to this signal, at most once, and keeps what the signal sends.
  ///
  /// - Parameters:
  ///   - scheduler: Where the signal is subscribed to, and where its values are delivered.
  /// - Returns: A promise whose work has not begun.
  public func promise(
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Promise<Value, Failure> {
    Promise(
      on: scheduler,
      { [self] observer in subscribe(observer) },
      file: file,
      line: line,
      column: column
    )
  }
}
