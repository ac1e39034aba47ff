package import TraceReading

/// When the level of a recording was at least a certain one.
///
/// At level `graph`, single events are recorded only in the startup, and while an inspector has
/// raised the level.
package struct EventStretches: Sendable {
  /// The stretches in ticks, in order; the last one has no end if it goes on.
  package private(set) var ticks: [ClosedRange<UInt64>] = []

  /// Kinds of records that no thread writes at level `graph`.
  private static let eventKinds = RecordKinds([.next, .hopScheduled, .hopBegan])

  /// No stretch.
  static let none = Self()

  private init() {}

  /// Finds the stretches in which the level of the whole recording was at least `least`, which is
  /// `graph` or `events`.
  package init(_ snapshot: TraceSnapshot, atLeast least: TraceLevel = .events) {
    let header = snapshot.header
    var since: UInt64?
    var last: TraceLevel?
    snapshot.records.forEach(of: RecordKinds(.levelChanged)) { row, record in
      if last == nil, Self.wasAt(least, snapshot, before: row) { since = header.start.ticks }
      let level = TraceLevel(rawValue: record.id) ?? .off
      if level >= least {
        since = since ?? record.ticks
      } else if let first = since {
        ticks.append(first...max(first, record.ticks))
        since = nil
      }
      last = level
    }
    if let last {
      // The record of a later change may be lost.
      if Self.hasGaps(snapshot), last >= least, header.level < least { since = nil }
    } else {
      let level = Self.firstLevel(snapshot)
      // As long as the level is `off`, nothing happens of which anything could be missing.
      if level >= least || level == .off { since = header.start.ticks }
    }
    if let since { ticks.append(since ... .max) }
  }

  /// The level of a recording without a record of a change.
  private static func firstLevel(_ snapshot: TraceSnapshot) -> TraceLevel {
    // A change that no thread has noticed has no effect.
    hasGaps(snapshot) ? snapshot.header.level : snapshot.header.startLevel
  }

  /// Whether the level was at least `least` before the first recorded change of the level.
  private static func wasAt(_ least: TraceLevel, _ snapshot: TraceSnapshot, before row: Int) -> Bool
  {
    guard hasGaps(snapshot) else { return snapshot.header.startLevel >= least }
    guard least >= .events else { return row > 0 }
    // The level before is not recorded, but events show it, unless they may be those of lines with
    // a level of their own.
    guard !snapshot.hasPlacesWithEvents else { return false }
    return snapshot.records.firstRow(of: eventKinds).map { $0 < row } ?? false
  }

  /// Whether earlier records, which may be those of changes, are missing.
  private static func hasGaps(_ snapshot: TraceSnapshot) -> Bool {
    snapshot.header.recycledSegments > 0 || snapshot.droppedRecords > 0
      || snapshot.missingSegments > 0 || snapshot.damagedSegments > 0
      || snapshot.header.lostRecords > 0
  }

  /// Whether a stretch of time lies within one of the stretches.
  package func contains(from first: UInt64, to last: UInt64) -> Bool {
    ticks.contains { $0.lowerBound <= first && last <= $0.upperBound }
  }

  /// The parts of the stretches that lie between two times.
  package func clamped(from first: UInt64, to last: UInt64) -> [ClosedRange<UInt64>] {
    guard first <= last else { return [] }
    return ticks.filter { $0.upperBound >= first && $0.lowerBound <= last }
      .map { $0.clamped(to: first...last) }
  }
}

extension TraceSnapshot {
  /// Whether any line whose module or file has a level of its own is recorded with its events.
  package var hasPlacesWithEvents: Bool { sites.contains { ($0.level ?? .off) >= .events } }

  /// When single events of a line of code were recorded.
  package func eventStretches(ofSite row: UInt32) -> EventStretches {
    guard Int(row) < sites.count, let own = sites[Int(row)].level else {
      return EventStretches(self)
    }
    // A line with a level of its own keeps it, except while the whole recording is `off`.
    return own >= .events ? EventStretches(self, atLeast: .graph) : .none
  }

  /// When hops were recorded: whenever any line was recorded with its events.
  package var hopStretches: EventStretches {
    EventStretches(self, atLeast: hasPlacesWithEvents ? .graph : .events)
  }
}
