public import ReactiveTrace

/// The disposable of a traced subscription, which records its disposal and its own release.
///
/// It holds the scope and not the closures, which the scope releases when it ends. So a program
/// that keeps this object does not keep the closures of an ended subscription alive.
@usableFromInline
final class TracedDisposable: Disposable {
  private let subscription: Subscription
  let id: TraceID

  @usableFromInline
  init(_ subscription: Subscription, _ id: TraceID) {
    self.subscription = subscription
    self.id = id
  }

  @usableFromInline var isDisposed: Bool { subscription.isDisposed }

  @usableFromInline
  func dispose() { dispose(by: .none) }

  /// Disposes of the subscription on behalf of `owner`, or of the program if `owner` is none.
  func dispose(by owner: TraceID) {
    if subscription.isActive { Tracer.disposeRequested(id) }
    subscription.cancel(Ending(.cancelled, by: owner == .none ? .disposed : .owner, owner))
  }

  deinit {
    if subscription.isActive { Tracer.disposableReleased(id) }
  }
}
