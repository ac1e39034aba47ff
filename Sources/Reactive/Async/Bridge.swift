public import TraceFormat
import Synchronization

/// The link between a subscription and the task or thread that waits for its events.
///
/// The bridge does not keep the subscription alive. When nothing else keeps the subscription alive,
/// no event can come any more, and the waiter (the task or thread) is notified.
@usableFromInline
final class Bridge: Sendable {
  @usableFromInline
  struct State: Sendable {
    @usableFromInline weak var scope: Subscription?
    @usableFromInline var id = TraceID.none
    @usableFromInline var isDisposed = false

    @inlinable
    init() {}
  }

  @usableFromInline let state = Locked(State())

  @inlinable
  init() {}

  /// The identifier of the subscription in the trace.
  var id: TraceID { state.withLock { $0.id } }

  /// Ends the subscription; if it has not been made yet, it will not be made.
  ///
  /// - Parameter cause: The cause that a trace records; by default that the waiter no longer waits.
  @inlinable
  func dispose(_ cause: EndCause = .task) {
    let (scope, id) = state.withLock { state in
      state.isDisposed = true
      return (state.scope, state.id)
    }
    guard let scope else { return }
    recordDisposal(scope, id)
    scope.cancel(Ending(.cancelled, by: cause))
  }

  /// Ends the subscription because the waiter has received all that it needs.
  @inlinable
  func finish() { state.withLock { $0.scope }?.dispose() }

  /// Sets the subscription; returns false if ``dispose(_:)`` has already been called.
  @inlinable
  func adopt(_ scope: Subscription) -> Bool {
    state.withLock { state in
      state.scope = scope
      return !state.isDisposed
    }
  }

  @inlinable
  func name(_ id: TraceID) { state.withLock { $0.id = id } }
}

/// Makes sure that a waiter is notified of the end exactly once: by an event, by disposal, or
/// because nothing is left that could send an event.
@usableFromInline
final class CompletionOnce: Sendable {
  private let wasTaken = Atomic<Bool>(false)
  private let isGone: @Sendable () -> Void

  /// - Parameter isGone: Called when this object is released before ``take()`` was called, because
  ///   no event can come any more.
  @usableFromInline
  init(isGone: @escaping @Sendable () -> Void) { self.isGone = isGone }

  deinit { if take() { isGone() } }

  /// Returns true for the first caller only; that caller notifies the waiter.
  @usableFromInline
  func take() -> Bool { !wasTaken.exchange(true, ordering: .acquiringAndReleasing) }
}

extension Signal {
  /// Subscribes on behalf of a waiter.
  ///
  /// - Parameters:
  ///   - bridge: Ends the subscription; if it has been disposed of, nothing is subscribed to.
  ///   - site: Where the waiter waits.
  ///   - completion: Makes sure that the waiter is notified of the end once.
  ///   - ended: Called with the end, unless the waiter has been notified already.
  ///   - next: Called with each value.
  @inlinable
  func connect(
    _ bridge: Bridge,
    _ site: Site,
    _ completion: CompletionOnce,
    ended: @escaping @Sendable (End<Failure>) -> Void,
    _ next: @escaping @Sendable (Value) -> Void
  ) {
    let whole = UpstreamScope<Failure> { if completion.take() { ended($0) } }
    guard bridge.adopt(whole) else { return whole.dispose() }
    attach(
      whole.sink(site, of: node.id, recordsRefused: true, began: bridge.name, whole.guarding(next))
    )
  }
}
