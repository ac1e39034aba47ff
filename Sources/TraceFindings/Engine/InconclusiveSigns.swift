import TraceModel
import TraceReading

/// Signs of a fault that cannot be judged because the necessary records were never written or have
/// been overwritten.
enum InconclusiveSigns {
  /// A subscription that holds at least this many values is examined.
  private static let many: UInt32 = 1024
  private static let manyRefused: UInt64 = 10
  private static let limit = 8

  /// The sentences about such signs, at most two for each line of code.
  ///
  /// - Parameters:
  ///   - snapshot: The trace to be judged.
  ///   - findings: The findings in the trace; the lines that they accuse need no remark.
  /// - Returns: The sentences, in the order of the lines; at most eight.
  /// - Complexity: O(slots + sites).
  static func of(_ snapshot: TraceSnapshot, _ findings: [Finding]) -> [String] {
    let facts = FindingFacts(snapshot)
    if facts.hasEvents, facts.isExact(since: facts.start) { return [] }
    let why =
      facts.hasEvents
      ? "the records of that time have been overwritten"
      : "single events were not recorded \(facts.hasPlaces ? "everywhere" : "from the beginning")"
    let accused = Set(findings.map(\.site))
    var held: [UInt32: UInt32] = [:]
    for slot in facts.slots where slot.isLiveSubscription && slot.depth >= many {
      if facts.hasEvents, facts.isExact(since: slot.createdAt) { continue }
      held[slot.site] = max(held[slot.site] ?? 0, slot.depth)
    }
    var doubts: [String] = []
    for (row, site) in facts.sites.enumerated() where !accused.contains(UInt32(row)) {
      if let count = held[UInt32(row)] {
        doubts.append(
          "\(count) values are held at \(site.place); whether their number grows is unknown, as \(why)."
        )
      }
      if site.refused >= manyRefused, site.traits.contains(.source) {
        doubts.append(
          "\(site.refused) events came too late at \(site.place); whether their sender knew of the "
            + "end is unknown, as \(why)."
        )
      }
      if doubts.count >= limit { break }
    }
    return Array(doubts.prefix(limit))
  }
}
