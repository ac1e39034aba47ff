import TraceReading

/// A recorder that writes no file, but makes the snapshot that a reader would take of one.
///
/// It follows the rules of the real recorder: an entity's slot changes before the record is
/// written, and in each generation, a section that can be read without earlier records, the first
/// record about an entity follows a status record, which has the contents of the slot at that time.
struct TraceSimulator {
  private(set) var snapshot = TraceSnapshot()
  /// The time in ticks, which are nanoseconds here.
  private(set) var now: UInt64 = 1_000_000
  /// The slots of the live entities, by identifier.
  private(set) var slots: [TraceID: TraceSlot] = [:]
  private var statusGeneration: [TraceID: UInt64] = [:]
  private var nextSerial: UInt64 = 1
  private var freeSlots: [UInt32] = []
  private var slotCount: UInt32 = 1
  /// The segment that each thread writes into.
  private var segments: [UInt32: (epoch: UInt64, records: Int)] = [:]
  private var lastEpoch: UInt64 = 0
  private(set) var generation: UInt64 = 1
  private var live: [Int] = []
  private var minimumLive: [Int] = []

  private static let slotBits: UInt32 = 10

  init(minorVersion: UInt16 = 5) {
    snapshot.header.majorVersion = 1
    snapshot.header.minorVersion = minorVersion
    snapshot.header.state = .stopped
    snapshot.header.level = .events
    snapshot.header.startLevel = .events
    snapshot.header.programName = "simulated"
    snapshot.header.processID = 4711
    snapshot.header.start = ClockReading(ticks: now, monotonic: now, realtime: 1 << 60)
    snapshot.header.slotBits = Self.slotBits
    snapshot.processStatus = .stopped
    snapshot.sites = [TraceSite()]
    snapshot.schedulers = [TraceScheduler()]
    snapshot.threads = [TraceThread()]
    live = [0]
    minimumLive = [0]
  }

  // MARK: Tables

  mutating func site(_ name: String, _ file: String, _ line: UInt32, _ traits: SiteTraits = [])
    -> UInt32
  {
    var site = TraceSite()
    site.index = UInt32(snapshot.sites.count)
    site.name = name
    site.file = "App/\(file)"
    site.line = line
    site.traits = traits
    site.ended = [UInt64](repeating: 0, count: EndReason.allCases.count)
    site.lifetimes = [UInt32](repeating: 0, count: 48)
    snapshot.sites.append(site)
    live.append(0)
    minimumLive.append(0)
    return site.index
  }

  mutating func scheduler(_ name: String, _ kind: SchedulerKind) -> UInt32 {
    var scheduler = TraceScheduler()
    scheduler.index = UInt32(snapshot.schedulers.count)
    scheduler.name = name
    scheduler.kind = kind
    snapshot.schedulers.append(scheduler)
    return scheduler.index
  }

  mutating func thread(_ name: String, isMain: Bool = false) -> UInt32 {
    var thread = TraceThread()
    thread.index = UInt32(snapshot.threads.count)
    thread.name = name
    thread.isMain = isMain
    snapshot.threads.append(thread)
    return thread.index
  }

  // MARK: Time

  mutating func wait(_ time: Duration) { now += UInt64(time / .nanoseconds(1)) }

  mutating func beginGeneration() {
    generation += 1
    segments = [:]
  }

  mutating func mark(
    _ name: String = "",
    _ kind: MarkKind = .program,
    heap: UInt64? = nil,
    resident: UInt64? = nil
  ) {
    var mark = TraceMark()
    mark.index = snapshot.marks.count
    mark.ticks = now
    mark.name = name
    mark.kind = kind
    (mark.heapInUse, mark.residentSize) = (heap, resident)
    mark.live = live.map(UInt32.init)
    mark.minimumLive = minimumLive.map(UInt32.init)
    mark.liveSubscriptions = UInt64(live.reduce(0, +))
    snapshot.marks.append(mark)
    minimumLive = live
  }

  // MARK: Lifetimes

