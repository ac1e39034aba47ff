import InspectorUI
import ReactiveTrace
import TraceFindings
import TraceModel

/// The trace of a small program, for tests of queries about its records.
///
/// Taps on the main queue are debounced, looked up on a separate queue, and shown on the main
/// queue again. The third look-up waits for the second, and fails. Two badges stay subscribed.
enum Story {
  static let text = """
    header state=stopped clock=monotonic slotBits=8 generation=1 startLevel=events processID=4711
    header programName="story" lastSerial=20 stopTicks=3000000000
    header startTicks=1000000000 startMonotonic=1000000000 startRealtime=1700000000000000000
    header latestTicks=3000000000 latestMonotonic=3000000000 latestRealtime=1700000002000000000
    string 1 "LookUpError"
    site 1 name="Subject" file="Story/Taps.swift" line=8 column=5 subscribed=1 ended.2=1 eventsOfReleased=6
    site 2 name="debounce" file="Story/Taps.swift" line=9 column=5 subscribed=1 ended.2=1 eventsOfReleased=3
    site 3 name="flatMap" file="Story/Search.swift" line=21 column=5 subscribed=1 ended.1=1 eventsOfReleased=2
    site 4 name="deliver(on:)" file="Story/Search.swift" line=22 column=5 subscribed=1 ended.1=1 eventsOfReleased=2
    site 5 name="subscribe" file="Story/Screen.swift" line=40 column=5 traits=0x1 subscribed=1 ended.1=1 eventsOfReleased=2
    site 6 name="lookUp" file="Story/Search.swift" line=30 column=5 subscribed=3 ended.0=2 ended.1=1 eventsOfReleased=2 lifetime.26=1 lifetime.29=1 lifetime.28=1
    site 7 name="subscribe" file="Story/Badge.swift" line=12 column=5 traits=0x1 subscribed=2
    thread 1 systemID=4711 isMain=1 name="main"
    thread 2 systemID=4712 name="search-1"
    scheduler 1 name="main" kind=main scheduled=9 begun=9
    scheduler 2 name="story.search" kind=serialQueue scheduled=3 begun=3
    mark 0 sequence=1 ticks=1050000000 name="opened" siteCount=6 liveSubscriptions=5
    count 0 1 live=1
    count 0 2 live=1
    count 0 3 live=1
    count 0 4 live=1
    count 0 5 live=1
    slot 15 serial=15 kind=subscription state=active site=7 scheduler=1 createdAt=1700000000
    slot 16 serial=16 kind=subscription state=active site=7 scheduler=1 createdAt=2400000000
    segment 0 epoch=1 generation=1 baseTicks=1000000000 thread=1
    \(main.joined(separator: "\n"))
    segment 1 epoch=2 generation=1 baseTicks=1000000000 thread=2
    \(search.joined(separator: "\n"))
    """

  private static func at(_ milliseconds: Int, _ record: String) -> String {
    "  +\(milliseconds * 1_000_000) \(record)"
  }

  /// The identifier of the entity in a slot: the number of the slot, and in the bits above it a
  /// number that distinguishes this entity from others that use the slot at other times.
  static func id(_ slot: Int) -> Int { slot == 0 ? 0 : slot | slot << 8 }

  private static func subscribed(_ id: Int, _ site: Int, _ downstream: Int, _ time: Int) -> String {
    at(
      time,
      "subscribed subscription=\(Self.id(id)) site=\(site) downstream=\(Self.id(downstream)) serial=\(id) schedulerAndChain=\(1 << 32)"
    )
  }

  private static func tap(_ number: Int, _ time: Int) -> [String] {
    let isHeldAlready = number == 2 || number == 3 || number == 5
    let held = isHeldAlready ? [] : [at(time, "depth subscription=\(Self.id(6)) held=1")]
    return [
      at(time, "turn-began entity=\(Self.id(5)) thread=1"),
      at(time, "next subscription=\(Self.id(5)) sequence=\(number)"),
    ] + held + [at(time, "turn-ended entity=\(Self.id(5))")]
  }

  /// The debounce sends its value, and a look-up begins.
  private static func lookUp(_ id: Int, _ hop: Int, _ time: Int) -> [String] {
    [
      at(time, "hop-began hop=\(hop) scheduler=1"),
      at(time, "depth subscription=\(Self.id(6)) held=0"),
      at(time, "next subscription=\(Self.id(6)) sequence=\(hop - 19)"),
      subscribed(id, 6, 7, time),
      at(time, "hop-scheduled hop=\(hop + 10) chain=0 scheduler=2 subscription=\(Self.id(id))"),
      at(time + 1, "hop-ended hop=\(hop)"),
    ]
  }

