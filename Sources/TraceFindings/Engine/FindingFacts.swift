import TraceModel
import TraceReading

/// The data from which findings are made, with lookups.
struct FindingFacts {
  let sites: [TraceSite]
  let slots: [TraceSlot]
  let marks: [TraceMark]
  let records: TraceRecords
  /// The instant up to which ages are computed, in ticks, the units of the trace's clock.
  let now: UInt64
  /// The last instant at which the program is known to have run, in ticks.
  let last: UInt64
  /// When the recording began, in ticks.
  let start: UInt64
  /// The instant since which no written record is missing, in ticks; nil if there is no such
  /// instant.
  let exactFrom: UInt64?
  /// Says what the trace has lost that findings need; nil if it has lost nothing.
  let loss: String?
  private let snapshot: TraceSnapshot
  private let places: [TraceID: Int]

  /// - Parameters:
  ///   - snapshot: The trace to be judged.
  ///   - now: The time since the recording began; the last sign of life is used if that is later.
  ///   - hasEvents: Whether the events are to be treated as complete; nil to treat them so only if
  ///     they are complete for all lines of code.
  init(_ snapshot: TraceSnapshot, now: Duration = .zero, hasEvents: Bool? = nil) {
    self.snapshot = snapshot
    last = snapshot.lastTicks
    start = snapshot.header.start.ticks
    exactFrom = snapshot.exactFrom
    self.hasEvents = hasEvents ?? snapshot.eventCoverage.isComplete
    self.now = now > .zero ? max(last, snapshot.ticks(at: now)) : last
    sites = snapshot.sites
    slots = snapshot.slots
    marks = snapshot.marks
    records = snapshot.records
    loss = Self.loss(snapshot)
    var places: [TraceID: Int] = [:]
    places.reserveCapacity(slots.count)
    for (place, slot) in slots.enumerated() where slot.kind != .none { places[slot.id] = place }
    self.places = places
  }

  /// The entities to which identifiers in the records refer.
  ///
  /// - Complexity: O(records + slots) for each call.
  func entities() -> EntityStore { EntityStore(snapshot) }

  /// The entities to which identifiers in the given records refer.
  ///
  /// - Complexity: O(the given records, and the records before them in one generation, which can be
  ///   read without earlier records, or at most `searchLimit` of these) for each call.
  func entities(in rows: Range<Int>, searchLimit: Int) -> EntityStore {
    EntityStore(snapshot, in: rows, searchLimit: searchLimit)
  }

  /// The identifier of an entity that is a signal, or of the signal of a subscription; none if the
  /// entity is not live at the end.
  func signal(of key: EntityKey) -> TraceID {
    guard let slot = slot(key.id), slot.serial == key.serial else { return .none }
    switch slot.kind {
    case .signal: return slot.id
    case .subscription: return TraceID(rawValue: slot.signal)
    case .none, .timer, .owner: return .none
    }
  }

  /// The names of the signals that are live at the end.
  func signalNames() -> SignalNames { SignalNames(endOf: snapshot) }

  /// The level at which a line of code is recorded at the end.
  func level(ofSite site: UInt32) -> TraceLevel { snapshot.level(ofSite: site) }

  /// Whether the level included the single events of a line of code at a time in ticks.
  func areEventsRecorded(ofSite site: UInt32, at ticks: UInt64) -> Bool {
    snapshot.eventStretches(ofSite: site).contains(from: ticks, to: ticks)
  }

  /// The gaps in the records of threads.
  var gaps: RecordGaps { RecordGaps(snapshot) }

  /// Whether the program is still running.
  var isRunning: Bool { snapshot.isProcessAlive }

  /// How the program ended, if not normally.
  var programEnding: ProgramEnding? { ProgramEnding(snapshot) }

  /// The name of the program.
  var programName: String {
    snapshot.header.programName.isEmpty ? "program" : snapshot.header.programName
  }

  /// The process ID.
  var processID: Int32 { snapshot.header.processID }

  /// When the program received the signal by which it crashed, in ticks; nil if it did not crash,
  /// or the instant is not known.
  ///
  /// Rules that use this instant ignore later records, because what other threads do while a crash
  /// report is made says nothing about the program.
  var crashTicks: UInt64? {
    guard case .crashed(let ending) = programEnding else { return nil }
    return ending.ticks
  }

  /// Whether records are missing for another reason than that newer records overwrote them, so that
  /// no record is known to be the last of its thread.
  var lacksRecords: Bool {
    snapshot.header.lostRecords > 0 || snapshot.missingSegments > 0
      || snapshot.damagedSegments > 0 || snapshot.firstLoss != nil
  }

  /// Whether records or entries of tables were dropped for lack of space.
  var hasLostForRoom: Bool {
    snapshot.header.lostRecords > 0 || snapshot.header.lost.values.contains { $0 > 0 }
  }

  /// The time from the beginning of the recording to an instant in ticks.
  func time(_ ticks: UInt64) -> Duration { snapshot.time(ticks) }

  /// Whether marks, which are instants with the live count of every site, or some of these counts
  /// are lost, so that everything may have ended at a lost mark.
  var lacksMarks: Bool {
    [.marks, .markCounts].contains { lacks($0) }
  }

  /// Whether slots, which are entries for live signals, subscriptions, timers and owners, are lost,
  /// so that an entity without a slot may exist nevertheless.
  var lacksSlots: Bool { lacks(.slab) }

  private func lacks(_ kind: RegionKind) -> Bool {
    snapshot.lostEntries[kind] != nil || snapshot.header.cut?.lacks(kind) == true
  }

