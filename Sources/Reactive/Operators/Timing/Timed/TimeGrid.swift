/// Instants at fixed intervals, which do not drift, as a value: missed instants are left out.
struct TimeGrid: Sendable {
  private let interval: Duration
  private var next: Duration = .zero

  init(_ interval: Duration) { self.interval = interval }

  /// Begins now.
  ///
  /// - Returns: The delay for which to arm the timer.
  mutating func start(at now: Duration) -> Duration {
    next = now + interval
    return interval
  }

  /// The time left until the next instant, if the timer has fired before it.
  func left(at now: Duration) -> Duration? { next > now ? next - now : nil }

  /// Advances to the next instant that has not passed.
  ///
  /// - Returns: The delay for which to arm the timer.
  mutating func next(at now: Duration) -> Duration {
    // More intervals of under a nanosecond may have passed than can be counted.
    next += interval * (Int(min((now - next) / interval, 0x1p62)) + 1)
    return max(next - now, .zero)
  }
}
