import TraceModel
import TraceReading

/// A period of time on one thread: a delivery, the scheduling of work, or the work itself.
struct ExportSlice {
  enum Kind { case delivery, work, scheduling }

  var kind: Kind
  var name: String
  var thread: UInt32
  /// The beginning and the end, in nanoseconds since the recording began.
  var start: UInt64
  var end: UInt64 = 0
  /// The entity that received the delivery or for which the work was scheduled.
  var subject: EntityStore.Life?
  /// The number of the record with which the slice begins.
  var event: UInt64
  var scheduler: UInt32 = 0
  /// The number of the flow that ends in this slice (`flowIn`) or begins in it (`flowOut`).
  ///
  /// A flow leads from the scheduling of work to the work.
  var flowIn: UInt64?
  var flowOut: UInt64?
  /// Whether the record with which the slice ends is missing.
  var isOpen = false
  /// The identifier that the records of the beginning and the end share.
  var identifier: UInt32 = 0
}

/// An element of a timeline export.
enum ExportItem {
  /// The beginning of a slice, for formats that write the beginning and the end separately.
  case begin(ExportSlice)
  /// The end of a slice, with everything that is known about it.
  case end(ExportSlice)
  /// A record about a subscription, signal or timer.
  case instant(TraceRecord, EntityStore.Life, time: UInt64)
  /// A number of lost records of a thread.
  case lost(count: UInt64, thread: UInt32, time: UInt64)
  /// A mark of the program.
  case mark(String, time: UInt64)
  /// The number of live subscriptions.
  case live(Int, time: UInt64)
}

/// Reads the records of a trace and converts them to ``ExportItem``s, whose slices nest on each
/// thread.
///
/// Records of one turn, which is a delivery through a gate, have the same time, so the beginning
/// and the end of a slice could coincide. The clock of each thread therefore advances by at least a
/// nanosecond from the beginning of a slice to its end.
struct SpanWalk {
  let walk: RecordWalk
  let store: EntityStore
  private var open: [UInt32: [ExportSlice]] = [:]
  private var clocks: [UInt32: UInt64] = [:]
  private var flows: [UInt32: UInt64] = [:]
  private var nextFlow: UInt64 = 1
  private var live = 0
  private var gaps: RecordGaps
  /// When each thread wrote its latest record.
  private var latest: [UInt32: UInt64] = [:]

  init(_ snapshot: TraceSnapshot) {
    walk = RecordWalk(snapshot)
    store = EntityStore(snapshot)
    gaps = RecordGaps(snapshot)
    // The number of live subscriptions at the beginning of the exact window.
    let first = walk.exactFrom ?? .max
    live = store.count {
      $0.kind == .subscription && $0.createdAt < first && !$0.isEndUnknown
        && (store.endedAt($0) ?? .max) >= first
    }
  }

  /// The nanoseconds from the beginning of the recording to a moment; 0 for an earlier moment.
  ///
  /// The result is at most 2⁶², even for a damaged trace, so that moving the end of a slice after
  /// its beginning cannot overflow.
  func nanoseconds(_ ticks: UInt64) -> UInt64 {
    UInt64(max(0, min(0x1p62, walk.snapshot.nanoseconds(from: ticks).rounded())))
  }

  mutating func run(_ emit: (ExportItem) throws -> Void) rethrows {
    for row in walk.rows { try note(walk[row], row, emit) }
    let end = nanoseconds(walk.snapshot.lastTicks)
    for thread in open.keys.sorted() { try close(thread, from: 0, at: end, isOpen: true, emit) }
  }

