public import ReactiveTrace

extension HubBase {
  /// Records that a delivery begins.
  ///
  /// Compiled in this module for the same reason as ``recordNext(_:)``.
  @usableFromInline @inline(never)
  final func recordTurnBegan() { Tracer.turnBegan(id) }

  /// Records that a delivery has returned.
  @usableFromInline @inline(never)
  final func recordTurnEnded() { Tracer.turnEnded(id) }

  /// Runs a delivery of values that were stored for a subscriber, and records it as a delivery of
  /// the signal, if the signal is traced.
  final func turn(_ deliver: () -> Void) {
    if id != .none { recordTurnBegan() }
    deliver()
    if id != .none { recordTurnEnded() }
  }

  /// Reads the clock for the events that follow, if the signal is traced.
  @inlinable @inline(__always)
  final func readTime() { if id != .none { Tracer.tick() } }
}

extension ObserverHandle {
  @inlinable @inline(never)
  func sendTraced(_ value: Value, _ trace: SubscriptionTrace) {
    guard scope.isActive else { return Tracer.refused(trace.id, .next) }
    Tracer.turnBegan(trace.id)
    outlet.send(value, from: scope)
    Tracer.turnEnded(trace.id)
  }

  /// Sends a value, and calls `handled` when the value has been delivered or dropped.
  func send(_ value: Value, handled: @escaping @Sendable () -> Void) {
    if let trace = outlet.trace { Tracer.turnBegan(trace.id) }
    outlet.send(value, handled: handled)
    if let trace = outlet.trace { Tracer.turnEnded(trace.id) }
  }

  /// Records as refused an end that comes after the subscription has ended.
  @usableFromInline @inline(never)
  func refuse(_ end: End<Failure>, _ trace: SubscriptionTrace) {
    if case .failed = end {
      Tracer.refused(trace.id, .failed)
    } else {
      Tracer.refused(trace.id, .completed)
    }
  }
}
