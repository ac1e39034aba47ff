package import TraceReading

/// Makes a marble diagram: sorts records into the cells of its lanes.
package struct MarbleScan {
  private let walk: RecordWalk
  private let store: EntityStore
  private let query: MarbleQuery
  private let from: UInt64
  private let span: Double
  private var tracks: [MarbleTrack]
  private var bySite: [UInt32: Int] = [:]
  private var byKey: [EntityKey: Int] = [:]
  /// The cell since which a lane has been holding values or delivering.
  private var busySince: [Int: Int] = [:]
  /// The cell in which work for a lane was scheduled, by the number of the hop, which identifies
  /// the work.
  private var waitingSince: [UInt32: (lanes: [Int], cell: Int)] = [:]
  private var timerHops = TimerHops()
  /// The cells of which the single events of a line of code were recorded, by line.
  private var recordedCells: [UInt32: [Range<Int>]] = [:]

  /// The diagram that answers a query.
  ///
  /// - Parameters:
  ///   - query: The lanes and the stretch of time.
  ///   - snapshot: The trace.
  ///   - living: The entities that are live at the end of the stretch; nil if later records have to
  ///     be searched for them.
  /// - Returns: The lanes with their cells.
  package static func chart(
    _ query: MarbleQuery,
    _ snapshot: TraceSnapshot,
    living: [TracedEntity]? = nil
  ) -> MarbleChart {
    let walk = RecordWalk(snapshot)
    let rows = walk.rows(from: query.from, to: query.from + query.span)
    let sites = Set(query.lanes.compactMap { if case .site(let site) = $0 { site } else { nil } })
    let keys = Set(query.lanes.compactMap(\.key))
    // Records after the stretch show which entities were still live at its end: those that end
    // later.
    let after = living == nil ? rows.lowerBound..<walk.rows.upperBound : rows
    let store = EntityStore(
      snapshot,
      in: after,
      alsoWanted: { sites.contains($0.site) || keys.contains($0.key) },
      living: (living ?? []).filter {
        $0.kind != .signal && (sites.contains($0.site) || keys.contains($0.key))
      }
    )
    var scan = MarbleScan(query, walk, store)
    scan.drawLives()
    walk.forEach(in: rows) { scan.note($1, $0) }
    scan.finish()
    return MarbleChart(query: query, tracks: scan.tracks)
  }

  private init(_ query: MarbleQuery, _ walk: RecordWalk, _ store: EntityStore) {
    self.query = query
    self.walk = walk
    self.store = store
    from = walk.snapshot.ticks(at: query.from)
    span = max(1, Double(walk.snapshot.ticks(at: query.from + query.span)) - Double(from))
    let blank = [MarbleCell](repeating: MarbleCell(), count: query.columns)
    tracks = query.lanes.map { MarbleTrack(lane: $0, cells: blank) }
    for (index, lane) in query.lanes.enumerated() {
      switch lane {
      case .site(let site): bySite[site] = index
      case .subscription(let key), .timer(let key): byKey[key] = index
      }
    }
  }

  private func cell(_ ticks: UInt64) -> Int {
    guard ticks > from else { return ticks == from ? 0 : -1 }
    return Int(min(1e9, Double(ticks - from) / span * Double(query.columns)))
  }

  // MARK: Lives

  /// Marks the cells in which each lane existed, and those for which that is not known.
  private mutating func drawLives() {
    let snapshot = walk.snapshot
    let end = min(query.columns - 1, cell(snapshot.lastTicks))
    // The first cell since which no record is missing; nil if there is none.
    let exact = walk.exactFrom.map {
      $0 <= max(from, snapshot.header.start.ticks) ? 0 : cell($0) + 1
    }
    for lane in tracks.indices {
      for place in 0..<min(query.columns, max(0, exact ?? query.columns)) {
        tracks[lane].cells[place].isPartial = true
        // It may be unknown which entities were live then.
        tracks[lane].cells[place].life = .unknown
      }
    }
    for entry in store.all where entry.kind == .subscription || entry.kind == .timer {
      for lane in lanes(of: entry) { draw(entry, lane, end, exact) }
    }
  }

  private func lanes(of entry: EntityStore.Life) -> [Int] {
    [byKey[entry.key], bySite[entry.site]].compactMap { $0 }
  }

  private mutating func draw(_ entry: EntityStore.Life, _ lane: Int, _ end: Int, _ exact: Int?) {
    let first = max(0, cell(entry.createdAt))
    if byKey[entry.key] == lane {
      // The lane of a single entity is known to be empty before the entity was created.
      for place in 0..<min(query.columns, max(0, cell(entry.createdAt))) {
        tracks[lane].cells[place].life = .absent
      }
    }
    var last = min(end, store.endedAt(entry).map { cell($0) } ?? end)
    // An end without a record happened before the part in which no record is missing.
    if entry.isEndUnknown { last = min(last, max(exact ?? end, cell(store.lastSeen(entry)))) }
    guard first <= last else { return }
    let recorded = cellsWithEvents(ofSite: entry.site)
    for place in first...last {
      // Where records are missing, nothing shows whether the lane was idle; neither where the level
      // was `graph`.
      let isRecorded = recorded.contains { $0.contains(place) }
      let isKnown = isRecorded && exact.map { place >= $0 } ?? false
      let life: MarbleLife = isKnown ? .idle : .unknown
      tracks[lane].cells[place].life = max(tracks[lane].cells[place].life, life)
      if !isRecorded { tracks[lane].cells[place].isPartial = true }
    }
  }

  /// The cells during the whole of which the single events of a line of code were recorded.
  private mutating func cellsWithEvents(ofSite site: UInt32) -> [Range<Int>] {
    if let known = recordedCells[site] { return known }
    let end = walk.snapshot.ticks(at: query.from + query.span)
    let cells = walk.snapshot.eventStretches(ofSite: site).ticks.compactMap { stretch in
      let first = stretch.lowerBound <= from ? 0 : cell(stretch.lowerBound) + 1
      let behind =
        stretch.upperBound >= min(end, walk.snapshot.lastTicks)
        ? query.columns : cell(stretch.upperBound)
      return first < behind ? first..<behind : nil as Range<Int>?
    }
    recordedCells[site] = cells
    return cells
  }

  // MARK: Records

  private mutating func note(_ record: TraceRecord, _ row: Int) {
    let place = cell(record.ticks)
    guard place >= 0, place < query.columns else { return }
    switch record.kind {
    case .levelChanged where record.id < TraceLevel.events.rawValue:
      // From here on, hops are not recorded.
      noteWaiting(upTo: place)
      (waitingSince, timerHops) = ([:], TimerHops())
      return
    case .recordsLost:
      for lane in tracks.indices { tracks[lane].cells[place].marks.insert(.lost) }
      return
    case .hopScheduled:
      guard let hop = record.hopScheduling else { return }
      timerHops.accept(record)
      waitingSince[hop.hop] = (lanes(hop.subscription, row), place)
      return
    case .timerArmed:
      if let hop = timerHops.hop(armedBy: record) { waitingSince[hop] = nil }
    case .hopBegan, .hopCancelled:
      if let (lanes, start) = waitingSince.removeValue(forKey: record.id) {
        noteWaiting(lanes, from: start, to: place)
      }
      return
    default: break
    }
    for lane in lanes(record.entity, row) { note(record, lane, place) }
  }

  /// Marks the cells in which work waits that has not begun up to the given one.
  private mutating func noteWaiting(upTo end: Int) {
    for (lanes, start) in waitingSince.values {
      noteWaiting(lanes.filter { !isPartial($0, start) }, from: start, to: end)
    }
  }

  private mutating func noteWaiting(_ lanes: [Int], from start: Int, to end: Int) {
    for lane in lanes {
      for place in start...max(start, end) { tracks[lane].cells[place].marks.insert(.waiting) }
    }
  }

  private func lanes(_ id: TraceID, _ row: Int) -> [Int] {
    guard id != .none, let entry = store.life(id, at: row) else { return [] }
    return lanes(of: entry)
  }

  private mutating func note(_ record: TraceRecord, _ lane: Int, _ place: Int) {
    var cell = tracks[lane].cells[place]
    switch record.kind {
    case .next, .timerFired: cell.values += 1
    case .subscribed, .timerArmed: cell.marks.insert(.subscribed)
    case .failed: cell.marks.insert(.failed)
    case .completed: cell.marks.insert(.completed)
    case .refused: cell.marks.insert(.refused)
    case .ended, .timerEnded:
      endBusy(lane, place)
      cell = tracks[lane].cells[place]
      // After a completion or a failure, the end repeats the mark of that event; any other end is a
      // disposal.
      switch record.endReason {
      case .completed: cell.marks.insert(.completed)
      case .failed: cell.marks.insert(.failed)
      default: cell.marks.insert(.disposed)
      }
    case .depth where isGroup(lane), .turnBegan where isGroup(lane), .turnEnded where isGroup(lane):
      return
    case .depth:
      if record.argument > 0 {
        busySince[lane] = busySince[lane] ?? place
      } else {
        endBusy(lane, place)
        cell = tracks[lane].cells[place]
      }
    case .turnBegan: busySince[lane] = busySince[lane] ?? place
    case .turnEnded:
      endBusy(lane, place)
      cell = tracks[lane].cells[place]
    default: return
    }
    if cell.life == .absent { cell.life = .idle }
    cell.event = record.number
    tracks[lane].cells[place] = cell
  }

  /// Whether a lane stands for all subscriptions of a line: the state of one says nothing about the
  /// others.
  private func isGroup(_ lane: Int) -> Bool {
    if case .site = query.lanes[lane] { true } else { false }
  }

  /// Whether records of a cell are missing: no state is carried across such a gap.
  private func isPartial(_ lane: Int, _ place: Int) -> Bool { tracks[lane].cells[place].isPartial }

  /// Marks the cells from the one in which a lane became busy up to the given one as busy.
  ///
  /// A delivery that begins and ends within one cell is not marked.
  private mutating func endBusy(_ lane: Int, _ place: Int) {
    guard let start = busySince.removeValue(forKey: lane), place > start, !isPartial(lane, start)
    else { return }
    for busy in start...place { tracks[lane].cells[busy].life = .busy }
  }

  private mutating func finish() {
    let last = min(query.columns - 1, cell(walk.snapshot.lastTicks))
    noteWaiting(upTo: last)
    for (lane, start) in busySince where start < last && !isPartial(lane, start) {
      for busy in start...last where tracks[lane].cells[busy].life == .idle {
        tracks[lane].cells[busy].life = .busy
      }
    }
  }
}
