import TraceModel
import TraceReading

/// Chrome's trace events as JSON, one per line.
///
/// Deliveries and scheduled work are events with a duration on the tracks of threads, and
/// subscriptions are asynchronous events. A flow leads from where a scheduler accepted work to
/// where the work ran.
struct ChromeExport {
  private let snapshot: TraceSnapshot
  private let process: Int32

  init(_ snapshot: TraceSnapshot) {
    self.snapshot = snapshot
    process = max(1, snapshot.header.processID)
  }

  func write(to write: @escaping ([UInt8]) throws -> Void) throws {
    var output = BufferedOutput(write)
    try output.put("{\"traceEvents\":[\n")
    var isFirst = true
    func event(_ fields: (inout JSONWriter) -> Void) throws {
      var json = JSONWriter(linesTo: 0)
      json.object(nil, fields)
      try output.put((isFirst ? "" : ",\n") + json.text)
      isFirst = false
    }
    try metadata(event)
    var walk = SpanWalk(snapshot)
    try lifetimes(walk, event)
    try walk.run { try put($0, event) }
    var footer = JSONWriter(linesTo: 0)
    footer.object { json in
      json.field("program", displayName(snapshot.header.programName))
      json.field("writer", "rxtop")
      json.field("startedAt", snapshot.header.start.realtime)
      json.field("losses", Losses.sentences(snapshot).map { displayName($0, columns: 400) })
    }
    try output.put("\n],\"displayTimeUnit\":\"ns\",\"metadata\":\(footer.text)}\n")
    try output.flush()
  }

  private typealias Emit = ((inout JSONWriter) -> Void) throws -> Void

  private func metadata(_ event: Emit) throws {
    func name(_ what: String, _ thread: UInt32, _ name: String) throws {
      try event { json in
        json.field("ph", "M")
        json.field("name", what)
        json.field("pid", process)
        json.field("tid", thread)
        json.object("args") { $0.field("name", displayName(name, columns: 200)) }
      }
    }
    try name("process_name", 0, snapshot.header.programName)
    for row in snapshot.threads.indices.dropFirst() {
      try name("thread_name", snapshot.threadID(UInt32(row)), snapshot.threadLabel(UInt32(row)))
    }
  }

  // MARK: Subscriptions

  private func lifetimes(_ walk: SpanWalk, _ event: Emit) throws {
    let last = walk.nanoseconds(snapshot.lastTicks)
    var names = RecordedNames(walk.store, snapshot)
    for entry in walk.store.all where entry.kind == .subscription && entry.key.serial != 0 {
      let start = walk.nanoseconds(entry.createdAt)
      let end = max(start, walk.store.end(entry).map(walk.nanoseconds) ?? last)
      let signal = names.name(of: entry)
      try event { json in
        async("b", entry, start, &json)
        json.object("args") { json in
          json.field("sub", entry.key.serial)
          json.field("site", displayName(snapshot.site(entry.site)?.location ?? "?"))
          json.field("signal", signal.map { displayName(endOf: $0, columns: 400) })
          json.field("scheduler", snapshot.schedulerName(entry.scheduler).map { displayName($0) })
        }
      }
      try event { json in
        async("e", entry, end, &json)
        json.object("args") { json in
          json.field("open", !entry.hasEnded)
          if entry.isEndUnknown { json.field("end", Quantity.unknown) }
        }
      }
    }
  }

  private func async(
    _ phase: String,
    _ entry: EntityStore.Life,
    _ time: UInt64,
    name: String? = nil,
    _ json: inout JSONWriter
  ) {
    json.field("ph", phase)
    json.field("cat", "sub")
    json.field("id", "0x" + String(entry.key.serial, radix: 16))
    json.field("name", name ?? displayName(snapshot.label(ofSite: entry.site)))
    json.field("pid", process)
    json.field("tid", 0)
    json.number("ts", Self.microseconds(time))
  }

  // MARK: Timeline

  private func put(_ item: ExportItem, _ event: Emit) throws {
    switch item {
    case .begin: break
    case .end(let slice): try event { put(slice, &$0) }
    case .instant(let record, let entry, let time):
      guard entry.kind == .subscription, entry.key.serial != 0 else { return }
      switch record.kind {
      case .subscribed, .ended, .subscriptionReleased, .depth, .ownerBound, .ownerHeld: return
      default: break
      }
      try event { json in
        async("n", entry, time, name: RecordSpec.of(record.kind).name, &json)
        json.object("args") { json in
          json.field("event", record.number)
          json.field("sub", entry.key.serial)
          json.field("kind", kind(record))
          json.field("tid", snapshot.threadID(record.thread))
          if record.kind == .failed {
            json.field("error", displayName(snapshot.string(record.argument)))
          }
          if let value = record.valueText { json.field("value", displayName(value.text)) }
        }
      }
    case .lost(let count, let thread, let time):
      try instant("LOST \(count) events", snapshot.threadID(thread), time, scope: "g", event)
    case .mark(let name, let time):
      try instant("mark \(displayName(name, columns: 80))", 0, time, scope: "g", event)
    case .live(let count, let time):
      try event { json in
        json.field("ph", "C")
        json.field("name", "active")
        json.field("pid", process)
        json.field("tid", 0)
        json.number("ts", Self.microseconds(time))
        json.object("args") { $0.field("subscriptions", count) }
      }
    }
  }

  private func kind(_ record: TraceRecord) -> String {
    switch record.kind {
    case .next, .value: "next"
    case .failed: "error"
    case .completed: "completed"
    default: RecordSpec.of(record.kind).name
    }
  }

  private func instant(
    _ name: String,
    _ thread: UInt32,
    _ time: UInt64,
    scope: String,
    _ event: Emit
  ) throws {
    try event { json in
      json.field("ph", "i")
      json.field("name", name)
      json.field("pid", process)
      json.field("tid", thread)
      json.number("ts", Self.microseconds(time))
      json.field("s", scope)
    }
  }

  private func put(_ slice: ExportSlice, _ json: inout JSONWriter) {
    json.field("ph", "X")
    json.field("cat", slice.kind == .delivery ? "delivery" : "hop")
    json.field("name", displayName(slice.name))
    json.field("pid", process)
    json.field("tid", snapshot.threadID(slice.thread))
    json.number("ts", Self.microseconds(slice.start))
    json.number("dur", Self.microseconds(slice.end - slice.start))
    if let flow = slice.flowOut ?? slice.flowIn {
      json.field("bind_id", "0x" + String(flow, radix: 16))
      json.field(slice.flowOut == nil ? "flow_in" : "flow_out", true)
    }
    json.object("args") { json in
      json.field("event", slice.event)
      if let subject = slice.subject {
        json.field("sub", subject.key.serial)
        json.field("site", displayName(snapshot.site(subject.site)?.location ?? "?"))
      }
      if slice.isOpen { json.field("open", true) }
    }
  }

  /// Formats nanoseconds as microseconds with three decimals, without rounding.
  static func microseconds(_ nanoseconds: UInt64) -> String {
    let rest = "\(nanoseconds % 1000)"
    return "\(nanoseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }
}

/// Buffers output and passes it on in chunks of about 64 KiB.
struct BufferedOutput {
  private let write: ([UInt8]) throws -> Void
  private var bytes: [UInt8] = []

  init(_ write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  mutating func put(_ text: String) throws { try put(text.utf8) }

  mutating func put(_ more: some Sequence<UInt8>) throws {
    bytes += more
    if bytes.count > 1 << 16 { try flush() }
  }

  mutating func flush() throws {
    guard !bytes.isEmpty else { return }
    try write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
