import TraceFindings
import TraceModel
import TraceReading

/// A recording made by hand, in the form of the snapshot that a reader would take of a program.
///
/// Times are in seconds since the recording began. Each change is written to slots, counters and
/// records.
struct Recording {
  private(set) var snapshot = TraceSnapshot()
  private var places: [TraceID: Int] = [:]
  private var minimums: [UInt32] = [0]
  private var nextNumber: UInt64 = 4096
  private var nextSerial: UInt64
  private var nextID: UInt32

  static let start: UInt64 = 1_000_000

  /// - Parameter offset: Added to identifiers and serials, as if other entities had existed before.
  init(offset: UInt32 = 0) {
    nextSerial = 1 + UInt64(offset)
    nextID = 1 + offset
    snapshot.header.start = ClockReading(ticks: Self.start)
    snapshot.header.slotBits = 20
    snapshot.sites = [TraceSite()]
  }

  private func ticks(_ seconds: Double) -> UInt64 { Self.start + UInt64(seconds * 1e9) }

  /// The findings about the recording in its present state.
  var findings: [Finding] { Self.findings(snapshot) }

  static func findings(_ snapshot: TraceSnapshot) -> [Finding] {
    FindingEngine.findings(in: snapshot, inspection: Inspection(snapshot: snapshot))
  }

  mutating func edit(_ body: (inout TraceSnapshot) -> Void) { body(&snapshot) }

  // MARK: Sites

  /// Adds a site with the given traits and with those that `EarlierTraits` has for its name.
  mutating func site(
    _ name: String,
    _ file: String,
    _ line: UInt32,
    _ traits: SiteTraits = []
  ) -> UInt32 {
    var site = TraceSite()
    site.index = UInt32(snapshot.sites.count)
    (site.name, site.file, site.line) = (name, file, line)
    site.traits = traits.union(EarlierTraits.of(name))
    site.ended = [UInt64](repeating: 0, count: EndReason.allCases.count)
    site.lifetimes = [UInt32](repeating: 0, count: Layout.Site.lifetimeCount)
    snapshot.sites.append(site)
    minimums.append(0)
    return site.index
  }

  /// Adds a site of which only the line matters, not the file.
  mutating func site(_ name: String, _ line: UInt32, _ traits: SiteTraits = []) -> UInt32 {
    site(name, "App/Feed.swift", line, traits)
  }

  // MARK: Subscriptions

  @discardableResult
  mutating func subscribe(
    _ site: UInt32,
    to downstream: TraceID = .none,
    of signal: TraceID = .none,
    chain: UInt32 = 0,
    at seconds: Double
  ) -> TraceID {
    let slot = add(.subscription, site, link: downstream, at: seconds)
    snapshot.slots[snapshot.slots.count - 1].signal = signal.rawValue
    snapshot.slots[snapshot.slots.count - 1].chain = chain
    if let place = places[signal] {
      snapshot.slots[place].depth += 1
      snapshot.slots[place].eventCount += 1
    }
    snapshot.sites[Int(site)].subscribed += 1
    var record = record(.subscribed, slot.id, argument: site, at: seconds)
    record.more.0 = UInt64(downstream.rawValue)
    record.more.1 = slot.serial
    record.more.2 = UInt64(signal.rawValue)
    record.more.3 = UInt64(chain)
    snapshot.records.append(record)
    return slot.id
  }

  /// Subscribes a root and the operators upstream of it, nearest first.
  @discardableResult
  mutating func chain(_ sites: [UInt32], at seconds: Double) -> [TraceID] {
    var ids: [TraceID] = []
    for site in sites { ids.append(subscribe(site, to: ids.last ?? .none, at: seconds)) }
    return ids
  }

  mutating func end(_ ids: [TraceID], at seconds: Double) {
    for id in ids { end(id, at: seconds) }
  }

  mutating func end(_ id: TraceID, _ reason: EndReason = .cancelled, at seconds: Double) {
    guard let place = places[id] else { return }
    snapshot.slots[place].state = .ended
    if let signal = places[TraceID(rawValue: snapshot.slots[place].signal)] {
      snapshot.slots[signal].depth -= 1
    }
    if let owner = places[TraceID(rawValue: snapshot.slots[place].owner)] {
      snapshot.slots[owner].depth -= 1
    }
    let site = Int(snapshot.slots[place].site)
    snapshot.sites[site].ended[Int(reason.rawValue)] += 1
    let lifetime = ticks(seconds) - snapshot.slots[place].createdAt
    snapshot.sites[site].lifetimes[max(0, UInt64.bitWidth - lifetime.leadingZeroBitCount - 1)] += 1
    minimums[site] = min(minimums[site], UInt32(snapshot.sites[site].live))
    appendRecord(.ended, id, argument: reason.rawValue, at: seconds)
  }

