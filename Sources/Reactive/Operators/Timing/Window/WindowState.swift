/// What `window(every:)` decides to do.
enum WindowOutput<Value: Sendable>: Sendable {
  /// The next window begins.
  case open
  /// For the window that is open.
  case value(Value)
}

/// What `window(every:)` knows.
struct WindowState<Value: Sendable, Failure: Error>: TimedState {
  typealias Output = WindowOutput<Value>

  private let interval: Duration
  private var alarm = Alarm()
  private var next: Duration = .zero

  init(_ interval: Duration) { self.interval = interval }

  mutating func start(at now: Duration) -> TimedAction<Output, Failure> {
    next = now + interval
    return .sendAndArm(.open, alarm.set(to: next, at: now))
  }

  mutating func receive(_ value: Value, at now: Duration) -> TimedAction<Output, Failure> {
    .send(.value(value))
  }

  /// Windows begin on a grid from the subscription on, so that they do not drift.
  mutating func fire(at now: Duration) -> TimedAction<Output, Failure> {
    switch alarm.fire(at: now) {
    case .idle: return .nothing
    case .early(let left): return .arm(left)
    case .due:
      // Of an interval under a nanosecond more may have passed than can be counted.
      next += interval * (Int(min((now - next) / interval, 0x1p62)) + 1)
      return .sendAndArm(.open, alarm.set(to: next, at: now))
    }
  }
}
