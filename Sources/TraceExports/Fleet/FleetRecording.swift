import TraceFindings
import TraceModel
import TraceReading

/// A row of the table `recordings`.
///
/// Its ``commonColumns`` are also the first columns of every other table.
struct FleetRecording: Sendable {
  let labels: FleetLabels
  let id: String
  let path: String
  let version: String
  let header: TraceHeader
  let program: ProgramInfo
  let isRunning: Bool
  /// The time of the export if the program is running, and otherwise the time of its last sign of
  /// life, in nanoseconds since 1970.
  let until: UInt64
  let buildID: String
  let findings: [FindingLevel: UInt32]
  let totals: FleetTotals
  let lostSegments: UInt64
  let lostEntries: UInt64
  let exact: Duration

  init(
    _ snapshot: TraceSnapshot,
    _ inspection: Inspection,
    _ labels: FleetLabels,
    path: String,
    version: String
  ) {
    (self.labels, self.path, self.version) = (labels, path, version)
    header = snapshot.header
    program = inspection.program
    isRunning = snapshot.processStatus == .running
    id = Self.id(header)
    let last = snapshot.realtime(of: snapshot.lastTicks)
    let present = UInt64(max(0, snapshot.present?.wholeNanoseconds ?? 0))
    until = max(last, present > 0 ? header.start.realtime.saturatingAdding(present) : 0)
    buildID = Self.hexadecimal(Self.executable(snapshot)?.buildID ?? [])
    findings = Dictionary(grouping: inspection.findings, by: \.level)
      .mapValues { UInt32(clamping: $0.count) }
    totals = FleetTotals(inspection)
    lostSegments = snapshot.missingSegments.saturatingAdding(snapshot.damagedSegments)
    lostEntries = (Array(header.lost.values) + Array(snapshot.lostEntries.values))
      .reduce(0) { $0.saturatingAdding($1) }
    exact = program.exactWindow.map { $0.upperBound - $0.lowerBound } ?? .zero
  }

  /// A number that orders the exports of one recording: ``until``, except that an export after the
  /// end of the program has a greater number than all exports before its end.
  ///
  /// ``until`` alone does not suffice: while the program runs, it is the time of the export, but
  /// after a crash it is the time of the last record, which may be earlier.
  var revision: UInt64 {
    let isOver = program.status != .running && program.status != .elsewhere
    return min(until, 1 << 62 - 1) | (isOver ? 1 << 62 : 0)
  }

  var endedAt: UInt64? { isRunning || program.status == .elsewhere ? nil : until }

  /// A hash of the boot, the process, and the time at which recording began, in the form of a UUID
  /// of version 8.
  ///
  /// All copies of a recording have the same identifier, and no other recording has it.
  private static func id(_ header: TraceHeader) -> String {
    let parts: [UInt64] = [
      header.bootID.high, header.bootID.low, header.processNamespace,
      UInt64(UInt32(bitPattern: header.processID)), header.processStart, header.start.realtime,
      header.start.ticks,
    ]
    var bytes = SHA256.hash(
      parts.flatMap { part in withUnsafeBytes(of: part.bigEndian, Array.init) }
    )
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = Array(hexadecimal(Array(bytes.prefix(16))))
    for place in [20, 16, 12, 8] { text.insert("-", at: place) }
    return String(text)
  }

