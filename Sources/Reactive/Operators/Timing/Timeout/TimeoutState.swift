/// Why a signal with a time limit fails.
@usableFromInline
enum TimeoutFailure<Failure: Error>: Error {
  case timedOut
  case source(Failure)

  @inlinable
  static func end(_ end: End<Failure>) -> End<TimeoutFailure> {
    switch end {
    case .completed: .completed
    case .failed(let error): .failed(.source(error))
    case .sourceGone: .sourceGone
    }
  }
}

/// The state of `timeout`.
@usableFromInline
struct TimeoutState<Value: Sendable, SourceFailure: Error>: TimedState {
  @usableFromInline typealias Failure = TimeoutFailure<SourceFailure>

  @usableFromInline let interval: Duration
  @usableFromInline let isRenewed: Bool
  @usableFromInline var alarm = Alarm()

  /// With `each` the time begins anew with each value.
  @inlinable
  init(_ interval: Duration, each: Bool) {
    self.interval = max(interval, .zero)
    isRenewed = each
  }

  @inlinable
  mutating func start(at now: Duration) -> TimedAction<Value, Failure> {
    .armed(alarm.set(to: now + interval, at: now))
  }

  @inlinable
  mutating func receive(_ value: Value, at now: Duration) -> TimedAction<Value, Failure> {
    .sendAndArm(value, isRenewed ? alarm.set(to: now + interval, at: now) : nil)
  }

  @inlinable
  mutating func fire(at now: Duration) -> TimedAction<Value, Failure> {
    switch alarm.fire(at: now) {
    case .idle: .nothing
    case .early(let left): .arm(left)
    case .due: .end(nil, .failed(.timedOut))
    }
  }
}
