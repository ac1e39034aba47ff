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
