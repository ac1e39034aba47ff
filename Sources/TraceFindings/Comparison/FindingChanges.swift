import TraceModel
import TraceReading

/// The findings that are new, no longer found, or at a different level in the later of two runs.
///
/// A fault is recognised by its fingerprint, or by its loose fingerprint, which does not depend on
/// lines. Several findings with the same fingerprint count as one, at the worst of their levels.
struct FindingChanges {
  /// New findings at LEAK and VIOLATION, then new ones at SUSPECT, each sorted by rank; then
  /// findings whose level has risen.
  private(set) var worse: [RunChange] = []
  /// Findings that are no longer found, and findings whose level has fallen.
  private(set) var better: [RunChange] = []
  /// New findings at level INFO.
  private(set) var informal: [RunChange] = []
  /// A sentence for each finding that one of the traces could not have shown.
  private(set) var remarks: [String] = []

  private let before: Inspection
  private let after: Inspection

  /// The ratio of the runs' lengths above which the shorter run may be too short to show a fault.
  private static let tooShort = 1.5

  init(_ before: Inspection, _ after: Inspection) {
    (self.before, self.after) = (before, after)
    var raised: [RunChange] = []
    let (earlier, later) = (Self.worst(before.findings), Self.worst(after.findings))
    let known = Self.matches(of: later, in: earlier)
    for (place, finding) in later.enumerated() {
      guard let known = known[place].map({ earlier[$0] }) else {
        add(finding)
        continue
      }
      if finding.level > known.level {
        raise(finding, from: known, &raised)
      } else if finding.level < known.level {
        let cap = finding.cap.map { "; its level is held back: \($0)" } ?? ""
        better.append(change(finding, "\(known.level.label) before, \(Self.words(finding))\(cap)"))
      }
    }
    worse =
      worse.filter { ($0.level ?? .info) >= .leak } + worse.filter { $0.level == .suspect } + raised
    let found = Set(known.values)
    for place in earlier.indices where !found.contains(place) { remove(earlier[place]) }
  }

  /// The worst finding for each fingerprint, sorted by rank.
  private static func worst(_ findings: [Finding]) -> [Finding] {
    var places: [String: Int] = [:]
    var found: [Finding] = []
    for finding in findings {
      if let place = places[finding.fingerprint] {
        if finding.level > found[place].level { found[place] = finding }
      } else {
        places[finding.fingerprint] = found.count
        found.append(finding)
      }
    }
    return found
  }

  /// The index of the earlier finding that each later one is, by the index of the later one.
  ///
  /// Findings that have not moved are matched first, and each earlier finding is matched once.
  private static func matches(of later: [Finding], in earlier: [Finding]) -> [Int: Int] {
    var matches: [Int: Int] = [:]
    for print in [\Finding.fingerprint, \.looseFingerprint] {
      let matched = Set(matches.values)
      var left: [String: [Int]] = [:]
      for (place, one) in earlier.enumerated().reversed()
      where !matched.contains(place) && !one[keyPath: print].isEmpty {
        left[one[keyPath: print], default: []].append(place)
      }
      for (place, one) in later.enumerated() where matches[place] == nil {
        matches[place] = left[one[keyPath: print]]?.popLast()
      }
    }
    return matches
  }

  private func change(_ finding: Finding, _ text: String, isGone: Bool = false) -> RunChange {
    // A site is identified by its number in the later run, which a finding of the earlier run
    // lacks.
    var change = RunChange(
      .finding,
      isGone ? nil : finding.site,
      finding.name,
      finding.location,
      text
    )
    (change.level, change.fingerprint) = (finding.level, finding.fingerprint)
    return change
  }

  private mutating func add(_ finding: Finding) {
    if let reason = Self.reasonNotShown(finding, in: before) {
      remarks.append("\(Self.label(finding)) is in B, and A could not have shown it: \(reason).")
      return
    }
    var text = "new, \(Self.words(finding))"
    if Self.isMuchLonger(after, than: before) { text += "; A may have been too short to show it" }
    if finding.level == .info {
      informal.append(change(finding, text))
    } else {
      worse.append(change(finding, text))
    }
  }

  private mutating func raise(_ finding: Finding, from known: Finding, _ raised: inout [RunChange])
  {
    if let cap = known.cap {
      remarks.append(
        "\(Self.label(finding)) was \(known.level.label) in A, where the level was held back: \(cap)."
      )
      return
    }
    raised.append(change(finding, "\(known.level.label) before, \(Self.words(finding))"))
  }

  private mutating func remove(_ finding: Finding) {
    if let reason = Self.reasonNotShown(finding, in: after) {
      remarks.append("\(Self.label(finding)) was in A, and B could not have shown it: \(reason).")
      return
    }
    var text = "gone, \(Self.words(finding))"
    if Self.isMuchLonger(before, than: after) { text += "; B may have been too short to show it" }
    better.append(change(finding, text, isGone: true))
  }

  private static func words(_ finding: Finding) -> String {
    "\(finding.kind.title): \(finding.summary)"
  }

  private static func label(_ finding: Finding) -> String {
    "\(finding.level.label) \(displayName("\(finding.name)@\(finding.location)", columns: 120))"
  }

  /// Why a trace could not have shown a finding; nil if it could.
  private static func reasonNotShown(_ finding: Finding, in run: Inspection) -> String? {
    let line = run.sites.first { $0.name == finding.name && $0.location == finding.location }
    let level = line.map { run.level(ofSite: $0.id) } ?? run.program.level
    if finding.kind.needsEvents, level < .events {
      return "\(line?.level == nil ? "it" : "the line") was recorded at level \(level)"
    }
    return finding.kind.needsAll && run.program.isIncomplete ? "it lacks records" : nil
  }

  private static func isMuchLonger(_ one: Inspection, than other: Inspection) -> Bool {
    let (length, least) = (one.instant.time / .seconds(1), other.instant.time / .seconds(1))
    return length > 0 && length >= tooShort * least
  }
}
