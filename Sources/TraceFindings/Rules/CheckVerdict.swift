public import TraceModel

/// What `rxtop check` says of a trace; the number is what it exits with.
public enum CheckVerdict: Int32, Sendable {
  /// Nothing counts.
  case clean = 0
  /// Something does.
  case findings = 1
  /// Nothing was found, but the trace is too incomplete to say so.
  case incomplete = 4
}

extension Finding {
  /// Whether it makes a check fail: it is at or above a level, and no ``FindingBaseline`` knows or allows it.
  public func fails(from limit: FindingLevel) -> Bool { level >= limit && standing.counts }
}

extension Inspection {
  /// The verdict of `rxtop check`.
  ///
  /// Findings at or above the limit are findings even in an incomplete trace, which can only hide some.
  public func verdict(failOn limit: FindingLevel) -> CheckVerdict {
    if findings.contains(where: { $0.fails(from: limit) }) { return .findings }
    return program.isIncomplete || !doubts.isEmpty ? .incomplete : .clean
  }
}
