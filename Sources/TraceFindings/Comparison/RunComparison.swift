package import TraceModel

/// Compares a run of a program with an earlier one: what got worse, what got better, and what
/// cannot be compared.
///
/// The earlier run is called A, the later one B. ``RunBounds`` defines what counts as a difference.
package struct RunComparison: Sendable {
  /// Every line of code of either run, with its changes: the lines of B in the order of their rows,
  /// then the lines that only A has.
  package private(set) var rows: [DiffRow]
  /// What got worse.
  ///
  /// First come new findings at LEAK and VIOLATION, then new ones at SUSPECT, then findings whose
  /// level has risen, then lines of code. Lines are ordered by failures, live subscriptions, begun
  /// subscriptions, events, waits and lifetimes. The changes of one line are adjacent.
  package private(set) var worse: [RunChange]
  /// What got better.
  ///
  /// First come findings that are no longer found or have a lower level, then lines of code in the
  /// same order.
  package private(set) var better: [RunChange]
  /// Lines that begin fewer subscriptions or send fewer events, which may be good or bad.
  package private(set) var less: [RunChange]
  /// Findings at level INFO that only B has.
  package private(set) var informal: [RunChange]
  /// A sentence for each thing that cannot be compared, with the reason.
  package private(set) var remarks: [String]

  /// Compares two runs.
  ///
  /// - Parameters:
  ///   - after: The end of the later run.
  ///   - base: The earlier run, of another trace.
  /// - Complexity: O(sites + findings²).
  package init(_ after: Inspection, since base: SiteBase) {
    let before = base.other ?? Inspection()
    let bounds = RunBounds(before: before.instant.time, after: after.instant.time)
    let findings = FindingChanges(before, after)
    rows = DiffRow.rows(after, since: base)
    let changes = rows.map { LineChanges($0, bounds) }
    worse = findings.worse + Self.ranked(changes.map(\.worse))
    better = findings.better + Self.ranked(changes.map(\.better))
    less = Self.ranked(changes.map(\.less))
    informal = findings.informal
    remarks = RunRemarks.sentences(before, after, base, rows) + findings.remarks
    for place in rows.indices {
      rows[place].worse = changes[place].worse.map(\.aspect)
      rows[place].better = changes[place].better.map(\.aspect)
      rows[place].less = changes[place].less.map(\.aspect)
    }
    rank()
  }

  /// Whether two runs are known to be of different programs; false if the name of one was lost.
  package static func areOfDifferentPrograms(_ before: Inspection, _ after: Inspection) -> Bool {
    let names = [before.program.name, after.program.name]
    return names[0] != names[1] && !names.contains { $0.isEmpty || $0 == "?" }
  }

  /// The sentence for two runs of which nothing is known to have got worse.
  package func nothingWorse(_ before: Inspection, _ after: Inspection) -> String {
    // What only one of the runs has cannot be compared.
    guard rows.contains(where: { !$0.isOnlyBefore && !$0.isOnlyAfter }) else {
      let isIncomplete = before.program.isIncomplete || after.program.isIncomplete
      return
        "There was nothing to compare: no line of code is \(isIncomplete ? "known to be " : "")in both recordings."
    }
    return switch (before.program.isIncomplete, after.program.isIncomplete) {
    case (false, false): "Nothing got worse."
    case (true, false):
      "Nothing is known to have got worse, but A is incomplete, so that proves nothing."
    case (false, true):
      "Nothing is known to have got worse, but B is incomplete, so that proves nothing."
    case (true, true):
      "Nothing is known to have got worse, but both are incomplete, so that proves nothing."
    }
  }

  /// The changes of lines, the line with the worst change first.
  private static func ranked(_ changes: [[RunChange]]) -> [RunChange] {
    func order(_ aspect: RunChange.Aspect) -> Int {
      RunChange.Aspect.allCases.firstIndex(of: aspect) ?? 0
    }
    let sorted = changes.enumerated().filter { !$1.isEmpty }.sorted { left, right in
      let (one, other) = (left.element[0], right.element[0])
      guard one.aspect == other.aspect else {
        return order(one.aspect) < order(other.aspect)
      }
      let (size, otherSize) = (one.size, other.size)
      return size == otherSize ? left.offset < right.offset : size > otherSize
    }
    return sorted.flatMap(\.element)
  }

  /// Ranks the rows: lines in ``worse``, ``less`` and ``better`` in this order, then new lines,
  /// then lines whose difference is negligible or may be chance, then lines that only A has.
  private mutating func rank() {
    var ranks: [String: Double] = [:]
    func key(_ site: UInt32?, _ name: String, _ location: String) -> String {
      site.map { "\($0)" } ?? "\(name)@\(location)"
    }
    for (list, base) in [(worse, 4e6), (less, 3e6), (better, 2e6)] {
      for (place, change) in list.enumerated() where change.aspect != .finding {
        let key = key(change.site, change.name, change.location)
        if ranks[key] == nil { ranks[key] = base - Double(min(place, 900_000)) }
      }
    }
    for place in rows.indices {
      let row = rows[place]
      let size = Double(min(abs(row.change ?? 0), 900_000))
      rows[place].rank =
        ranks[key(row.site, row.name, row.location)]
        ?? (row.isOnlyAfter ? 1e6 + size : row.isOnlyBefore ? -1 : size)
    }
  }
}

extension RunChange {
  /// The number by which changes of one aspect are ordered: the difference for failures and live
  /// counts, and otherwise the factor.
  fileprivate var size: Double {
    let (before, after) = (before ?? 0, after ?? 0)
    switch aspect {
    case .finding: return 0
    case .failures, .live: return abs(after - before)
    // One is added to both, so that the factor is defined for a rate of zero.
    case .begun, .events: return (max(before, after) + 1) / (min(before, after) + 1)
    case .wait, .longWait, .lifetime, .longLifetime:
      return max(before, after) / max(1, min(before, after))
    }
  }
}
