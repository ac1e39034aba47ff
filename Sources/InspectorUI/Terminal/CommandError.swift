import TraceFindings
public import TraceModel

/// Formats errors as rxtop prints them.
public enum CommandError {
  /// The message after `rxtop: error: `, with control characters escaped.
  public static func line(_ message: String) -> String {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
      .map { displayName(String($0), columns: 2000) }
    return "rxtop: error: " + lines.joined(separator: "\n") + "\n"
  }
}

/// The exit statuses of rxtop.
public enum ExitStatus: Int32, CaseIterable, Sendable {
  case clean = 0
  /// `check` found something at or above `--fail-on`.
  case findings = 1
  /// The command line is wrong.
  case usage = 2
  /// The trace cannot be read, or there is none.
  case unreadable = 3
  /// No finding makes `check` fail, but the trace is too incomplete to be called clean.
  case incomplete = 4
  /// The server did not accept all rows of `export fleet`.
  case undelivered = 5

  /// The exit status for the verdict of `check`.
  ///
  /// Findings at or above the limit count even in an incomplete trace, because missing records can
  /// only hide further findings. Findings that a ``/TraceFindings/FindingBaseline`` contains or
  /// allows do not count.
  public init(checking inspection: Inspection, failOn limit: FindingLevel) {
    switch inspection.verdict(failOn: limit) {
    case .clean: self = .clean
    case .findings: self = .findings
    case .incomplete: self = .incomplete
    }
  }

  /// The exit status for an exit code of swift-argument-parser: 64, for usage errors, becomes 2;
  /// any other becomes 3, because 1 means that there are findings.
  public init(argumentParser code: Int32) {
    self = code == 64 ? .usage : .unreadable
  }
}
