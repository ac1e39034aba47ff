import TraceModel
import TraceReading

/// Why a finding is not certain, and what would settle it.
enum Settling {
  /// A recording of fewer seconds is too short to show that something lasts.
  private static let short = 5.0

  /// The doubt that applies to every finding of this kind, and what the recording lacks; nil if
  /// there is no doubt.
  static func text(of finding: Finding, _ draft: FindingDraft, _ facts: FindingFacts) -> String? {
    guard finding.level < .leak, finding.proof.isEmpty else { return nil }
    // A finding that would be certain if nothing were lost has no other doubt.
    let isCapped = draft.level >= .leak
    var parts = isCapped ? [] : [finding.kind.doubt].compactMap { $0 }
    parts += recording(finding.kind, isCapped, facts, facts.site(draft.site))
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// What another recording would have to contain in addition.
  private static func recording(
    _ kind: FindingKind,
    _ isCapped: Bool,
    _ facts: FindingFacts,
    _ site: TraceSite
  ) -> [String] {
    var parts: [String] = []
    if !isCapped, kind.settledBy.contains(.marks), !GrowthWindows.areDeclared(facts.marks) {
      parts.append(
        "Trace.mark(\"…\") where a round ends would tell growth from a cache that fills."
      )
    }
    if !isCapped, kind.settledBy.contains(.callers), !facts.hasCallers {
      parts.append("RXTRACE=stacks=all would name each caller.")
    }
    let restsOnEvents = kind.evidence.contains { RecordSpec.of($0).isEvent }
    if restsOnEvents, !facts.hasEvents {
      parts.append(
        facts.hasPlaces
          ? "RXTRACE=events, without a lower level for \(place(site)), would tell what single events did."
          : "RXTRACE=level=events would tell what single events did."
      )
    } else if facts.isShort(of: kind) {
      parts.append("With a larger ring (RXTRACE=size=…) no record of it would be missing.")
    } else if let loss = facts.loss {
      parts.append("A complete recording would tell more: \(loss).")
    }
    let seconds = facts.seconds(from: facts.start, to: facts.last)
    if !isCapped, kind.settledBy.contains(.time), seconds < short {
      parts.append(
        "A longer recording would show whether it stays so: this one lasts \(Duration.seconds(seconds).brief)."
      )
    }
    return parts
  }

  /// The place to record in more detail: the line's own file, or the code with which the line is
  /// connected.
  private static func place(_ site: TraceSite) -> String {
    site.level == .graph ? displayName(site.file, columns: 120) : "what it is connected with"
  }
}

extension FindingFacts {
  /// Whether records that a kind needs were dropped for lack of space, or were overwritten.
  fileprivate func isShort(of kind: FindingKind) -> Bool {
    guard !kind.evidence.isEmpty else { return false }
    return hasLostForRoom || loss == nil && !isExact(since: start)
  }
}
