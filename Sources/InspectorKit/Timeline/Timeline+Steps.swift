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
      guard let row = records.row(ofNumber: number) else { return nil }
      return Place(count: row + 1, ticks: max(records[row].ticks, snapshot.header.start.ticks))
    case .time(let time):
      let ticks = snapshot.ticks(at: time)
      return Place(count: records.count(upTo: ticks), ticks: ticks)
    case .mark(let index):
      guard let mark = snapshot.marks.first(where: { $0.index == index }) else { return nil }
      return Place(count: records.count(upTo: mark.ticks), ticks: mark.ticks)
    }
  }

  /// The position one step later; nil if there is nothing further.
  public func position(after position: Position, _ step: Step) -> Position? {
    guard position != .end, let place = place(position), let count = place.count else { return nil }
    let row = snapshot.records.firstRow(of: step.kinds, from: count)
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
    let shown = records.lastRow(of: Step.event.kinds, before: count)
    if let shown, place.count == nil || records[shown].ticks == place.ticks { count = shown }
    let row = records.lastRow(of: step.kinds, before: count)
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
  /// The kinds of records that a step may end at.
  var kinds: RecordKinds { self == .event ? Self.eventKinds : Self.changeKinds }

  private static let eventKinds = RecordKinds { Step.event.stops(at: $0) }
  private static let changeKinds = RecordKinds { Step.graphChange.stops(at: $0) }

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
    let last = snapshot.records.lastRow(of: Step.event.kinds, before: place.count)
    event = last.map { snapshot.records[$0].number }
  }
}
