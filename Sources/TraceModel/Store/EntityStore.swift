package import TraceReading

/// Resolves which entity an identifier refers to at any record of a trace; nothing else answers
/// that question.
///
/// Identifiers are reused, so this is an index of intervals: each entity with the record that first
/// mentions it and the one that ends it, in the order of identifiers and, for one identifier, of
/// time. No memory is allocated for slots that a file claims but does not contain.
///
/// Memory: 48 bytes per entity.
package struct EntityStore: Sendable {
  private let records: TraceRecords
  /// By identifier, and for one identifier in the order in which records mention them.
  private let lives: [Life]

  /// One entity: what it is, and its first and last record.
  package struct Life: Sendable {
    fileprivate var serial: UInt64
    /// Ticks.
    package let createdAt: UInt64
    fileprivate let id: TraceID
    /// Row in the table of sites.
    package let site: UInt32
    /// As ``/TraceReading/TraceSlot/link``.
    package let link: TraceID
    /// Subscription: its signal; signal: number of the name it was given.
    fileprivate var signalOrName: UInt32
    /// Row of the asynchronous backtrace; 0 also where only a status mentions it.
    package fileprivate(set) var chain: UInt32
    /// The row of the record that first mentions it; 0 for what existed before the records.
    private let first: UInt32
    /// The row of its end, or of the last record that mentions it; ``never`` if there is none.
    fileprivate var lastRow: UInt32 = Self.never
    /// Row in the table of schedulers; for a signal, in that of arguments.
    private let schedulerOrArgument: UInt16
    /// The kind of entity.
    package let kind: EntityKind
    fileprivate var ending = Ending.none

    fileprivate static let never = UInt32.max

    package var key: EntityKey { EntityKey(id: id, serial: serial) }
    /// The row of the record that first mentions it.
    package var firstRow: Int { Int(first) }
    /// Subscription: its signal.
    package var signal: TraceID { kind == .signal ? .none : TraceID(rawValue: signalOrName) }
    /// Signal: number of the name it was given.
    package var name: UInt32 { kind == .signal ? signalOrName : 0 }
    /// Row in the table of schedulers; 0 if unknown.
    package var scheduler: UInt32 { kind == .signal ? 0 : UInt32(schedulerOrArgument) }
    /// Signal: as ``TracedEntity/argument``.
    package var argument: UInt32 { kind == .signal ? UInt32(schedulerOrArgument) : 0 }
    /// Whether a record says that it has ended.
    package var hasEnded: Bool { ending == .recorded || ending == .reported }
    /// Whether it has ended at a time that is not recorded, for an unknown reason.
    package var isEndUnknown: Bool { ending == .reported || ending == .unseen }
  }

  /// How an end is known: by its record, by a later status, or only because the entity is not among
  /// the live ones.
  fileprivate enum Ending: UInt8 { case none, recorded, reported, unseen }

  // MARK: Making

  /// A store of all records and slots.
  ///
  /// - Complexity: O(records + slots).
  package init(_ snapshot: TraceSnapshot) {
    var builder = Builder(snapshot)
    snapshot.records.forEach(of: Builder.kinds) { builder.see($1, row: $0) }
    for slot in snapshot.slots where slot.kind != .none { builder.note(slot) }
    self.init(builder)
  }

  /// A store of the entities that some records mention, and of others that are wanted.
  ///
  /// Entities that existed earlier are found in slots, and otherwise in the status before the first
  /// mention in each generation. So this reads at most the records of one generation more than
  /// requested.
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
  ///   - living: The entities that are live at the end of the rows, where that is known and is not
  ///     the end of the trace.
  /// - Complexity: O(records of the rows and of a generation); O(slots) more where some are wanted besides.
  package init(
    _ snapshot: TraceSnapshot,
    in rows: Range<Int>,
    besides others: [(id: TraceID, row: Int)] = [],
    searchLimit: Int = .max,
    alsoWanted isWanted: ((TraceSlot) -> Bool)? = nil,
    living: [TracedEntity] = []
  ) {
    var builder = Builder(snapshot)
    snapshot.records.forEach(of: Builder.kinds, in: rows) { row, record in
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

  private init(_ builder: consuming Builder, _ living: [TracedEntity] = []) {
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
    // A later status is about something that already existed, but a later creation is not.
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

  /// The last subscription downstream of one; nil for one that has no downstream.
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

  /// The entity of a key; where the key has no identifier, the one with its serial.
  ///
  /// - Complexity: O(log entities + entities that had the identifier), and O(entities) where the key has none.
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

  /// Ticks of the record that ended an entity; nil if there is none.
  package func endedAt(_ life: Life) -> UInt64? {
    life.ending == .recorded ? records[Int(life.lastRow)].ticks : nil
  }

  /// Ticks of the last record that mentions an entity, or of its beginning.
  package func lastSeen(_ life: Life) -> UInt64 {
    guard life.lastRow != Life.never else { return life.createdAt }
    return max(life.createdAt, records[Int(life.lastRow)].ticks)
  }

  /// When an entity ended, or was last mentioned where its end is unknown; nil for a live one.
  package func end(_ life: Life) -> UInt64? {
    switch life.ending {
    case .none: nil
    case .recorded: endedAt(life)
    case .reported, .unseen: lastSeen(life)
    }
  }

  /// The entities that had an identifier, in the order of time.
  private func uses(of id: TraceID) -> ArraySlice<Life> {
    let first = lives.prefixCount { $0.id.rawValue < id.rawValue }
    return lives[first..<lives.prefixCount { $0.id.rawValue <= id.rawValue }]
  }
}

extension EntityStore.Life {
  fileprivate init(_ entity: TracedEntity, row: Int = 0) {
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

  fileprivate init(_ slot: TraceSlot) { self.init(TracedEntity(slot)) }

  /// The entity that a record introduces; nil for a record that neither begins one nor reports a
  /// status.
  fileprivate init?(_ record: TraceRecord, row: Int) {
    if let status = record.status {
      self.init(TracedEntity(record.entity, status), row: row)
    } else if let entity = TracedEntity(bornBy: record) {
      self.init(entity, row: row)
    } else {
      return nil
    }
  }
}

/// Collects entities in the order in which records mention them.
private struct Builder {
  typealias Life = EntityStore.Life

  let records: TraceRecords
  private let slotBits: UInt32
  private let slots: [TraceSlot]
  private var lives: [Life] = []
  /// The latest entity of each slot, and for each the one that had the slot before; -1 for none.
  private var latest = IDTable<Int32>()
  private var previous: [Int32] = []
  /// Entities that are mentioned before any record identifies them: the row, and that of the end.
  private var early: [TraceID: (row: Int, end: Int?)] = [:]

  /// The kinds of records about entities.
  static let kinds = RecordKinds {
    RecordSpec.of($0).identifier.type == .entity || $0 == .hopScheduled
  }
  /// The kinds that identify an entity.
  private static let identifying = RecordKinds([
    .entityStatus, .subscribed, .signalCreated, .timerArmed, .ownerCreated,
  ])
  private static let ends = RecordKinds([.ended, .timerEnded, .signalReleased, .ownerEnded])

  init(_ snapshot: TraceSnapshot) {
    records = snapshot.records
    slots = snapshot.slots
    slotBits = snapshot.header.slotBits
  }

  // MARK: Records

  /// Processes a record.
  mutating func see(_ record: TraceRecord, row: Int) {
    let id = record.entity
    if id != .none, Self.identifying.contains(record.kind), let life = Life(record, row: row) {
      let place = add(life)
      // It had ended before, and the record of its end is missing.
      if record.status?.state == .ended, lives[place].ending == .none {
        lives[place].ending = .reported
        lives[place].lastRow = UInt32(row)
      }
    }
    guard id != .none, let place = place(of: id) else { return }
    if Self.ends.contains(record.kind) {
      end(place, row)
    } else if lives[place].ending == .none {
      lives[place].lastRow = UInt32(row)
    }
    if record.kind == .signalNamed, lives[place].kind == .signal {
      lives[place].signalOrName = record.argument
    }
  }

  private mutating func end(_ place: Int, _ row: Int) {
    guard lives[place].ending != .recorded else { return }
    lives[place].ending = .recorded
    lives[place].lastRow = UInt32(row)
  }

  /// Processes a record and notes an entity that has not been identified yet.
  mutating func mention(_ record: TraceRecord, row: Int) {
    let id = record.hopScheduling?.subscription ?? record.entity
    guard id != .none else { return }
    if !Self.identifying.contains(record.kind), place(of: id) == nil {
      if early[id] == nil { early[id] = (row, nil) }
      if Self.ends.contains(record.kind), early[id]?.end == nil { early[id]?.end = row }
    }
    see(record, row: row)
  }

  /// Notes an identifier that no record of the rows needs to be about.
  mutating func mention(_ id: TraceID, row: Int) {
    if place(of: id) == nil, early[id] == nil { early[id] = (row, nil) }
  }

  /// Identifies the entities that were mentioned early.
  mutating func find(before row: Int, _ limit: Int) {
    let wanted = early.sorted { $0.value.row < $1.value.row }
    for (id, mention) in wanted {
      guard let slot = slot(of: id), slot.createdAt <= records[mention.row].ticks else { continue }
      put(Life(slot), mention.end)
      early[id] = nil
    }
    guard let first = early.values.map({ records[$0.row].generation }).min() else { return }
    let oldest = max(
      records.firstRow(fromGeneration: first) ?? 0,
      limit < row ? row - limit : 0
    )
    // The latest status before the first mention counts.
    var row = row
    while !early.isEmpty, let place = records.lastRow(of: Self.identifying, before: row),
      place >= oldest
    {
      row = place
      let record = records[place]
      guard let mention = early[record.entity], place <= mention.row else { continue }
      early[record.entity] = nil
      if let life = Life(record, row: place) { put(life, mention.end) }
    }
  }

  /// Adds an entity that existed earlier, with the row of its end.
  private mutating func put(_ life: Life, _ end: Int?) {
    let place = add(life)
    if let end { self.end(place, end) }
  }

  // MARK: Slots

  /// Notes the mentioned entities that are live at the end.
  mutating func noteMentionedSlots() {
    for place in lives.indices {
      if let slot = slot(of: lives[place].id) { note(slot) }
    }
  }

  mutating func note(_ slot: TraceSlot) {
    let place = add(Life(slot))
    // A status does not contain the name of a signal.
    if slot.kind == .signal { lives[place].signalOrName = slot.signal }
    guard lives[place].ending == .none, slot.state == .ended else { return }
    let row = records.count(upTo: slot.lastEventAt) - 1
    let isLater = lives[place].lastRow == Life.never || Int(lives[place].lastRow) < row
    if isLater, row >= 0 { lives[place].lastRow = UInt32(row) }
  }

  /// Notes an entity that is live at the end of the stretch.
  mutating func note(_ entity: TracedEntity) {
    guard entity.state?.isLive != false else { return }
    let place = add(Life(entity))
    if lives[place].ending == .unseen { lives[place].ending = .none }
  }

  /// An entity with neither a slot nor a record of its end has ended without a record.
  mutating func settleEnds() {
    for place in lives.indices where lives[place].ending == .none {
      let slot = slot(of: lives[place].id)
      let isAlive = slot.map { $0.serial == lives[place].serial && $0.state != .ended } ?? false
      if !isAlive { lives[place].ending = .unseen }
    }
  }

  /// The slot of an identifier at the end; slots are in their order.
  private func slot(of id: TraceID) -> TraceSlot? {
    let index = Packing.slot(of: id, slotBits: slotBits)
    let place = slots.prefixCount { Packing.slot(of: $0.id, slotBits: slotBits) < index }
    guard place < slots.count, slots[place].id == id, slots[place].kind != .none else { return nil }
    return slots[place]
  }

  // MARK: Lives

  /// The entity to which an identifier currently refers: that of the slot, or one of the few before
  /// it, which a record of another thread may still mention.
  private func place(of id: TraceID) -> Int? { lately(id) { lives[$0].id == id } }

  private func lately(_ id: TraceID, where isIt: (Int) -> Bool) -> Int? {
    var place = Int(latest[slotID(id)] ?? -1)
    var left = 8
    while place >= 0, left > 0 {
      if isIt(place) { return place }
      place = Int(previous[place])
      left -= 1
    }
    return nil
  }

  /// Adds an entity that is not known yet, and returns its index.
  private mutating func add(_ life: Life) -> Int {
    let known = lately(life.id) {
      lives[$0].id == life.id && lives[$0].serial == life.serial && life.serial != 0
    }
    if let known {
      // A status repeats what is known, except for a subscription that was only mentioned before.
      if lives[known].chain == 0 { lives[known].chain = life.chain }
      return known
    }
    lives.append(life)
    previous.append(latest[slotID(life.id)] ?? -1)
    latest.set(Int32(lives.count - 1), for: slotID(life.id))
    return lives.count - 1
  }

  private func slotID(_ id: TraceID) -> TraceID {
    TraceID(rawValue: Packing.slot(of: id, slotBits: slotBits))
  }

  /// The entities by identifier and time.
  func inOrder() -> [Life] {
    lives.sorted { ($0.id.rawValue, $0.firstRow) < ($1.id.rawValue, $1.firstRow) }
  }
}
