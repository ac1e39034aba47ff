package import TraceReading

/// Who an identifier meant at a place in the records: identifiers are used again.
package struct EntityDirectory {
  package struct Entry {
    package var key: EntityKey
    package var kind: EntityKind
    package var site: UInt32
    /// As ``TraceSlot/link``.
    package var link: TraceID
    /// Subscription: its signal.
    var signal: TraceID
    package var scheduler: UInt32
    package var chain: UInt32
    package var createdAt: UInt64
    package var endedAt: UInt64?
    /// Whether it has ended at a time that is not recorded: it is not among the living, and nothing tells why.
    package var isEndUnknown = false
    /// When it was mentioned last.
    var lastSeen: UInt64 = 0
    /// Where it is first mentioned.
    var firstRow: Int

    /// When it ended, or was seen last where its end is unknown; nil for what lives.
    package var end: UInt64? { endedAt ?? (isEndUnknown ? max(createdAt, lastSeen) : nil) }
  }

  package private(set) var entries: [Entry] = []
  private var places: [TraceID: [Int]] = [:]
  private var bySerial: [UInt64: Int] = [:]

  /// Of all records and slots there are.
  ///
  /// O(records).
  package init(_ walk: RecordWalk) {
    walk.forEach(in: walk.rows) { see($1, $0) }
    for slot in walk.snapshot.slots where slot.kind != .none { note(slot) }
    settleEnds(walk.snapshot)
  }

  private mutating func see(_ record: TraceRecord, _ row: Int) {
    if Self.telling.contains(record.kind) { note(record, row) }
    guard record.entity != .none, let place = places[record.entity]?.last else { return }
    entries[place].lastSeen = max(entries[place].lastSeen, record.ticks)
  }

  /// What has neither a slot nor a record of its end has ended unseen.
  private mutating func settleEnds(_ snapshot: TraceSnapshot) {
    var living: Set<UInt64> = []
    for slot in snapshot.slots where slot.kind != .none && slot.state != .ended {
      living.insert(slot.serial)
    }
    for place in entries.indices where entries[place].endedAt == nil {
      entries[place].isEndUnknown = !living.contains(entries[place].key.serial)
    }
  }

  /// Of those that some records mention, and of those that live at the end and are wanted besides.
  ///
  /// Who was there before is told by slots, and else by the status that stands before the first mention in each
  /// generation. So this looks at the records of one generation more than asked for, at most.
  ///
  /// - Complexity: O(records of the rows and of a generation + slots).
  init(
    _ walk: RecordWalk,
    in rows: Range<Int>,
    alsoWanted: (TraceSlot) -> Bool = { _ in false }
  ) {
    var early = Early()
    walk.forEach(in: rows) { row, record in
      let id = record.hopScheduling?.subscription ?? record.entity
      guard id != .none else { return }
      if places[id] == nil, !Self.births.contains(record.kind) { early.note(id, record) }
      see(record, row)
    }
    for slot in walk.snapshot.slots where slot.kind != .none {
      if let mention = early.mentions[slot.id], slot.createdAt <= mention.ticks {
        early.mentions[slot.id] = nil
        note(slot, endedAt: mention.endedAt)
      } else if places[slot.id] != nil || alsoWanted(slot) {
        note(slot)
      }
    }
    find(early, walk, before: rows.lowerBound)
    settleEnds(walk.snapshot)
  }

  /// Who was mentioned before anything told who it is.
  private struct Early {
    var mentions: [TraceID: (ticks: UInt64, endedAt: UInt64?)] = [:]
    var firstGeneration = UInt64.max

    mutating func note(_ id: TraceID, _ record: TraceRecord) {
      if mentions[id] == nil {
        mentions[id] = (record.ticks, nil)
        firstGeneration = min(firstGeneration, record.generation)
      }
      if EntityDirectory.ends.contains(record.kind), mentions[id]?.endedAt == nil {
        mentions[id]?.endedAt = record.ticks
      }
    }
  }

  /// Looks backwards for those that have no slot any more.
  private mutating func find(_ early: Early, _ walk: RecordWalk, before row: Int) {
    guard !early.mentions.isEmpty else { return }
    let records = walk.snapshot.records
    let first = records.firstRow(fromGeneration: early.firstGeneration) ?? 0
    guard first < row else { return }
    // The latest before the first mention counts.
    var told: [TraceID: (record: TraceRecord, row: Int)] = [:]
    records.forEach(of: Self.births, in: first..<row) { row, record in
      if early.mentions[record.entity] != nil { told[record.entity] = (record, row) }
    }
    for (id, told) in told.sorted(by: { $0.value.row < $1.value.row }) {
      let later = places.removeValue(forKey: id) ?? []
      note(told.record, told.row)
      if let place = places[id]?.last, entries[place].endedAt == nil {
        entries[place].endedAt = early.mentions[id]?.endedAt
      }
      // Nothing was noted of a record that says too little, or of one that is known already.
      if !later.isEmpty { places[id, default: []] += later }
    }
  }

  private static let births = RecordKinds([
    .entityStatus, .subscribed, .signalCreated, .timerArmed, .ownerCreated,
  ])
  fileprivate static let ends = RecordKinds([.ended, .timerEnded, .signalReleased, .ownerEnded])
  private static let telling = births.union(ends)

  /// Who the identifier means in a row; nil if nothing tells.
  ///
  /// O(uses of the identifier).
  package func entry(_ id: TraceID, at row: Int) -> Entry? {
    guard let places = places[id] else { return nil }
    return (places.last { entries[$0].firstRow <= row } ?? places.first).map { entries[$0] }
  }

  package func entry(_ key: EntityKey) -> Entry? {
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
    } else if let new = record.ownerCreation {
      add(
        Entry(
          key: EntityKey(id: id, serial: new.serial),
          kind: .owner,
          site: new.site,
          link: .none,
          signal: .none,
          scheduler: new.scheduler,
          chain: 0,
          createdAt: record.ticks,
          firstRow: row
        )
      )
    } else if Self.ends.contains(record.kind), let place = places[id]?.last,
      entries[place].endedAt == nil
    {
      entries[place].endedAt = record.ticks
    }
  }

  private mutating func note(_ slot: TraceSlot, endedAt: UInt64? = nil) {
    if let place = bySerial[slot.serial], entries[place].key.id == slot.id {
      entries[place].chain = slot.kind == .signal ? 0 : slot.chain
      entries[place].lastSeen = max(entries[place].lastSeen, slot.lastEventAt)
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
        endedAt: endedAt,
        lastSeen: max(slot.createdAt, slot.lastEventAt),
        firstRow: 0
      )
    )
  }

  /// Records behind a stretch that are gone through rather than looking up who lives there.
  package static let fewRecords = 1 << 18

  /// One that lives at the end of the stretch, if it is not known yet.
  mutating func add(_ entity: TracedEntity) {
    guard entity.state?.isLive != false else { return }
    if let place = bySerial[entity.key.serial], entries[place].key.id == entity.key.id {
      entries[place].isEndUnknown = false
      return
    }
    add(
      Entry(
        key: entity.key,
        kind: entity.kind,
        site: entity.site,
        link: entity.link,
        signal: entity.signal,
        scheduler: entity.scheduler,
        chain: entity.chain,
        createdAt: entity.createdAt,
        firstRow: 0
      )
    )
  }

  private mutating func add(_ entry: Entry) {
    // In a damaged recording one number may stand for two: each is found by its identifier, the first by the number.
    let known = entry.key.serial == 0 ? nil : bySerial[entry.key.serial]
    if let place = known, entries[place].key.id == entry.key.id {
      // A status repeats what is known, but for a subscription that was only mentioned before.
      if entries[place].chain == 0 { entries[place].chain = entry.chain }
      return
    }
    let place = entries.count
    entries.append(entry)
    places[entry.key.id, default: []].append(place)
    if entry.key.serial != 0, known == nil { bySerial[entry.key.serial] = place }
  }
}
