import TraceModel
import TraceReading

/// Perfetto's own format.
///
/// Each thread has a track, and so does each subscription, below the track of its site. A flow
/// leads from where work was scheduled to where it ran. The beginning of a subscription carries its
/// recorded backtrace.
struct PerfettoExport {
  private let snapshot: TraceSnapshot
  private let symbolizer: Symbolizer
  private var names: [String: UInt64] = [:]
  private var stacks: [UInt32: [SymbolizedFrame]] = [:]

  // These are field numbers of perfetto_trace.proto.
  private enum Packet {
    static let timestamp = 8, sequence = 10, event = 11, interned = 12, flags = 13, track = 60
  }
  private enum Track {
    static let uuid = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8
    static let mergeBehavior = 15, mergeKey = 16
  }
  private enum Event {
    static let annotations = 4, type = 9, nameID = 10, track = 11, category = 22, counter = 30
    static let flows = 47, endingFlows = 48, correlation = 52, callstack = 55
  }
  private enum Kind {
    static let begin: UInt64 = 1, end: UInt64 = 2, instant: UInt64 = 3, counter: UInt64 = 4
  }

  private static let processTrack: UInt64 = 1
  private static let counterTrack: UInt64 = 2
  private static func threadTrack(_ row: UInt32) -> UInt64 { 1 << 40 | UInt64(row) }
  private static func siteTrack(_ row: UInt32) -> UInt64 { 2 << 40 | UInt64(row) }
  private static func subscriptionTrack(_ serial: UInt64) -> UInt64 { 1 << 62 | serial }

  init(_ snapshot: TraceSnapshot) {
    self.snapshot = snapshot
    symbolizer = Symbolizer(snapshot).knowing(snapshot.chains.lazy.flatMap(\.frames))
  }

  func write(to write: @escaping ([UInt8]) throws -> Void) throws {
    var writer = self
    var output = BufferedOutput(write)
    var walk = SpanWalk(snapshot)
    let lives = walk.store.all
    try writer.tracks(lives, &output)
    try writer.lifetimes(lives, walk, &output)
    try walk.run { try writer.put($0, &output) }
    try output.flush()
  }

  private func packet(_ output: inout BufferedOutput, _ fields: (inout ProtobufWriter) -> Void)
    throws
  {
    var trace = ProtobufWriter()
    trace.message(1, fields)
    try output.put(trace.bytes)
  }

  // MARK: Tracks

  private func tracks(_ lives: [EntityStore.Life], _ output: inout BufferedOutput) throws {
    let process = UInt64(max(1, snapshot.header.processID))
    try packet(&output) { packet in
      packet.varint(Packet.sequence, 1)
      // SEQ_INCREMENTAL_STATE_CLEARED: no earlier packet of the sequence is referred to.
      packet.varint(Packet.flags, 1)
      packet.message(Packet.track) { track in
        track.varint(Track.uuid, Self.processTrack)
        track.message(Track.process) { descriptor in
          descriptor.varint(1, process)
          descriptor.text(6, displayName(snapshot.header.programName))
        }
      }
    }
    // The records also name threads that are missing from the table.
    var threads = Set(snapshot.threads.indices.dropFirst().map { UInt32($0) })
    for record in snapshot.records { threads.insert(record.thread) }
    for row in threads.sorted() {
      try track(Self.threadTrack(row), nil, "", &output) { track in
        track.message(Track.thread) { descriptor in
          descriptor.varint(1, process)
          descriptor.varint(2, UInt64(snapshot.threadID(row)))
          descriptor.text(5, displayName(snapshot.threadLabel(row)))
        }
      }
    }
    try track(Self.counterTrack, Self.processTrack, "active subscriptions", &output) { track in
      track.message(Track.counter) { _ in }
    }
    let sites = Set(lives.filter { $0.kind == .subscription }.map(\.site)).sorted()
    for site in sites {
      try track(
        Self.siteTrack(site),
        Self.processTrack,
        displayName(snapshot.label(ofSite: site)),
        &output
      ) { _ in }
    }
  }

