/// The state of `debounce`.
struct DebounceState<Value: Sendable, Failure: Error>: TimedState {
  enum Input: Sendable {
    /// To be forwarded if no other value comes during the interval.
    case waiting(Value)
    /// To be forwarded at once.
    case immediate(Value)
  }

  private let interval: Duration
  private var pending: Value?
  private var dropped: Value?
  private var alarm = Alarm()

  init(_ interval: Duration) { self.interval = max(interval, .zero) }

  /// How many values wait: 0 or 1.
  var held: Int { pending == nil ? 0 : 1 }

  mutating func receive(_ input: Input, at now: Duration) -> TimedAction<Value, Failure> {
    dropped = pending
    switch input {
    case .waiting(let value):
      pending = value
      return .armed(alarm.set(to: now + interval, at: now))
    case .immediate(let value):
      pending = nil
      alarm.unset()
      return .send(value)
    }
  }

  mutating func fire(at now: Duration) -> TimedAction<Value, Failure> {
    switch alarm.fire(at: now) {
    case .idle: return .nothing
    case .early(let left): return .arm(left)
    case .due:
      defer { pending = nil }
      return pending.map { .send($0) } ?? .nothing
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
