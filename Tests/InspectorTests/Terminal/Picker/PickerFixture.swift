import InspectorUI
import TraceModel
import TraceReading

/// Listings of traces made by hand, one for each second.
enum PickerFixture {
  static let folder = "/run/user/1000/rxtrace/"
  static let now: UInt64 = 1_700_000_100_000_000_000
  private static let start = ContinuousClock.now

  /// A file that holds a trace.
  static func file(
    _ name: String,
    process: Int32,
    _ status: ProcessStatus = .running,
    age: UInt64 = 30,
    live: UInt64 = 0,
    events: UInt64 = 0,
    atMark: UInt64? = nil,
    ending: TraceEnding? = nil,
    second: Int = 0
  ) -> TraceWatch.File {
    var header = TraceHeader()
    header.programName = name
    header.processID = process
    header.start.realtime = now - age * 1_000_000_000
    header.ending = ending
    var counters = TraceCounters()
    (counters.live, counters.events, counters.liveAtMark) = (live, events, atMark)
    return TraceWatch.File(
      path: "\(folder)\(name)-\(process).rxtrace",
      stamp: stamp(of: process),
      header: .success(header),
      status: status,
      counters: counters,
      countedAt: start + .seconds(second)
    )
  }

  /// A file that holds no trace.
  static func unusable(_ name: String, _ number: Int32, _ sentence: String) -> TraceWatch.File {
    TraceWatch.File(
      path: folder + name,
      stamp: stamp(of: number),
      header: .failure(TraceError(.notATrace, sentence)),
      status: .elsewhere,
      counters: nil,
      countedAt: start
    )
  }

  private static func stamp(of number: Int32) -> TraceWatch.Stamp {
    TraceWatch.Stamp(
      device: 1,
      inode: UInt64(number),
      byteCount: 98_566_144,
      allocated: 1 << 20,
      modified: now
    )
  }

  static func listing(_ files: [TraceWatch.File], second: Int = 0) -> TraceListing {
    TraceListing(now: now + UInt64(second) * 1_000_000_000, files: files)
  }

  /// A start screen that has been given these listings, one per second.
  static func picker(
    _ listings: [TraceWatch.File]...,
    size: Size = .standard,
    glyphs: Glyphs = .utf8
  ) -> TracePicker {
    var picker = TracePicker(glyphs: glyphs, size: size)
    for (second, files) in listings.enumerated() { picker.apply(listing(files, second: second)) }
    return picker
  }

  /// Two programs and five files, listed ten times.
  static func busy(size: Size, glyphs: Glyphs) -> TracePicker {
    var picker = TracePicker(glyphs: glyphs, size: size)
    let events: [UInt64] = [0, 10, 40, 40, 90, 170, 290, 390, 480, 540]
    for (second, count) in events.enumerated() {
      picker.apply(
        listing(
          [
            file(
              "watchtower",
              process: 4711,
              live: 40 + UInt64(second),
              events: count,
              atMark: 38,
              second: second
            ),
            file("importer", process: 4712, age: 7200, live: 12, events: 7, second: second),
            file("a\u{1B}[31mb", process: 4713, .stopped, age: 90_000, live: 3),
            file(
              "uploader",
              process: 4709,
              .died,
              age: 95_000,
              live: 17,
              atMark: 20,
              ending: TraceEnding(.signal(11))
            ),
            file("server", process: 12, .elsewhere, age: 4_000_000, live: 2),
            file("cron", process: 4600, .died, age: 9_000_000),
            unusable("notes.rxtrace", 9, "is not a trace; one as made with RXTRACE=1 was expected"),
          ],
          second: second
        )
      )
    }
    picker.apply([
      "\(folder)watchtower-4711.rxtrace": found(.leak, "subscription outlives its owner"),
      "\(folder)importer-4712.rxtrace": TraceVerdict(),
      "\(folder)uploader-4709.rxtrace": found(.violation, "crash"),
      "\(folder)server-12.rxtrace": found(.suspect, "nothing passes"),
      "\(folder)cron-4600.rxtrace": TraceVerdict(problem: "It is too large to be looked through."),
    ])
    return picker
  }

  static func found(_ level: FindingLevel, _ title: String) -> TraceVerdict {
    var verdict = TraceVerdict()
    (verdict.level, verdict.title, verdict.count) = (level, title, 2)
    verdict.sentence = "subscribe@Pane.swift:81: 12 subscriptions live on."
    return verdict
  }
}

extension TracePicker {
  /// Presses the keys of a script and returns the outcome of the last one.
  @discardableResult
  mutating func press(_ keys: String) -> Outcome {
    Key.script(keys).reduce(.undecided) { _, key in update(.key(key)) }
  }

  /// The lines of the list, without the headings.
  var listed: [String] {
    let frame = frame()
    return (3..<frame.size.rows - 1).map(frame.line).prefix { !$0.isEmpty }.map { $0 }
  }

  /// The first word of each line of the list.
  var names: [String] { listed.map { String($0.prefix { $0 != " " }) } }

  /// The name in the selected row.
  var selectedName: String? {
    selected?.split(separator: "/").last?.split(separator: "-").first.map(String.init)
  }
}
