public import TraceModel

/// What `check` says of findings that do not count, and of those that count again.
public enum BaselineReport {
  /// A line each; none without a baseline.
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
}