  /// Adds a signal; `argument` is an index into a table that tests add to the snapshot.
  mutating func signal(
    _ site: UInt32,
    on upstream: TraceID = .none,
    argument: UInt32 = 0,
    thread: UInt32 = 1
  ) -> TraceID {
    var slot = allocate(.signal, site)
    slot.link = upstream
    slot.argument = argument
    slots[slot.id] = slot
    snapshot.sites[Int(site)].signalsCreated += 1
    var record = TraceRecord()
    record.kind = .signalCreated
    record.argument = site
    record.more.0 = UInt64(argument) << 32 | UInt64(upstream.rawValue)
    record.more.1 = slot.serial
    write(record, about: slot.id, thread, isCreation: true)
    return slot.id
  }

  mutating func releaseSignal(_ id: TraceID, thread: UInt32 = 1) {
    guard let slot = slots[id] else { return }
    write(.signalReleased, id, thread: thread)
    snapshot.sites[Int(slot.site)].signalsReleased += 1
    free(id)
  }

  mutating func subscribe(
    _ site: UInt32,
    to signal: TraceID = .none,
    downstream: TraceID = .none,
    scheduler: UInt32 = 0,
    chain: UInt32 = 0,
    thread: UInt32 = 1
  ) -> TraceID {
    var slot = allocate(.subscription, site)
    slot.signal = signal.rawValue
    slot.link = downstream
    slot.scheduler = scheduler
    slot.chain = chain
    slot.state = .active
    slots[slot.id] = slot
    if counts(site), var node = slots[signal] {
      node.depth += 1
      node.eventCount += 1
      node.state = .active
      slots[signal] = node
    }
    snapshot.sites[Int(site)].subscribed += 1
    live[Int(site)] += 1
    var record = TraceRecord()
    record.kind = .subscribed
    record.argument = site
    record.more.0 = UInt64(downstream.rawValue)
    record.more.1 = slot.serial
    record.more.2 = UInt64(signal.rawValue)
    record.more.3 = UInt64(scheduler) << 32 | UInt64(chain)
    write(record, about: slot.id, thread, isCreation: true)
    return slot.id
  }

  /// Whether this version of the format counts the subscriptions of a site at their signals.
  private func counts(_ site: UInt32) -> Bool {
    snapshot.header.countsRootsAtSignals || !snapshot.sites[Int(site)].traits.contains(.root)
  }

  mutating func next(_ id: TraceID, thread: UInt32 = 1) {
    guard var slot = slots[id] else { return }
    slot.eventCount += 1
    slot.lastEventAt = now
    slots[id] = slot
    guard snapshot.header.level >= .events else { return }
    write(.next, id, UInt32(truncatingIfNeeded: slot.eventCount), thread: thread)
  }

  mutating func requestDisposal(_ id: TraceID, thread: UInt32 = 1) {
    guard slots[id]?.state == .active else { return }
    slots[id]?.state = .disposing
    write(.disposeRequested, id, thread: thread)
  }

  mutating func end(_ id: TraceID, _ reason: EndReason = .cancelled, thread: UInt32 = 1) {
    guard var slot = slots[id], slot.state != .ended else { return }
    slot.state = .ended
    slots[id] = slot
    if counts(slot.site), var signal = slots[TraceID(rawValue: slot.signal)], signal.depth > 0 {
      signal.depth -= 1
      if signal.depth == 0 { signal.state = .inactive }
      slots[signal.id] = signal
    }
    snapshot.sites[Int(slot.site)].ended[Int(reason.rawValue)] += 1
    live[Int(slot.site)] -= 1
    minimumLive[Int(slot.site)] = min(minimumLive[Int(slot.site)], live[Int(slot.site)])
    write(.ended, id, reason.rawValue, thread: thread)
  }

  mutating func release(_ id: TraceID, thread: UInt32 = 1) {
    end(id, thread: thread)
    guard let slot = slots[id] else { return }
    write(.subscriptionReleased, id, thread: thread)
    snapshot.sites[Int(slot.site)].released += 1
    snapshot.sites[Int(slot.site)].eventsOfReleased += slot.eventCount
    free(id)
  }

