import ReactiveTrace

/// The records of a snapshot as studies and exports see them: by row, by time and by number.
///
/// The one place where they are reached, so that how they are kept is nobody else's business.
struct RecordWalk {
  let snapshot: TraceSnapshot

  init(_ snapshot: TraceSnapshot) { self.snapshot = snapshot }

  var rows: Range<Int> { 0..<snapshot.records.count }

  subscript(row: Int) -> TraceRecord { snapshot.records[row] }

  /// The first row that is not earlier.
  ///
  /// O(log n).
  func firstRow(from ticks: UInt64) -> Int { snapshot.records.count(before: ticks) }

  /// Rows of a stretch of time, both ends included.
  func rows(from start: Duration, to end: Duration) -> Range<Int> {
    let first = firstRow(from: snapshot.ticks(at: start))
    let last = snapshot.ticks(at: end)
    let behind = firstRow(from: last == .max ? last : last + 1)
    return first..<max(first, behind)
  }

  /// The row of the record of that number; nil if there is none.
  func row(of number: UInt64) -> Int? {
    snapshot.records.row(ofNumber: number)
  }

  /// The first ticks from which on every record is there; nil if there are none such.
  var exactFrom: UInt64? { snapshot.exactFrom }

  /// Since the recording began.
  func time(_ ticks: UInt64) -> Duration { snapshot.time(ticks) }
}

/// Who an identifier meant at a place in the records: identifiers are used again.
struct EntityDirectory {
  struct Entry {
    var key: EntityKey
    var kind: EntityKind
    var site: UInt32
    /// As ``TraceSlot/link``.
    var link: TraceID
    /// Subscription: its signal.
    var signal: TraceID
    var scheduler: UInt32
    var chain: UInt32
    var createdAt: UInt64
    var endedAt: UInt64?
    /// Where it is first mentioned.
    var firstRow: Int
  }

  private(set) var entries: [Entry] = []
  private var places: [TraceID: [Int]] = [:]
  private var bySerial: [UInt64: Int] = [:]

  /// Reads all records once.
  init(_ walk: RecordWalk) {
    for row in walk.rows { note(walk[row], row) }
    for slot in walk.snapshot.slots where slot.kind != .none { note(slot) }
  }

  /// Who the identifier means in a row; nil if nothing tells.
  ///
  /// O(uses of the identifier).
  func entry(_ id: TraceID, at row: Int) -> Entry? {
    guard let places = places[id] else { return nil }
    return entries[places.last { entries[$0].firstRow <= row } ?? places[0]]
  }

  func entry(_ key: EntityKey) -> Entry? {
    if key.serial != 0 { return bySerial[key.serial].map { entries[$0] } }
    return places[key.id]?.last.map { entries[$0] }
  }

  private mutating func note(_ record: TraceRecord, _ row: Int) {
    let id = record.entity
    guard id != .none else { return }
    if let status = record.status {
      add(
        Entry(
          key: EntityKey(id: id, serial: status.serial),
          kind: status.kind,
          site: status.site,
          link: status.link,
          signal: status.signal,
          scheduler: status.scheduler,
          chain: 0,
          createdAt: status.createdAt,
          endedAt: status.state == .ended ? record.ticks : nil,
          firstRow: row
        )
      )
      return
    }
    if let new = record.subscribing {
      add(
        Entry(
          key: EntityKey(id: id, serial: new.serial),
          kind: .subscription,
          site: new.site,
          link: new.downstream,
          signal: new.signal,
          scheduler: new.scheduler,
          chain: new.chain,
          createdAt: record.ticks,
          firstRow: row
        )
      )
    } else if let new = record.signalCreation {
      add(
        Entry(
          key: EntityKey(id: id, serial: new.serial),
          kind: .signal,
          site: new.site,
          link: new.upstream,
          signal: .none,
          scheduler: 0,
          chain: 0,
          createdAt: record.ticks,
          firstRow: row
        )
      )
    } else if let new = record.timerArming {
      add(
        Entry(
          key: EntityKey(id: id, serial: new.serial),
          kind: .timer,
          site: new.site,
          link: new.subscription,
          signal: .none,
          scheduler: new.scheduler,
          chain: new.chain,
          createdAt: record.ticks,
          firstRow: row
        )
      )
    } else if record.kind == .ended || record.kind == .timerEnded || record.kind == .signalReleased,
      let place = places[id]?.last, entries[place].endedAt == nil
    {
      entries[place].endedAt = record.ticks
    }
  }

  private mutating func note(_ slot: TraceSlot) {
    if let place = bySerial[slot.serial] {
      entries[place].chain = slot.kind == .signal ? 0 : slot.chain
      if slot.state == .ended, entries[place].endedAt == nil {
        entries[place].endedAt = slot.createdAt
      }
      return
    }
    add(
      Entry(
        key: EntityKey(id: slot.id, serial: slot.serial),
        kind: slot.kind,
        site: slot.site,
        link: slot.link,
        signal: slot.kind == .subscription ? TraceID(rawValue: slot.signal) : .none,
        scheduler: slot.scheduler,
        chain: slot.kind == .signal ? 0 : slot.chain,
        createdAt: slot.createdAt,
        endedAt: slot.state == .ended ? slot.createdAt : nil,
        firstRow: 0
      )
    )
  }

  private mutating func add(_ entry: Entry) {
    if let place = bySerial[entry.key.serial], entry.key.serial != 0 {
      // A status repeats what is known, but for a subscription that was only mentioned before.
      if entries[place].chain == 0 { entries[place].chain = entry.chain }
      return
    }
    let place = entries.count
    entries.append(entry)
    places[entry.key.id, default: []].append(place)
    if entry.key.serial != 0 { bySerial[entry.key.serial] = place }
  }
}

extension TraceSnapshot {
  /// `map@Feed.swift:81`, unfiltered.
  func label(ofSite row: UInt32) -> String {
    site(row).map { "\($0.name)@\($0.location)" } ?? "?"
  }
}
