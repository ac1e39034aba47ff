import Glibc

/// Why the system refused something: what, of what, and its reason.
public struct SystemFailure: Error, Hashable, CustomStringConvertible {
  /// What was asked for, as `reading`.
  public let operation: String
  /// Of what: a path, a descriptor, a process.
  public let subject: String
  /// The number of the error, as `errno` has it.
  public let code: Int32
  /// What to do about it, or what was expected; empty where the reason says it all.
  public let advice: String

  /// A failure with the system's own reason.
  ///
  /// - Parameters:
  ///   - operation: What was asked for, as `reading`.
  ///   - subject: Of what.
  ///   - code: The number of the error, as `errno` has it.
  ///   - advice: What to do about it.
  public init(_ operation: String, of subject: String, code: Int32, advice: String = "") {
    self.operation = operation
    self.subject = subject
    self.code = code
    self.advice = advice
  }

  /// The reason in words of the system.
  public var reason: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

  /// One sentence: what failed, of what, why, and what to do.
  public var description: String {
    "\(operation) '\(subject)' failed: \(reason) (\(code))" + (advice.isEmpty ? "" : "; \(advice)")
  }
}