  private func track(
    _ uuid: UInt64,
    _ parent: UInt64?,
    _ name: String,
    _ output: inout BufferedOutput,
    _ more: (inout ProtobufWriter) -> Void
  ) throws {
    try packet(&output) { packet in
      packet.varint(Packet.sequence, 1)
      packet.message(Packet.track) { track in
        track.varint(Track.uuid, uuid)
        if let parent { track.varint(Track.parent, parent) }
        if !name.isEmpty { track.text(Track.name, name) }
        more(&track)
      }
    }
  }

  // MARK: Events

  private mutating func event(
    _ time: UInt64,
    _ type: UInt64,
    _ track: UInt64,
    name: String? = nil,
    category: String? = nil,
    _ output: inout BufferedOutput,
    _ more: (inout ProtobufWriter) -> Void = { _ in }
  ) throws {
    var nameID: UInt64?
    var isNew = false
    if let name {
      isNew = names[name] == nil
      nameID = names[name] ?? UInt64(names.count + 1)
      names[name] = nameID
    }
    try packet(&output) { packet in
      packet.varint(Packet.timestamp, snapshot.header.start.monotonic &+ time)
      packet.varint(Packet.sequence, 1)
      // SEQ_NEEDS_INCREMENTAL_STATE: the packet refers to names in earlier packets.
      packet.varint(Packet.flags, 2)
      if isNew, let name, let nameID {
        packet.message(Packet.interned) { interned in
          interned.message(2) { entry in
            entry.varint(1, nameID)
            entry.text(2, name)
          }
        }
      }
      packet.message(Packet.event) { event in
        event.varint(Event.type, type)
        event.varint(Event.track, track)
        if let nameID { event.varint(Event.nameID, nameID) }
        if let category { event.text(Event.category, category) }
        more(&event)
      }
    }
  }

  private static func annotate(_ event: inout ProtobufWriter, _ name: String, _ value: String) {
    event.message(Event.annotations) { annotation in
      annotation.text(10, name)
      annotation.text(6, displayName(value))
    }
  }

  private static func annotate(_ event: inout ProtobufWriter, _ name: String, _ value: UInt64) {
    event.message(Event.annotations) { annotation in
      annotation.text(10, name)
      annotation.varint(3, value)
    }
  }

  private mutating func lifetimes(
    _ lives: [EntityStore.Life],
    _ walk: SpanWalk,
    _ output: inout BufferedOutput
  ) throws {
    let snapshot = snapshot
    let last = walk.nanoseconds(snapshot.lastTicks)
    var names = RecordedNames(walk.store, snapshot)
    for entry in lives where entry.kind == .subscription && entry.key.serial != 0 {
      let uuid = Self.subscriptionTrack(entry.key.serial)
      let name = displayName(snapshot.label(ofSite: entry.site))
      try track(uuid, Self.siteTrack(entry.site), name, &output) { track in
        // Perfetto shows the subscriptions of a site on one track if they do not overlap in time.
        track.varint(Track.mergeBehavior, 3)
        track.text(Track.mergeKey, "site-\(entry.site)")
      }
      let start = walk.nanoseconds(entry.createdAt)
      let frames = frames(entry.chain)
      let signal = names.name(of: entry)
      try event(start, Kind.begin, uuid, name: name, category: "sub", &output) { event in
        event.varint(Event.correlation, entry.key.serial)
        Self.annotate(&event, "sub", entry.key.serial)
        if let signal { Self.annotate(&event, "signal", displayName(endOf: signal)) }
        if let scheduler = snapshot.schedulerName(entry.scheduler) {
          Self.annotate(&event, "scheduler", scheduler)
        }
        if !frames.isEmpty { Self.write(frames, &event) }
      }
      let end = max(start + 1, walk.store.end(entry).map(walk.nanoseconds) ?? last)
      try event(end, Kind.end, uuid, &output) { event in
        if !entry.hasEnded { Self.annotate(&event, "open", 1) }
      }
    }
  }

