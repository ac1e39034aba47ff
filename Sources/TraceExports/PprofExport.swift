import TraceModel
import TraceReading

/// A profile for `go tool pprof` and similar tools: the numbers of live and of all subscriptions,
/// their events, and how long work waited and ran, by asynchronous backtrace.
struct PprofExport {
  /// The values of a sample, in this order.
  private enum Measure: Int, CaseIterable {
    case live, ever, events, wait, run

    var name: String {
      switch self {
      case .live: "live_subscriptions"
      case .ever: "subscriptions"
      case .events: "events"
      case .wait: "hop_wait"
      case .run: "hop_run"
      }
    }

    var unit: String {
      switch self {
      case .live, .ever, .events: "count"
      case .wait, .run: "nanoseconds"
      }
    }
  }

  private let snapshot: TraceSnapshot
  private let inspection: Inspection
  private let store: EntityStore
  private var stacks: ExportStacks
  private var samples: [[Int]: [UInt64]] = [:]
  private var frames: [ExportStacks.Frame] = []
  private var places: [ExportStacks.Frame: Int] = [:]
  private var chains: [UInt32: [Int]] = [:]

  init(_ snapshot: TraceSnapshot, _ inspection: Inspection) {
    self.snapshot = snapshot
    self.inspection = inspection
    store = EntityStore(snapshot)
    stacks = ExportStacks(snapshot)
    countSubscriptions()
    measureHops()
  }

  private mutating func place(_ frame: ExportStacks.Frame) -> Int {
    if let place = places[frame] { return place }
    frames.append(frame)
    places[frame] = frames.count - 1
    return frames.count - 1
  }

  private mutating func stack(_ chain: UInt32) -> [Int] {
    if let stack = chains[chain] { return stack }
    let stack = stacks.backtrace(chain).map { place($0) }
    chains[chain] = stack
    return stack
  }

  private mutating func add(_ amount: UInt64, _ measure: Measure, to stack: [Int]) {
    let nothing = [UInt64](repeating: 0, count: Measure.allCases.count)
    let sum = samples[stack, default: nothing][measure.rawValue].saturatingAdding(amount)
    // The format stores values as signed integers.
    samples[stack, default: nothing][measure.rawValue] = min(sum, UInt64(Int64.max))
  }

  // MARK: Subscriptions

  private mutating func countSubscriptions() {
    var events: [EntityKey: UInt64] = [:]
    RecordWalk(snapshot).forEach(in: snapshot.records.indices) { row, record in
      guard record.kind == .next, let life = store.subscription(record.entity, at: row) else {
        return
      }
      events[life.key, default: 0] += 1
    }
    var living: Set<EntityKey> = []
    for row in inspection.subscriptions where row.state?.isLive != false {
      living.insert(row.key)
      // The counter also includes events whose records have been overwritten.
      if let count = row.events { events[row.key] = count }
    }
    for life in store.all(of: .subscription) {
      let stack = stack(life.chain) + path(life)
      add(1, .ever, to: stack)
      if living.contains(life.key) { add(1, .live, to: stack) }
      if let count = events[life.key] { add(count, .events, to: stack) }
    }
  }

  /// The lines of code from the root subscription to a subscription.
  private mutating func path(_ life: EntityStore.Life) -> [Int] {
    var path: [Int] = []
    var here: EntityStore.Life? = life
    while let one = here, path.count < 256 {
      path.append(place(stacks.frame(ofSite: one.site)))
      here = one.link == .none ? nil : store.subscription(one.link, at: one.firstRow)
    }
    return path.reversed()
  }

  // MARK: Hops

