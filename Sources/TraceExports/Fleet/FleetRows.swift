import TraceFindings
import TraceModel
import TraceReading

/// A row of the table `sites`.
struct FleetSite: Sendable {
  let site: SiteRow
  /// The live counts in the middle of the recording and late in it; nil if no mark (a recorded
  /// instant) has counts.
  let liveCounts: (middle: LiveCount, late: LiveCount)?

  /// The number of subscriptions that were live at a moment.
  struct LiveCount: Sendable {
    let live: UInt64?
    let at: UInt64
  }

  /// The rows of all sites.
  ///
  /// Growth is measured from the middle of the recording, so that what a program creates when it
  /// starts does not count. If the program has ended, growth is measured up to the last mark,
  /// because a program that ends normally first releases what it has.
  static func rows(
    _ snapshot: TraceSnapshot,
    _ inspection: Inspection,
    _ recording: FleetRecording
  ) -> [FleetSite] {
    let marks = snapshot.marks.filter { !$0.hasLostCounts }
    let start = snapshot.header.start.ticks
    let wanted = start.saturatingAdding((snapshot.lastTicks - min(snapshot.lastTicks, start)) / 2)
    func distance(_ mark: TraceMark) -> UInt64 {
      mark.ticks > wanted ? mark.ticks - wanted : wanted - mark.ticks
    }
    guard let middle = marks.min(by: { (distance($0), $0.index) < (distance($1), $1.index) }),
      let last = marks.max(by: { ($0.ticks, $0.index) < ($1.ticks, $1.index) })
    else { return inspection.sites.map { FleetSite(site: $0, liveCounts: nil) } }
    func liveCount(_ mark: TraceMark, _ site: SiteRow) -> LiveCount {
      let place = Int(site.id)
      let live = place < mark.live.count ? UInt64(mark.live[place]) : 0
      return LiveCount(live: live, at: snapshot.realtime(of: mark.ticks))
    }
    return inspection.sites.map { site in
      let now = LiveCount(live: site.live, at: recording.until)
      return FleetSite(
        site: site,
        liveCounts: (liveCount(middle, site), recording.isRunning ? now : liveCount(last, site))
      )
    }
  }

  static let columns: [FleetColumn<FleetSite>] = [
    .number("site", "its number in the recording") { $0.site.id },
    .name("name", "the operator") { fleetText($0.site.name) },
    .name("location", "File.swift:88") { fleetText($0.site.location) },
    .name("file", "Module/File.swift") { fleetText($0.site.file) },
    .number("line", "line in the file, from 1") { $0.site.line },
    .number("line_column", "column in the line, from 1") { $0.site.column },
    .known("live", "subscriptions that have not ended") { $0.site.live },
    .known("subscribed", "subscriptions ever") { $0.site.subscribed },
    .known("events", "events of all its subscriptions ever") { $0.site.events },
    .known("signals", "signals that exist") { $0.site.signals },
    .known("timers_live", "timers that have not ended") { $0.site.timersLive },
    .known("held", "values held by its live subscriptions") { $0.site.held },
    .known("middle_live", "subscriptions at the mark nearest to the middle of the recording") {
      $0.liveCounts?.middle.live
    },
    .knownMoment("middle_at", "when that mark was") { $0.liveCounts?.middle.at },
    .known(
      "late_live",
      "subscriptions at the last mark, or, while the program runs, those live at the export"
    ) {
      $0.liveCounts?.late.live
    },
    .knownMoment("late_at", "when that was") { $0.liveCounts?.late.at },
    .known("median_lifetime_ns", "median lifetime of the ended subscriptions: a power of two") {
      $0.site.medianLifetime.map { UInt64(max(0, $0.wholeNanoseconds)) }
    },
  ]
}

/// A row of the table `findings`.
struct FleetFinding: Sendable {
  let finding: Finding
  let site: SiteRow?

  static func rows(_ inspection: Inspection) -> [FleetFinding] {
    inspection.findings.map { FleetFinding(finding: $0, site: inspection.site($0.site)) }
  }

