/// Instants at fixed intervals, which do not drift, as a value: one that was missed is left out.
struct TimeGrid: Sendable {
  private let interval: Duration
  private var next: Duration = .zero

  init(_ interval: Duration) { self.interval = interval }

  /// Begins now.
  ///
  /// - Returns: What to arm the timer for.
  mutating func start(at now: Duration) -> Duration {
    next = now + interval
    return interval
  }

  /// What is left until the next instant, where the timer has fired before it.
  func left(at now: Duration) -> Duration? { next > now ? next - now : nil }

  /// Goes on to the next instant that has not passed.
  ///
  /// - Returns: What to arm the timer for.
  mutating func next(at now: Duration) -> Duration {
    // Of an interval under a nanosecond more may have passed than can be counted.
    next += interval * (Int(min((now - next) / interval, 0x1p62)) + 1)
    return max(next - now, .zero)
  }
}
