public import TraceModel

/// The verdict of `rxtop check` about a trace; the raw value is the exit status.
public enum CheckVerdict: Int32, Sendable {
  /// No finding makes the check fail.
  case clean = 0
  /// At least one finding makes the check fail.
  case findings = 1
  /// No finding makes the check fail, but the trace is too incomplete to be called clean.
  case incomplete = 4
}

extension Finding {
  /// Whether the finding makes a check fail: its level is at or above the limit, and no
  /// ``FindingBaseline`` knows or allows it.
  public func fails(from limit: FindingLevel) -> Bool { level >= limit && baselineStatus.counts }
}

extension Inspection {
  /// The verdict of `rxtop check`.
  ///
  /// Findings at or above the limit count even in an incomplete trace, because missing records can
  /// only hide further findings.
  public func verdict(failOn limit: FindingLevel) -> CheckVerdict {
    if findings.contains(where: { $0.fails(from: limit) }) { return .findings }
    return program.isIncomplete || !doubts.isEmpty ? .incomplete : .clean
  }
}