  private mutating func note(
    _ record: TraceRecord,
    _ row: Int,
    _ emit: (ExportItem) throws -> Void
  ) rethrows {
    let time = nanoseconds(record.ticks)
    if gaps.followsGap(record), let last = latest[record.thread] {
      try close(record.thread, from: 0, at: last, isOpen: true, emit)
    }
    latest[record.thread] = time
    switch record.kind {
    case .turnBegan:
      let entry = store.life(record.entity, at: row)
      var slice = slice(.delivery, record, time)
      slice.subject = entry
      slice.name = entry.map { walk.snapshot.label(ofSite: $0.site) } ?? "delivery"
      try begin(slice, emit)
    case .hopBegan:
      var slice = slice(.work, record, time)
      slice.scheduler = record.argument
      slice.flowIn = flows.removeValue(forKey: record.id)
      slice.name = walk.snapshot.schedulerName(record.argument).map { "work on \($0)" } ?? "work"
      try begin(slice, emit)
    case .turnEnded, .hopEnded:
      let kind: ExportSlice.Kind = record.kind == .turnEnded ? .delivery : .work
      guard
        let place = open[record.thread]?.lastIndex(where: {
          $0.kind == kind && $0.identifier == record.id
        })
      else { return }
      try close(record.thread, from: place + 1, at: time, isOpen: true, emit)
      try close(record.thread, from: place, at: time, isOpen: false, emit)
    case .hopScheduled:
      guard let hop = record.hopScheduling else { return }
      flows[hop.hop] = nextFlow
      var slice = slice(.scheduling, record, time)
      slice.subject = store.life(hop.subscription, at: row)
      slice.scheduler = hop.scheduler
      slice.flowOut = nextFlow
      slice.name =
        walk.snapshot.schedulerName(hop.scheduler).map { "schedule on \($0)" } ?? "schedule"
      nextFlow += 1
      try begin(slice, emit)
      try close(
        record.thread,
        from: (open[record.thread]?.count ?? 1) - 1,
        at: time,
        isOpen: false,
        emit
      )
    case .recordsLost:
      try close(record.thread, from: 0, at: time, isOpen: true, emit)
      try emit(.lost(count: UInt64(record.id), thread: record.thread, time: time))
    case .mark: try emit(.mark(walk.snapshot.string(record.argument), time: time))
    default:
      guard let entry = store.life(record.entity, at: row), record.kind != .entityStatus else {
        return
      }
      try emit(.instant(record, entry, time: time))
      guard record.kind == .subscribed || (record.kind == .ended && entry.kind == .subscription)
      else { return }
      // The live count is known only if no record of a beginning or an end is missing.
      guard walk.snapshot.isExact(record), walk.snapshot.header.lostRecords == 0 else { return }
      live += record.kind == .subscribed ? 1 : -1
      try emit(.live(max(0, live), time: time))
    }
  }

  private func slice(_ kind: ExportSlice.Kind, _ record: TraceRecord, _ time: UInt64) -> ExportSlice
  {
    var slice = ExportSlice(
      kind: kind,
      name: "",
      thread: record.thread,
      start: time,
      event: record.number
    )
    slice.identifier = record.id
    return slice
  }

  private mutating func begin(_ slice: ExportSlice, _ emit: (ExportItem) throws -> Void) rethrows {
    var slice = slice
    slice.start = max(slice.start, clocks[slice.thread] ?? 0)
    clocks[slice.thread] = slice.start
    open[slice.thread, default: []].append(slice)
    try emit(.begin(slice))
  }

  /// Ends the slices of a thread, from the innermost to the slice at index `place`.
  private mutating func close(
    _ thread: UInt32,
    from place: Int,
    at time: UInt64,
    isOpen: Bool,
    _ emit: (ExportItem) throws -> Void
  ) rethrows {
    while let count = open[thread]?.count, count > max(0, place),
      var slice = open[thread]?.popLast()
    {
      slice.end = max(time, clocks[thread] ?? 0, slice.start + 1)
      clocks[thread] = slice.end
      slice.isOpen = isOpen
      try emit(.end(slice))
    }
  }
}

extension TraceSnapshot {
  /// The recorded name of a thread, or else `thread` and its row.
  func threadLabel(_ row: UInt32) -> String {
    let name = threadName(row)
    return name.isEmpty ? "thread \(row)" : name
  }

  /// The kernel's identifier of a thread, or else its row.
  func threadID(_ row: UInt32) -> UInt32 {
    Int(row) < threads.count && threads[Int(row)].systemID != 0 ? threads[Int(row)].systemID : row
  }
}