  /// The asynchronous backtrace, outermost first.
  private mutating func frames(_ chain: UInt32) -> [SymbolizedFrame] {
    guard chain > 0, Int(chain) < snapshot.chains.count else { return [] }
    if let known = stacks[chain] { return known }
    var addresses: [UInt64] = []
    var row = chain
    var seen: Set<UInt32> = []
    while row > 0, Int(row) < snapshot.chains.count, seen.insert(row).inserted {
      addresses += snapshot.chains[Int(row)].frames
      row = snapshot.chains[Int(row)].parent
    }
    let frames = Array(symbolizer.frames(addresses).reversed())
    stacks[chain] = frames
    return frames
  }

  private static func write(_ frames: [SymbolizedFrame], _ event: inout ProtobufWriter) {
    event.message(Event.callstack) { stack in
      for frame in frames {
        stack.message(1) { entry in
          entry.text(1, displayName(frame.function ?? frame.shortText))
          let place = frame.sourcePlace
          if !place.file.isEmpty { entry.text(2, displayName(place.file)) }
          if place.line > 0 { entry.varint(3, place.line) }
        }
      }
    }
  }

  private mutating func put(_ item: ExportItem, _ output: inout BufferedOutput) throws {
    let snapshot = snapshot
    switch item {
    case .begin(let slice):
      try event(
        slice.start,
        Kind.begin,
        Self.threadTrack(slice.thread),
        name: displayName(slice.name),
        category: slice.kind == .delivery ? "delivery" : "hop",
        &output
      ) { event in
        if let flow = slice.flowOut { event.fixed64(Event.flows, flow) }
        if let flow = slice.flowIn { event.fixed64(Event.endingFlows, flow) }
        Self.annotate(&event, "event", slice.event)
        if let subject = slice.subject {
          event.varint(Event.correlation, subject.key.serial)
          Self.annotate(&event, "sub", subject.key.serial)
        }
      }
    case .end(let slice):
      try event(slice.end, Kind.end, Self.threadTrack(slice.thread), &output) { event in
        if slice.isOpen { Self.annotate(&event, "open", 1) }
      }
    case .instant(let record, let entry, let time):
      guard entry.kind == .subscription, entry.key.serial != 0 else { return }
      switch record.kind {
      case .subscribed, .ended, .subscriptionReleased, .depth, .ownerBound, .ownerHeld: return
      default: break
      }
      try event(
        time,
        Kind.instant,
        Self.subscriptionTrack(entry.key.serial),
        name: RecordSpec.of(record.kind).name,
        category: "sub",
        &output
      ) { event in
        event.varint(Event.correlation, entry.key.serial)
        Self.annotate(&event, "event", record.number)
        if record.kind == .failed {
          Self.annotate(&event, "error", snapshot.string(record.argument))
        }
        if let value = record.valueText { Self.annotate(&event, "value", value.text) }
      }
    case .lost(let count, _, let time):
      try event(time, Kind.instant, Self.processTrack, name: "LOST \(count) events", &output)
    case .mark(let name, let time):
      let name = "mark " + displayName(name, columns: 80)
      try event(time, Kind.instant, Self.processTrack, name: name, category: "mark", &output)
    case .live(let count, let time):
      try event(time, Kind.counter, Self.counterTrack, &output) { event in
        event.varint(Event.counter, UInt64(count))
      }
    }
  }
}

extension SymbolizedFrame {
  /// The file and the line of ``location``.
  var sourcePlace: (file: String, line: UInt64) {
    guard let location, let colon = location.lastIndex(of: ":"),
      let line = UInt64(location[location.index(after: colon)...])
    else { return (location ?? "", 0) }
    return (String(location[..<colon]), line)
  }
}
