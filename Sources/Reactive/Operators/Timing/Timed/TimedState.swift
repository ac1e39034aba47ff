/// The state of an operator with a timer, as a pure value: its methods return the next action, and
/// ``TimedStage`` performs it.
///
/// No method is called after a method has returned an end.
@usableFromInline
protocol TimedState: Sendable {
  associatedtype Input: Sendable
  associatedtype Output: Sendable
  associatedtype Failure: Error

  typealias Action = TimedAction<Output, Failure>

  /// How many values are held back.
  var held: Int { get }

  /// Called when the subscription begins.
  mutating func start(at now: Duration) -> Action

  /// Called when a value has come.
  mutating func receive(_ value: Input, at now: Duration) -> Action

  /// Called when the timer has fired; no other timer is armed.
  mutating func fire(at now: Duration) -> Action

  /// Called when the source has ended.
  mutating func end(_ end: End<Failure>) -> Action

  /// Takes the value that the last call replaced or dropped.
  ///
  /// The caller releases it outside the lock, because its release may run code that calls back into
  /// this state.
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

/// What to do outside the lock, after a method of the state has returned.
@usableFromInline
enum TimedAction<Output: Sendable, Failure: Error>: Sendable {
  case nothing
  /// Arm the timer for this delay; only returned if no timer is armed.
  case arm(Duration)
  case send(Output)
  /// Send, then arm the timer if a delay is given.
  case sendAndArm(Output, Duration?)
  /// Send the value, if there is one, then end.
  case end(Output?, End<Failure>)

  /// Returns `arm` if a delay is given, otherwise `nothing`.
  @inlinable
  static func armed(_ delay: Duration?) -> TimedAction { delay.map { .arm($0) } ?? .nothing }
}
