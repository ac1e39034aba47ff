package import TraceReading

extension TraceSlot {
  package var key: EntityKey { EntityKey(id: id, serial: serial) }

  package var isLiveSubscription: Bool { kind == .subscription && state != .ended }
}

extension TraceSite {
  package var endedCount: UInt64 { ended.reduce(0, &+) }

  /// The lifetime that the given share of subscriptions did not exceed, rounded up to a power of
  /// two; nil if no subscription has ended, or if the lifetime is in the last bucket, which also
  /// counts all longer lifetimes.
  package func lifetimeBound(of part: Double) -> Duration? {
    let total = lifetimes.reduce(0) { $0 + UInt64($1) }
    guard total > 0 else { return nil }
    var left = UInt64((Double(total) * part).rounded(.up))
    for (power, count) in lifetimes.enumerated().dropLast() {
      guard left > UInt64(count) else { return .nanoseconds(Int64(1) << Int64(min(power + 1, 62))) }
      left -= UInt64(count)
    }
    return nil
  }

  package var timersLive: UInt64 { timersArmed > timersEnded ? timersArmed - timersEnded : 0 }

  /// `subscribe at Panes.swift:41`.
  package var place: String { "\(name) at \(location)" }
}
