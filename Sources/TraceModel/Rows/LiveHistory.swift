import TraceReading

/// The number of live subscriptions of each line of code when marks were set.
///
/// The recorder sets marks by itself, half a second apart at first, so the history of the counts is
/// known without reading records. All rows of an inspection share one history.
package struct LiveHistory: Sendable {
  /// The marks in ascending order of time, with the counts by row in the table of sites; sites
  /// beyond the end of a list had no live subscriptions.
  private let points: [(ticks: UInt64, live: [UInt32])]

  /// Creates a history from marks in any order, because a damaged trace may have them unordered.
  package init(_ points: [(ticks: UInt64, live: [UInt32])]) {
    self.points = points.sorted { $0.ticks < $1.ticks }
  }

  init(_ snapshot: TraceSnapshot, upTo ticks: UInt64) {
    self.init(
      snapshot.marks.filter { $0.ticks <= ticks && !$0.hasLostCounts }.map { ($0.ticks, $0.live) }
    )
  }

  /// The counts of a line at the ends of equal stretches of time; nil if there are fewer than two
  /// marks, or if the line had no live subscription at any of them.
  package func counts(ofSite site: UInt32, columns: Int) -> [Double]? {
    guard points.count > 1, let first = points.first, let last = points.last, columns > 0,
      points.contains(where: { Int(site) < $0.live.count && $0.live[Int(site)] > 0 })
    else { return nil }
    let span = Double(last.ticks - first.ticks)
    var place = 0
    return (1...columns).map { column in
      let end = span * Double(column) / Double(columns)
      while place + 1 < points.count, Double(points[place + 1].ticks - first.ticks) <= end {
        place += 1
      }
      let live = points[place].live
      return Int(site) < live.count ? Double(live[Int(site)]) : 0
    }
  }
}
