/// In which points an operator rightly differs from one that forwards everything.
public struct OperatorTraits: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Traits from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Handles failures instead of forwarding them (`catch`, `retry`).
  public static let handlesFailure = OperatorTraits(rawValue: 1 << 0)
  /// May complete before its source does (`take`).
  public static let endsEarly = OperatorTraits(rawValue: 1 << 1)
  /// Does not end when its source is gone, because another input goes on.
  public static let outlivesSource = OperatorTraits(rawValue: 1 << 2)
  /// Keeps its subscription of the source when its own are disposed of (`replay`).
  public static let sharesSource = OperatorTraits(rawValue: 1 << 3)
}

/// What the source of a contract check fails with.
public struct ContractFailure: Error, Equatable, Sendable {
  /// The one there is.
  public init() {}
}

/// A rule of the event contract that an operator broke.
public struct ContractViolation: Sendable, CustomStringConvertible {
  /// The operator's name.
  public let name: String
  /// The number of the rule in the event contract; nil where its name, its place or its trace is wrong.
  public let rule: Int?
  /// What happened, and what should have.
  public let explanation: String

  /// One sentence for people.
  public var description: String {
    guard let rule else { return "\(name): \(explanation)" }
    return "\(name) breaks contract rule \(rule): \(explanation)"
  }
}
