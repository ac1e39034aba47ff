/// What an operator with a timer knows, as a pure value: its methods say what to do next, and
/// ``TimedStage`` does it.
///
/// None is called any more after one has answered with an end.
@usableFromInline
protocol TimedState: Sendable {
  associatedtype Input: Sendable
  associatedtype Output: Sendable
  associatedtype Failure: Error

  typealias Action = TimedAction<Output, Failure>

  /// How many values are held back.
  var held: Int { get }

  /// The subscription begins.
  mutating func start(at now: Duration) -> Action

  /// A value has come.
  mutating func receive(_ value: Input, at now: Duration) -> Action

  /// The timer has fired: of all armed so far the only one that has not.
  mutating func fire(at now: Duration) -> Action

  /// The source has ended.
  mutating func end(_ end: End<Failure>) -> Action

  /// The value that the last call has replaced or dropped: to be released outside the lock, because what
  /// its release runs may come back here.
  mutating func takeDropped() -> Output?
}

extension TimedState {
  @inlinable var held: Int { 0 }

  @inlinable
  mutating func start(at now: Duration) -> Action { .nothing }

  @inlinable
  mutating func end(_ end: End<Failure>) -> Action { .end(nil, end) }

  @inlinable
  mutating func takeDropped() -> Output? { nil }
}

/// What to do next, outside the lock.
@usableFromInline
enum TimedAction<Output: Sendable, Failure: Error>: Sendable {
  case nothing
  /// Arm the timer for this delay; only where none is armed.
  case arm(Duration)
  case send(Output)
  /// Send, then arm the timer where a delay is given.
  case sendAndArm(Output, Duration?)
  /// Send, where there is a value, then end.
  case end(Output?, End<Failure>)

  /// Arms the timer where a delay is given.
  @inlinable
  static func armed(_ delay: Duration?) -> TimedAction { delay.map { .arm($0) } ?? .nothing }
}
