import Glibc
package import TraceReading

extension Timeline {
  /// A position in terms of the snapshot.
  package struct Place: Sendable {
    /// The number of records up to it; nil for the newest state.
    var count: Int?
    var ticks: UInt64
  }

  /// The place of a position; nil for a record or mark that the trace does not have.
  package func place(_ position: Position) -> Place? {
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

  /// The position one step later; nil if there is none.
  public func position(after position: Position, _ step: Step) -> Position? {
    guard position != .end, let place = place(position), let count = place.count else { return nil }
    let rows = step.parts.compactMap { part -> Int? in
      switch stops(part) {
      case .kinds(let kinds, let isStop):
        snapshot.records.firstRow(of: kinds, from: count, where: isStop)
      case .rows(let rows): rows.first { $0 >= count }
      }
    }
    return rows.min().map { .event(snapshot.records[$0].number) }
  }

  /// The position one step earlier; nil if there is none.
  ///
  /// From ``Position/end``, a step by event or by change skips the last record, because the end
  /// already shows that record.
  public func position(before position: Position, _ step: Step) -> Position? {
    guard let place = place(position) else { return nil }
    let records = snapshot.records
    var count = place.count ?? records.count
    // A position includes its own record, which is shown already, so a step back leads to an
    // earlier record.
    let shown = records.lastRow(of: Step.eventKinds, before: count)
    let isShown = place.count == nil && (step == .event || step == .graphChange)
    if let shown, isShown || (place.count != nil && records[shown].ticks == place.ticks) {
      count = shown
    }
    let before = count
    let rows = step.parts.compactMap { part -> Int? in
      switch stops(part) {
      case .kinds(let kinds, let isStop): records.lastRow(of: kinds, before: before, where: isStop)
      case .rows(let rows): rows.last { $0 < before }
      }
    }
    return rows.max().map { .event(records[$0].number) }
  }

  // MARK: Stops

  private enum Stops {
    case kinds(RecordKinds, where: (TraceRecord) -> Bool)
    /// Rows of records, in ascending order.
    case rows([Int])
  }

  private func stops(_ step: Step) -> Stops {
    switch step {
    case .event: return .kinds(Step.eventKinds) { _ in true }
    case .graphChange: return .kinds(Step.changeKinds) { _ in true }
    case .error:
      // If no events were recorded, a failure shows only as the reason of an end.
      if snapshot.records.kinds.contains(.failed) {
        return .kinds(RecordKinds(.failed)) { _ in true }
      }
      return .kinds(RecordKinds(.ended)) { $0.endReason == .failed }
    case .finding, .stall, .loss, .problem:
      return .rows(
        stopRows.of(step) {
          switch step {
          case .finding: findingRows()
          case .stall: StallRows.rows(in: snapshot, window)
          default: lossRows()
          }
        }
      )
    }
  }

  private func findingRows() -> [Int] {
    let findings = findings ?? findFindings(snapshot)
    let numbers = Set(findings.flatMap(\.evidence.events))
    return numbers.compactMap(snapshot.records.row(ofNumber:)).sorted()
  }

  private func lossRows() -> [Int] {
    var rows: [Int] = []
    let records = snapshot.records
    records.forEach(of: RecordKinds([.recordsLost, .tailEnded])) { row, _ in rows.append(row) }
    if !window.isWhole, window.firstGeneration != nil, window.start < records.count {
      let begin = records.firstRow(of: Step.eventKinds, from: window.start)
      if let begin, !rows.contains(begin) { rows.append(begin) }
    }
    return rows.sorted()
  }

  /// Rows of the latest records up to a position, the oldest first, after leaving out the last
  /// `before` rows.
  public func events(upTo position: Position, before skipped: Int = 0, limit: Int) -> [EventRow] {
    guard let place = place(position) else { return [] }
    let count = place.count ?? snapshot.records.count
    return EventLog(snapshot, first: window.firstGeneration)
      .rows(upTo: count, skipping: skipped, limit: limit)
  }
}

extension Step {
  static let eventKinds = RecordKinds { Step.event.stops(at: $0) }
  static let changeKinds = RecordKinds { Step.graphChange.stops(at: $0) }

  /// Whether a step ends at a record of that kind.
  ///
  /// Records for bookkeeping are never a stop.
  package func stops(at kind: RecordKind) -> Bool {
    switch kind {
    case .continuation, .entityStatus, .signalMade, .tearDown, .threadSwitched, .runsOn: false
    // These records describe the event next to them, and are shown in its row.
    case .value, .failureText: false
    case .signalCreated, .signalNamed, .signalReleased, .subscribed, .disposeRequested, .ended,
      .subscriptionReleased, .disposableReleased, .timerArmed, .timerEnded:
      true
    case .ownerCreated, .ownerBound, .ownerEnded, .ownerHeld, .next, .failed, .completed, .refused,
      .depth,
      .turnBegan, .turnEnded, .valueOverwritten, .hopScheduled, .hopBegan, .hopEnded,
      .hopCancelled,
      .timerFired, .mark, .recordsLost, .levelChanged, .forked, .tailEnded:
      self == .event
    }
  }
}

extension InstantInfo {
  init(at place: Timeline.Place, _ snapshot: TraceSnapshot) {
    self.init()
    time = snapshot.time(place.ticks)
    isEnd = place.count == nil
    let last = snapshot.records.lastRow(of: Step.eventKinds, before: place.count)
    event = last.map { snapshot.records[$0].number }
  }
}

/// Rows at which steps by finding, stall and loss end, computed on first access.
///
/// `@unchecked Sendable`: `rows` is only accessed with the mutex held.
final class StopRows: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var rows: [Step: [Int]] = [:]

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func of(_ step: Step, _ find: () -> [Int]) -> [Int] {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let found = rows[step] { return found }
    let found = find()
    rows[step] = found
    return found
  }
}
