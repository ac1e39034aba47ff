import Glibc

/// Why the system refused an operation: the operation, its subject, and the reason.
public struct SystemFailure: Error, Hashable, CustomStringConvertible {
  /// The operation, such as `reading`.
  public let operation: String
  /// The subject: a path, a descriptor, a process.
  public let subject: String
  /// The number of the error, as in `errno`.
  public let code: Int32
  /// What to do about it, or what was expected; empty if the reason is sufficient.
  public let advice: String

  /// Creates a failure with the system's reason.
  ///
  /// - Parameters:
  ///   - operation: The operation, such as `reading`.
  ///   - subject: The subject of the operation.
  ///   - code: The number of the error, as in `errno`.
  ///   - advice: What to do about it.
  public init(_ operation: String, of subject: String, code: Int32, advice: String = "") {
    self.operation = operation
    self.subject = subject
    self.code = code
    self.advice = advice
  }

  /// The system's description of the reason.
  public var reason: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

  /// One sentence: what failed, on what, why, and what to do.
  public var description: String {
    "\(operation) '\(subject)' failed: \(reason) (\(code))" + (advice.isEmpty ? "" : "; \(advice)")
  }
}
