import ReactiveTrace

/// Work that is done at most once, whose results are kept for whoever asks: to delete a file, to ask for an
/// answer that does not change.
///
/// ```swift
/// let deletion = Promise<Void, DiskFailure>(on: disk) { observer in … }
/// deletion.start()                            // now, or
/// deletion.deferred.subscribe { … }           // when somebody wants the results
/// ```
///
/// Once begun it cannot be cancelled: disposing of subscriptions, or releasing the promise, only means that nobody
/// listens. Where work should run again for each subscription, a plain signal is the right thing; any signal
/// can be made a promise (``Signal/promise(on:file:line:column:)``) and a promise is subscribed to as a signal.
public final class Promise<Value: Sendable, Failure: Error>: Sendable {
  private let shared: SharedWork<Value, Failure>

  /// The results; subscribing begins the work, if it has not begun.
  ///
  /// Each subscriber gets all of them from the first on, on the promise's scheduler. It does not need the promise
  /// to be kept.
  public let deferred: Signal<Value, Failure>

  /// Work that has not begun.
  ///
  /// - Parameters:
  ///   - scheduler: Where the work runs, and where its results are delivered.
  ///   - work: Runs at most once; what it sends through the observer is kept. Where it lets the observer
  ///     go without having ended it, subscriptions end without an event (contract rule 11).
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Complexity: Retains all values as long as the promise or its signal lives.
  public init(
    on scheduler: some Scheduler,
    _ work: @escaping @Sendable (_ observer: Observer<Value, Failure>) -> Void,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = Site("Promise", file, line, column, .source)
    let shared = SharedWork(site, scheduler, work)
    self.shared = shared
    // Set before the signal is shared.
    let id = Local(TraceID.none)
    deferred = Signal(site, argument: .text(scheduler.identity.name)) { down in
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
  /// - Returns: The results: ``deferred``.
  @discardableResult
  public func start() -> Signal<Value, Failure> {
    shared.start(deferred.node.id)
    return deferred
  }

  /// The last result; begins the work, if it has not begun.
  ///
  /// Nil where the work has sent no value, has let its observer go, or where the task that asks is cancelled:
  /// that ends the waiting, not the work.
  ///
  /// - Throws: What the work fails with.
  public func value() async throws(Failure) -> Value? {
    let answer = Answer<Value, Failure>()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(continuation)
        answer.listen(to: deferred)
      }
    } onCancel: {
      answer.cancel()
    }
    return try result.get()
  }
}

extension Signal {
  /// Work that subscribes to this signal at most once, and keeps what it sends.
  ///
  /// - Parameters:
  ///   - scheduler: Where the signal is subscribed to, and where its values are delivered.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A promise that has not begun.
  public func promise(
    on scheduler: some Scheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
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

/// A task that waits for the last value of a signal.
private final class Answer<Value: Sendable, Failure: Error>: Sendable {
  typealias Outcome = Result<Value?, Failure>

  private struct State: Sendable {
    var last: Value?
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
  }

  private let state = Locked(State())
  private let subscription = SingleAssignmentDisposable()

  func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.continuation = continuation }
      return state.outcome
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  func listen(to signal: Signal<Value, Failure>) {
    let scope = UpstreamScope<Failure> { [self] end in
      switch end {
      case .failed(let error): finish(.failure(error))
      case .completed, .sourceGone: finish(.success(state.withLock { $0.last }))
      }
    }
    let site = Site("subscribe", #fileID, #line, #column, .root)
    subscription.set(
      signal.begin(scope, site) { [self] value in
        let former = state.withLock { state in
          defer { state.last = value }
          return state.last
        }
        withExtendedLifetime(former) {}
      }
    )
  }

  func cancel() {
    subscription.dispose()
    finish(.success(nil))
  }

  /// The first outcome counts.
  private func finish(_ outcome: Outcome) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      if state.outcome != nil { return nil }
      state.outcome = outcome
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: outcome)
  }
}