  private mutating func measureHops() {
    var waits = HopWaits<UInt32>()
    var accepted: [UInt32: TraceRecord.HopScheduling] = [:]
    var running: [UInt32: (hop: TraceRecord.HopScheduling, began: UInt64)] = [:]
    // A timer is accepted once, and begins at each fire.
    var repeating = RepeatingHops()
    for row in snapshot.records.indices {
      let record = snapshot.records[row]
      if let hop = record.hopScheduling { accepted[hop.hop] = hop }
      let wait = waits.process(record, snapshot) { _ in record.id }?.wait
      if let ended = repeating.process(record) { accepted[ended] = nil }
      switch record.kind {
      case .hopBegan:
        guard let hop = accepted[record.id] else { break }
        if !repeating.contains(record.id) { accepted[record.id] = nil }
        running[record.id] = (hop, record.ticks)
        if let wait { add(wait.unsignedNanoseconds, .wait, to: stack(of: hop)) }
      case .hopEnded:
        guard let work = running.removeValue(forKey: record.id) else { break }
        let time = snapshot.duration(from: work.began, to: record.ticks)
        add(time.unsignedNanoseconds, .run, to: stack(of: work.hop))
      default: break
      }
    }
  }

  private mutating func stack(of hop: TraceRecord.HopScheduling) -> [Int] {
    let scheduler = snapshot.schedulerName(hop.scheduler) ?? "?"
    return stack(hop.chain) + [place(ExportStacks.Frame(name: "[on: \(displayName(scheduler))]"))]
  }

  // MARK: Writing

  // These are field numbers of profile.proto.
  private enum Profile {
    static let sampleType = 1, sample = 2, mapping = 3, location = 4, function = 5, strings = 6
    static let time = 9, duration = 10, comment = 13, defaultType = 14
  }

  /// The profile, uncompressed.
  func bytes() -> [UInt8] {
    var writer = ProtobufWriter()
    var strings = Strings()
    for measure in Measure.allCases {
      writer.message(Profile.sampleType) { type in
        type.varint(1, strings.number(of: measure.name))
        type.varint(2, strings.number(of: measure.unit))
      }
    }
    for (stack, values) in samples.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      writer.message(Profile.sample) { sample in
        // The format requires the innermost frame to be first.
        sample.packed(1, stack.reversed().map { UInt64($0) + 1 })
        sample.packed(2, values)
      }
    }
    // Fields 7 to 10 say that functions, files and lines are included, so that no tool looks them
    // up in the executable.
    writer.message(Profile.mapping) { mapping in
      mapping.varint(1, 1)
      mapping.varint(5, strings.number(of: displayName(snapshot.header.programName)))
      for isKnown in 7...10 { mapping.varint(isKnown, 1) }
    }
    for (index, frame) in frames.enumerated() {
      writer.message(Profile.location) { location in
        location.varint(1, UInt64(index) + 1)
        location.varint(2, 1)
        location.message(4) { line in
          line.varint(1, UInt64(index) + 1)
          line.varint(2, frame.line)
        }
      }
      writer.message(Profile.function) { function in
        function.varint(1, UInt64(index) + 1)
        function.varint(2, strings.number(of: frame.name))
        function.varint(3, strings.number(of: frame.name))
        function.varint(4, strings.number(of: frame.file))
      }
    }
    writer.varint(Profile.time, snapshot.header.start.realtime)
    writer.varint(Profile.duration, snapshot.time(snapshot.lastTicks).unsignedNanoseconds)
    for loss in Losses.sentences(snapshot) {
      writer.varint(Profile.comment, strings.number(of: displayName(loss, columns: 400)))
    }
    writer.varint(Profile.defaultType, strings.number(of: Measure.live.name))
    for string in strings.all { writer.text(Profile.strings, string) }
    return writer.bytes
  }

  private struct Strings {
    private(set) var all = [""]
    private var numbers = ["": UInt64(0)]

    mutating func number(of string: String) -> UInt64 {
      if let number = numbers[string] { return number }
      let number = UInt64(all.count)
      all.append(string)
      numbers[string] = number
      return number
    }
  }
}

extension Duration {
  /// Whole nanoseconds; 0 for a negative duration, which a damaged trace may contain.
  fileprivate var unsignedNanoseconds: UInt64 { UInt64(max(0, wholeNanoseconds)) }
}
