package import TraceReading

/// Computes waits, runs and threads of each scheduler's work from the records.
package struct QueueScan {
  private let walk: RecordWalk
  private let store: EntityStore
  private var report = QueueReport()
  private var begun: [Int]
  private var busy: [Double]
  private var waits: [[Duration]]
  private var runs: [[Duration]]
  private var waiting: [Int]
  private var mostWaiting: [Int]
  private var threads: [Set<UInt32>]
  /// For each scheduler, how many seconds of its work passed between a delivery to a line of code
  /// and the next one; the site 0 stands for the time before the first delivery.
  private var lines: [[UInt32: Double]]
  private var acceptedAt: [UInt32: (ticks: UInt64, scheduler: Int)] = [:]
  private var timerHops = TimerHops()
  /// Running work on each thread, outermost first.
  private var running: [UInt32: [Work]] = [:]

  private struct Work {
    var hop: UInt32
    var scheduler: Int
    var since: UInt64
    /// How long the work waited before it began; nil if that is not recorded, or if a timer fired.
    var waited: Duration?
    /// The line of code to which a value was delivered last, and since when its time is counted.
    var line: UInt32 = 0
    var lineSince: UInt64 = 0
  }

  private var deliveries: [UInt64: Int] = [:]
  private var homes: [UInt32: [UInt32: Int]] = [:]
  private var totals: [UInt32: Int] = [:]
  private var mainQueue = MainQueueTurns()
  /// The first scheduler of the main queue; 0 if the trace has none.
  private let mainScheduler: UInt32
  /// The beginning of the stretch of the report, in ticks; work may have begun earlier.
  private var start: UInt64 = 0

  /// How long hops were recorded in the stretch.
  private var recorded = Duration.zero
  /// Whether the level fell below `events`, so that hops were not recorded.
  private var hasFallen = false

  private static let hopKinds = RecordKinds([
    .hopScheduled, .timerArmed, .hopBegan, .hopCancelled, .hopEnded, .levelChanged,
  ])

  package static func report(upTo end: Duration, _ snapshot: TraceSnapshot) -> QueueReport {
    let walk = RecordWalk(snapshot)
    var start = max(.zero, end - QueueReport.longest)
    // Before this time, records are missing, possibly including the beginning or the end of some
    // work.
    let exact = walk.exactFrom.map(walk.time)
    var isKnown = exact.map { $0 <= end } ?? false && snapshot.header.lostRecords == 0
    let wanted = start
    if let exact, exact <= end { start = max(start, exact) }
    // Where the level was `graph`, no hops were recorded: nothing is known of work there.
    let from = snapshot.ticks(at: start)
    let parts = snapshot.hopStretches.clamped(from: from, to: snapshot.ticks(at: end))
    let isWithoutHops = isKnown && parts.isEmpty
    if isWithoutHops { isKnown = false }
    if isKnown, let first = parts.first?.lowerBound, first > from { start = walk.time(first) }
    let rows = walk.latestRows(upTo: end, from: start, limit: QueueReport.recordLimit)
    // The report is made anew every second, so only a limited number of records can be read: if
    // there are more, the stretch is shorter.
    if rows.count == QueueReport.recordLimit { start = walk.time(walk[rows.lowerBound].ticks) }
    var scan = QueueScan(walk, in: rows)
    // Work that waits or runs when the stretch begins was scheduled before it.
    let longer = walk.latestRows(
      upTo: end,
      from: min(exact ?? start, start),
      limit: rows.count + QueueReport.recordLimit
    )
    walk.snapshot.records.forEach(of: hopKinds, in: longer.lowerBound..<rows.lowerBound) {
      scan.note($1, $0)
    }
    scan.beginCounting(at: walk.snapshot.ticks(at: start))
    walk.forEach(in: rows) { scan.note($1, $0) }
    scan.report.isKnown = isKnown
    scan.report.isWithoutHops = isWithoutHops
    scan.recorded = parts.reduce(.zero) { sum, part in
      let first = max(start, walk.time(part.lowerBound))
      return sum + max(.zero, min(end, walk.time(part.upperBound)) - first)
    }
    if end - start - scan.recorded < .microseconds(1) { scan.recorded = end - start }
    scan.report.isPartial = start > wanted || scan.recorded < end - start
    return scan.finish(from: start, to: end, isWhole: longer.lowerBound == 0 && exact == .zero)
  }

  /// Forgets what was counted before the stretch of the report; work that waits or runs is kept.
  private mutating func beginCounting(at start: UInt64) {
    self.start = start
    let count = begun.count
    begun = [Int](repeating: 0, count: count)
    busy = [Double](repeating: 0, count: count)
    waits = [[Duration]](repeating: [], count: count)
    runs = waits
    mostWaiting = waiting
    threads = [Set<UInt32>](repeating: [], count: count)
    lines = [[UInt32: Double]](repeating: [:], count: count)
  }

  private init(_ walk: RecordWalk, in rows: Range<Int>) {
    self.walk = walk
    store = EntityStore(walk.snapshot, in: rows)
    let count = walk.snapshot.schedulers.count
    mainScheduler = walk.snapshot.schedulers.first { $0.kind == .main }?.index ?? 0
    begun = [Int](repeating: 0, count: count)
    busy = [Double](repeating: 0, count: count)
    waits = [[Duration]](repeating: [], count: count)
    runs = waits
    waiting = begun
    mostWaiting = begun
    threads = [Set<UInt32>](repeating: [], count: count)
    lines = [[UInt32: Double]](repeating: [:], count: count)
  }

  private mutating func note(_ record: TraceRecord, _ row: Int) {
    mainQueue.process(record)
    switch record.kind {
    case .hopScheduled:
      guard let hop = record.hopScheduling, isKnown(hop.scheduler) else { return }
      let scheduler = Int(hop.scheduler)
      acceptedAt[hop.hop] = (record.ticks, scheduler)
      waiting[scheduler] += 1
      timerHops.accept(record)
    case .timerArmed:
      guard let hop = timerHops.hop(armedBy: record) else { return }
      if let accepted = acceptedAt.removeValue(forKey: hop) { waiting[accepted.scheduler] -= 1 }
    case .hopBegan: begin(record)
    case .hopCancelled: _ = stopWaiting(record.id)
    case .hopEnded: end(record)
    case .next: deliver(record, row)
    case .levelChanged where record.id < TraceLevel.events.rawValue:
      // From here on, hops are not recorded: what waits or runs may begin or end unseen.
      for scheduler in waiting.indices { notePeak(scheduler) }
      for stack in running.values { countUnfinished(stack, until: walk.time(record.ticks)) }
      hasFallen = true
      (acceptedAt, running, timerHops) = ([:], [:], TimerHops())
      waiting = [Int](repeating: 0, count: waiting.count)
    default: break
    }
  }

  private func isKnown(_ scheduler: UInt32) -> Bool {
    scheduler > 0 && Int(scheduler) < begun.count
  }

  private mutating func begin(_ record: TraceRecord) {
    guard isKnown(record.argument) else { return }
    let scheduler = Int(record.argument)
    begun[scheduler] += 1
    threads[scheduler].insert(record.thread)
    var work = Work(hop: record.id, scheduler: scheduler, since: record.ticks)
    work.lineSince = record.ticks
    // The work of a timer is accepted once and begins repeatedly.
    if let accepted = stopWaiting(record.id) {
      work.waited = walk.snapshot.duration(from: accepted, to: record.ticks)
    }
    running[record.thread, default: []].append(work)
  }

  /// Counts work as no longer pending; returns when it was accepted, or nil if that is not
  /// recorded.
  private mutating func stopWaiting(_ hop: UInt32) -> UInt64? {
    guard let accepted = acceptedAt.removeValue(forKey: hop) else { return nil }
    notePeak(accepted.scheduler)
    waiting[accepted.scheduler] -= 1
    return accepted.ticks
  }

  /// Updates the maximum amount of pending work; called before a piece of work stops waiting,
  /// because the amount can only peak then.
  ///
  /// The amount is not compared when work is accepted, because only the next record shows whether
  /// the work is pending or belongs to a timer.
  private mutating func notePeak(_ scheduler: Int) {
    mostWaiting[scheduler] = max(mostWaiting[scheduler], waiting[scheduler])
  }

  private mutating func end(_ record: TraceRecord) {
    guard var stack = running[record.thread],
      let place = stack.lastIndex(where: { $0.hop == record.id })
    else { return }
    let work = stack[place]
    stack.removeSubrange(place...)
    running[record.thread] = stack
    count(work, until: record.ticks)
    let length = walk.snapshot.duration(from: work.since, to: record.ticks)
    runs[work.scheduler].append(length)
    if let waited = work.waited { waits[work.scheduler].append(waited) }
    // The time of work nested in other work of the same scheduler is part of the outer work's time.
    if !stack.contains(where: { $0.scheduler == work.scheduler }) {
      let since = max(work.since, start)
      busy[work.scheduler] += walk.snapshot.duration(from: since, to: record.ticks) / .seconds(1)
    }
  }

  /// Counts the time of work since the last delivery.
  private mutating func count(_ work: Work, until ticks: UInt64) {
    let since = max(work.lineSince, start)
    guard ticks > since else { return }
    let seconds = walk.snapshot.duration(from: since, to: ticks) / .seconds(1)
    lines[work.scheduler][work.line, default: 0] += seconds
  }

  /// Counts the time that unfinished work has run so far, because a blocked queue is busy.
  private mutating func countUnfinished(_ stack: [Work], until end: Duration) {
    var counted: Set<Int> = []
    for work in stack {
      count(work, until: walk.snapshot.ticks(at: end))
      let length = max(.zero, end - walk.time(work.since))
      runs[work.scheduler].append(length)
      if let waited = work.waited { waits[work.scheduler].append(waited) }
      if counted.insert(work.scheduler).inserted {
        busy[work.scheduler] += max(.zero, end - walk.time(max(work.since, start))) / .seconds(1)
      }
    }
  }

  private mutating func deliver(_ record: TraceRecord, _ row: Int) {
    guard let entry = store.life(record.entity, at: row), entry.kind == .subscription else {
      return
    }
    totals[entry.site, default: 0] += 1
    if let last = running[record.thread]?.indices.last, let work = running[record.thread]?[last] {
      count(work, until: record.ticks)
      running[record.thread]?[last].line = entry.site
      running[record.thread]?[last].lineSince = record.ticks
    }
    guard let other = place(record, awayFrom: entry.scheduler) else {
      report.unknownCount += 1
      return
    }
    report.knownCount += 1
    guard other != entry.scheduler else { return }
    deliveries[UInt64(entry.site) << 32 | UInt64(other), default: 0] += 1
    homes[entry.site, default: [:]][entry.scheduler, default: 0] += 1
  }

  /// The scheduler on which an event ran; 0 for a queue that belongs to no scheduler; nil if the
  /// records do not show whether that scheduler is `home`, on which the subscription was made.
  private func place(_ record: TraceRecord, awayFrom home: UInt32) -> UInt32? {
    // A subscription made outside any scheduler's work has no home queue.
    guard home != 0 else { return nil }
    if let work = running[record.thread]?.last { return UInt32(work.scheduler) }
    let isHomeMain = isKnown(home) && walk.snapshot.schedulers[Int(home)].kind == .main
    let isMainThread =
      Int(record.thread) < walk.snapshot.threads.count
      && walk.snapshot.threads[Int(record.thread)].isMain
    switch isMainThread ? true : mainQueue.isOnMainQueue(record.thread) {
    case true: return isHomeMain ? home : mainScheduler
    // The thread may nevertheless be running the queue of the home scheduler, if the program itself
    // has dispatched the work to that queue.
    case false: return isHomeMain ? 0 : nil
    case nil: return nil
    }
  }

  private mutating func finish(
    from start: Duration,
    to end: Duration,
    isWhole: Bool
  ) -> QueueReport {
    report.span = end - start
    let seconds = recorded / .seconds(1)
    for stack in running.values { countUnfinished(stack, until: end) }
    for (row, scheduler) in walk.snapshot.schedulers.enumerated().dropFirst() {
      var queue = QueueRow()
      queue.id = UInt32(row)
      queue.name = scheduler.name
      queue.kind = scheduler.kind
      if report.isKnown {
        notePeak(row)
        queue.waiting = UInt64(waiting[row])
        queue.isWaitingLeast = !isWhole || hasFallen
        queue.mostWaiting = mostWaiting[row]
        queue.begun = begun[row]
        queue.occupancy = seconds > 0 ? busy[row] / seconds : nil
        queue.waits = Percentiles(waits[row])
        queue.runs = Percentiles(runs[row])
        queue.threads = threads[row].count
        let longest = lines[row].max { ($0.value, $1.key) < ($1.value, $0.key) }
        let all = lines[row].values.reduce(0, +)
        if let longest, longest.key != 0, all > 0 {
          queue.longestLine = (walk.snapshot.label(ofSite: longest.key), longest.value / all)
        }
      } else {
        (queue.waits, queue.runs) = (nil, nil)
      }
      report.queues.append(queue)
    }
    report.crossings = (report.isKnown ? deliveries : [:]).map { edge, events in
      let site = UInt32(edge >> 32)
      let home = homes[site, default: [:]].max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      return QueueCrossing(
        site: site,
        name: walk.snapshot.label(ofSite: site),
        home: home ?? 0,
        other: UInt32(truncatingIfNeeded: edge),
        events: events,
        total: totals[site] ?? events
      )
    }.sorted { ($1.events, $0.id) < ($0.events, $1.id) }
    return report
  }
}
