import CReactiveTraceShims

extension Trace {
  /// Makes the recording use a clock that the program advances, so that a simulation of a day,
  /// which runs in a minute, is recorded as a day.
  ///
  /// Must be called before anything is recorded. Until the first call of ``advanceClock(by:)``, the
  /// clock stands still at the current system time.
  package static func takeOverClock() {
    precondition(Recorder.current == nil, "Trace.takeOverClock(): recording has begun already")
    rxt_set_own_time(max(1, rxt_monotonic_ns()))
  }

  /// Advances the clock that was taken over.
  ///
  /// Must not be called by two threads at once, nor before ``takeOverClock()``.
  ///
  /// - Parameter duration: Must not be negative: a recording does not run backwards.
  package static func advanceClock(by duration: Duration) {
    precondition(
      duration >= .zero,
      "Trace.advanceClock(by: \(duration)): time does not run backwards"
    )
    precondition(rxt_own_time() != 0, "Trace.advanceClock(by:): takeOverClock() comes first")
    let (seconds, attoseconds) = duration.components
    rxt_set_own_time(
      rxt_own_time() &+ UInt64(seconds) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
    )
  }
}
