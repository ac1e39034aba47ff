import ReactiveTrace

/// A timer, as the trace identifies it: a separate entity, whose fires all belong to one hop (one
/// piece of scheduled work).
struct TimerTrace: Sendable {
  let hop: HopTrace
  private let id: TraceID

  /// Records that a timer is armed.
  ///
  /// - Parameters:
  ///   - identity: The scheduler on which the timer fires; only read if something is recorded.
  ///   - interval: nil for a timer that fires once.
  ///   - site: Where the timer was armed.
  ///   - trace: The subscription that the timer belongs to; nil if a program made the timer.
  @inline(__always)
  init(
    on identity: @autoclosure () -> SchedulerIdentity,
    every interval: Duration?,
    _ site: Site,
    for trace: SubscriptionTrace?
  ) {
    hop = HopTrace(on: identity(), for: trace)
    guard Tracer.isOn else {
      id = .none
      return
    }
    id = Tracer.timerArmed(
      site: site.traceNumber,
      subscription: trace?.id ?? .none,
      microseconds: Self.microseconds(interval),
      scheduler: identity().traceNumber,
      hop: hop.hop
    )
  }

  /// Runs what the timer does when it fires.
  func fire(_ work: () -> Void) {
    guard id != .none else { return work() }
    let before = Tracer.timerFired(id)
    work()
    Tracer.timerReturned(id, before)
  }

  /// Records that the timer will not fire again.
  func ended(_ reason: EndReason) { if id != .none { Tracer.timerEnded(id, reason) } }

  private static func microseconds(_ interval: Duration?) -> UInt32 {
    guard let interval else { return 0 }
    let (seconds, attoseconds) = min(max(interval, .zero), .seconds(UInt32.max)).components
    let whole = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    return UInt32(min(max(whole, 1), Double(UInt32.max)))
  }
}
