import TraceReading

/// All entities at one instant.
///
/// Applying records to this state machine moves it to a later instant.
package struct GraphState: Sendable {
  package var entities = IDTable<TracedEntity>()
  /// Changes of counters by records since the exact window (in which no record is missing) began.
  var counts: SiteCounts
  /// The work of each scheduler since the window began.
  var scheduled: [UInt64]
  var begun: [UInt64]
  var cancelled: [UInt64]
  /// The entities that were released last, the oldest first.
  var gone: [TracedEntity] = []
  /// The time of the latest record, in ticks.
  var ticks: UInt64 = 0
  /// For each site, whether its subscriptions are left out of the counts of their signals
  /// (`uncountedSites`).
  var uncounted: [Bool] = []

  /// The maximum number of released entities that are kept.
  static let goneLimit = 64

  init(siteCount: Int, schedulerCount: Int) {
    counts = SiteCounts(siteCount: siteCount)
    scheduled = [UInt64](repeating: 0, count: schedulerCount)
    begun = scheduled
    cancelled = scheduled
  }

  /// The newest state, from the slab (the table of live entities) and the other tables.
  init(end snapshot: TraceSnapshot) {
    self.init(siteCount: 0, schedulerCount: 0)
    counts = SiteCounts(snapshot)
    // The slots are read in place, because a copy of a slot retains its list of upstreams.
    entities = snapshot.slots.withUnsafeBufferPointer { slots in
      let used = slots.indices.filter { slots[$0].kind != .none }
      return IDTable(
        ofDifferentSlots: used.map { slots[$0].id },
        used.map { TracedEntity(slots[$0]) }
      )
    }
    scheduled = snapshot.schedulers.map(\.scheduled)
    begun = snapshot.schedulers.map(\.begun)
    cancelled = snapshot.schedulers.map(\.cancelled)
    ticks = snapshot.lastTicks
  }

  /// Adds what slots do not contain: why subscriptions ended, and which disposables were dropped.
  ///
  /// With this, the end of a trace shows the same as the moment before it, which is derived from
  /// records.
  ///
  /// - Complexity: O(records) of those blocks that contain an end or a dropped disposable, among
  ///   the latest ``endsLimit`` records.
  mutating func addEnds(from snapshot: TraceSnapshot) {
    let hasEnded = entities.values.contains { $0.kind == .subscription && $0.state == .ended }
    let kinds: [RecordKind] = hasEnded ? [.ended, .disposableReleased] : [.disposableReleased]
    let count = snapshot.records.count
    snapshot.records.forEach(of: RecordKinds(kinds), in: max(0, count - Self.endsLimit)..<count) {
      guard let index = entities.place(of: $1.entity),
        entities.values[index].kind == .subscription,
        entities.values[index].createdAt <= $1.ticks
      else { return }
      if $1.kind == .disposableReleased {
        entities.values[index].isDisposableReleased = true
      } else if entities.values[index].state == .ended {
        entities.values[index].reason = $1.endReason
      }
    }
  }

  /// The maximum number of records that ``addEnds(from:)`` reads.
  private static let endsLimit = 1 << 20

  // MARK: Applying

  /// The kinds that ``apply(_:)`` needs; the others change only the time.
  static let kinds = RecordKinds([
    .signalCreated, .signalNamed, .signalReleased, .subscribed, .disposeRequested, .ended,
    .subscriptionReleased, .disposableReleased, .ownerCreated, .ownerEnded, .next, .failed,
    .completed, .refused, .depth, .hopScheduled, .hopBegan, .hopCancelled, .timerArmed,
    .timerFired, .timerEnded,
  ])

  mutating func apply(_ record: TraceRecord) {
    ticks = max(ticks, record.ticks)
    switch record.kind {
    case .next: event(record, countsAs: .events)
    case .failed, .completed: change(record) { $0.lastEventAt = record.ticks }
    case .timerFired: event(record, countsAs: .timerFires)
    case .depth: change(record) { $0.depth = UInt64(record.argument) }
    case .refused:
      change(record) { $0.refused &+= 1 }
      count(.refused, record)
    case .hopScheduled: Self.add(&scheduled, record.hopScheduling?.scheduler)
    case .hopBegan: Self.add(&begun, record.argument)
    case .hopCancelled: Self.add(&cancelled, record.argument)
    case .signalCreated: begin(record, .signalsCreated)
    case .signalNamed: change(record) { $0.name = record.argument }
    case .subscribed: begin(record, .subscribed)
    case .disposeRequested: change(record) { if $0.state == .active { $0.state = .disposing } }
    case .ended: ended(record)
    case .disposableReleased:
      change(record) { $0.isDisposableReleased = true }
      count(.disposablesReleased, record)
    case .signalReleased: release(record, .signalsReleased)
    case .subscriptionReleased: release(record, .released)
    case .timerArmed: begin(record, .timersArmed)
    case .timerEnded:
      change(record) { $0.reason = record.endReason }
      release(record, .timersEnded)
    case .ownerCreated: begin(record, .ownersCreated)
    case .ownerEnded: release(record, .ownersEnded)
    // These change no entity.
    case .continuation, .entityStatus, .signalMade, .ownerBound, .ownerHeld, .tearDown, .value,
      .failureText,
      .turnBegan,
      .turnEnded, .valueOverwritten, .hopEnded, .runsOn,
      .mark, .threadSwitched, .recordsLost, .levelChanged, .forked, .tailEnded:
      break
    }
  }

  private mutating func change(_ record: TraceRecord, _ body: (inout TracedEntity) -> Void) {
    guard let index = entities.place(of: record.entity) else { return }
    body(&entities.values[index])
  }

  private mutating func count(_ counter: SiteCounter, _ record: TraceRecord) {
    guard let entity = entities[record.entity] else { return }
    counts.add(to: counter, of: entity.site)
  }

  private mutating func event(_ record: TraceRecord, countsAs counter: SiteCounter) {
    guard let index = entities.place(of: record.entity) else { return }
    let count = entities.values[index].count.map { $0 &+ 1 }
    entities.values[index].count = count
    entities.values[index].lastEventAt = record.ticks
    if counter == .timerFires { entities.values[index].depth = nil }
    counts.add(to: counter, of: entities.values[index].site)
  }

  // MARK: Lives

  private mutating func begin(_ record: TraceRecord, _ counter: SiteCounter) {
    guard let entity = TracedEntity(createdBy: record) else { return }
    entities.set(entity, for: entity.key.id)
    counts.add(to: counter, of: entity.site)
    guard entity.kind == .subscription, counts(entity.site),
      let signal = entities.place(of: entity.signal)
    else { return }
    entities.values[signal].depth = entities.values[signal].depth.map { $0 &+ 1 }
    entities.values[signal].count = entities.values[signal].count.map { $0 &+ 1 }
  }

  private mutating func ended(_ record: TraceRecord) {
    guard let index = entities.place(of: record.entity) else { return }
    let signal = entities.values[index].signal
    entities.values[index].state = .ended
    entities.values[index].reason = record.endReason
    if let reason = record.endReason {
      counts.add(to: SiteCounter(reason), of: entities.values[index].site)
    }
    guard counts(entities.values[index].site), let signal = entities.place(of: signal) else {
      return
    }
    entities.values[signal].depth = entities.values[signal].depth.map { $0 > 0 ? $0 - 1 : 0 }
  }

  /// Whether subscriptions of a site are included in the counts of their signals.
  func counts(_ site: UInt32) -> Bool {
    Int(site) >= uncounted.count || !uncounted[Int(site)]
  }

  private mutating func release(_ record: TraceRecord, _ counter: SiteCounter) {
    guard var entity = entities.remove(record.entity) else { return }
    counts.add(to: counter, of: entity.site)
    entity.state = .released
    entity.endedAt = record.ticks
    if gone.count >= Self.goneLimit { gone.removeFirst() }
    gone.append(entity)
  }

  private static func add(_ work: inout [UInt64], _ scheduler: UInt32?) {
    guard let scheduler, Int(scheduler) < work.count else { return }
    work[Int(scheduler)] += 1
  }
}

extension TraceSnapshot {
  /// For each site, whether its subscriptions are left out of the counts of their signals: in some
  /// traces, those of the program's own calls of `subscribe` are.
  ///
  /// Empty if all are counted.
  var uncountedSites: [Bool] {
    header.countsRootsAtSignals ? [] : sites.map { $0.traits.contains(.root) }
  }

  /// The latest sign of life in the trace.
  package var lastTicks: UInt64 {
    var latest = max(header.latest.ticks, header.stopTicks ?? 0, records.last?.ticks ?? 0)
    latest = max(latest, header.start.ticks, marks.last?.ticks ?? 0)
    for slot in slots { latest = max(latest, slot.createdAt, slot.lastEventAt) }
    return latest
  }
}
