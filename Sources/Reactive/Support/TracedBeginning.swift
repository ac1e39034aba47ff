public import ReactiveTrace

extension Subscription {
  /// Records the beginning of a subscription that this scope ends, and that no `subscribe` of a
  /// program makes.
  ///
  /// - Parameters:
  ///   - site: Where the subscription is made.
  ///   - signal: The signal that is subscribed to.
  ///   - below: The subscription that its events go to; none if there is none.
  /// - Returns: An object to be held by the closure that receives its values; nil if nothing is
  ///   recorded.
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
  /// The trace of the subscription, for its sink.
  @usableFromInline
  var subscription: SubscriptionTrace? { SubscriptionTrace(id) }
}