  mutating func dropDisposable(_ id: TraceID, thread: UInt32 = 1) {
    guard let slot = slots[id] else { return }
    snapshot.sites[Int(slot.site)].disposablesReleased += 1
    write(.disposableReleased, id, thread: thread)
  }

  mutating func refuse(_ id: TraceID, _ event: RefusedEvent = .next, thread: UInt32 = 1) {
    guard let slot = slots[id] else { return }
    snapshot.sites[Int(slot.site)].refused += 1
    write(.refused, id, event.rawValue, thread: thread)
  }

  // MARK: Timers

  mutating func arm(
    _ site: UInt32,
    every period: Duration,
    for subscription: TraceID = .none,
    scheduler: UInt32 = 0,
    thread: UInt32 = 1
  ) -> TraceID {
    var slot = allocate(.timer, site)
    slot.signal = UInt32(period / .microseconds(1))
    slot.link = subscription
    slot.scheduler = scheduler
    slot.state = .active
    slots[slot.id] = slot
    snapshot.sites[Int(site)].timersArmed += 1
    var record = TraceRecord()
    record.kind = .timerArmed
    record.argument = site
    record.more.0 = UInt64(subscription.rawValue)
    record.more.1 = slot.serial
    record.more.2 = UInt64(slot.signal)
    record.more.3 = UInt64(scheduler) << 32
    write(record, about: slot.id, thread, isCreation: true)
    return slot.id
  }

  mutating func fire(
    _ id: TraceID,
    thread: UInt32 = 1,
    leadingTo work: (inout Self) -> Void = { _ in }
  ) {
    guard var slot = slots[id] else { return }
    slot.eventCount += 1
    slot.lastEventAt = now
    slots[id] = slot
    snapshot.sites[Int(slot.site)].timerFires += 1
    write(.timerFired, id, UInt32(truncatingIfNeeded: slot.eventCount), thread: thread)
    let before = delivered
    work(&self)
    if delivered == before { slots[id]?.depth += 1 } else { slots[id]?.depth = 0 }
  }

  mutating func endTimer(_ id: TraceID, _ reason: EndReason = .cancelled, thread: UInt32 = 1) {
    guard let slot = slots[id] else { return }
    snapshot.sites[Int(slot.site)].timersEnded += 1
    write(.timerEnded, id, reason.rawValue, thread: thread)
    free(id)
  }

  // MARK: Owners

  mutating func own(_ site: UInt32, thread: UInt32 = 1) -> TraceID {
    var slot = allocate(.owner, site)
    slot.state = .active
    slots[slot.id] = slot
    snapshot.sites[Int(site)].ownersCreated += 1
    var record = TraceRecord()
    record.kind = .ownerCreated
    record.argument = site
    record.more.1 = slot.serial
    write(record, about: slot.id, thread, isCreation: true)
    return slot.id
  }

  mutating func endOwner(_ id: TraceID, thread: UInt32 = 1) {
    guard let slot = slots[id] else { return }
    snapshot.sites[Int(slot.site)].ownersEnded += 1
    write(.ownerEnded, id, thread: thread)
    free(id)
  }

  private var delivered: Int {
    snapshot.records.count { [.next, .failed, .completed].contains($0.kind) }
  }

  // MARK: Slots

  private mutating func allocate(_ kind: EntityKind, _ site: UInt32) -> TraceSlot {
    var slot = TraceSlot()
    let index: UInt32
    if freeSlots.isEmpty {
      index = slotCount
      slotCount += 1
    } else {
      index = freeSlots.removeFirst()
    }
    slot.serial = nextSerial
    nextSerial += 1
    slot.id = Packing.identifier(slot: index, serial: slot.serial, slotBits: Self.slotBits)
    slot.kind = kind
    slot.site = site
    slot.createdAt = now
    return slot
  }

