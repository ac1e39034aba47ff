/// Why a signal with a limit fails.
enum TimeoutFailure<Failure: Error>: Error {
  case timedOut
  case source(Failure)

  static func end(_ end: End<Failure>) -> End<TimeoutFailure> {
    switch end {
    case .completed: .completed
    case .failed(let error): .failed(.source(error))
    case .sourceGone: .sourceGone
    }
  }
}

/// What `timeout` knows.
struct TimeoutState<Value: Sendable, SourceFailure: Error>: TimedState {
  typealias Failure = TimeoutFailure<SourceFailure>

  private let interval: Duration
  private let isRenewed: Bool
  private var alarm = Alarm()

  /// With `each` the time begins anew with each value.
  init(_ interval: Duration, each: Bool) {
    self.interval = max(interval, .zero)
    isRenewed = each
  }

  mutating func start(at now: Duration) -> TimedAction<Value, Failure> {
    .armed(alarm.set(to: now + interval, at: now))
  }

  mutating func receive(_ value: Value, at now: Duration) -> TimedAction<Value, Failure> {
    .sendAndArm(value, isRenewed ? alarm.set(to: now + interval, at: now) : nil)
  }

  mutating func fire(at now: Duration) -> TimedAction<Value, Failure> {
    switch alarm.fire(at: now) {
    case .idle: .nothing
    case .early(let left): .arm(left)
    case .due: .end(nil, .failed(.timedOut))
    }
  }
}
