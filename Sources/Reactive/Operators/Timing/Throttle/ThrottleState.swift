/// The state of `throttle` and `audit`: they differ in whether the first value of an interval
/// waits.
struct ThrottleState<Value: Sendable, Failure: Error>: TimedState {
  private let interval: Duration
  private let sendsFirst: Bool
  private let sendsLatest: Bool
  private var pending: Value?
  private var dropped: Value?
  /// The end of the current interval.
  private var intervalEnd: Duration?
  private var alarm = Alarm()

  init(_ interval: Duration, sendsFirst: Bool, sendsLatest: Bool) {
    self.interval = max(interval, .zero)
    self.sendsFirst = sendsFirst
    self.sendsLatest = sendsLatest
  }

  /// How many values wait for the end of the interval: 0 or 1.
  var held: Int { pending == nil ? 0 : 1 }

  mutating func receive(_ value: Value, at now: Duration) -> TimedAction<Value, Failure> {
    if let intervalEnd, isClosed(at: now) { return hold(value, until: intervalEnd, now) }
    intervalEnd = now + interval
    if !sendsFirst { return hold(value, until: now + interval, now) }
    // If the timer is late, an earlier value may still be waiting; the new value replaces it.
    dropped = pending
    pending = nil
    alarm.unset()
    return .send(value)
  }

  private func isClosed(at now: Duration) -> Bool {
    guard let intervalEnd else { return false }
    return now < intervalEnd || !sendsFirst && pending != nil
  }

  private mutating func hold(
    _ value: Value,
    until time: Duration,
    _ now: Duration
  ) -> TimedAction<Value, Failure> {
    if !sendsLatest { return .nothing }
    dropped = pending
    pending = value
    return .armed(alarm.set(to: time, at: now))
  }

  mutating func fire(at now: Duration) -> TimedAction<Value, Failure> {
    switch alarm.fire(at: now) {
    case .idle: return .nothing
    case .early(let left): return .arm(left)
    case .due:
      guard let value = pending else { return .nothing }
      pending = nil
      intervalEnd = sendsFirst ? now + interval : nil
      return .send(value)
    }
  }

  /// Completion sends the waiting value; a failure overtakes and drops it.
  mutating func end(_ end: End<Failure>) -> TimedAction<Value, Failure> {
    if case .failed = end { return .end(nil, end) }
    return .end(pending, end)
  }

  mutating func takeDropped() -> Value? {
    defer { dropped = nil }
    return dropped
  }
}
