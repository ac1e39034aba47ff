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
  /// - Throws: The signal's failure, if the signal fails before it sends a value.
  /// - Returns: The value; nil if the signal completes without a value, if nothing can send any
  ///   more, or if the task is cancelled, which ends the subscription.
  @inlinable
  public func first(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) async throws(Failure) -> Value? {
    let one = AwaitedOne<Value, Failure>()
    let site = Site("first", file, line, column, [.root, .handlesEnd])
    return try await one.outcome(of: self, site, isolation: isolation) { value in
      one.settle { $0.value = value }
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
  /// - Throws: The signal's failure.
  /// - Returns: The last value; nil if there was none. If nothing can send any more, or if the task
  ///   is cancelled, which ends the subscription, the result is the last value so far.
  @inlinable
  public func last(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) async throws(Failure) -> Value? {
    let one = AwaitedOne<Value, Failure>()
    let site = Site("last", file, line, column, [.root, .handlesEnd])
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
  /// - Throws: The signal's failure.
  /// - Returns: Whether the signal has completed. False if nothing can send any more, or if the
  ///   task is cancelled, which ends the subscription.
  @discardableResult @inlinable
  public func wait(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) async throws(Failure) -> Bool {
    let one = AwaitedOne<Value, Failure>()
    let site = Site("wait", file, line, column, [.root, .handlesEnd])
    return try await one.outcome(of: self, site, isolation: isolation) { _ in }.isCompleted
  }
}

/// A task's wait for one outcome.
///
/// The task gets the first outcome that arrives: from a value, from the end, or from cancellation.
///
/// The type is inlinable, and its state is stored in a ``HeapBox``, so that no type metadata has to
/// be looked up at run time where the compiler knows the types. No part of the state has a generic
/// type, except for optionals, because the code that destroys such a part looks up its type.
@usableFromInline
struct AwaitedOne<Value: Sendable, Failure: Error>: Sendable {
  /// The outcome, and the task that waits for it.
  @usableFromInline
  struct State: Sendable {
    /// The latest value, if any.
    @usableFromInline var value: Value?
    @usableFromInline var failure: Failure?
    /// Whether the signal has completed.
    @usableFromInline var isCompleted = false
    /// Whether the outcome has arrived; it does not change afterwards.
    @usableFromInline var isSettled = false
    @usableFromInline var waiting: CheckedContinuation<Void, Never>?

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

  /// Keeps the latest value, which belongs to the outcome if the signal ends without a failure.
  @inlinable
  func keep(_ value: Value) {
    let former = withState { state -> Value? in
      if state.isSettled { return nil }
      defer { state.value = value }
      return state.value
    }
    // Released outside the lock: releasing the value may run code of the program, which may end the
    // subscription.
    withExtendedLifetime(former) {}
  }

  /// Runs `change`, which stores the outcome, and resumes the task; does nothing if an outcome has
  /// arrived before.
  @inlinable @inline(__always)
  func settle(_ change: (inout State) -> Void) {
    let waiting = withState { state -> CheckedContinuation<Void, Never>? in
      if state.isSettled { return nil }
      state.isSettled = true
      change(&state)
      return state.waiting.take()
    }
    waiting?.resume()
  }

  @inlinable
  func settle(_ end: End<Failure>) {
    switch end {
    case .failed(let error): settle { $0.failure = error }
    case .completed: settle { $0.isCompleted = true }
    case .sourceGone: settle { _ in }
    }
  }

  @inlinable
  func wait(_ waiting: CheckedContinuation<Void, Never>) {
    let isSettled = withState { state in
      if !state.isSettled { state.waiting = waiting }
      return state.isSettled
    }
    if isSettled { waiting.resume() }
  }

  /// - Returns: The latest value, if any, and whether the signal has completed.
  @inlinable
  func outcome(
    of signal: Signal<Value, Failure>,
    _ site: Site,
    isolation: isolated (any Actor)?,
    _ next: @escaping @Sendable (Value) -> Void
  ) async throws(Failure) -> (value: Value?, isCompleted: Bool) {
    let bridge = bridge
    await withTaskCancellationHandler(
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
        await withCheckedContinuation(isolation: isolation) { wait($0) }
      },
      onCancel: { bridge.dispose() },
      isolation: isolation
    )
    let (value, failure, isCompleted) = withState { ($0.value, $0.failure, $0.isCompleted) }
    if let failure { throw failure }
    return (value, isCompleted)
  }
}
