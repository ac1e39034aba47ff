/// What a signal sends: any number of values, then at most one failure or completion.
public enum Event<Value: Sendable, Failure: Error>: Sendable {
  /// A value.
  case next(Value)
  /// The end, with a failure.
  case failed(Failure)
  /// The regular end.
  case completed

  /// Whether this is a failure or completion, which no other event follows.
  @inlinable public var isTerminal: Bool {
    if case .next = self { false } else { true }
  }
}

extension Event: Equatable where Value: Equatable, Failure: Equatable {}

extension Event: CustomStringConvertible {
  /// `next(1)`, `failed(…)` or `completed`.
  public var description: String {
    switch self {
    case .next(let value): "next(\(value))"
    case .failed(let error): "failed(\(error))"
    case .completed: "completed"
    }
  }
}

/// How a subscription ends by itself: with an event, or without an event because nothing can send
/// any more (event contract, rule 11).
@usableFromInline
enum End<Failure: Error>: Sendable {
  case completed
  case failed(Failure)
  case sourceGone

  /// Whether this end overtakes events that an operator holds back (event contract, rule 4); other
  /// ends come after those events.
  @usableFromInline var isFailure: Bool { if case .failed = self { true } else { false } }
}
