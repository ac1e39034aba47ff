import TraceReading

/// The stretch of a snapshot's records in which nothing is missing, and the state at its beginning.
package struct ExactWindow: Sendable {
  /// The generation (a stretch of records that can be read without the earlier ones) in which it
  /// begins; nil if some record is missing in every generation.
  let firstGeneration: UInt64?
  /// The row of the first record that belongs to it (`firstRecord`), and the row from which all
  /// records belong to it (`start`).
  let firstRecord: Int
  let start: Int
  /// Whether it reaches back to the beginning of the recording.
  let isWhole: Bool
  /// The lines of code for which it contains every event, not only lifecycles.
  let events: EventCoverage
  /// The entities that existed at its beginning, in the state that they had then.
  let base: GraphState

  init(_ snapshot: TraceSnapshot) {
    let first = Self.firstGeneration(snapshot)
    firstGeneration = first
    let records = snapshot.records
    var firstRecord = records.count
    var start = records.count
    if let first {
      firstRecord = records.firstRow(fromGeneration: first) ?? records.count
      start = records.lastRow(beforeGeneration: first).map { $0 + 1 } ?? 0
    }
    self.firstRecord = firstRecord
    self.start = start
    isWhole = first == 1 && snapshot.droppedRecords == 0
    events = EventCoverage(
      snapshot,
      from: firstRecord,
      ofWhole: snapshot.header.level >= .events && snapshot.isLevelKept(.events, from: firstRecord)
    )
    base = BaseState(snapshot, from: firstRecord, generation: first, events).state
  }

  /// The generation in which the window begins.
  ///
  /// After a loss inside a generation, the window begins in the next generation, because every
  /// generation reports the status of an entity anew before it mentions the entity.
  private static func firstGeneration(_ snapshot: TraceSnapshot) -> UInt64? {
    guard var first = snapshot.firstExactGeneration else { return nil }
    var placed: UInt64 = 0
    snapshot.records.forEach(of: RecordKinds(.recordsLost)) { _, record in
      placed = placed.saturatingAdding(UInt64(record.id))
      first = max(first, record.generation.saturatingAdding(1))
    }
    // If a thread lost records and has written nothing since, no record shows when that was.
    let reachesBack =
      snapshot.header.recycledSegments == 0 && snapshot.missingSegments == 0
      && snapshot.damagedSegments == 0
    if reachesBack, snapshot.droppedRecords == 0, snapshot.header.lostRecords > placed {
      return nil
    }
    if snapshot.droppedRecords > 0 {
      let kept = snapshot.records.prefix(4096).map(\.generation).max() ?? 0
      first = max(first, kept.saturatingAdding(1))
    }
    return snapshot.records.firstRow(fromGeneration: first) != nil || first == 1 ? first : nil
  }
}

/// Determines what existed when a window began, from the first record about each entity in it, and
/// from the slots at the end, which are the places in the table of live entities.
private struct BaseState {
  var state: GraphState
  private var seen = IDTable<Void>()
  private let events: EventCoverage
  /// For each signal, how many of its subscriptions have begun in the window so far (`begun`) and
  /// how many have ended (`ended`); and for each subscription, its signal (`signals`).
  private var begun = IDTable<UInt64>()
  private var ended = IDTable<UInt64>()
  private var signals = IDTable<TraceID>()
  private var renamed = IDTable<Void>()

  init(_ snapshot: TraceSnapshot, from first: Int, generation: UInt64?, _ events: EventCoverage) {
    self.events = events
    state = GraphState(siteCount: snapshot.sites.count, schedulerCount: snapshot.schedulers.count)
    state.uncounted = snapshot.uncountedSites
    for slot in snapshot.slots where slot.kind == .subscription && state.counts(slot.site) {
      signals.set(TraceID(rawValue: slot.signal), for: slot.id)
    }
    if let generation {
      let records = snapshot.records
      records.forEach(of: Self.kinds, in: first..<records.count) { row, record in
        if record.generation >= generation { note(record, at: row, records) }
      }
      state.ticks = first < records.count ? records[first].ticks : snapshot.header.start.ticks
    }
    for slot in snapshot.slots where slot.kind != .none && !seen.contains(slot.id) {
      add(TracedEntity(slot), isSlot: true)
    }
    for slot in snapshot.slots where slot.kind == .signal { settle(slot) }
  }

