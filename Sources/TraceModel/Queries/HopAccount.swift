package import TraceReading

/// Work that a scheduler accepted: who scheduled it, how long it waited, and when it ran.
package struct HopAccount: Sendable, Equatable {
  /// The number that identifies the work in the trace.
  package var number: UInt32
  /// The row of its scheduler; 0 if it is unknown.
  package var scheduler: UInt32 = 0
  /// The name of the scheduler, as recorded; empty if it is unknown.
  package var schedulerName = ""
  /// The number of the first record about it.
  package var event: UInt64 = 0
  package var scheduled: Duration?
  package var began: Duration?
  package var ended: Duration?
  package var cancelled: Duration?
  /// The subscription that it was scheduled for.
  package var subscription: AccountedLife?
  /// The timer whose work it is.
  package var timer: AccountedLife?
  /// The number of the work during which it was scheduled (`parent`), and the number of the record
  /// of the beginning of that work (`parentEvent`).
  package var parent: UInt32?
  package var parentEvent: UInt64?
  /// Where it was scheduled, as an asynchronous backtrace; 0 if it is unknown.
  package var chain: UInt32 = 0
  /// The thread on which it ran.
  package var thread = ""
  /// The number of values that passed while it ran, and the line of code of the first.
  package var valueCount = 0
  package var firstLine: String?

  package init(_ number: UInt32) { self.number = number }

  /// How long it waited before it began, or has waited up to a moment; nil for work run by a timer,
  /// and if that is not recorded.
  package func waited(by now: Duration) -> Duration? {
    guard timer == nil, let scheduled else { return nil }
    return max(.zero, (began ?? cancelled ?? now) - scheduled)
  }

  /// How long it ran, or has run up to a moment.
  package func ran(by now: Duration) -> Duration? { began.map { max(.zero, (ended ?? now) - $0) } }

  /// The line of code that scheduled it, such as `debounce@Taps.swift:9`; nil if only the backtrace
  /// shows the line.
  package var scheduledBy: String? { timer?.name ?? subscription?.name }
}

/// The running, pending and recent work of a scheduler at a moment.
package struct QueueAccount: Sendable, Equatable {
  /// Running work, the longest first.
  package var running: [HopAccount] = []
  /// Pending work, at most ``limit`` pieces; the work that has waited longest comes first.
  package var waiting: [HopAccount] = []
  /// The amount of pending work, not counting armed timers.
  package var waitingCount = 0
  /// Work that ran, the latest first.
  package var recent: [HopAccount] = []
  /// The stretch of time that was examined.
  package var span = Duration.zero
  /// Whether no record of that stretch is missing.
  package var isKnown = true

  /// The maximum number of rows of each list.
  package static let limit = 12

  package init() {}
}

