import TraceReading

/// Collects entities in the order in which records mention them.
struct EntityStoreBuilder {
  typealias Life = EntityStore.Life

  let records: TraceRecords
  private let slotBits: UInt32
  private let slots: [TraceSlot]
  private var lives: [Life] = []
  /// The latest entity of each slot, which is a place in the table of live entities (`latest`), and
  /// for each entity the previous entity in its slot (`previous`); -1 for none.
  private var latest = IDTable<Int32>()
  private var previous: [Int32] = []
  /// Entities that are mentioned before any record identifies them, with the row of the first
  /// mention and the row of the end.
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
      // The entity had ended before this status (a record that repeats the state of an entity) was
      // written, and the record of its end is missing.
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

  /// Notes an identifier that is wanted even if no record in the store's rows is about its entity.
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
    let oldest = max(records.firstRow(fromGeneration: first) ?? 0, limit < row ? row - limit : 0)
    // Of several statuses before the first mention, the latest counts.
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

  /// Notes an entity that is live at the end of the store's rows.
  mutating func note(_ entity: TracedEntity) {
    guard entity.state?.isLive != false else { return }
    let place = add(Life(entity))
    if lives[place].ending == .unseen { lives[place].ending = .none }
  }

  /// Marks the entities that ended without a record: those with neither a live slot nor a record of
  /// their end.
  mutating func settleEnds() {
    for place in lives.indices where lives[place].ending == .none {
      let slot = slot(of: lives[place].id)
      let isAlive = slot.map { $0.serial == lives[place].serial && $0.state != .ended } ?? false
      if !isAlive { lives[place].ending = .unseen }
    }
  }

  /// The slot of an identifier at the end of the trace.
  ///
  /// A binary search suffices, because slots are in order.
  private func slot(of id: TraceID) -> TraceSlot? {
    let index = Packing.slot(of: id, slotBits: slotBits)
    let place = slots.prefixCount { Packing.slot(of: $0.id, slotBits: slotBits) < index }
    guard place < slots.count, slots[place].id == id, slots[place].kind != .none else { return nil }
    return slots[place]
  }

  // MARK: Lives

  /// The entity to which an identifier currently refers: that of the slot, or one of the few before
  /// it, which a record of another thread may still mention.
  private func place(of id: TraceID) -> Int? { recentPlace(id) { lives[$0].id == id } }

  private func recentPlace(_ id: TraceID, where matches: (Int) -> Bool) -> Int? {
    var place = Int(latest[slotID(id)] ?? -1)
    var left = 8
    while place >= 0, left > 0 {
      if matches(place) { return place }
      place = Int(previous[place])
      left -= 1
    }
    return nil
  }

  /// Adds an entity that is not known yet, and returns its index.
  private mutating func add(_ life: Life) -> Int {
    let known = recentPlace(life.id) {
      lives[$0].id == life.id && lives[$0].serial == life.serial && life.serial != 0
    }
    if let known {
      // A status does not contain the chain (asynchronous backtrace), so an entity known only from
      // a status lacks it.
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
