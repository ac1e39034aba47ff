import TraceModel
import TraceReading

/// Lines of JSON: one for the trace, one for each site, scheduler and thread, and one for each
/// event in order.
///
/// A line of type `end` is last, so that a truncated file can be recognised.
struct NDJSONExport {
  private let snapshot: TraceSnapshot

  /// The version of the schema, which is increased when a key is removed or changes its meaning.
  static let version = 1

  init(_ snapshot: TraceSnapshot) { self.snapshot = snapshot }

  func write(to write: @escaping ([UInt8]) throws -> Void) throws {
    var output = BufferedOutput(write)
    func line(_ type: String, _ fields: (inout JSONWriter) -> Void) throws {
      var json = JSONWriter(linesTo: 0)
      json.object { json in
        json.field("type", type)
        fields(&json)
      }
      try output.put(json.text + "\n")
    }
    try tables(line)
    var causes = Causes(gaps: RecordGaps(snapshot))
    let walk = RecordWalk(snapshot)
    let store = EntityStore(snapshot)
    var names = RecordedNames(store, snapshot)
    var count = 0
    for row in walk.rows {
      let record = walk[row]
      let cause = causes.cause(of: record)
      guard Step.event.stops(at: record.kind) else { continue }
      count += 1
      try line("event") { json in
        let entry = store.life(record.entity, at: row)
        put(record, entry, cause, &json)
        if record.kind == .subscribed || record.kind == .signalCreated {
          json.field("composedName", entry.flatMap { names.name(of: $0) })
        }
        if record.kind == .ended { put(EndedBy(ofEndIn: row, snapshot.records), store, &json) }
      }
    }
    try line("end") { json in
      json.field("events", count)
      json.field("losses", Losses.sentences(snapshot))
      json.field("problems", snapshot.problems.map(\.description))
    }
    try output.flush()
  }

  private func tables(_ line: (String, (inout JSONWriter) -> Void) throws -> Void) throws {
    try line("trace") { json in
      json.object("schema") { json in
        json.field("name", "rxtop-events")
        json.field("version", Self.version)
      }
      json.field("program", snapshot.header.programName)
      json.field("processID", snapshot.header.processID)
      json.field("level", snapshot.header.level.schemaName)
      json.field("startedAt", snapshot.header.start.realtime)
      json.field("exactFrom", snapshot.exactFrom.map(snapshot.time))
    }
    for (row, site) in snapshot.sites.enumerated().dropFirst() {
      try line("site") { json in
        json.field("id", row)
        json.field("name", site.name)
        json.field("file", site.file)
        json.field("line", site.line)
        json.field("column", site.column)
        json.field("traits", site.traits.schemaNames)
      }
    }
    for (row, scheduler) in snapshot.schedulers.enumerated().dropFirst() {
      try line("scheduler") { json in
        json.field("id", row)
        json.field("name", scheduler.name)
        json.field("kind", scheduler.kind.schemaName)
      }
    }
    for (row, thread) in snapshot.threads.enumerated().dropFirst() {
      try line("thread") { json in
        json.field("id", row)
        json.field("systemID", thread.systemID)
        json.field("name", thread.name)
        json.field("isMain", thread.isMain)
      }
    }
  }

  private func put(
    _ record: TraceRecord,
    _ entry: EntityStore.Life?,
    _ cause: UInt64?,
    _ json: inout JSONWriter
  ) {
    json.field("number", record.number)
    json.field("time", snapshot.time(record.ticks))
    json.field("kind", RecordSpec.of(record.kind).name)
    // A thread that is missing from the table has no line of type `thread` to refer to.
    let isListed = record.thread > 0 && Int(record.thread) < snapshot.threads.count
    json.field("thread", isListed ? record.thread : nil)
    json.field("cause", cause)
    let id = record.entity
    json.field(
      "subject",
      id == .none ? nil : entry.flatMap { $0.key.serial == 0 ? nil : $0.key.serial }
    )
    json.field("site", entry.flatMap { Int($0.site) < snapshot.sites.count ? $0.site : nil })
    json.field("isExact", snapshot.isExact(record))
    put(record, &json)
  }

  /// Writes the fields that are specific to the kind of the record.
  private func put(_ record: TraceRecord, _ json: inout JSONWriter) {
    switch record.event {
    case .next(let sequence): json.field("sequence", sequence)
    case .failed(let error): json.field("error", snapshot.string(error))
    case .ended(let reason), .timerEnded(let reason): json.field("reason", reason?.schemaName)
    case .refused(let event): json.field("event", event.map { "\($0)" })
    case .depth(let held): json.field("held", held)
    case .timerFired(let fires): json.field("fires", fires)
    case .mark(let name), .signalNamed(let name): json.field("name", snapshot.string(name))
    case .value: json.field("value", record.valueText?.text)
    case .failureText(let error):
      json.field("error", snapshot.string(error))
      json.field("value", record.valueText?.text)
    case .runsOn(let isMainQueue): json.field("isOnMainQueue", isMainQueue)
    case .recordsLost(let count): json.field("lost", count)
    case .hopScheduled(let hop):
      json.field("hop", hop.hop)
      json.field("scheduler", hop.scheduler)
    case .hopBegan(let scheduler), .hopCancelled(let scheduler):
      json.field("hop", record.id)
      json.field("scheduler", scheduler)
    case .hopEnded: json.field("hop", record.id)
    case .ownerHeld(let holding): json.field("holder", holding.site)
    case .status, .signalCreated, .signalMade, .signalReleased, .subscribed, .disposeRequested,
      .subscriptionReleased, .disposableReleased, .ownerCreated, .ownerBound, .ownerEnded,
      .tearDown, .completed, .turnBegan, .turnEnded, .valueOverwritten, .timerArmed,
      .threadSwitched, .levelChanged,
      .forked,
      .tailEnded, nil:
      break
    }
  }

  private func put(_ cause: EndedBy?, _ store: EntityStore, _ json: inout JSONWriter) {
    json.field("endCause", cause?.cause.schemaName)
    let by = cause.flatMap { store.life($0.by, at: $0.row)?.key.serial }
    json.field("endedBy", by.flatMap { $0 == 0 ? nil : $0 })
  }

  /// Finds the record that caused a record.
  ///
  /// Work begins because of the record that scheduled it. Everything that a thread does between the
  /// beginning and the end of work, or of a turn (a delivery through a gate), is caused by the
  /// record of that beginning.
  private struct Causes {
    var gaps: RecordGaps
    private var open: [UInt32: [(number: UInt64, kind: RecordKind, id: UInt32)]] = [:]
    private var scheduled: [UInt32: UInt64] = [:]

    init(gaps: RecordGaps) { self.gaps = gaps }

    mutating func cause(of record: TraceRecord) -> UInt64? {
      // The missing records may include the end of what the thread was doing.
      if gaps.followsGap(record) { open[record.thread] = nil }
      let within = open[record.thread]?.last?.number
      switch record.kind {
      case .hopScheduled: scheduled[record.id] = record.number
      case .hopBegan, .turnBegan:
        open[record.thread, default: []].append((record.number, record.kind, record.id))
        return record.kind == .hopBegan ? scheduled[record.id] : within
      case .hopEnded, .turnEnded:
        let begins: RecordKind = record.kind == .hopEnded ? .hopBegan : .turnBegan
        guard
          let place = open[record.thread]?.lastIndex(where: {
            $0.kind == begins && $0.id == record.id
          })
        else { return within }
        let begun = open[record.thread]?[place].number
        open[record.thread]?.removeSubrange(place...)
        return begun
      default: break
      }
      return within
    }
  }
}