  mutating func release(_ id: TraceID, at seconds: Double) {
    guard let place = places.removeValue(forKey: id) else { return }
    appendRecord(.subscriptionReleased, id, at: seconds)
    let id = snapshot.slots[place].id
    snapshot.slots[place] = TraceSlot()
    snapshot.slots[place].id = id
  }

  mutating func dropDisposable(_ id: TraceID, at seconds: Double) {
    guard let place = places[id] else { return }
    snapshot.sites[Int(snapshot.slots[place].site)].disposablesReleased += 1
    appendRecord(.disposableReleased, id, at: seconds)
  }

  mutating func refuse(
    _ id: TraceID,
    _ event: RefusedEvent = .next,
    thread: UInt32 = 1,
    at seconds: Double
  ) {
    guard let place = places[id] else { return }
    snapshot.sites[Int(snapshot.slots[place].site)].refused += 1
    appendRecord(.refused, id, argument: event.rawValue, thread: thread, at: seconds)
  }

  // MARK: Signals

  /// Adds a signal; `argument` is an index into a table that scenes add to the snapshot.
  mutating func signal(
    _ site: UInt32,
    of upstream: TraceID = .none,
    argument: UInt32 = 0,
    at seconds: Double
  ) -> TraceID {
    let slot = add(.signal, site, link: upstream, at: seconds)
    snapshot.slots[snapshot.slots.count - 1].argument = argument
    snapshot.sites[Int(site)].signalsCreated += 1
    var record = record(.signalCreated, slot.id, argument: site, at: seconds)
    record.more = (UInt64(argument) << 32 | UInt64(upstream.rawValue), slot.serial, 0, 0, 0, 0)
    snapshot.records.append(record)
    return slot.id
  }

  mutating func releaseSignal(_ id: TraceID, at seconds: Double) {
    guard let place = places.removeValue(forKey: id) else { return }
    snapshot.sites[Int(snapshot.slots[place].site)].signalsReleased += 1
    appendRecord(.signalReleased, id, at: seconds)
    let id = snapshot.slots[place].id
    snapshot.slots[place] = TraceSlot()
    snapshot.slots[place].id = id
  }

  // MARK: Events

  mutating func next(_ id: TraceID, thread: UInt32 = 1, at seconds: Double) {
    guard let place = places[id] else { return }
    snapshot.slots[place].eventCount += 1
    snapshot.slots[place].lastEventAt = ticks(seconds)
    let count = UInt32(snapshot.slots[place].eventCount)
    appendRecord(.next, id, argument: count, thread: thread, at: seconds)
  }

  /// Records that a thread replaces a value of a property that it has not read.
  mutating func overwrite(_ signal: TraceID, thread: UInt32 = 1, at seconds: Double) {
    appendRecord(.valueOverwritten, signal, thread: thread, at: seconds)
  }

  /// Records the description of a value, as level `values` does.
  mutating func value(_ id: TraceID, _ text: String, at seconds: Double) {
    var record = record(.value, id, argument: UInt32(text.utf8.count), at: seconds)
    var words = [UInt64](repeating: 0, count: 6)
    var (word, byte) = (0, 0)
    for one in text.utf8 where word < words.count {
      words[word] |= UInt64(one) << UInt64(8 * byte)
      byte += 1
      if byte == (word % 2 == 0 ? 6 : 8) { (word, byte) = (word + 1, 0) }
    }
    record.more = (words[0], words[1], words[2], words[3], words[4], words[5])
    snapshot.records.append(record)
  }

  /// Sets the number of held values, and records it if the real recorder would.
  mutating func depth(_ id: TraceID, _ held: UInt32, thread: UInt32 = 1, at seconds: Double) {
    guard let place = places[id] else { return }
    let isSignal = snapshot.slots[place].kind == .signal
    let old = snapshot.slots[place].depth
    if !isSignal { snapshot.slots[place].depth = held }
    let isNews =
      isSignal
      ? held.nonzeroBitCount == 1
      : held == 0 ? old != 0 : held.leadingZeroBitCount < old.leadingZeroBitCount
    if isNews { appendRecord(.depth, id, argument: held, thread: thread, at: seconds) }
  }

