public import TraceModel

/// What `rxtop check` prints about the findings that a baseline mentions: findings that the
/// baseline knows or allows, and findings that count nevertheless because they got worse or their
/// allowance has expired.
public enum BaselineReport {
  /// A line for each finding that the baseline mentions; none without a baseline.
  public static func lines(_ findings: [Finding]) -> [String] {
    findings.compactMap { finding in
      let what =
        "\(finding.kind.rawValue), \(displayName(finding.name))@\(displayName(finding.location))"
      switch finding.baselineStatus {
      case .unknown, .new: return nil
      case .known: return "known    \(finding.level.label) \(what)"
      case .allowed(let reason):
        return "allowed  \(finding.level.label) \(what): \(displayName(reason, columns: 400))"
      case .worse(let level): return "worse    \(finding.level.label) \(what): was \(level.label)"
      case .expired(let line):
        return "expired  \(finding.level.label) \(what): allowed by \(line)"
      }
    }
  }

  /// A line for each finding of the baseline that was not found.
  ///
  /// - Parameters:
  ///   - known: The result of ``FindingBaseline/apply(to:today:)``.
  ///   - isIncomplete: Whether the recording is incomplete, so that the findings may still exist.
  /// - Returns: The lines, in the same order.
  public static func gone(_ known: [FindingBaseline.Known], isIncomplete: Bool) -> [String] {
    known.map { one in
      "gone     \(one.level.label) \(displayName(one.note, columns: 400))"
        + (isIncomplete ? ": not found in this recording, which is incomplete" : "")
    }
  }
}
