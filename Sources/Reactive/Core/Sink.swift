public import ReactiveTrace

/// Where the events of one subscription go at one stage of its chain: values to `next`, the end to
/// `scope`, which also owns what is upstream.
///
/// A linear operator passes `scope` and `trace` along and replaces `next`.
@usableFromInline
struct Sink<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let scope: Scope<Failure>
  /// The stage that this sink leads to, where it is traced.
  @usableFromInline let trace: SubscriptionTrace?
  /// The nearest gate that values pass further down.
  ///
  /// What is subscribed to later than the chain itself waits until it is open, and those below it
  /// (contract rule 10).
  @usableFromInline let below: GatedStage?
  @usableFromInline let next: @Sendable (Value) -> Void

  @inlinable @inline(__always)
  init(
    _ scope: Scope<Failure>,
    _ trace: SubscriptionTrace?,
    _ below: GatedStage?,
    next: @escaping @Sendable (Value) -> Void
  ) {
    self.scope = scope
    self.trace = trace
    self.below = below
    self.next = next
  }

  /// The sink of the stage above a linear operator: same scope, other values.
  @inlinable @inline(__always)
  func with<Upstream: Sendable>(
    _ next: @escaping @Sendable (Upstream) -> Void
  ) -> Sink<Upstream, Failure> {
    Sink<Upstream, Failure>(scope, trace, below, next: next)
  }
}

/// A stage of a subscription, as the trace knows it.
///
/// Exists only where something is recorded.
///
/// It is held by the stage's closures, so that its release tells when they have been freed, and by the
/// scope, whose end it reports.
@usableFromInline
final class SubscriptionTrace: Teardown, @unchecked Sendable {
  @usableFromInline let id: TraceID

  @usableFromInline
  init(_ id: TraceID) {
    self.id = id
    super.init()
  }

  @usableFromInline
  override func teardown(_ ending: Ending) {
    switch ending.reason {
    case .completed: Tracer.completed(id)
    case .failed: Tracer.failed(id, ending.errorType ?? (any Error).self)
    case .cancelled, .ownerGone, .sourceGone: break
    }
    Tracer.ended(id, ending.reason)
  }

  deinit { Tracer.subscriptionReleased(id) }
}
