public import ReactiveTrace

/// A subscription on which something outside of signals waits: a task, or a thread.
///
/// It does not keep the subscription alive: the waiter is notified when nothing else keeps it,
/// because then no event can come any more.
@usableFromInline
final class Bridge<Failure: Error>: Sendable {
  @usableFromInline
  struct State: Sendable {
    @usableFromInline weak var scope: UpstreamScope<Failure>?
    @usableFromInline var id = TraceID.none
    @usableFromInline var isDisposed = false

    @inlinable
    init() {}
  }

  @usableFromInline let state = Locked(State())

  @inlinable
  init() {}

  /// What the trace calls the subscription.
  var id: TraceID { state.withLock { $0.id } }

  /// Ends the subscription, including one that has not been made yet.
  ///
  /// - Parameter cause: The cause that a trace records: by default, that the waiter no longer
  ///   waits.
  @inlinable
  func dispose(_ cause: EndCause = .task) {
    let (scope, id) = state.withLock { state in
      state.isDisposed = true
      return (state.scope, state.id)
    }
    guard let scope else { return }
    if scope.isActive { Tracer.disposeRequested(id) }
    scope.cancel(Ending(.cancelled, by: cause))
  }

  /// Ends the subscription because everything that was wanted has arrived.
  @inlinable
  func finish() { state.withLock { $0.scope }?.dispose() }

  /// Whether the subscription is still wanted.
  @inlinable
  func adopt(_ scope: UpstreamScope<Failure>) -> Bool {
    state.withLock { state in
      state.scope = scope
      return !state.isDisposed
    }
  }

  @inlinable
  func name(_ id: TraceID) { state.withLock { $0.id = id } }
}

/// Notifies a waiter of the end, once, in whatever way it comes: as an event, by disposal, or
/// because the object that would have sent it was released.
@usableFromInline
final class CompletionOnce<Failure: Error>: Sendable {
  @usableFromInline let handler: Locked<(@Sendable (End<Failure>) -> Void)?>

  @inlinable
  init(_ handler: @escaping @Sendable (End<Failure>) -> Void) { self.handler = Locked(handler) }

  @inlinable
  deinit { callAsFunction(.sourceGone) }

  @inlinable
  func callAsFunction(_ end: End<Failure>) {
    let handler = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    handler?(end)
  }
}

extension Signal {
  /// Subscribes on behalf of a waiter.
  ///
  /// - Parameters:
  ///   - bridge: Ends it; if it has been disposed of, nothing is subscribed to.
  ///   - site: Where the waiter waits.
  ///   - completion: Is notified of the end in any case.
  ///   - next: Called with each value.
  @inlinable
  func connect(
    _ bridge: Bridge<Failure>,
    _ site: Site,
    _ completion: CompletionOnce<Failure>,
    _ next: @escaping @Sendable (Value) -> Void
  ) {
    let whole = UpstreamScope<Failure> { completion($0) }
    guard bridge.adopt(whole) else { return whole.dispose() }
    guard let closure = whole.begin(site, of: node.id) else {
      return attach(Sink(whole, nil, nil, next: whole.guarding(next)))
    }
    bridge.name(closure.id)
    attach(
      Sink(whole, closure.subscription, nil) { value in
        guard whole.isActive else { return Tracer.refused(closure.id, .next) }
        Tracer.next(closure.id)
        next(value)
      }
    )
  }
}
