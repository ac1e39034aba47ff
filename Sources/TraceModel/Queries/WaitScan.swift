package import TraceReading

/// How long the work of each line of code waited on its queue, measured in the part at the end of
/// the trace in which no record is missing.
package struct WaitReport: Sendable {
  /// The waits of each line, by row of the site; only lines with work that waited have an entry.
  package internal(set) var sites: [UInt32: Percentiles] = [:]
  /// The stretch of time that was examined, which lasts to the end.
  package internal(set) var span = Duration.zero
  /// Whether it covers the whole recording.
  package internal(set) var isWhole = false

  /// An empty report.
  package init() {}
}

/// Measures for each line of code how long work waited from its acceptance to its beginning.
package enum WaitScan {
  /// The waits according to the records of hops (work scheduled in one place and run in another);
  /// nil if these were not recorded, or some are missing.
  ///
  /// The report covers at most the latest `Histogram.recordLimit` records. The delay of a timer
  /// does not count as waiting.
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
        // Hops before the level of recording changed may not have been recorded.
        (first, hops, waits) = (row, HopWaits(), [:])
        return
      }
      let found = hops.process(record, snapshot) { id in
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

/// Measures how long work waited from its acceptance to its beginning.
///
/// The work of timers is left out.
package struct HopWaits<Tag> {
  private var accepted: [UInt32: (ticks: UInt64, tag: Tag)] = [:]
  private var timerHops = TimerHops()

  /// Creates an instance without any work.
  package init() {}

  /// Processes a record.
  ///
  /// - Parameters:
  ///   - record: A record of any kind; those of hops and timers matter.
  ///   - snapshot: The snapshot that contains the record.
  ///   - tag: Returns a value to associate with the work of a subscription; nil if that work is
  ///     ignored.
  /// - Returns: How long work waited, if it began with this record.
  package mutating func process(
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
