/// The target of the events of one subscription at one stage of its chain: values go to `next`, the
/// end goes to `scope`, which also owns what is upstream.
///
/// A linear operator forwards `scope` and `trace` and replaces `next`.
@usableFromInline
struct Sink<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let scope: Scope<Failure>
  /// The stage that this sink leads to, if it is traced.
  @usableFromInline let trace: SubscriptionTrace?
  @usableFromInline let next: @Sendable (Value) -> Void

  /// Creates a sink in a separate scope.
  ///
  /// - Parameters:
  ///   - scope: A scope in which nothing has been subscribed to. The scope holds `downstreamGate`,
  ///     so `downstreamGate` must not hold the scope.
  ///   - trace: The stage that the sink leads to, if it is traced.
  ///   - downstreamGate: The nearest gate downstream that values pass; stored in the scope.
  ///   - next: Receives the values.
  @inlinable @inline(__always)
  init(
    _ scope: Scope<Failure>,
    _ trace: SubscriptionTrace?,
    _ downstreamGate: GatedStage?,
    next: @escaping @Sendable (Value) -> Void
  ) {
    if let downstreamGate { scope.downstreamGate = downstreamGate }
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

  /// The nearest gate downstream that values pass.
  ///
  /// A gate lets one thread at a time deliver events. A signal that is subscribed to later than the
  /// chain itself, such as an inner signal, waits until no thread is inside this gate or a gate
  /// downstream of it (event contract, rule 10).
  @inlinable var downstreamGate: GatedStage? { scope.downstreamGate }

  /// The sink that a linear operator passes upstream: it has the same scope, and takes other
  /// values.
  @inlinable @inline(__always)
  consuming func with<Upstream: Sendable>(
    _ next: @escaping @Sendable (Upstream) -> Void
  ) -> Sink<Upstream, Failure> {
    Sink<Upstream, Failure>(in: scope, trace, next: next)
  }
}
