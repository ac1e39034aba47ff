import ReactiveTrace

extension Timeline {
  /// A position in terms of the snapshot.
  struct Place: Sendable {
    /// Records up to it; nil for the newest state there is.
    var count: Int?
    var ticks: UInt64
  }

  /// Where a position is; nil for a record or mark that the trace does not have.
  func place(_ position: Position) -> Place? {
    let records = snapshot.records
    switch position {
    case .end: return Place(count: nil, ticks: snapshot.lastTicks)
    case .event(let number):
      guard let row = records.firstIndex(where: { $0.number == number }) else { return nil }
      return Place(count: row + 1, ticks: max(records[row].ticks, snapshot.header.start.ticks))
    case .time(let time):
      let ticks = snapshot.ticks(at: time)
      return Place(count: recordCount(upTo: ticks), ticks: ticks)
    case .mark(let index):
      guard let mark = snapshot.marks.first(where: { $0.index == index }) else { return nil }
      return Place(count: recordCount(upTo: mark.ticks), ticks: mark.ticks)
    }
  }

  /// Records that are not later.
  ///
  /// O(log n).
  private func recordCount(upTo ticks: UInt64) -> Int {
    var low = 0
    var high = snapshot.records.count
    while low < high {
      let middle = (low + high) / 2
      if snapshot.records[middle].ticks <= ticks { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The position one step later; nil if there is nothing further.
  public func position(after position: Position, _ step: Step) -> Position? {
    guard position != .end, let place = place(position), let count = place.count else { return nil }
    let row = snapshot.records[count...].firstIndex { step.stops(at: $0.kind) }
    return row.map { .event(snapshot.records[$0].number) }
  }

  /// The position one step earlier; nil if there is nothing further.
  ///
  /// From ``Position/end`` it goes to the record before the last, for the end shows the last.
  public func position(before position: Position, _ step: Step) -> Position? {
    guard let place = place(position) else { return nil }
    let records = snapshot.records
    var count = place.count ?? records.count
    // The instant of a record is its own: the one shown there is not a step back.
    let shown = records[..<count].lastIndex { Step.event.stops(at: $0.kind) }
    if let shown, place.count == nil || records[shown].ticks == place.ticks { count = shown }
    let row = records[..<count].lastIndex { step.stops(at: $0.kind) }
    return row.map { .event(records[$0].number) }
  }

  /// Rows of the records up to a position, the latest ones, oldest first; `before` leaves out that many.
  public func events(upTo position: Position, before skipped: Int = 0, limit: Int) -> [EventRow] {
    guard let place = place(position) else { return [] }
    let count = place.count ?? snapshot.records.count
    return EventLog(snapshot, first: window.firstGeneration)
      .rows(upTo: count, skipping: skipped, limit: limit)
  }
}

extension Step {
  /// Whether a step ends at a record of that kind.
  ///
  /// What only keeps the books never is a stop.
  func stops(at kind: RecordKind) -> Bool {
    switch kind {
    case .continuation, .entityStatus, .threadSwitched: false
    case .signalCreated, .signalNamed, .signalReleased, .subscribed, .disposeRequested, .ended,
      .subscriptionReleased, .disposableReleased, .timerArmed, .timerEnded:
      true
    default: self == .event
    }
  }
}

extension InstantInfo {
  init(at place: Timeline.Place, _ snapshot: TraceSnapshot) {
    self.init()
    time = snapshot.time(place.ticks)
    isEnd = place.count == nil
    let last = snapshot.records[..<(place.count ?? snapshot.records.count)]
      .last { Step.event.stops(at: $0.kind) }
    event = last?.number
  }
}
