/// An output of `window(every:)`.
enum WindowOutput<Value: Sendable>: Sendable {
  /// The next window begins.
  case open
  /// A value for the window that is open.
  case value(Value)
  /// A value for the window that is open, after which the next window begins.
  case last(Value)
}

/// The state of `window(every:)`.
struct WindowState<Value: Sendable, Failure: Error>: TimedState {
  typealias Output = WindowOutput<Value>

  private let interval: Duration
  /// How many values fill a window; nil if windows end only at fixed times.
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

  /// Begins the next window if the interval of the current window is over.
  ///
  /// Without a limit, windows begin at multiples of the interval, counted from the subscription, so
  /// that they do not drift. With a limit, each interval is counted from the end of the previous
  /// window.
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
