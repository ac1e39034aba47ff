package import TraceReading

extension TraceSlot {
  package var key: EntityKey { EntityKey(id: id, serial: serial) }

  package var isLiveSubscription: Bool { kind == .subscription && state != .ended }
}

extension TraceSite {
  package var endedCount: UInt64 { ended.reduce(0, &+) }

  package var timersLive: UInt64 { timersArmed > timersEnded ? timersArmed - timersEnded : 0 }

  /// `subscribe at Panes.swift:41`.
  package var place: String { "\(name) at \(location)" }
}
