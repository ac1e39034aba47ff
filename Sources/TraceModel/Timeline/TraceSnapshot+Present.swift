import TraceReading

extension TraceSnapshot {
  /// The time since the recording began, while the program runs; nil once it has ended.
  ///
  /// A program that has been silent for an hour has no record of that hour, but its ages count up
  /// to now.
  package var present: Duration? {
    guard processStatus == .running else { return nil }
    let now = MonotonicClock.nanoseconds()
    let start = header.start.monotonic
    return now >= start ? .nanoseconds(Int64(clamping: now - start)) : nil
  }
}
