import InspectorUI
import TraceReading

/// Compares the answers about a recording with holes with those about the whole recording.
struct HoleChecker {
  /// What must never happen.
  enum Violation: String, CaseIterable {
    /// `check` ends with status 0, although the whole recording has a finding.
    case clean = "status 0 where the whole recording has a finding"
    /// A figure is larger, there is a row that the whole recording does not have, or there are more
    /// findings at some level or above.
    case larger = "a larger figure"
    /// An answer differs, and nothing says that something was lost.
    case silent = "another answer without a word of loss"
  }

  let whole: HoleAnswers

  /// The result of one run.
  struct Verdict {
    /// One example of each kind of violation that was found.
    var violations: [Violation: String] = [:]
    /// The number of answers that the holes cannot affect, and how many of these have not changed.
    var untouched = 0
    var kept = 0
    /// One answer that has changed although the holes cannot affect it.
    var capped: String?

    mutating func note(_ violation: Violation, _ example: @autoclosure () -> String) {
      if violations[violation] == nil { violations[violation] = example() }
    }
  }

  func verdict(on left: HoleAnswers, hit: Set<RegionKind?>) -> Verdict {
    var verdict = Verdict()
    for (before, now) in zip(whole.statuses, left.statuses) where now == .clean && before != .clean
    {
      verdict.note(.clean, "status \(before.rawValue) is 0")
    }
    for (path, leaf) in whole.leaves {
      let output = String(path.prefix { $0 != "|" })
      let now = left.leaves[path]
      if let now, now.value != leaf.value { compare(path, output, leaf, now, left, &verdict) }
      if now == nil, !Self.isWindow(leaf), !isLossReported(output, left), leaf.section != "program"
      {
        verdict.note(.silent, "\(path) is missing")
      }
      if let basis = HoleBasis.of(output, leaf), hit.isDisjoint(with: basis) {
        verdict.untouched += 1
        if now?.value == leaf.value {
          verdict.kept += 1
        } else {
          verdict.capped = "\(path): \(leaf.value) is \(now.map { "\($0.value)" } ?? "missing")"
        }
      }
    }
    for (path, leaf) in left.leaves where whole.leaves[path] == nil && Self.isAddedRow(leaf) {
      verdict.note(.larger, "\(path) is new: \(leaf.value)")
    }
    compareFindings(left, &verdict)
    return verdict
  }

  /// Checks that there are no more findings than before, and none that is worse.
  ///
  /// If the proof of one finding is lost, a finding that it explained may take its place.
  private func compareFindings(_ left: HoleAnswers, _ verdict: inout Verdict) {
    func levels(_ answers: HoleAnswers) -> [JSONTree] {
      answers.leaves.values.filter { $0.section == "findings" && $0.key == "level" }.map(\.value)
    }
    let (before, now) = (levels(whole), levels(left))
    for level in now {
      let (more, less) = (now.count { !(level > $0) }, before.count { !(level > $0) })
      if more > less {
        verdict.note(.larger, "\(more) findings of level \(level) and above, not \(less)")
      }
    }
  }

  private func compare(
    _ path: String,
    _ output: String,
    _ before: HoleAnswers.Leaf,
    _ now: HoleAnswers.Leaf,
    _ left: HoleAnswers,
    _ verdict: inout Verdict
  ) {
    guard before.section != "program", before.section != "instant" else { return }
    if case .null = now.value { return }
    // If the diff begins at another mark, its figures cannot be compared.
    let isOtherDiff =
      output == "diff" && whole.leaves[Self.base]?.value != left.leaves[Self.base]?.value
    if case .number(let one) = before.value, case .number(let two) = now.value, two > one,
      Self.isFigure(before), !isOtherDiff
    {
      verdict.note(.larger, "\(path): \(one) is \(two)")
    }
    if case .null = before.value, case .number(let two) = now.value, two > 0, Self.isFigure(before),
      !isOtherDiff
    {
      verdict.note(.larger, "\(path): ? is \(two)")
    }
    if before.section == "findings", before.key == "level", now.value > before.value {
      verdict.note(.larger, "\(path): \(before.value) is \(now.value)")
    }
    if before.value.isUnknown { return }
    if !now.value.isUnknown, !isLossReported(output, left) {
      verdict.note(.silent, "\(path): \(before.value) is \(now.value)")
    }
  }

  /// Whether an output reports a loss that it does not report for the whole recording.
  private func isLossReported(_ output: String, _ left: HoleAnswers) -> Bool {
    guard let losses = left.losses[output] else { return false }
    return !losses.subtracting(whole.losses[output] ?? []).isEmpty
  }