  static let columns: [FleetColumn<FleetFinding>] = [
    .name("fingerprint", "the same for the same fault in another run or build, as in SARIF") {
      $0.finding.looseFingerprint
    },
    .name("exact_fingerprint", "like fingerprint, but changes when lines move") {
      $0.finding.fingerprint
    },
    .name("kind", "as rxtop check --help lists them") { $0.finding.kind.rawValue },
    .name("level", "VIOLATION, LEAK, SUSPECT or INFO") { $0.finding.level.label },
    .number("severity", "the level as a number: 3 for VIOLATION to 0 for INFO") {
      UInt8($0.finding.level.rawValue)
    },
    .name("name", "the operator that is accused") { fleetText($0.finding.name) },
    .name("location", "File.swift:88") { fleetText($0.finding.location) },
    .name("file", "Module/File.swift") { fleetText($0.site?.file ?? "") },
    .number("line", "line in the file, from 1; 0 if it is not known") { $0.site?.line ?? 0 },
    .name("caller", "who called the function that subscribes, where that is to blame") {
      fleetText($0.finding.blamedCaller?.label ?? "")
    },
    .text("summary", "what was found, in a few words") { fleetText($0.finding.summary) },
    .text("sentence", "what is wrong, with figures") { fleetText($0.finding.sentence) },
    .text("remedy", "what to do about it") { fleetText($0.finding.remedy) },
    .text("evidence", "what it rests on, in figures") { fleetText($0.finding.evidence.text) },
    .number("evidence_events", "records it rests on") {
      UInt64(clamping: $0.finding.evidence.eventCount)
    },
    .real("weight", "what orders findings of one level and kind: greater is worse") {
      $0.finding.weight.isFinite ? $0.finding.weight : 0
    },
    .known("live", "subscriptions of the accused line that have not ended") { $0.site?.live },
    .number("descendants", "lines upstream that grow along with it") {
      UInt32(clamping: $0.finding.descendants)
    },
  ]
}

/// A row of the table `marks`.
struct FleetMark: Sendable {
  let mark: TraceMark
  let at: UInt64

  static func rows(_ snapshot: TraceSnapshot) -> [FleetMark] {
    snapshot.marks.filter { $0.kind == .program }
      .map { FleetMark(mark: $0, at: snapshot.realtime(of: $0.ticks)) }
  }

  /// A number that stays the same while the program runs.
  ///
  /// The row of a mark does not: the recorder
  /// moves marks when it thins them out.
  private var identity: UInt32 {
    UInt32(truncatingIfNeeded: mark.ticks ^ (mark.ticks >> 32))
  }

  static let columns: [FleetColumn<FleetMark>] = [
    .number("mark", "identifies it in the recording") { $0.identity },
    .name("name", "as the program has named it") { fleetText($0.mark.name) },
    .moment("at", "when it was set") { $0.at },
    .number("live_signals", "signals that existed") { $0.mark.liveSignals },
    .number("live_subscriptions", "subscriptions that had not ended") {
      $0.mark.liveSubscriptions
    },
    .number("live_timers", "timers that had not ended") { $0.mark.liveTimers },
    .known("heap_in_use", "bytes of the heap in use") { $0.mark.heapInUse },
    .known("resident_size", "bytes of the process that were in memory") { $0.mark.residentSize },
  ]
}

/// A row of the table `counters`.
struct FleetCounter: Sendable {
  let counter: String
  let at: UInt64
  let value: UInt64

  /// The counts at all marks, including those that the recorder sets, and the totals at the end of
  /// the recording.
  ///
  /// An unknown count has no row.
  static func rows(_ snapshot: TraceSnapshot, _ recording: FleetRecording) -> [FleetCounter] {
    var rows: [FleetCounter] = []
    func add(_ at: UInt64, _ counts: KeyValuePairs<String, UInt64?>) {
      for (counter, value) in counts {
        if let value { rows.append(FleetCounter(counter: counter, at: at, value: value)) }
      }
    }
    for mark in snapshot.marks {
      add(
        snapshot.realtime(of: mark.ticks),
        [
          "live_subscriptions": mark.liveSubscriptions, "live_signals": mark.liveSignals,
          "live_timers": mark.liveTimers, "heap_in_use": mark.heapInUse,
          "resident_size": mark.residentSize,
        ]
      )
    }
    let totals = recording.totals
    add(
      recording.until,
      [
        "live_subscriptions": totals.liveSubscriptions, "live_signals": totals.liveSignals,
        "live_timers": totals.liveTimers, "subscribed": totals.subscribed, "events": totals.events,
        "lost_records": recording.header.lostRecords,
      ]
    )
    return rows
  }

  static let columns: [FleetColumn<FleetCounter>] = [
    .name(
      "counter",
      "live_subscriptions, live_signals, live_timers, heap_in_use and resident_size (bytes), and the totals events, subscribed and lost_records"
    ) { $0.counter },
    .moment("at", "when it had the value") { $0.at },
    .number("value", "the count") { $0.value },
  ]
}
