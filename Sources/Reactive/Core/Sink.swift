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
  @usableFromInline let next: @Sendable (Value) -> Void

  /// The sink of a scope of its own.
  ///
  /// - Parameters:
  ///   - scope: Nothing has been subscribed to in it. It must not be held by `below`, which it holds.
  ///   - trace: The stage that the sink leads to, where it is traced.
  ///   - below: The nearest gate that values pass further down; noted in the scope.
  ///   - next: Takes the values.
  @inlinable @inline(__always)
  init(
    _ scope: Scope<Failure>,
    _ trace: SubscriptionTrace?,
    _ below: GatedStage?,
    next: @escaping @Sendable (Value) -> Void
  ) {
    if let below { scope.below = below }
    self.init(in: scope, trace, next: next)
  }

  @inlinable @inline(__always)
  init(
    in scope: consuming Scope<Failure>,
    _ trace: SubscriptionTrace?,
    next: @escaping @Sendable (Value) -> Void
  ) {
    self.scope = scope
    self.trace = trace
    self.next = next
  }

  /// The nearest gate that values pass further down.
  ///
  /// What is subscribed to later than the chain itself waits until it is open, and those below it
  /// (contract rule 10).
  @inlinable var below: GatedStage? { scope.below }

  /// The sink of the stage above a linear operator: same scope, other values.
  @inlinable @inline(__always)
  consuming func with<Upstream: Sendable>(
    _ next: @escaping @Sendable (Upstream) -> Void
  ) -> Sink<Upstream, Failure> {
    Sink<Upstream, Failure>(in: scope, trace, next: next)
  }
}

/// A stage of a subscription, as the trace knows it.
///
/// Exists only where something is recorded. The stage's closures hold it there (``Probe``), and so must
/// whoever reports something about it without holding those.
@usableFromInline
struct SubscriptionTrace: Sendable {
  @usableFromInline let id: TraceID

  @inlinable @inline(__always)
  init(_ id: TraceID) { self.id = id }
}
