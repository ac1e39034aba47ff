package import TraceReading

/// How long the work of each line of code waited on its queue, as far back as every record is there.
package struct WaitReport: Sendable {
  /// By row of the site; only lines of which work waited have any.
  package internal(set) var sites: [UInt32: Percentiles] = [:]
  /// The stretch looked at, which lasts to the end.
  package internal(set) var span = Duration.zero
  /// Whether it is all of the recording.
  package internal(set) var isWhole = false

  /// A report of nothing.
  package init() {}
}

/// Work from acceptance to beginning, line by line.
package enum WaitScan {
  /// What the records of hops tell; nil where they were not recorded, or some are missing.
  ///
  /// Of the latest records, so many as histograms are made of. What a timer waits for counts nowhere, as it is its delay.
  ///
  /// - Complexity: O(records).
  package static func report(_ snapshot: TraceSnapshot) -> WaitReport? {
    let header = snapshot.header
    guard snapshot.highestLevel >= .events, header.lostRecords == 0 else { return nil }
    let walk = RecordWalk(snapshot)
    guard let exact = walk.exactFrom.map(walk.time) else { return nil }
    let end = max(.zero, snapshot.time(snapshot.lastTicks))
    let rows = walk.latestRows(upTo: end, from: min(exact, end), limit: Histogram.recordLimit)
    let store = EntityStore(snapshot, in: rows)
    var hops = HopWaits<UInt32>()
    var waits: [UInt32: [Duration]] = [:]
    var first = rows.lowerBound
    walk.forEach(in: rows) { row, record in
      if record.kind == .levelChanged {
        // Before it, hops may have been left out.
        (first, hops, waits) = (row, HopWaits(), [:])
        return
      }
      let found = hops.take(record, snapshot) { id in
        id == .none ? nil : store.life(id, at: row)?.site
      }
      if let found { waits[found.tag, default: []].append(found.wait) }
    }
    var report = WaitReport()
    report.sites = waits.mapValues(Percentiles.init)
    report.isWhole = first == 0 && exact <= .zero
    let start = first == 0 || rows.isEmpty ? exact : walk.time(walk[first].ticks)
    report.span = max(.zero, end - max(.zero, start))
    return report
  }
}

/// Tells how long work waited from its acceptance to its beginning; that of timers is left out.
package struct HopWaits<Tag> {
  private var accepted: [UInt32: (ticks: UInt64, tag: Tag)] = [:]
  private var timerHops = TimerHops()

  /// Knows of no work yet.
  package init() {}

  /// Takes note of a record.
  ///
  /// - Parameters:
  ///   - record: Of any kind; those of hops and timers matter.
  ///   - snapshot: Whose record it is.
  ///   - tag: What to remember of work for this subscription; nil for work that does not matter.
  /// - Returns: How long work waited, if it began with this record.
  package mutating func take(
    _ record: TraceRecord,
    _ snapshot: TraceSnapshot,
    tag: (TraceID) -> Tag?
  ) -> (tag: Tag, wait: Duration)? {
    switch record.kind {
    case .hopScheduled:
      timerHops.accept(record)
      if let hop = record.hopScheduling, let tag = tag(hop.subscription) {
        accepted[hop.hop] = (record.ticks, tag)
      }
    case .timerArmed:
      if let hop = timerHops.hop(armedBy: record) { accepted[hop] = nil }
    case .hopBegan:
      guard let before = accepted.removeValue(forKey: record.id) else { return nil }
      return (before.tag, snapshot.duration(from: before.ticks, to: record.ticks))
    default: break
    }
    return nil
  }
}
