import TraceReading

extension TraceSnapshot {
  /// How long the recording has been going on, while the program runs; nil once it is gone.
  ///
  /// A program that has been silent for an hour has no record of that hour: its ages count up to here.
  package var present: Duration? {
    guard processStatus == .running else { return nil }
    let now = MonotonicClock.nanoseconds()
    let start = header.start.monotonic
    return now >= start ? .nanoseconds(Int64(clamping: now - start)) : nil
  }
}
