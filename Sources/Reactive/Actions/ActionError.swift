/// How an execution of an ``Action`` or a ``Command`` fails.
public enum ActionError<Failure: Error>: Error {
  /// Nothing was executed, because the action is disabled or is executing already.
  ///
  /// The site says where the action or command was created.
  case notEnabled(Site)
  /// The signal of the execution has failed.
  case failed(Failure)

  /// The failure of the execution; nil if nothing was executed.
  @inlinable public var failure: Failure? {
    if case .failed(let failure) = self { failure } else { nil }
  }

  /// Whether nothing was executed.
  public var isNotEnabled: Bool { failure == nil }
}

extension ActionError: CustomStringConvertible {
  /// A one-sentence description.
  public var description: String {
    switch self {
    case .notEnabled(let site):
      "\(site) is not enabled: it is disabled, or is executing already; see isEnabled"
    case .failed(let failure): "\(failure)"
    }
  }
}

extension ActionError: Equatable where Failure: Equatable {
  /// Whether both errors carry equal failures, or both say that nothing was executed.
  public static func == (first: ActionError, second: ActionError) -> Bool {
    first.failure == second.failure
  }
}
