import ReactiveTrace

/// The stretch of a snapshot's records in which nothing is missing, and the state it begins with.
struct ExactWindow: Sendable {
  /// The generation it begins with; nil if there is no such stretch.
  let firstGeneration: UInt64?
  /// Rows of the first record that belongs to it, and of the first behind which all do.
  let firstRecord: Int
  let start: Int
  /// Whether it reaches back to the beginning of the recording.
  let isWhole: Bool
  /// Whether every single event is in it, not only lifecycles.
  let hasEvents: Bool
  /// What existed when it began, each as it was then.
  let base: GraphState

  init(_ snapshot: TraceSnapshot) {
    let first = Self.firstGeneration(snapshot)
    firstGeneration = first
    let records = snapshot.records
    var firstRecord = records.count
    var start = records.count
    if let first {
      firstRecord = records.firstIndex { $0.generation >= first } ?? records.count
      start = (records.lastIndex { $0.generation < first }).map { $0 + 1 } ?? 0
    }
    self.firstRecord = firstRecord
    self.start = start
    isWhole = first == 1 && snapshot.droppedRecords == 0
    hasEvents =
      snapshot.header.level >= .events
      && !records[firstRecord...].contains {
        $0.kind == .levelChanged && $0.id < TraceLevel.events.rawValue
      }
    base = BaseState(snapshot, from: firstRecord, generation: first, hasEvents: hasEvents).state
  }

  /// A loss inside a generation makes the next one the first that is exact, for it begins with statuses.
  private static func firstGeneration(_ snapshot: TraceSnapshot) -> UInt64? {
    guard var first = snapshot.firstExactGeneration else { return nil }
    var placed: UInt64 = 0
    for record in snapshot.records where record.kind == .recordsLost {
      placed += UInt64(record.id)
      first = max(first, record.generation.saturatingAdding(1))
    }
    // A thread that lost records and has not written since says nothing about when that was.
    let reachesBack = snapshot.header.recycledSegments == 0 && snapshot.missingSegments == 0
    if reachesBack, snapshot.droppedRecords == 0, snapshot.header.lostRecords > placed {
      return nil
    }
    if snapshot.droppedRecords > 0 {
      let kept = snapshot.records.prefix(4096).map(\.generation).max() ?? 0
      first = max(first, kept.saturatingAdding(1))
    }
    return snapshot.records.contains { $0.generation >= first } || first == 1 ? first : nil
  }
}

/// Finds out what existed when a window began, from what is said in it for the first time, and from
/// what has a slot at the end.
private struct BaseState {
  var state: GraphState
  private var seen: Set<TraceID> = []
  private let hasEvents: Bool
  /// Subscriptions of a signal begun and ended in the window so far, and the signal of each.
  private var begun: [TraceID: Int] = [:]
  private var ended: [TraceID: Int] = [:]
  private var signals: [TraceID: TraceID] = [:]
  private var renamed: Set<TraceID> = []

  init(_ snapshot: TraceSnapshot, from first: Int, generation: UInt64?, hasEvents: Bool) {
    self.hasEvents = hasEvents
    state = GraphState(
      siteCount: snapshot.sites.count,
      schedulerCount: snapshot.schedulers.count
    )
    for slot in snapshot.slots where slot.kind == .subscription {
      signals[slot.id] = TraceID(rawValue: slot.signal)
    }
    if let generation {
      let records = snapshot.records
      for index in first..<records.count where records[index].generation >= generation {
        note(records[index], at: index, records)
      }
      state.ticks = first < records.count ? records[first].ticks : snapshot.header.start.ticks
    }
    for slot in snapshot.slots where slot.kind != .none && !seen.contains(slot.id) {
      add(TracedEntity(slot), isSlot: true)
    }
    for slot in snapshot.slots where slot.kind == .signal { settle(slot) }
  }

  private mutating func note(_ record: TraceRecord, at index: Int, _ records: TraceRecords) {
    let id = record.entity
    guard id != .none else { return }
    switch record.kind {
    case .subscribed:
      guard let new = record.subscribing else { break }
      signals[id] = new.signal
      begun[new.signal, default: 0] += 1
    case .ended:
      if let signal = signals[id] { ended[signal, default: 0] += 1 }
    case .signalNamed: renamed.insert(id)
    default: break
    }
    guard seen.insert(id).inserted, let status = record.status else { return }
    if status.kind == .subscription { signals[id] = status.signal }
    let end = min(records.count, index + 64)
    let follower = records[(index + 1)..<end].first { $0.entity == id }
    add(before(follower, TracedEntity(id, status)), isSlot: false)
  }

  /// Takes back what the record behind a status had already done to the slot.
  private func before(_ follower: TraceRecord?, _ entity: TracedEntity) -> TracedEntity {
    var entity = entity
    guard let follower else {
      if entity.kind != .signal { entity.state = nil }
      entity.count = nil
      return entity
    }
    switch follower.kind {
    case .next, .timerFired: entity.count = entity.count.map { $0 > 0 ? $0 - 1 : 0 }
    case .disposeRequested: entity.state = .active
    // Active or being disposed of: the slot does not tell any more.
    case .ended: entity.state = nil
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
      if !hasEvents { entity.count = nil }
      // Neither is recorded each time it changes.
      if !(isSlot && hasEvents && entity.kind == .timer) { entity.depth = nil }
      if !isSlot || !hasEvents { entity.lastEventAt = nil }
    }
    state.entities[entity.key.id] = entity
  }

  /// A signal's counts when the window began: those told later, less what happened meanwhile.
  private func atStart(_ signal: TracedEntity) -> TracedEntity {
    var signal = signal
    let begun = UInt64(begun[signal.key.id] ?? 0)
    let ended = UInt64(ended[signal.key.id] ?? 0)
    signal.count = signal.count.flatMap { $0 >= begun ? $0 - begun : nil }
    signal.depth = signal.depth.flatMap { depth in
      let all = depth.saturatingAdding(ended)
      return all >= begun ? all - begun : nil
    }
    return signal
  }

  /// A signal's name, which statuses do not tell, where no record gives it.
  private mutating func settle(_ slot: TraceSlot) {
    guard let index = state.entities.index(forKey: slot.id), !renamed.contains(slot.id) else {
      return
    }
    if state.entities.values[index].name == 0 { state.entities.values[index].name = slot.signal }
  }
}