/// Follows work from where it was scheduled to its end.
package struct HopScan {
  private let snapshot: TraceSnapshot
  private let store: EntityStore
  private let now: Duration
  /// Accepted work, by number.
  private var accepted: [UInt32: HopAccount] = [:]
  private var waiting: Set<UInt32> = []
  private var timerHops = TimerHops()
  /// Running work of each thread, outermost first, as indices into ``runs``.
  private var open: [UInt32: [Int]] = [:]
  private var runs: [HopAccount] = []
  /// Runs whose end may not be recorded, as indices into ``runs``.
  private var lost: Set<Int> = []
  /// The runs, by the rows in which they began and ended.
  private var runOfRow: [Int: Int] = [:]

  private static let kinds = RecordKinds([
    .hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .timerArmed, .timerFired, .next,
    .levelChanged,
  ])

  /// Scans a range of records.
  private init(_ rows: Range<Int>, upTo now: Duration, _ snapshot: TraceSnapshot) {
    self.snapshot = snapshot
    self.now = now
    store = EntityStore(snapshot, in: rows)
    snapshot.records.forEach(of: Self.kinds, in: rows) { note($1, $0) }
  }

  /// The work of a scheduler at a moment and in the time before.
  ///
  /// - Complexity: O(records) of the last ``QueueReport/longest``, of which at most
  ///   ``QueueReport/recordLimit`` are read, and of as many records before.
  package static func queue(
    _ queue: UInt32,
    upTo end: Duration,
    _ snapshot: TraceSnapshot
  ) -> QueueAccount {
    let walk = RecordWalk(snapshot)
    let exact = walk.exactFrom.map(walk.time)
    let start = max(.zero, end - QueueReport.longest, exact.map { min($0, end) } ?? .zero)
    let rows = walk.latestRows(upTo: end, from: start, limit: QueueReport.recordLimit)
    // Work that waits or runs may have been scheduled earlier.
    let longer = walk.latestRows(
      upTo: end,
      from: min(exact ?? start, start),
      limit: rows.count + QueueReport.recordLimit
    )
    let scan = HopScan(longer, upTo: end, snapshot)
    var account = QueueAccount()
    account.isKnown = exact.map { $0 <= end } ?? false
    let first = rows.isEmpty ? start : max(start, walk.time(walk[rows.lowerBound].ticks))
    account.span = end - first
    let known = scan.runs.indices.filter { !scan.lost.contains($0) }.map { scan.runs[$0] }
    let own = known.filter { $0.scheduler == queue }
    account.running = own.filter { $0.ended == nil }
    account.recent = own.filter { ($0.ended ?? .zero) >= first }
      .suffix(QueueAccount.limit).reversed()
    let waiting = scan.waiting.compactMap { scan.accepted[$0] }
      .filter { $0.scheduler == queue }
      .sorted { ($0.scheduled ?? .zero, $0.number) < ($1.scheduled ?? .zero, $1.number) }
    account.waitingCount = waiting.count
    account.waiting = Array(waiting.prefix(QueueAccount.limit))
    return account
  }

  /// The work that a record is about; nil for a record that is about none.
  ///
  /// - Complexity: O(records that are read): those around the record, and at most
  ///   ``QueueReport/recordLimit``.
  package static func hop(
    ofRecordIn row: Int,
    upTo end: Duration,
    _ snapshot: TraceSnapshot
  ) -> HopAccount? {
    let record = snapshot.records[row]
    guard let number = number(of: record) else { return nil }
    let behind = max(row + 1, snapshot.records.count(upTo: snapshot.ticks(at: end)))
    let half = QueueReport.recordLimit / 2
    let rows = max(0, row - half)..<min(behind, row + half)
    let scan = HopScan(rows, upTo: end, snapshot)
    if let run = scan.runOfRow[row] { return scan.runs[run] }
    // If the record scheduled the work, the answer is the first run of that work.
    let later = scan.runOfRow.filter { $0.key > row && scan.runs[$0.value].number == number }
    if let first = later.min(by: { $0.key < $1.key }) { return scan.runs[first.value] }
    return scan.accepted[number] ?? HopAccount(number)
  }

  /// The number of the work that a record is about.
  package static func number(of record: TraceRecord) -> UInt32? {
    switch record.kind {
    case .hopScheduled: record.hopScheduling?.hop
    case .hopBegan, .hopEnded, .hopCancelled: record.id
    default: nil
    }
  }

  // MARK: Records

  private mutating func note(_ record: TraceRecord, _ row: Int) {
    let time = snapshot.time(record.ticks)
    switch record.kind {
    case .hopScheduled: accept(record, row)
    case .timerArmed:
      guard let hop = timerHops.hop(armedBy: record) else { return }
      waiting.remove(hop)
      let timer = life(record.entity, row)
      accepted[hop]?.timer = timer
    case .hopBegan: begin(record, row)
    case .hopCancelled:
      waiting.remove(record.id)
      accepted[record.id, default: HopAccount(record.id)].cancelled = time
    case .hopEnded:
      guard let place = open[record.thread]?.lastIndex(where: { runs[$0].number == record.id })
      else { return }
      if let run = open[record.thread]?[place] {
        runs[run].ended = time
        runOfRow[row] = run
      }
      open[record.thread]?.removeSubrange(place...)
    case .timerFired:
      guard let run = open[record.thread]?.last, runs[run].timer == nil else { return }
      let timer = life(record.entity, row)
      runs[run].timer = timer
    case .next:
      guard let run = open[record.thread]?.last else { return }
      runs[run].valueCount += 1
      if runs[run].firstLine == nil {
        runs[run].firstLine = store.life(record.entity, at: row).map {
          snapshot.label(ofSite: $0.site)
        }
      }
    case .levelChanged where record.id < TraceLevel.events.rawValue:
      // From here on, hops are not recorded: what waits or runs may begin or end unseen.
      lost.formUnion(open.values.joined())
      (open, waiting, timerHops) = ([:], [], TimerHops())
    default: break
    }
  }

  private mutating func accept(_ record: TraceRecord, _ row: Int) {
    guard let scheduling = record.hopScheduling else { return }
    var hop = HopAccount(scheduling.hop)
    hop.scheduler = scheduling.scheduler
    hop.schedulerName = snapshot.schedulerName(scheduling.scheduler) ?? ""
    hop.event = record.number
    hop.scheduled = snapshot.time(record.ticks)
    hop.chain = scheduling.chain
    if scheduling.subscription != .none { hop.subscription = life(scheduling.subscription, row) }
    if let parent = open[record.thread]?.last {
      hop.parent = runs[parent].number
      hop.parentEvent = runs[parent].event
    }
    accepted[scheduling.hop] = hop
    waiting.insert(scheduling.hop)
    timerHops.accept(record)
  }

  private mutating func begin(_ record: TraceRecord, _ row: Int) {
    waiting.remove(record.id)
    var hop = accepted[record.id] ?? HopAccount(record.id)
    hop.scheduler = record.argument
    hop.schedulerName = snapshot.schedulerName(record.argument) ?? hop.schedulerName
    if hop.event == 0 { hop.event = record.number }
    hop.began = snapshot.time(record.ticks)
    hop.thread = snapshot.threadName(record.thread)
    open[record.thread, default: []].append(runs.count)
    runOfRow[row] = runs.count
    // Each run of a timer's work counts as separate work.
    if hop.timer != nil { hop.event = record.number }
    runs.append(hop)
  }

  private func life(_ id: TraceID, _ row: Int) -> AccountedLife? {
    store.life(id, at: row).map { AccountedLife($0, upTo: now, store, snapshot) }
  }
}