  private mutating func free(_ id: TraceID) {
    slots[id] = nil
    statusGeneration[id] = nil
    freeSlots.append(Packing.slot(of: id, slotBits: Self.slotBits))
  }

  // MARK: Records

  mutating func write(_ kind: RecordKind, _ id: TraceID, _ argument: UInt32 = 0, thread: UInt32) {
    var record = TraceRecord()
    record.kind = kind
    record.argument = argument
    write(record, about: id, thread, isCreation: false)
  }

  private mutating func write(
    _ record: TraceRecord,
    about id: TraceID,
    _ thread: UInt32,
    isCreation: Bool
  ) {
    if let slot = slots[id], !isCreation, statusGeneration[id] != generation {
      append(status(slot), id, thread)
    }
    statusGeneration[id] = generation
    append(record, id, thread)
  }

  private func status(_ slot: TraceSlot) -> TraceRecord {
    var record = TraceRecord()
    record.kind = .entityStatus
    record.argument = slot.site
    let place = slot.kind == .signal ? slot.argument : slot.scheduler
    record.more.0 = UInt64(Packing.state(slot.kind, slot.state, scheduler: place))
    record.more.1 = slot.serial
    record.more.2 = UInt64(slot.link.rawValue)
    record.more.3 = slot.createdAt
    record.more.4 = UInt64(slot.kind == .signal ? slot.depth : slot.signal)
    record.more.5 = slot.eventCount
    return record
  }

  private mutating func append(_ template: TraceRecord, _ id: TraceID, _ thread: UInt32) {
    var record = template
    if segments[thread] == nil {
      lastEpoch += 1
      segments[thread] = (lastEpoch, 0)
      var segment = TraceSegment()
      segment.index = Int(lastEpoch) - 1
      segment.epoch = lastEpoch
      segment.baseTicks = now
      segment.baseMonotonic = now
      segment.generation = generation
      segment.thread = thread
      segment.state = .sealed
      snapshot.segments.append(segment)
    }
    let (epoch, count) = segments[thread] ?? (0, 0)
    record.number = Packing.recordNumber(epoch: epoch, index: count)
    record.id = id.rawValue
    record.ticks = now
    record.thread = thread
    record.generation = generation
    segments[thread] = (epoch, count + 1 + RecordSpec.of(record.kind).continuations)
    snapshot.records.append(record)
  }

  // MARK: Results

  /// Everything that was written, in the form in which a reader gets it.
  func finish() -> TraceSnapshot {
    var result = snapshot
    result.header.generation = generation
    result.header.lastSerial = nextSerial - 1
    result.header.lastEpoch = lastEpoch
    result.header.latest = ClockReading(ticks: now, monotonic: now, realtime: 0)
    for index in result.sites.indices {
      result.sites[index].minimumLive = UInt32(minimumLive[index])
    }
    result.slots = slots.values.sorted {
      Packing.slot(of: $0.id, slotBits: Self.slotBits)
        < Packing.slot(of: $1.id, slotBits: Self.slotBits)
    }
    return result
  }
}

extension TraceSnapshot {
  /// The same trace after its ring has overwritten all generations up to `last`.
  func wrapped(after last: UInt64) -> TraceSnapshot {
    var result = self
    result.records.removeAll { $0.generation <= last }
    result.header.recycledGeneration = last
    result.header.recycledSegments = UInt64(result.segments.count { $0.generation <= last })
    result.segments.removeAll { $0.generation <= last }
    result.firstExactGeneration = result.segments.isEmpty ? nil : last + 1
    return result
  }

  /// The same trace with one segment removed.
  func without(epoch: UInt64) -> TraceSnapshot {
    var result = self
    let generation = segments.first { $0.epoch == epoch }?.generation ?? 0
    result.records.removeAll { Packing.position(ofRecord: $0.number).epoch == epoch }
    result.segments.removeAll { $0.epoch == epoch }
    result.missingSegments = 1
    let first = generation + 1
    result.firstExactGeneration = result.segments.contains { $0.generation >= first } ? first : nil
    return result
  }
}
