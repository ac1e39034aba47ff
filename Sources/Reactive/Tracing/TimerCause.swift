public import ReactiveTrace

/// The cause of the work of a timer that serves several values: the latest value since the timer
/// last fired.
///
/// The work runs with the asynchronous backtrace of that value's sender.
@usableFromInline
struct TimerCause: ~Copyable, Sendable {
  @usableFromInline let origin = Locked(TraceOrigin())

  @inlinable @inline(__always)
  init() {}

  /// Stores the sender of a value for which a timer of `scheduler` may act.
  @inlinable @inline(__always)
  borrowing func valueArrived(on scheduler: any Scheduler) {
    if Tracer.isOn {
      let current = Tracer.origin(scheduler: scheduler.identity.traceNumber)
      origin.withLock { $0 = current }
    }
  }

  /// Runs the work of the timer when the timer has fired.
  @inlinable @inline(__always)
  borrowing func fire(_ body: () -> Void) {
    let latest = origin.withLock { origin in
      defer { origin = TraceOrigin() }
      return origin
    }
    Tracer.run(from: latest, body)
  }
}
