package import TraceReading

/// Distinguishes work that a timer will run from work that waits for its scheduler.
///
/// Both are accepted by a scheduler. A timer is armed by the same thread right after its work was
/// accepted, on behalf of the same subscription. The time until the work of a timer begins is the
/// timer's delay, and does not count as waiting.
package struct TimerHops {
  /// The hop (work scheduled in one place and run in another) that each thread scheduled last.
  private var accepted: [UInt32: (hop: UInt32, subscription: TraceID)] = [:]

  package init() {}

  /// Notes the hop of a `hop-scheduled` record.
  package mutating func accept(_ record: TraceRecord) {
    guard let hop = record.hopScheduling else { return }
    accepted[record.thread] = (hop.hop, hop.subscription)
  }

  /// The hop of the timer that a `timer-armed` record reports; nil if that is not recorded.
  package mutating func hop(armedBy record: TraceRecord) -> UInt32? {
    guard let timer = record.timerArming, let last = accepted.removeValue(forKey: record.thread),
      last.subscription == timer.subscription
    else { return nil }
    return last.hop
  }
}

/// The hops of the timers that may still fire.
///
/// Such a hop is accepted once and begins at every fire.
package struct RepeatingHops {
  private var accepted = TimerHops()
  private var hops: [TraceID: UInt32] = [:]
  private var repeating: Set<UInt32> = []

  package init() {}

  /// Processes the next record, in the order of the trace.
  ///
  /// Returns the hop of the timer that the record ends, and nil for any other record.
  package mutating func process(_ record: TraceRecord) -> UInt32? {
    switch record.kind {
    case .hopScheduled: accepted.accept(record)
    case .timerArmed:
      guard let hop = accepted.hop(armedBy: record) else { break }
      hops[record.entity] = hop
      repeating.insert(hop)
    case .timerEnded:
      guard let hop = hops.removeValue(forKey: record.entity) else { break }
      repeating.remove(hop)
      return hop
    default: break
    }
    return nil
  }

  /// Whether the timer of this hop may still fire; false for a hop that is not of a timer.
  package func contains(_ hop: UInt32) -> Bool { repeating.contains(hop) }
}