  /// The kinds that identify an entity (the first record about it in a window is one of these), and
  /// the kinds that change what is counted.
  private static let kinds = RecordKinds([
    .entityStatus, .signalCreated, .subscribed, .timerArmed, .ownerCreated, .ended, .signalNamed,
  ])

  private mutating func note(_ record: TraceRecord, at index: Int, _ records: TraceRecords) {
    let id = record.entity
    guard id != .none else { return }
    switch record.kind {
    case .subscribed:
      guard let new = record.subscribing, state.counts(new.site) else { break }
      signals.set(new.signal, for: id)
      begun.set((begun[new.signal] ?? 0) + 1, for: new.signal)
    case .ended:
      if let signal = signals[id] { ended.set((ended[signal] ?? 0) + 1, for: signal) }
    case .signalNamed: renamed.set((), for: id)
    default: break
    }
    guard seen.set((), for: id), let status = record.status else { return }
    if status.kind == .subscription, state.counts(status.site) {
      signals.set(status.signal, for: id)
    }
    let end = min(records.count, index + 64)
    let follower = records[(index + 1)..<end].first { $0.entity == id }
    add(before(follower, TracedEntity(id, status)), isSlot: false)
  }

  /// Reverts the change that belongs to the record after a status (a record that repeats the state
  /// of an entity): the recorder had made it in the slot before it wrote the status.
  private func before(_ follower: TraceRecord?, _ entity: TracedEntity) -> TracedEntity {
    var entity = entity
    guard let follower else {
      if entity.kind != .signal, entity.state != .active {
        entity.isLiveInUnknownState = entity.state == .disposing
        entity.state = nil
      }
      entity.count = nil
      return entity
    }
    switch follower.kind {
    case .next, .timerFired: entity.count = entity.count.map { $0 > 0 ? $0 - 1 : 0 }
    case .disposeRequested: entity.state = .active
    // Before its end, the entity was active or being disposed of: the slot may not say which.
    case .ended where entity.state?.isLive != true:
      entity.state = nil
      entity.isLiveInUnknownState = true
    default: break
    }
    return entity
  }

  private mutating func add(_ entity: TracedEntity, isSlot: Bool) {
    var entity = entity
    switch entity.kind {
    case .signal:
      entity = atStart(entity)
    default:
      let hasEvents = events.contains(entity.site)
      if !hasEvents { entity.count = nil }
      // Not all changes of `depth` and `lastEventAt` are recorded.
      if !(isSlot && hasEvents && entity.kind == .timer) { entity.depth = nil }
      if !isSlot || !hasEvents { entity.lastEventAt = nil }
    }
    state.entities.set(entity, for: entity.key.id)
  }

  /// A signal's counts when the window began: the counts that were reported later, minus the
  /// changes in between.
  private func atStart(_ signal: TracedEntity) -> TracedEntity {
    var signal = signal
    let begun = begun[signal.key.id] ?? 0
    let ended = ended[signal.key.id] ?? 0
    signal.count = signal.count.flatMap { $0 >= begun ? $0 - begun : nil }
    signal.depth = signal.depth.flatMap { depth in
      let all = depth.saturatingAdding(ended)
      return all >= begun ? all - begun : nil
    }
    return signal
  }

  /// Sets a signal's name, which statuses do not contain, if no record provides it.
  private mutating func settle(_ slot: TraceSlot) {
    guard let index = state.entities.place(of: slot.id), !renamed.contains(slot.id) else {
      return
    }
    if state.entities.values[index].name == 0 { state.entities.values[index].name = slot.signal }
  }
}
