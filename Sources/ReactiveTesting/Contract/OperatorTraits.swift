/// The ways in which an operator may differ from an operator that forwards everything.
public struct OperatorTraits: OptionSet, Sendable {
  /// The traits as a bit set.
  public let rawValue: Int

  /// Creates traits from a bit set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Handles failures instead of forwarding them (`catch`, `retry`).
  public static let handlesFailure = OperatorTraits(rawValue: 1 << 0)
  /// May complete before its source does (`take`).
  public static let endsEarly = OperatorTraits(rawValue: 1 << 1)
  /// Does not end when its source is gone, because another input continues.
  public static let outlivesSource = OperatorTraits(rawValue: 1 << 2)
  /// Stays subscribed to the source when its subscribers have disposed of their subscriptions
  /// (`replay`).
  public static let sharesSource = OperatorTraits(rawValue: 1 << 3)
}

/// The failure that the source of a contract check sends.
public struct ContractFailure: Error, Equatable, Sendable {
  /// Creates the failure; all are equal.
  public init() {}
}

/// A rule of the event contract that an operator broke.
public struct ContractViolation: Sendable, CustomStringConvertible {
  /// The operator's name.
  public let name: String
  /// The number of the rule in the event contract; nil if the operator's name, site or trace is
  /// wrong.
  public let rule: Int?
  /// What happened and, in most cases, what should have happened.
  public let explanation: String

  /// One sentence: the operator, the rule, and what happened.
  public var description: String {
    guard let rule else { return "\(name): \(explanation)" }
    return "\(name) breaks contract rule \(rule): \(explanation)"
  }
}