  /// Records the beginning and the end of a delivery; the records made by `body` are in between.
  mutating func turn(
    _ id: TraceID,
    thread: UInt32 = 1,
    at seconds: Double,
    _ body: (inout Recording) -> Void = { _ in }
  ) {
    appendRecord(.turnBegan, id, argument: thread, thread: thread, at: seconds)
    body(&self)
    appendRecord(.turnEnded, id, thread: thread, at: seconds)
  }

  /// Records the beginning and the end of work on a scheduler; the records made by `body` are in
  /// between.
  mutating func hop(
    _ number: UInt32 = 77,
    on scheduler: UInt32,
    thread: UInt32,
    at seconds: Double,
    _ body: (inout Recording) -> Void
  ) {
    let hop = TraceID(rawValue: number)
    appendRecord(.hopBegan, hop, argument: scheduler, thread: thread, at: seconds)
    body(&self)
    appendRecord(.hopEnded, hop, thread: thread, at: seconds)
  }

  /// Adds a single record of the given kind, which begins or ends work.
  mutating func begin(
    _ kind: RecordKind,
    _ id: TraceID,
    argument: UInt32 = 0,
    thread: UInt32,
    at seconds: Double
  ) {
    appendRecord(kind, id, argument: argument, thread: thread, at: seconds)
  }

  /// Records that work is handed to a scheduler.
  mutating func schedule(
    _ hop: UInt32,
    on scheduler: UInt32,
    chain: UInt32 = 0,
    for stage: TraceID = .none,
    thread: UInt32 = 1,
    at seconds: Double
  ) {
    var record = record(
      .hopScheduled,
      TraceID(rawValue: hop),
      argument: chain,
      thread: thread,
      at: seconds
    )
    record.more = (UInt64(scheduler), UInt64(stage.rawValue), 0, 0, 0, 0)
    snapshot.records.append(record)
  }

  mutating func scheduler(_ name: String, _ kind: SchedulerKind) -> UInt32 {
    if snapshot.schedulers.isEmpty { snapshot.schedulers = [TraceScheduler()] }
    var scheduler = TraceScheduler()
    (scheduler.index, scheduler.name) = (UInt32(snapshot.schedulers.count), name)
    scheduler.kind = kind
    snapshot.schedulers.append(scheduler)
    return scheduler.index
  }

  mutating func threads(_ count: Int) {
    snapshot.threads = (0...count).map { row in
      var thread = TraceThread()
      (thread.index, thread.isMain) = (UInt32(row), row == 1)
      return thread
    }
  }

  mutating func fail(_ ids: [TraceID], _ type: String, at seconds: Double) {
    let number = UInt32(snapshot.strings.count + 1)
    snapshot.strings[number] = type
    for id in ids.reversed() {
      appendRecord(.failed, id, argument: number, at: seconds)
      end(id, .failed, at: seconds)
    }
  }

  // MARK: Owners

  mutating func owner(_ site: UInt32, at seconds: Double) -> TraceID {
    let slot = add(.owner, site, link: .none, at: seconds)
    var record = record(.ownerCreated, slot.id, argument: site, at: seconds)
    record.more = (0, slot.serial, 0, 0, 0, 0)
    snapshot.records.append(record)
    return slot.id
  }

  mutating func bind(_ id: TraceID, to owner: TraceID, at seconds: Double) {
    guard let place = places[id], let bag = places[owner] else { return }
    snapshot.slots[place].owner = owner.rawValue
    snapshot.slots[bag].depth += 1
    snapshot.slots[bag].eventCount += 1
    appendRecord(.ownerBound, id, argument: owner.rawValue, at: seconds)
  }

  /// Records that a closure passed to the operator at a site holds the object to which the owner
  /// belongs.
  mutating func hold(_ id: TraceID, at site: UInt32, _ owner: TraceID, at seconds: Double) {
    var record = record(.ownerHeld, id, argument: site, at: seconds)
    record.more = (UInt64(owner.rawValue), 1, 0, 0, 0, 0)
    snapshot.records.append(record)
  }