  /// The image of the executable: the image with the executable's path, or else the first image
  /// with a build identifier.
  private static func executable(_ snapshot: TraceSnapshot) -> TraceImage? {
    snapshot.images.first { !$0.path.isEmpty && $0.path == snapshot.header.executablePath }
      ?? snapshot.images.first { !$0.buildID.isEmpty }
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Sums over the sites of a recording.
///
/// A sum leaves out unknown counts, and is nil if all of them are unknown.
struct FleetTotals: Sendable {
  var liveSubscriptions: UInt64?
  var liveSignals: UInt64?
  var liveTimers: UInt64?
  var subscribed: UInt64?
  var events: UInt64?

  init(_ inspection: Inspection) {
    func sum(_ value: (SiteRow) -> UInt64?) -> UInt64? {
      var sum: UInt64?
      for count in inspection.sites.lazy.compactMap(value) {
        sum = (sum ?? 0).saturatingAdding(count)
      }
      return sum
    }
    liveSubscriptions = sum(\.live)
    liveSignals = sum(\.signals)
    liveTimers = sum(\.timersLive)
    subscribed = sum(\.subscribed)
    events = sum(\.events)
  }
}

extension FleetRecording {
  /// The columns with which every table begins.
  static let commonColumns: [FleetColumn<FleetRecording>] = [
    .text("day", "the day on which the recording began, in UTC", type: "Date") {
      FleetTime.day($0.header.start.realtime)
    },
    .name(
      "service",
      "the service of the process: --service, OTEL_SERVICE_NAME, or the program's name"
    ) {
      fleetText($0.labels.service)
    },
    .name("host", "the machine: --host, host.name of OTEL_RESOURCE_ATTRIBUTES, or its name") {
      fleetText($0.labels.host)
    },
    .name("service_version", "--service-version, or service.version of OTEL_RESOURCE_ATTRIBUTES") {
      fleetText($0.labels.version)
    },
    .text("recording_id", "the same for every copy of a recording", type: "UUID") { $0.id },
    .number("revision", "orders the exports of one recording; the greatest is the current one") {
      $0.revision
    },
  ]

  /// The further columns of `recordings`.
  static let columns: [FleetColumn<FleetRecording>] = [
    .name(
      "build_id",
      "the build identifier of the executable, in hexadecimal; empty if it has none"
    ) {
      $0.buildID
    },
    .name("program", "the program's name") { fleetText($0.header.programName) },
    .text("executable", "where the executable was") { fleetText($0.header.executablePath) },
    .number("pid", "the number of the process") { UInt32(bitPattern: $0.header.processID) },
    .moment("started_at", "when recording began") { $0.header.start.realtime },
    .moment(
      "recorded_until",
      "when it was exported, if the program still ran, or else its last sign of life"
    ) {
      $0.until
    },
    .knownMoment("ended_at", "recorded_until, where the program or its recording has ended") {
      $0.endedAt
    },
    .name("state", "running, stopped (cleanly), gone (crashed or killed), or elsewhere (unknown)") {
      $0.program.status.schemaName
    },
    .name("ending", "SIGSEGV or another signal that ended the program, exited N, or empty") { row in
      guard let ending = row.program.ending?.ending else { return "" }
      if case .exited(let status) = ending.cause { return "exited \(status)" }
      return ending.signalName ?? ""
    },
    .flag("crashed", "whether a fault in the program ended it") {
      $0.program.ending?.isCrash ?? false
    },
    .name("level", "what is recorded: graph, events, values or off") {
      $0.header.level.schemaName
    },
    .text("path", "where the recording is, on its host") { fleetText($0.path) },
    .flag("is_incomplete", "whether anything is missing that affects verdicts") {
      $0.program.isIncomplete
    },
    .number("lost_records", "records that were dropped, as no segment was free") {
      $0.header.lostRecords
    },
    .number("lost_segments", "segments of records that are missing or damaged") {
      $0.lostSegments
    },
    .number("lost_entries", "entries of tables that were lost, or had no room") {
      $0.lostEntries
    },
    .texts("losses", "what was lost, a sentence each") { row in
      row.program.losses.map { fleetText($0) }
    },
    .number("exact_ns", "the length of the last stretch with every record, in nanoseconds") {
      UInt64(max(0, $0.exact.wholeNanoseconds))
    },
    .number("violations", "findings of level VIOLATION") { $0.findings[.violation] ?? 0 },
    .number("leaks", "findings of level LEAK") { $0.findings[.leak] ?? 0 },
    .number("suspects", "findings of level SUSPECT") { $0.findings[.suspect] ?? 0 },
    .number("infos", "findings of level INFO") { $0.findings[.info] ?? 0 },
    .known("live_subscriptions", "subscriptions that have not ended") {
      $0.totals.liveSubscriptions
    },
    .known("live_signals", "signals that exist") { $0.totals.liveSignals },
    .known("live_timers", "timers that have not ended") { $0.totals.liveTimers },
    .known("subscribed", "subscriptions ever") { $0.totals.subscribed },
    .known("events", "events of all subscriptions ever") { $0.totals.events },
    .name("rxtop_version", "the version of rxtop that exported the row") { $0.version },
  ]
}

/// A text of a recording, with control characters escaped.
func fleetText(_ text: String) -> String { displayName(text, columns: 4000) }
