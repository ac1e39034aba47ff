package import TraceReading

/// Resolves which entity an identifier refers to at any record of a trace.
///
/// Only this type answers that question.
///
/// Identifiers are reused, so the store is an index of intervals: for each entity, the record that
/// first mentions it and the record that ends it. The intervals are in the order of identifiers
/// and, for one identifier, of time. No memory is allocated for slots (places in the table of live
/// entities) that a file claims but does not contain.
///
/// The store needs 48 bytes for each entity.
package struct EntityStore: Sendable {
  private let records: TraceRecords
  /// By identifier, and for one identifier in the order in which records mention them.
  private let lives: [Life]

  /// One entity: what it is, and its first and last record.
  package struct Life: Sendable {
    var serial: UInt64
    /// The time of its creation, in ticks.
    package let createdAt: UInt64
    let id: TraceID
    /// Row in the table of sites.
    package let site: UInt32
    /// Subscription: its downstream subscription; signal: its first upstream; timer: its
    /// subscription.
    package let link: TraceID
    /// Subscription: its signal; signal: number of the name it was given.
    var signalOrName: UInt32
    /// Row of the asynchronous backtrace; 0 if there is none, or if the entity is known only from a
    /// status, which is a record that repeats the state of an entity that already existed.
    package internal(set) var chain: UInt32
    /// The row of the record that first mentions it; 0 for an entity that existed before the oldest
    /// record.
    private let first: UInt32
    /// The row of its end, or of the last record that mentions it; ``never`` if there is none.
    var lastRow: UInt32 = Self.never
    /// Row in the table of schedulers; for a signal, row in the table of arguments.
    private let schedulerOrArgument: UInt16
    /// The kind of entity.
    package let kind: EntityKind
    var ending = Ending.none

    static let never = UInt32.max

    package var key: EntityKey { EntityKey(id: id, serial: serial) }
    /// The row of the record that first mentions it.
    package var firstRow: Int { Int(first) }
    /// Subscription: its signal.
    package var signal: TraceID { kind == .signal ? .none : TraceID(rawValue: signalOrName) }
    /// Signal: number of the name it was given.
    package var name: UInt32 { kind == .signal ? signalOrName : 0 }
    /// Row in the table of schedulers; 0 if unknown.
    package var scheduler: UInt32 { kind == .signal ? 0 : UInt32(schedulerOrArgument) }
    /// Signal: number of its operator's argument, as in ``TracedEntity/argument``.
    package var argument: UInt32 { kind == .signal ? UInt32(schedulerOrArgument) : 0 }
    /// Whether a record says that it has ended.
    package var hasEnded: Bool { ending == .recorded || ending == .reported }
    /// Whether it has ended at a time that is not recorded, for an unknown reason.
    package var isEndUnknown: Bool { ending == .reported || ending == .unseen }
  }

  /// How an end is known: by its record, by a later status, or only because the entity is not among
  /// the live ones.
  enum Ending: UInt8 { case none, recorded, reported, unseen }

  // MARK: Making

  /// A store of all records and slots.
  ///
  /// - Complexity: O(records + slots).
  package init(_ snapshot: TraceSnapshot) {
    var builder = EntityStoreBuilder(snapshot)
    snapshot.records.forEach(of: EntityStoreBuilder.kinds) { builder.see($1, row: $0) }
    for slot in snapshot.slots where slot.kind != .none { builder.note(slot) }
    self.init(builder)
  }

  /// A store of the entities that the given records mention, and of further requested entities.
  ///
  /// An entity that existed earlier is found in its slot, or else in the status that each
  /// generation (a stretch of records that can be read without the earlier ones) reports before it
  /// first mentions the entity. So at most the records of one more generation than requested are
  /// read.
  ///
  /// - Parameters:
  ///   - snapshot: The trace.
  ///   - rows: The records whose identifiers are to be resolved.
  ///   - others: Further identifiers, each with the row in which it is mentioned, at or before the
  ///     end of the rows.
  ///   - searchLimit: The maximum number of earlier records that are searched to identify an
  ///     entity.
  ///   - isWanted: Which entities that are live at the end are wanted, whether they are mentioned
  ///     or not; nil for none.
  ///   - living: The entities that are live at the end of the rows, if they are known and the rows
  ///     do not reach to the end of the trace.
  /// - Complexity: O(records of the rows and of a generation), and O(slots) more if `isWanted` is
  ///   not nil.
  package init(
    _ snapshot: TraceSnapshot,
    in rows: Range<Int>,
    besides others: [(id: TraceID, row: Int)] = [],
    searchLimit: Int = .max,
    alsoWanted isWanted: ((TraceSlot) -> Bool)? = nil,
    living: [TracedEntity] = []
  ) {
    var builder = EntityStoreBuilder(snapshot)
    snapshot.records.forEach(of: EntityStoreBuilder.kinds, in: rows) { row, record in
      builder.mention(record, row: row)
    }
    for other in others { builder.mention(other.id, row: other.row) }
    builder.find(before: rows.lowerBound, searchLimit)
    if let isWanted {
      for slot in snapshot.slots where slot.kind != .none && isWanted(slot) { builder.note(slot) }
    }
    builder.noteMentionedSlots()
    self.init(builder, living)
  }

  private init(_ builder: consuming EntityStoreBuilder, _ living: [TracedEntity] = []) {
    builder.settleEnds()
    for entity in living { builder.note(entity) }
    records = builder.records
    lives = builder.inOrder()
  }

  // MARK: Asking

  /// The entity to which an identifier refers in a row; nil if the trace does not say.
  ///
  /// - Complexity: O(log entities).
  package func life(_ id: TraceID, at row: Int) -> Life? {
    let later = lives.prefixCount { ($0.id.rawValue, $0.firstRow) <= (id.rawValue, row) }
    if later > 0, lives[later - 1].id == id { return lives[later - 1] }
    // If the next record that mentions it is a status, the entity existed already at this row; if
    // it is the record of its creation, the entity did not.
    guard later < lives.count, lives[later].id == id, records.indices.contains(row),
      lives[later].createdAt <= records[row].ticks
    else { return nil }
    return lives[later]
  }

  /// The subscription to which an identifier refers in a row; nil if it refers to something else,
  /// or the trace does not say.
  package func subscription(_ id: TraceID, at row: Int) -> Life? {
    life(id, at: row).flatMap { $0.kind == .subscription ? $0 : nil }
  }

  /// The subscription furthest downstream of another; nil for a subscription without a downstream.
  package func root(of life: Life) -> Life? {
    var last: Life?
    var here = life
    // A damaged trace may contain a cycle.
    for _ in 0..<1024 {
      guard here.link != .none, let next = subscription(here.link, at: here.firstRow) else { break }
      (last, here) = (next, next)
    }
    return last
  }

  /// The entity of a key; if the key has no identifier, the entity with its serial.
  ///
  /// - Complexity: O(log entities + entities that had the identifier), and O(entities) if the key
  ///   has no identifier.
  package func life(_ key: EntityKey) -> Life? {
    if key.id == .none { return lives.first { $0.serial == key.serial } }
    let uses = uses(of: key.id)
    return key.serial == 0 ? uses.last : uses.first { $0.serial == key.serial }
  }

  /// All entities, in the order of creation.
  ///
  /// - Complexity: O(entities × log entities).
  package var all: [Life] { lives.sorted { $0.key < $1.key } }

  /// All entities of a kind, in any order.
  package func all(of kind: EntityKind) -> [Life] { lives.filter { $0.kind == kind } }

  /// The number of entities that satisfy a condition.
  package func count(where holds: (Life) -> Bool) -> Int { lives.count(where: holds) }

  /// The time of the record that ended an entity, in ticks; nil if there is no such record.
  package func endedAt(_ life: Life) -> UInt64? {
    life.ending == .recorded ? records[Int(life.lastRow)].ticks : nil
  }

  /// The time of the last record that mentions an entity, or of its creation, in ticks.
  package func lastSeen(_ life: Life) -> UInt64 {
    guard life.lastRow != Life.never else { return life.createdAt }
    return max(life.createdAt, records[Int(life.lastRow)].ticks)
  }

  /// When an entity ended, or, if that is unknown, when it was last mentioned; nil for a live one.
  package func end(_ life: Life) -> UInt64? {
    switch life.ending {
    case .none: nil
    case .recorded: endedAt(life)
    case .reported, .unseen: lastSeen(life)
    }
  }

  /// The entities that had an identifier, in chronological order.
  private func uses(of id: TraceID) -> ArraySlice<Life> {
    let first = lives.prefixCount { $0.id.rawValue < id.rawValue }
    return lives[first..<lives.prefixCount { $0.id.rawValue <= id.rawValue }]
  }
}

extension EntityStore.Life {
  init(_ entity: TracedEntity, row: Int = 0) {
    let isSignal = entity.kind == .signal
    serial = entity.key.serial
    id = entity.key.id
    createdAt = entity.createdAt
    site = entity.site
    link = entity.link
    signalOrName = isSignal ? entity.name : entity.signal.rawValue
    chain = entity.chain
    kind = entity.kind
    first = UInt32(row)
    schedulerOrArgument = UInt16(truncatingIfNeeded: isSignal ? entity.argument : entity.scheduler)
  }

  init(_ slot: TraceSlot) { self.init(TracedEntity(slot)) }

  /// The entity that a record introduces; nil for a record that neither begins one nor reports a
  /// status.
  init?(_ record: TraceRecord, row: Int) {
    if let status = record.status {
      self.init(TracedEntity(record.entity, status), row: row)
    } else if let entity = TracedEntity(createdBy: record) {
      self.init(entity, row: row)
    } else {
      return nil
    }
  }
}
