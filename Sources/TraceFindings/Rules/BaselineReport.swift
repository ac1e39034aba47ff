public import TraceModel

/// What `check` says of findings that do not count, and of those that count again.
public enum BaselineReport {
  /// A line for each finding that the baseline has something to say of; none without a baseline.
  public static func lines(_ findings: [Finding]) -> [String] {
    findings.compactMap { finding in
      let what =
        "\(finding.kind.rawValue), \(displayName(finding.name))@\(displayName(finding.location))"
      switch finding.standing {
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

  /// Says which findings the baseline knows that were not found.
  ///
  /// - Parameters:
  ///   - known: What ``FindingBaseline/apply(to:today:)`` has returned.
  ///   - isIncomplete: Whether the recording lacks something, so that they may be there.
  /// - Returns: A line for each.
  public static func gone(_ known: [FindingBaseline.Known], isIncomplete: Bool) -> [String] {
    known.map { one in
      "gone     \(one.level.label) \(displayName(one.note, columns: 400))"
        + (isIncomplete ? ": not found in this recording, which is incomplete" : "")
    }
  }
}
