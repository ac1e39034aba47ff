import TraceReading

/// Events per second in the time before an instant, from records alone.
///
/// Rates are unknown rather than zero if the records of that time are incomplete, or if the trace's
/// level is so low that events are not recorded.
struct Rates {
  private var events = IDTable<Int>()
  private var sites: [UInt32: Int] = [:]
  private var work: [UInt32: Int] = [:]
  private var seconds: Double?
  /// Lines of code of which no events are recorded.
  private var silent: Set<UInt32> = []

  /// The length of the time before the instant, and the maximum number of records read: if there
  /// are more, the time is shorter.
  static let span = Duration.seconds(2)
  static let recordLimit = 200_000

  init(_ moment: Moment, _ window: ExactWindow?) {
    let snapshot = moment.snapshot
    let records = snapshot.records
    let first = window?.firstGeneration ?? snapshot.firstExactGeneration
    guard let first, moment.isExact, snapshot.highestLevel >= .events else { return }
    silent = Set(
      snapshot.sites.indices.lazy.map { UInt32($0) }
        .filter { snapshot.level(ofSite: $0) < .events }
    )
    let recordingStart = snapshot.header.start.ticks
    let spanStart = max(snapshot.ticks(at: snapshot.time(moment.now) - Self.span), recordingStart)
    var start = spanStart
    var row = records.count(before: spanStart)
    if moment.recordCount - row > Self.recordLimit {
      row = moment.recordCount - Self.recordLimit
      start = records[row - 1].ticks
    }
    // Before the first exact generation, which is the first of which no record is missing, counts
    // would be too low: counting starts after the last record of the generations before it.
    if row < moment.recordCount, let last = records.lastRow(beforeGeneration: first), last >= row,
      let partial = lastPartial(records, row..<moment.recordCount, first)
    {
      row = partial + 1
      start = records[partial].ticks
    }
    var unresolved = IDTable<Int>()
    var known = IDTable<UInt32>()
    if row < moment.recordCount {
      records.forEach(of: Self.kinds, in: row..<moment.recordCount) { _, record in
        count(record, moment, &known, &unresolved)
      }
    }
    for (place, id) in unresolved.ids.enumerated() {
      if let site = known[id] { sites[site, default: 0] += unresolved.values[place] }
    }
    // Earlier records existed and are not in the trace: their time does not count.
    if row == 0, first > 1, let oldest = records.first { start = max(start, oldest.ticks) }
    let elapsed = snapshot.duration(from: start, to: moment.now)
    guard elapsed >= .milliseconds(50) else { return }
    seconds = elapsed / .seconds(1)
  }

  private func lastPartial(_ records: TraceRecords, _ rows: Range<Int>, _ first: UInt64) -> Int? {
    rows.last { records[$0].generation < first }
  }

  private static let kinds = RecordKinds([
    .next, .timerFired, .subscribed, .entityStatus, .hopBegan,
  ])

  private mutating func count(
    _ record: TraceRecord,
    _ moment: Moment,
    _ known: inout IDTable<UInt32>,
    _ unresolved: inout IDTable<Int>
  ) {
    switch record.kind {
    case .next, .timerFired:
      let id = record.entity
      if let place = events.place(of: id) {
        events.values[place] += 1
      } else {
        events.set(1, for: id)
      }
      guard record.kind == .next else { break }
      if let place = moment.state.entities.place(of: id) {
        sites[moment.state.entities.values[place].site, default: 0] += 1
      } else {
        unresolved.set((unresolved[id] ?? 0) + 1, for: id)
      }
    case .subscribed, .entityStatus:
      if let site = record.site, !known.contains(record.entity) {
        known.set(site, for: record.entity)
      }
    case .hopBegan: work[record.argument, default: 0] += 1
    default: break
    }
  }

  func of(_ entity: TracedEntity) -> Double? {
    guard let seconds, !silent.contains(entity.site) else { return nil }
    return Double(events[entity.key.id] ?? 0) / seconds
  }
  func ofSite(_ site: UInt32) -> Double? {
    guard let seconds, !silent.contains(site) else { return nil }
    return Double(sites[site] ?? 0) / seconds
  }
  func ofScheduler(_ row: UInt32) -> Double? { seconds.map { Double(work[row] ?? 0) / $0 } }
}
