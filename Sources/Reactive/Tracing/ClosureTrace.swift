public import ReactiveTrace

/// Records when all closures of a subscription that the library makes for itself have been
/// released: each of them holds this object.
@usableFromInline
final class ClosureTrace: Sendable {
  @usableFromInline let id: TraceID

  @usableFromInline
  init(_ id: TraceID) { self.id = id }

  deinit { Tracer.release(id) }
}

extension Subscription {
  /// Records the beginning of a subscription that ends with this scope, and that the library makes
  /// for itself.
  ///
  /// - Parameters:
  ///   - site: Where the subscription is made.
  ///   - signal: The signal that is subscribed to.
  /// - Returns: An object that the closures that receive the values must hold; nil if nothing is
  ///   recorded.
  final func begin(_ site: Site, of signal: TraceID) -> ClosureTrace? {
    let id = beginRecorded(site, signal, .none)
    return id == .none ? nil : ClosureTrace(id)
  }

  @inlinable @inline(__always)
  final func beginRecorded(_ site: Site, _ signal: TraceID, _ downstream: TraceID) -> TraceID {
    guard Tracer.isOn else { return .none }
    let id = Tracer.subscribed(
      site: site.traceNumber,
      signal: signal,
      downstream: downstream,
      scope: traceNumber
    )
    if id != .none { own(TraceStages(id)) }
    return id
  }
}

extension ClosureTrace {
  /// The trace of the subscription, for its sink.
  @usableFromInline
  var subscription: SubscriptionTrace? { SubscriptionTrace(id) }
}

extension ClosureTrace? {
  /// A closure for the values of the subscription, which records each value before it calls `next`.
  ///
  /// It drops the values that come after `scope` has ended. If nothing is recorded, the closure is
  /// `next` itself.
  func recording<Value: Sendable>(
    in scope: Subscription,
    _ next: @escaping @Sendable (Value) -> Void
  ) -> @Sendable (Value) -> Void {
    guard let self else { return next }
    return { value in
      guard scope.isActive else { return }
      recordNext(self.id)
      next(value)
    }
  }
}

extension Scope {
  /// The sink of a subscription that the library makes for itself, to share a signal or to wait for
  /// it.
  ///
  /// The trace records the subscription, with the values that come before its end.
  ///
  /// - Parameters:
  ///   - site: Where the subscription is made.
  ///   - signal: The signal that is subscribed to.
  ///   - downstream: The subscription that its events go to; nil if there is none.
  ///   - recordsRefused: Whether values that come after the end are recorded as refused.
  ///   - began: Called with the identifier of the subscription in the trace, if it is recorded.
  ///   - next: Receives the values; even after the end, if nothing is recorded.
  /// - Returns: A sink in this scope.
  @inlinable @inline(__always)
  final func sink<Value: Sendable>(
    _ site: Site,
    of signal: TraceID,
    to downstream: SubscriptionTrace? = nil,
    recordsRefused: Bool = false,
    began: (TraceID) -> Void = { _ in },
    _ next: @escaping @Sendable (Value) -> Void
  ) -> Sink<Value, Failure> {
    let id = beginRecorded(site, signal, downstream?.id ?? .none)
    guard id != .none else { return Sink(self, downstream, nil, next: next) }
    began(id)
    let probe = RootProbe(id, self, recordsRefused: recordsRefused, next)
    return Sink(self, SubscriptionTrace(id), nil, next: probe.handler())
  }
}
