import TraceModel
import TraceReading

/// Finds a line whose handler never runs on the main queue, although operators move the values of
/// similar lines there.
///
/// Lines are similar if their subscriptions belong to owners of one kind and lead to one source.
enum OutlyingNeighbours {
  /// The minimum number of similar lines.
  private static let minimumOthers = 2
  /// The minimum number of subscriptions of the line that differs.
  private static let minimumRoots = 3
  /// The minimum number of values that show where the handlers of a line run.
  private static let minimumCount = 5

  /// The subscriptions of one line, for one kind of owner.
  private struct Line {
    var main = 0
    var movedToMain = 0
    var elsewhere: [CausalScan.Handled] = []
    var sources: Set<UInt32> = []
    var isMovedElsewhere = false
  }

  static func found(except reported: Set<UInt32>, _ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard let scan = context.deliveries, scan.isWhole(facts), !scan.mainQueueChangesThreads,
      let causes = context.causes, let histories = context.histories
    else { return [] }
    var kinds: [UInt32: [UInt32: Line]] = [:]
    for (serial, one) in causes.handled {
      guard let owner = causes.owners[serial], let place = histories.place(of: one.key) else {
        continue
      }
      var line = kinds[owner]?[one.site] ?? Line()
      line.main += one.main
      line.movedToMain += one.movedToMain
      if one.elsewhere.count > 0 { line.elsewhere.append(one) }
      for upstream in histories.tree(upstreamOf: place, limit: 64) {
        let site = histories.all[upstream].site
        if histories.inputs[upstream].isEmpty { line.sources.insert(site) }
        if facts.site(site).traits.contains(.switchesQueue), one.main == 0 {
          line.isMovedElsewhere = true
        }
      }
      kinds[owner, default: [:]][one.site] = line
    }
    return kinds.sorted { $0.key < $1.key }.flatMap { _, lines in
      lines.sorted { $0.key < $1.key }.compactMap { site, line in
        reported.contains(site) ? nil : draft(site, line, lines, facts)
      }
    }
  }

  private static func draft(
    _ site: UInt32,
    _ line: Line,
    _ lines: [UInt32: Line],
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let count = line.elsewhere.reduce(0) { $0 + $1.elsewhere.count }
    guard line.main == 0, !line.isMovedElsewhere, count >= minimumCount,
      line.elsewhere.count >= minimumRoots, line.sources.count == 1,
      let source = line.sources.first
    else { return nil }
    let others = lines.filter { other, its in
      other != site && its.elsewhere.isEmpty && its.movedToMain > 0
        && its.sources.contains(source)
    }
    guard others.count >= minimumOthers else { return nil }
    let row = facts.site(site)
    let places = Set(line.elsewhere.flatMap { $0.places.keys }.map { WrongQueue.name($0, facts) })
    let names = others.keys.map { facts.site($0).place }.sorted().joined(separator: ", ")
    return FindingDraft(
      kind: .wrongQueue,
      site: site,
      summary: "\(count) values not on the main queue, unlike others of the same owner",
      sentence:
        "All \(count) values of \(line.elsewhere.count) subscriptions made here were handled on "
        + "\(places.sorted().joined(separator: " and ")), but those that \(names), of the same "
        + "kind of owner, also got from \(facts.site(source).place) were handled on the main "
        + "queue.",
      remedy:
        "Put deliver(on: .main) in front of \(row.place), as the others do; do nothing if it may "
        + "run anywhere.",
      evidence: Evidence(
        events: line.elsewhere.flatMap(\.elsewhere.numbers).sorted(),
        counters: ["on the main queue 0", "elsewhere \(count)"]
      ),
      accusedRoots: line.elsewhere.map { AccusedRoot($0) },
      rank: Rank(live: UInt64(count)),
      restsOnRecords: true
    )
  }
}
