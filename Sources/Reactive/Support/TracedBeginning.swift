public import ReactiveTrace

extension Subscription {
  /// Tells the trace that a subscription begins which this ends: one that no `subscribe` of a program makes.
  ///
  /// - Parameters:
  ///   - site: Where.
  ///   - signal: What is subscribed to.
  ///   - below: The subscription that its events go to; none for nobody.
  /// - Returns: What the closure that takes its values holds; nil where nothing is recorded.
  @inlinable @inline(__always)
  final func begin(
    _ site: Site,
    of signal: TraceID,
    to below: TraceID = .none
  ) -> ClosureTrace? {
    guard Tracer.isOn else { return nil }
    let id = Tracer.subscribed(
      site: site.traceNumber,
      signal: signal,
      downstream: below,
      scope: traceNumber
    )
    guard id != .none else { return nil }
    own(TraceStages(id))
    return ClosureTrace(id)
  }
}

extension ClosureTrace {
  /// What the sink of the subscription says of it.
  @usableFromInline
  var subscription: SubscriptionTrace? { SubscriptionTrace(id) }
}