  /// Whether events were recorded from beginning to end for all lines of code that are judged.
  let hasEvents: Bool

  /// Whether parts of the code are recorded at a level of their own.
  var hasPlaces: Bool { !snapshot.header.places.isEmpty }

  /// Whether the recording was stopped normally, so that entities live at that time ended only
  /// because the program did.
  var isStopped: Bool { snapshot.header.stopTicks != nil }

  /// Whether the backtrace of each root subscription begins with the caller that subscribed.
  var hasCallers: Bool { snapshot.hasCallers }

  /// What was recorded about how a subscription was made.
  func call(of chain: UInt32, at site: UInt32) -> RecordedCall {
    snapshot.call(of: chain, at: site)
  }

  /// Whether the table of chains (asynchronous backtraces) has a row for which a condition holds.
  func hasChain(where isWanted: (TraceChain) -> Bool) -> Bool {
    snapshot.chains.contains(where: isWanted)
  }

  /// The slot of an identifier.
  func slot(_ id: TraceID) -> TraceSlot? { places[id].map { slots[$0] } }

  /// The site in a row of the table; a site without a name if the table has no such row.
  func site(_ row: UInt32) -> TraceSite { Int(row) < sites.count ? sites[Int(row)] : TraceSite() }

  /// A string of the trace.
  func string(_ number: UInt32) -> String { snapshot.string(number) }

  /// The name of the type of a failure, without the address that marks where a private type was
  /// declared.
  func failureName(_ number: UInt32) -> String { snapshot.failureName(number) }

  /// The text between the parentheses of the operator of a signal.
  func argument(of signal: TraceSlot) -> SignalArgument { snapshot.argument(signal.argument) }

  /// An argument of an operator by its number.
  func argument(_ number: UInt32) -> SignalArgument { snapshot.argument(number) }

  /// Whether the program has limited how many values a signal keeps, or for how long.
  func keepsFew(_ signal: TraceSlot) -> Bool {
    switch argument(of: signal) {
    case .text(let text): text.contains("lasting:") || !text.contains(".max")
    case .integer(let capacity): capacity < .max
    default: false
    }
  }

  /// A scheduler by its row in the table; nil for 0 and if the table has no such row.
  func scheduler(_ row: UInt32) -> TraceScheduler? {
    row > 0 && Int(row) < snapshot.schedulers.count ? snapshot.schedulers[Int(row)] : nil
  }

  /// A thread by its row in the table; nil if the table has no such row.
  func thread(_ row: UInt32) -> TraceThread? {
    Int(row) < snapshot.threads.count ? snapshot.threads[Int(row)] : nil
  }

  /// The number of seconds from an instant in ticks to ``now``.
  func age(_ ticks: UInt64) -> Double { seconds(from: ticks, to: now) }

  func seconds(from start: UInt64, to end: UInt64) -> Double {
    guard end > start else { return 0 }
    // A damaged file may claim any clock rate, so the result is limited to about thirty thousand
    // years.
    return min(Double(end - start) * snapshot.nanosecondsPerTick / 1e9, 1e12)
  }

  // MARK: Evidence

  /// Adds to the evidence the rows of the tables that hold the counters of a finding.
  func name(_ draft: FindingDraft, in evidence: inout Evidence) {
    var sites = Set(draft.members.map(\.site))
    sites.insert(draft.site)
    let bits = snapshot.header.slotBits
    let slots = Set(draft.members.map { Packing.slot(of: $0.id, slotBits: bits) })
    let marks = Set(draft.marks)
    evidence.rowCount = sites.count + slots.count + marks.count
    var rows = sites.sorted().prefix(Evidence.rowLimit).map { "site \($0)" }
    // Marks come before slots, because there may be thousands of slots, which would displace them.
    rows += marks.sorted().prefix(Evidence.rowLimit).map { "count \($0) \(draft.site)" }
    rows += slots.sorted().prefix(Evidence.rowLimit).map { "slot \($0)" }
    evidence.rows = Array(rows.prefix(Evidence.rowLimit))
  }

  // MARK: Losses

  private static func loss(_ snapshot: TraceSnapshot) -> String? {
    func lost(_ region: RegionKind) -> UInt64 {
      (snapshot.header.lost[region] ?? 0).saturatingAdding(snapshot.lostEntries[region] ?? 0)
    }
    /// What a file lacks that ends too early, if the file says how much of it was in use.
    func cut(_ region: RegionKind) -> UInt64 { snapshot.header.cut?.entries[region] ?? 0 }
    let losses: [(count: UInt64, one: String, many: String)] = [
      (snapshot.header.lostRecords, "record", "records"),
      (snapshot.missingSegments, "segment of records", "segments of records"),
      (snapshot.damagedSegments, "part of a segment of records", "parts of segments of records"),
      (lost(.slab), "signal, subscription or timer", "signals, subscriptions or timers"),
      (lost(.sites).saturatingAdding(cut(.sites)), "line of code", "lines of code"),
      (
        lost(.marks).saturatingAdding(lost(.markCounts)).saturatingAdding(cut(.marks)), "mark",
        "marks"
      ),
    ]
    var parts = losses.filter { $0.count > 0 }.map {
      "\($0.count) \($0.count == 1 ? $0.one : $0.many)"
    }
    let others: [RegionKind] = [.upstreams, .strings, .schedulers, .threads]
    if others.contains(where: { snapshot.lostEntries[$0] != nil }) || snapshot.firstLoss != nil {
      parts.append("parts of its file")
    }
    return parts.isEmpty ? nil : "it lost \(parts.joined(separator: ", "))"
  }
}
