public import TraceFormat

extension Signal {
  /// Waits for the first value, then ends the subscription.
  ///
  /// ```swift
  /// let answer = try await request.first()
  /// ```
  ///
  /// ```
  /// signal   -1--2-|
  /// first()  -1
  /// ```
  ///
  /// Subscribes in the task, on the actor of the caller.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Throws: The signal's failure, if the signal fails before it sends a value.
  /// - Returns: The value; nil if the signal completes without a value, if nothing can send any
  ///   more, or if the task is cancelled, which ends the subscription.
  @inlinable
  public func first(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) async throws(Failure) -> Value? {
    let one = AwaitedOne<Value, Failure>()
    let site = Site("first", file, line, column, .root)
    return try await one.outcome(of: self, site, isolation: isolation) {
      one.settle(.success(.init(value: $0)))
      one.bridge.finish()
    }
    .value
  }

  /// Waits for the completion of the signal, and returns its last value.
  ///
  /// ```
  /// signal   -1--2-|
  /// last()   ------2
  /// ```
  ///
  /// Subscribes in the task, on the actor of the caller.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Throws: The signal's failure.
  /// - Returns: The last value; nil if there was none. If nothing can send any more, or if the task
  ///   is cancelled, which ends the subscription, the result is the last value so far.
  @inlinable
  public func last(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) async throws(Failure) -> Value? {
    let one = AwaitedOne<Value, Failure>()
    let site = Site("last", file, line, column, .root)
    return try await one.outcome(of: self, site, isolation: isolation) { one.keep($0) }.value
  }

  /// Waits for the end of the signal, and ignores its values.
  ///
  /// ```swift
  /// try await upload.wait()
  /// ```
  ///
  /// ```
  /// signal   -1--2-|
  /// wait()   ------true
  /// ```
  ///
  /// Subscribes in the task, on the actor of the caller.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Throws: The signal's failure.
  /// - Returns: Whether the signal has completed. False if nothing can send any more, or if the
  ///   task is cancelled, which ends the subscription.
  @discardableResult @inlinable
  public func wait(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) async throws(Failure) -> Bool {
    let one = AwaitedOne<Value, Failure>()
    let site = Site("wait", file, line, column, .root)
    return try await one.outcome(of: self, site, isolation: isolation) { _ in }.isCompleted
  }
}

/// A task's wait for one result.
///
/// The task gets the first result that arrives: from a value, from the end, or from cancellation.
///
/// The type is inlinable, and its state is stored in a ``HeapBox``, so that no type metadata has to
/// be looked up at run time where the compiler knows the types.
@usableFromInline
struct AwaitedOne<Value: Sendable, Failure: Error>: Sendable {
  /// The latest value, if any, and whether the signal has completed.
  @usableFromInline
  struct Outcome: Sendable {
    @usableFromInline var value: Value?
    @usableFromInline var isCompleted: Bool

    @inlinable
    init(value: Value?, isCompleted: Bool = false) {
      self.value = value
      self.isCompleted = isCompleted
    }
  }

  @usableFromInline typealias Waiting = CheckedContinuation<Result<Outcome, Failure>, Never>

  @usableFromInline
  struct State: Sendable {
    @usableFromInline var kept: Value?
    @usableFromInline var result: Result<Outcome, Failure>?
    @usableFromInline var waiting: Waiting?

    @inlinable
    init() {}
  }

  @usableFromInline
  struct Shared: ~Copyable, Sendable {
    @usableFromInline let bridge: Bridge
    @usableFromInline let state: Locked<State>

    @inlinable
    init() {
      bridge = Bridge()
      state = Locked(State())
    }
  }

  @usableFromInline let shared: HeapBox<Shared>

  @inlinable
  init() { shared = HeapBox(Shared()) }

  @inlinable var bridge: Bridge { shared.with { $0.bridge } }

  @inlinable @inline(__always)
  func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    shared.with { $0.state.withLock(body) }
  }

  /// Keeps the latest value, which is the result if the signal ends without a failure.
  @inlinable
  func keep(_ value: Value) {
    let former = withState { state in
      defer { state.kept = value }
      return state.kept
    }
    // Released outside the lock: releasing the value may run code of the program, which may end the
    // subscription.
    withExtendedLifetime(former) {}
  }

  @inlinable
  func settle(_ result: Result<Outcome, Failure>) {
    let waiting = withState { state -> Waiting? in
      if state.result != nil { return nil }
      state.result = result
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: result)
  }

  @inlinable
  func settle(_ end: End<Failure>) {
    let value = withState { $0.kept }
    switch end {
    case .failed(let error): settle(.failure(error))
    case .completed: settle(.success(Outcome(value: value, isCompleted: true)))
    case .sourceGone: settle(.success(Outcome(value: value)))
    }
  }

  @inlinable
  func wait(_ waiting: Waiting) {
    let result = withState { state in
      if state.result == nil { state.waiting = waiting }
      return state.result
    }
    if let result { waiting.resume(returning: result) }
  }

  @inlinable
  func outcome(
    of signal: Signal<Value, Failure>,
    _ site: Site,
    isolation: isolated (any Actor)?,
    _ next: @escaping @Sendable (Value) -> Void
  ) async throws(Failure) -> Outcome {
    let bridge = bridge
    let result = await withTaskCancellationHandler(
      operation: {
        // The `CompletionOnce` is not stored in a variable: the variable would keep it alive while
        // the task waits, so its release could not end the wait.
        signal.connect(
          bridge,
          site,
          CompletionOnce { settle(.sourceGone) },
          ended: { settle($0) },
          next
        )
        return await withCheckedContinuation(isolation: isolation) { wait($0) }
      },
      onCancel: { bridge.dispose() },
      isolation: isolation
    )
    return try result.get()
  }
}
