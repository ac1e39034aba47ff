/// The state of `collect(every:)`.
struct CollectState<Value: Sendable, Failure: Error>: TimedState {
  private let interval: Duration
  private let limit: Int
  private var values: [Value] = []
  private var alarm = Alarm()

  init(_ interval: Duration, count: Int?) {
    self.interval = max(interval, .zero)
    limit = count ?? .max
  }

  var held: Int { values.count }

  mutating func receive(_ value: Value, at now: Duration) -> TimedAction<[Value], Failure> {
    values.append(value)
    if values.count >= limit {
      alarm.unset()
      return .send(takeAll())
    }
    return values.count == 1 ? .armed(alarm.set(to: now + interval, at: now)) : .nothing
  }

  mutating func fire(at now: Duration) -> TimedAction<[Value], Failure> {
    switch alarm.fire(at: now) {
    case .idle: .nothing
    case .early(let left): .arm(left)
    case .due: .send(takeAll())
    }
  }

  /// Completion sends the gathered values; a failure overtakes and drops them.
  mutating func end(_ end: End<Failure>) -> TimedAction<[Value], Failure> {
    if case .failed = end { return .end(nil, end) }
    return .end(values.isEmpty ? nil : values, end)
  }

  private mutating func takeAll() -> [Value] {
    defer { values = [] }
    return values
  }
}

/// The state of `collect(every:)` with fixed intervals.
struct CollectFixedState<Value: Sendable, Failure: Error>: TimedState {
  private var grid: TimeGrid
  private let skipsEmpty: Bool
  private let discardsLast: Bool
  private var values: [Value] = []
  /// The end of the source, which waits for the end of the interval.
  private var pendingEnd: End<Failure>?

  init(_ interval: Duration, skipsEmpty: Bool, discardsLast: Bool) {
    grid = TimeGrid(interval)
    self.skipsEmpty = skipsEmpty
    self.discardsLast = discardsLast
  }

  var held: Int { values.count }

  mutating func start(at now: Duration) -> TimedAction<[Value], Failure> {
    .arm(grid.start(at: now))
  }

  mutating func receive(_ value: Value, at now: Duration) -> TimedAction<[Value], Failure> {
    values.append(value)
    return .nothing
  }

  mutating func fire(at now: Duration) -> TimedAction<[Value], Failure> {
    if let left = grid.left(at: now) { return .arm(left) }
    let collected = values.isEmpty && skipsEmpty ? nil : values
    values = []
    if let pendingEnd { return .end(collected, pendingEnd) }
    let delay = grid.next(at: now)
    return collected.map { .sendAndArm($0, delay) } ?? .arm(delay)
  }

  mutating func end(_ end: End<Failure>) -> TimedAction<[Value], Failure> {
    switch end {
    case .completed where !discardsLast, .sourceGone where !discardsLast: pendingEnd = end
    case .completed, .failed, .sourceGone: return .end(nil, end)
    }
    return .nothing
  }
}
