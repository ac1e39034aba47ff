/// What `window(every:)` decides to do.
enum WindowOutput<Value: Sendable>: Sendable {
  /// The next window begins.
  case open
  /// For the window that is open.
  case value(Value)
  /// The same, and the next window begins.
  case last(Value)
}

/// What `window(every:)` knows.
struct WindowState<Value: Sendable, Failure: Error>: TimedState {
  typealias Output = WindowOutput<Value>

  private let interval: Duration
  /// How many values fill a window; nil where windows end at fixed times only.
  private let limit: Int?
  private var grid: TimeGrid
  private var alarm = Alarm()
  private var count = 0

  init(_ interval: Duration, limit: Int?) {
    self.interval = interval
    self.limit = limit
    grid = TimeGrid(interval)
  }

  mutating func start(at now: Duration) -> TimedAction<Output, Failure> {
    .sendAndArm(.open, alarm.set(to: now + grid.start(at: now), at: now))
  }

  mutating func receive(_ value: Value, at now: Duration) -> TimedAction<Output, Failure> {
    count += 1
    if count != limit { return .send(.value(value)) }
    count = 0
    return .sendAndArm(.last(value), alarm.set(to: now + interval, at: now))
  }

  /// Windows begin on a grid from the subscription on, so that they do not drift; those that can be full, with the end of
  /// the one before.
  mutating func fire(at now: Duration) -> TimedAction<Output, Failure> {
    switch alarm.fire(at: now) {
    case .idle: return .nothing
    case .early(let left): return .arm(left)
    case .due:
      count = 0
      let delay = limit == nil ? grid.next(at: now) : interval
      return .sendAndArm(.open, alarm.set(to: now + delay, at: now))
    }
  }
}
