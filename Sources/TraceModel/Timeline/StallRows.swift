import TraceReading

/// Finds the records at which something ended that had taken long: work that waited for its
/// scheduler, or that kept a thread busy.
///
/// A timer that waits until it is due is not a stall. Only the exact window is searched, in which
/// no record is missing: outside it, the beginning that belongs to an end may be missing.
struct StallRows {
  private let least: UInt64
  private var rows: [Int] = []
  /// When something began, in ticks: waiting and running work by the number of its hop, and turns
  /// (uninterrupted deliveries) by thread and entity.
  private var scheduled: [UInt32: UInt64] = [:]
  private var timerHops = TimerHops()
  private var begun: [UInt32: UInt64] = [:]
  private var turns: [UInt64: UInt64] = [:]

  /// Rows of the records that ended a stall, in ascending order.
  static func rows(in snapshot: TraceSnapshot, _ window: ExactWindow) -> [Int] {
    guard let first = window.firstGeneration else { return [] }
    let nanoseconds = Step.stallTime / .nanoseconds(1)
    let ticks = nanoseconds / max(snapshot.nanosecondsPerTick, 1e-6)
    var stalls = StallRows(least: ticks < 1e18 ? UInt64(max(1, ticks)) : .max)
    snapshot.records.forEach(of: kinds, in: window.firstRecord..<snapshot.records.count) {
      if $1.generation >= first { stalls.process($1, row: $0) }
    }
    return stalls.rows
  }

  private init(least: UInt64) { self.least = least }

  private static let kinds = RecordKinds([
    .hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .timerArmed, .turnBegan, .turnEnded,
  ])

  private mutating func process(_ record: TraceRecord, row: Int) {
    let turn = UInt64(record.thread) << 32 | UInt64(record.id)
    let start: UInt64?
    switch record.kind {
    case .hopScheduled:
      scheduled[record.id] = record.ticks
      timerHops.accept(record)
      return
    case .timerArmed:
      if let hop = timerHops.hop(armedBy: record) { scheduled[hop] = nil }
      return
    case .hopBegan:
      start = scheduled.removeValue(forKey: record.id)
      begun[record.id] = record.ticks
    case .hopEnded: start = begun.removeValue(forKey: record.id)
    case .turnBegan:
      // For nested turns, the outermost counts.
      if turns[turn] == nil { turns[turn] = record.ticks }
      return
    case .turnEnded: start = turns.removeValue(forKey: turn)
    default:
      scheduled[record.id] = nil
      return
    }
    if let start, record.ticks >= start, record.ticks - start >= least { rows.append(row) }
  }
}
