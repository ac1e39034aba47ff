import ReactiveTrace

/// Events per second over the last while before an instant, from records alone.
///
/// Unknown, not zero, where the records of that while are incomplete or do not hold events.
struct Rates {
  private var events: [TraceID: Int] = [:]
  private var sites: [UInt32: Int] = [:]
  private var work: [UInt32: Int] = [:]
  private var seconds: Double?

  /// The while, and the records looked at in it at most: where there are more, it is shorter.
  static let span = Duration.seconds(2)
  static let recordLimit = 200_000

  init(_ moment: Moment, _ window: ExactWindow?) {
    let snapshot = moment.snapshot
    let records = snapshot.records
    let first = window?.firstGeneration ?? snapshot.firstExactGeneration
    guard let first, moment.isExact, snapshot.header.level >= .events else { return }
    let recordingStart = snapshot.header.start.ticks
    let spanStart = max(snapshot.ticks(at: snapshot.time(moment.now) - Self.span), recordingStart)
    var start = spanStart
    var known: [TraceID: UInt32] = [:]
    var unresolved: [TraceID: Int] = [:]
    var row = moment.recordCount
    while row > 0, records[row - 1].ticks >= spanStart {
      let record = records[row - 1]
      guard record.generation >= first, moment.recordCount - row < Self.recordLimit else {
        start = record.ticks
        break
      }
      row -= 1
      count(record, moment, &known, &unresolved)
    }
    for (id, count) in unresolved { if let site = known[id] { sites[site, default: 0] += count } }
    // Before the records there are others, which are not known.
    if row == 0, first > 1, let oldest = records.first { start = max(start, oldest.ticks) }
    let elapsed = snapshot.duration(from: start, to: moment.now)
    guard elapsed >= .milliseconds(50) else { return }
    seconds = elapsed / .seconds(1)
  }

  private mutating func count(
    _ record: TraceRecord,
    _ moment: Moment,
    _ known: inout [TraceID: UInt32],
    _ unresolved: inout [TraceID: Int]
  ) {
    switch record.kind {
    case .next, .timerFired:
      let id = record.entity
      events[id, default: 0] += 1
      guard record.kind == .next else { break }
      if let entity = moment.state.entities[id] {
        sites[entity.site, default: 0] += 1
      } else {
        unresolved[id, default: 0] += 1
      }
    case .subscribed, .entityStatus:
      if let site = record.site { known[record.entity] = site }
    case .hopBegan: work[record.argument, default: 0] += 1
    default: break
    }
  }

  func of(_ id: TraceID) -> Double? { seconds.map { Double(events[id] ?? 0) / $0 } }
  func ofSite(_ site: UInt32) -> Double? { seconds.map { Double(sites[site] ?? 0) / $0 } }
  func ofScheduler(_ row: UInt32) -> Double? { seconds.map { Double(work[row] ?? 0) / $0 } }
}