  private static let base = "diff|baseTime"

  /// Whether the value is a figure, such as a count or a duration.
  ///
  /// Numbers that identify something, or refer to something, are no figures.
  private static func isFigure(_ leaf: HoleAnswers.Leaf) -> Bool {
    let names: Set = [
      "id", "serial", "site", "line", "column", "number", "chain", "event", "level", "baseTime",
      "change",
    ]
    return leaf.section != "events" && leaf.section != "explain" && leaf.section != "check"
      && !names.contains(leaf.key)
  }

  /// Whether the answer is in the list of events.
  ///
  /// The list is as long as the screen: if events are missing, earlier ones appear instead.
  private static func isWindow(_ leaf: HoleAnswers.Leaf) -> Bool { leaf.section == "events" }

  /// Whether an answer that does not exist for the whole recording is an additional row.
  private static func isAddedRow(_ leaf: HoleAnswers.Leaf) -> Bool {
    switch leaf.section {
    // The diff is not included, because it lists everything that has changed or may have changed.
    case "sites", "signals", "subscriptions", "timers", "schedulers", "marks":
      leaf.key == "id"
    default: false
    }
  }
}

extension JSONTree {
  /// Whether the value says that something is unknown.
  fileprivate var isUnknown: Bool {
    switch self {
    case .null: true
    case .text(let text): text.contains("?")
    default: false
    }
  }

  /// Whether the left level is worse than the right one.
  fileprivate static func > (left: JSONTree, right: JSONTree) -> Bool {
    let levels: [JSONTree] = [.text("INFO"), .text("SUSPECT"), .text("LEAK"), .text("VIOLATION")]
    return (levels.firstIndex(of: left) ?? 0) > (levels.firstIndex(of: right) ?? 0)
  }
}

/// The regions of a recording that an answer depends on.
enum HoleBasis {
  /// Returns the regions; the element nil stands for the header.
  ///
  /// The result is nil for answers about the recording itself, for which no regions can be named.
  static func of(_ output: String, _ leaf: HoleAnswers.Leaf) -> Set<RegionKind?>? {
    let verdict: Set<RegionKind?> = [
      nil, .segments, .slab, .sites, .upstreams, .strings, .schedulers, .threads, .marks,
      .markCounts, .arguments,
    ]
    let names: Set<RegionKind?> = [nil, .sites, .strings]
    switch leaf.section {
    case "program", "instant": return nil
    case "check", "findings": return verdict
    case "sites": return site(leaf.field, verdict)
    case "diff": return verdict
    case "schedulers":
      if leaf.field == "rate" { return [nil, .schedulers, .segments] }
      if leaf.field == "waiting" { return [nil, .schedulers, .sites] }
      return leaf.field == "name" ? [nil, .schedulers, .strings] : [nil, .schedulers]
    case "marks": return leaf.field == "name" ? [nil, .marks, .strings] : [nil, .marks]
    case "signals", "subscriptions", "timers": return row(leaf.field, names)
    default:
      // Explanations also depend on backtraces.
      return verdict.subtracting([.marks, .markCounts])
        .union([.chains, .stacks, .images, .symbols])
    }
  }

  private static func site(_ key: String, _ verdict: Set<RegionKind?>) -> Set<RegionKind?> {
    switch key {
    case "name", "file", "module", "location": [nil, .sites, .strings]
    // This is the name that was given to a signal made at the site.
    case "givenName": [nil, .slab, .sites, .strings]
    case "events": [nil, .sites, .slab]
    case "lastEventAge", "oldestAge", "held", "newSinceMark", "goneSinceMark", "growthSinceMark",
      "rate", "change":
      [nil, .segments, .slab, .sites, .marks, .markCounts]
    case "scheduler": [nil, .slab, .sites, .schedulers, .strings]
    case "worst": verdict
    default: [nil, .sites]
    }
  }

  private static func row(_ key: String, _ names: Set<RegionKind?>) -> Set<RegionKind?> {
    switch key {
    case "name", "module", "location", "isOfUserCode", "isRoot", "root", "level":
      names.union([.slab])
    case "givenName": [nil, .slab, .strings]
    case "composedName": names.union([.slab, .upstreams, .schedulers, .arguments])
    case "scheduler": [nil, .slab, .schedulers, .strings]
    case "state", "endReason", "refused", "isDisposableReleased", "rate", "change", "age",
      "lastEventAge":
      [nil, .slab, .segments, .marks]
    case "upstreams", "downstreams": [nil, .slab, .upstreams]
    default: [nil, .slab]
    }
  }
}