  mutating func endOwner(_ id: TraceID, at seconds: Double) {
    guard let place = places.removeValue(forKey: id) else { return }
    appendRecord(.ownerEnded, id, at: seconds)
    snapshot.sites[Int(snapshot.slots[place].site)].ownersEnded += 1
    let id = snapshot.slots[place].id
    snapshot.slots[place] = TraceSlot()
    snapshot.slots[place].id = id
  }

  /// Records that an owner disposes of a subscription at once, because the owner was disposed of
  /// before.
  mutating func refuse(_ id: TraceID, by owner: TraceID, at seconds: Double) {
    appendRecord(.disposeRequested, id, at: seconds)
    var record = record(.tearDown, .none, argument: EndCause.owner.rawValue, at: seconds)
    record.more = (UInt64(owner.rawValue), 0, 0, 0, 0, 0)
    snapshot.records.append(record)
  }

  // MARK: Timers

  mutating func arm(
    _ site: UInt32,
    every period: Double,
    for subscription: TraceID = .none,
    at seconds: Double
  ) -> TraceID {
    let slot = add(.timer, site, link: subscription, at: seconds)
    snapshot.slots[snapshot.slots.count - 1].signal = UInt32(period * 1e6)
    snapshot.sites[Int(site)].timersArmed += 1
    var record = record(.timerArmed, slot.id, argument: site, at: seconds)
    record.more = (UInt64(subscription.rawValue), slot.serial, UInt64(period * 1e6), 0, 0, 0)
    snapshot.records.append(record)
    return slot.id
  }

  mutating func fire(_ timer: TraceID, usefully: Bool, at seconds: Double) {
    guard let place = places[timer] else { return }
    snapshot.slots[place].eventCount += 1
    snapshot.slots[place].lastEventAt = ticks(seconds)
    snapshot.slots[place].depth = usefully ? 0 : snapshot.slots[place].depth + 1
    snapshot.sites[Int(snapshot.slots[place].site)].timerFires += 1
    appendRecord(
      .timerFired,
      timer,
      argument: UInt32(snapshot.slots[place].eventCount),
      at: seconds
    )
  }

  /// Fires a timer `times` times, `period` apart; the last fire is at the given time.
  mutating func fire(
    _ timer: TraceID,
    times: Int,
    usefully: Bool,
    every period: Double,
    until seconds: Double
  ) {
    for left in (0..<times).reversed() {
      fire(timer, usefully: usefully, at: seconds - Double(left) * period)
    }
  }

  // MARK: Marks

  /// Adds a mark of the program, or an automatic mark of the recorder if `name` is nil.
  mutating func mark(_ name: String? = nil, at seconds: Double) {
    var mark = TraceMark()
    mark.index = snapshot.marks.count
    mark.ticks = ticks(seconds)
    mark.name = name ?? ""
    mark.kind = name == nil ? .automatic : .program
    mark.live = snapshot.sites.map { UInt32($0.live) }
    mark.minimumLive = zip(minimums, mark.live).map { min($0, $1) }
    mark.liveSubscriptions = mark.live.reduce(0) { $0 + UInt64($1) }
    minimums = mark.live
    snapshot.marks.append(mark)
  }

  // MARK: Helpers

  mutating func appendRecord(
    _ kind: RecordKind,
    _ id: TraceID,
    argument: UInt32 = 0,
    thread: UInt32 = 1,
    at seconds: Double
  ) {
    snapshot.records.append(record(kind, id, argument: argument, thread: thread, at: seconds))
  }

  private mutating func add(
    _ kind: EntityKind,
    _ site: UInt32,
    link: TraceID,
    at seconds: Double
  ) -> TraceSlot {
    var slot = TraceSlot()
    slot.id = TraceID(rawValue: nextID)
    slot.serial = nextSerial
    slot.kind = kind
    slot.state = .active
    slot.createdAt = ticks(seconds)
    slot.site = site
    slot.link = link
    nextID += 1
    nextSerial += 1
    places[slot.id] = snapshot.slots.count
    snapshot.slots.append(slot)
    return slot
  }

  private mutating func record(
    _ kind: RecordKind,
    _ id: TraceID,
    argument: UInt32,
    thread: UInt32 = 1,
    at seconds: Double
  ) -> TraceRecord {
    var record = TraceRecord()
    record.number = nextNumber
    record.ticks = ticks(seconds)
    record.kind = kind
    record.id = id.rawValue
    record.argument = argument
    record.thread = thread
    record.generation = 1
    nextNumber += 1
    return record
  }
}