  /// The result of a look-up is shown.
  private static func show(_ hop: Int, _ sequence: Int, _ time: Int) -> [String] {
    [
      at(time, "hop-began hop=\(hop) scheduler=1"),
      at(time, "next subscription=\(Self.id(8)) sequence=\(sequence)"),
      at(time, "next subscription=\(Self.id(1)) sequence=\(sequence)"),
      at(time + 2, "hop-ended hop=\(hop)"),
    ]
  }

  private static let main: [String] =
    [
      subscribed(1, 5, 0, 10), subscribed(8, 4, 1, 10), subscribed(7, 3, 8, 10),
      subscribed(6, 2, 7, 10), subscribed(5, 1, 6, 10), at(50, "mark mark=1 name=0"),
    ] + tap(1, 100) + tap(2, 140) + tap(3, 180) + lookUp(9, 20, 380) + show(40, 1, 502)
    + tap(4, 600) + tap(5, 640) + [subscribed(15, 7, 0, 700)] + lookUp(10, 21, 840)
    + tap(6, 1300) + [subscribed(16, 7, 0, 1400)] + lookUp(11, 22, 1500) + show(41, 2, 1702)
    + [
      at(1765, "hop-began hop=42 scheduler=1"),
      at(1765, "failed subscription=\(Self.id(8)) error=1"),
      at(1765, "failed subscription=\(Self.id(1)) error=1"),
      at(1765, "ended subscription=\(Self.id(5)) reason=cancelled"),
      at(1765, "ended subscription=\(Self.id(6)) reason=cancelled"),
      at(1765, "ended subscription=\(Self.id(7)) reason=failed"),
      at(1765, "ended subscription=\(Self.id(8)) reason=failed"),
      at(1765, "ended subscription=\(Self.id(1)) reason=failed"),
      at(1766, "hop-ended hop=42"),
    ]

  private static func found(_ id: Int, _ hop: Int, from: Int, to: Int, _ next: Int) -> [String] {
    [
      at(from, "hop-began hop=\(hop) scheduler=2"),
      at(to, "next subscription=\(Self.id(id)) sequence=1"),
      at(to, "next subscription=\(Self.id(7)) sequence=\(next - 39)"),
      at(to, "hop-scheduled hop=\(next) chain=0 scheduler=1 subscription=\(Self.id(8))"),
      at(to, "completed subscription=\(Self.id(id))"),
      at(to, "ended subscription=\(Self.id(id)) reason=completed"),
      at(to + 1, "hop-ended hop=\(hop)"),
    ]
  }

  private static let search: [String] =
    found(9, 30, from: 381, to: 500, 40) + found(10, 31, from: 841, to: 1700, 41)
    + [
      at(1701, "hop-began hop=32 scheduler=2"),
      at(1760, "failed subscription=\(Self.id(11)) error=1"),
      at(1760, "failed subscription=\(Self.id(7)) error=1"),
      at(1760, "hop-scheduled hop=42 chain=0 scheduler=1 subscription=\(Self.id(8))"),
      at(1760, "ended subscription=\(Self.id(11)) reason=failed"),
      at(1761, "hop-ended hop=32"),
    ]

  /// The trace as the source of a screen.
  static func source() throws -> StorySource {
    let file = try WrittenTrace(text)
    return StorySource(file: file, source: try TraceSource(path: file.path))
  }
}

/// A source that keeps its trace file while it is open.
struct StorySource: InspectionSource {
  let file: WrittenTrace
  var source: TraceSource

  mutating func inspection(at position: Position) throws -> Inspection {
    try source.inspection(at: position)
  }
  mutating func step(_ step: Step, forward: Bool, from position: Position) throws -> (
    inspection: Inspection, position: Position
  )? {
    try source.step(step, forward: forward, from: position)
  }
  mutating func program() throws -> ProgramInfo { source.program() }
  mutating func backtrace(of chain: UInt32) throws -> [String] { source.backtrace(of: chain) }
  mutating func query(_ query: TraceQuery) throws -> TraceAnswer { try source.query(query) }
}

extension ScreenHelpers {
  /// Helpers that touch no file.
  static func none(saving: @escaping (String) throws -> String = { _ in "rxtop-1.txt" }) -> Self {
    ScreenHelpers(
      save: saving,
      describe: { "\($0)" },
      edit: { file, line, _ in "Opened \(file):\(line)." },
      saveSettings: { _ in "config" }
    )
  }
}

/// Types keys on screens of the trace and returns the model and all frames.
func play(_ keys: String, size: Size = .standard, glyphs: Glyphs = .utf8) throws -> (
  model: Model, frames: [Frame]
) {
  var terminal = HeadlessTerminal(size: size, keys: keys)
  var loop = ScreenLoop(
    model: Model(size: size, glyphs: glyphs),
    source: try Story.source(),
    helpers: .none()
  )
  try loop.run(on: &terminal)
  return (loop.model, terminal.frames)
}
