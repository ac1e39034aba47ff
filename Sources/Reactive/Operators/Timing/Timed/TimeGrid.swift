/// Instants at fixed intervals that do not drift; missed instants are skipped.
struct TimeGrid: Sendable {
  private let interval: Duration
  private var next: Duration = .zero

  init(_ interval: Duration) { self.interval = interval }

  /// Starts the intervals at `now`.
  ///
  /// - Returns: The delay for which to arm the timer.
  mutating func start(at now: Duration) -> Duration {
    next = now + interval
    return interval
  }

  /// The time left until the next instant; nil if that instant has been reached.
  func left(at now: Duration) -> Duration? { next > now ? next - now : nil }

  /// Advances to the first instant after `now`.
  ///
  /// - Returns: The delay for which to arm the timer.
  mutating func next(at now: Duration) -> Duration {
    // The quotient is limited because, if the interval is shorter than a nanosecond, more intervals
    // may have passed than an `Int` can count.
    next += interval * (Int(min((now - next) / interval, 0x1p62)) + 1)
    return max(next - now, .zero)
  }
}
