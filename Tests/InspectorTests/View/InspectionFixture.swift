import TraceFindings
import TraceModel
import TraceReading

/// A small program with two faults, made by hand so that frames do not depend on reading traces.
enum Fixture {
  /// A running program: panes that remain subscribed, and a timer without subscribers.
  static func watchtower(status: ProgramStatus = .running) -> Inspection {
    var inspection = Inspection()
    inspection.program.name = "watchtower"
    inspection.program.processID = 4711
    inspection.program.status = status
    inspection.program.statusText =
      status == .running ? "process 4711 runs" : "process 4711 ended 3 s ago; its trace is kept"
    inspection.program.level = .events
    inspection.program.duration = .milliseconds(72_345)
    inspection.program.exactWindow = .seconds(40)...(.milliseconds(72_345))
    inspection.instant.time = .milliseconds(72_345)
    inspection.instant.event = 8_206
    inspection.sites = sites
    inspection.signals = signals
    inspection.subscriptions = subscriptions
    inspection.timers = [timer]
    inspection.events = events
    inspection.marks = [mark]
    inspection.findings = findings(inspection)
    return inspection
  }

  /// The same program after events were lost.
  static func lossy() -> Inspection {
    var inspection = watchtower()
    inspection.program.isIncomplete = true
    inspection.program.losses = ["1 214 events dropped"]
    inspection.instant.isExact = false
    for index in inspection.sites.indices where index % 2 == 1 {
      inspection.sites[index].rate = nil
      inspection.sites[index].live = nil
      inspection.sites[index].lastEventAge = nil
    }
    return inspection
  }

  static func key(_ serial: UInt64) -> EntityKey {
    EntityKey(id: TraceID(rawValue: UInt32(serial)), serial: serial)
  }

  // MARK: Rows

  private static let sites: [SiteRow] = [
    site(
      0,
      "interval",
      "Clock.swift",
      21,
      live: 1,
      ever: 1,
      rate: 1,
      last: .milliseconds(340),
      scheduler: "main"
    ),
    site(
      1,
      "map",
      "Clock.swift",
      22,
      live: 1,
      ever: 1,
      rate: 1,
      last: .milliseconds(340),
      scheduler: "main"
    ),
    site(
      2,
      "subscribe",
      "Panes.swift",
      41,
      live: 812,
      ever: 812,
      rate: 4123.4,
      last: .microseconds(87),
      scheduler: "watchtower.panes",
      new: 34,
      growth: 34,
      worst: .leak
    ),
    site(
      3,
      "debounce",
      "Panes.swift",
      36,
      live: 812,
      ever: 830,
      rate: 403,
      last: .milliseconds(12),
      scheduler: "watchtower.panes",
      new: 34,
      growth: 33
    ),
    site(
      4,
      "schedule(every:)",
      "Heartbeat.swift",
      12,
      traits: .timer,
      worst: .suspect,
      timers: (1, 1, 720)
    ),
    site(
      5,
      "merge",
      "Alerts.swift",
      60,
      live: 3,
      ever: 9,
      rate: 0.3,
      last: .seconds(2),
      scheduler: "main",
      worst: .info
    ),
    site(
      6,
      "deliver(on:)",
      "Alerts.swift",
      61,
      live: 3,
      ever: 9,
      rate: 0.3,
      last: .seconds(2),
      scheduler: "main"
    ),
    site(
      7,
      "flatMap",
      "ChecksumsOfChangedFiles.swift",
      118,
      live: 0,
      ever: 12_345,
      rate: 0,
      last: nil,
      new: 5,
      growth: -2
    ),
  ]

  private static func site(
    _ id: UInt32,
    _ name: String,
    _ file: String,
    _ line: UInt32,
    live: UInt64 = 0,
    ever: UInt64 = 0,
    rate: Double? = 0,
    last: Duration? = nil,
    scheduler: String? = nil,
    new: Int = 0,
    growth: Int = 0,
    traits: SiteTraits = [],
    worst: FindingLevel? = nil,
    timers: (UInt64, UInt64, UInt64)? = nil
  ) -> SiteRow {
    var row = SiteRow()
    row.id = id
    row.name = name
    row.file = "watchtower/" + file
    row.line = line
    row.column = 8
    row.location = "\(file):\(line)"
    row.traits = traits
    (row.live, row.subscribed, row.ended) = (live, ever, ever - live)
    row.endedByReason = [ever - live, 0, 0, 0, 0]
    row.rate = rate
    row.events = UInt64((rate ?? 0) * 72)
    row.lastEventAge = last
    row.oldestAge = live > 0 ? .seconds(71) : nil
    row.scheduler = scheduler
    (row.newSinceMark, row.growthSinceMark) = (new, growth)
    row.worst = worst
    if let (live, armed, fires) = timers {
      row.kind = .timers
      (row.timersLive, row.timersArmed, row.timerFires) = (live, armed, fires)
    } else {
      (row.timersLive, row.timersArmed, row.timerFires) = (0, 0, 0)
    }
    return row
  }

  private static let signals: [SignalRow] = {
    var interval = SignalRow(key: key(1))
    (interval.name, interval.location, interval.state) = ("interval", "Clock.swift:21", .active)
    (interval.subscriptions, interval.subscriptionsEver, interval.age) = (1, 1, .seconds(72))
    (interval.downstreams, interval.composedName) = ([key(2)], "interval(.seconds(1), …)")
    var map = SignalRow(key: key(2))
    (map.site, map.name, map.location, map.state) = (1, "map", "Clock.swift:22", .active)
    (map.subscriptions, map.subscriptionsEver, map.age) = (1, 1, .seconds(72))
    (map.givenName, map.upstreams) = ("clock", [key(1)])
    var merge = SignalRow(key: key(30))
    (merge.site, merge.name, merge.location, merge.state) = (
      5, "merge", "Alerts.swift:60", .inactive
    )
    (merge.subscriptions, merge.subscriptionsEver, merge.age) = (0, 9, .milliseconds(4_200))
    merge.upstreams = [key(1), key(2)]
    merge.composedName = "interval(.seconds(1), …).merge(with: clock)"
    var unused = SignalRow(key: key(31))
    (unused.site, unused.name, unused.location, unused.state) =
      (7, "flatMap", "ChecksumsOfChangedFiles.swift:118", .created)
    (unused.subscriptions, unused.age) = (0, .milliseconds(800))
    return [interval, map, merge, unused]
  }()

  private static let subscriptions: [SubscriptionRow] = {
    var root = SubscriptionRow(key: key(3))
    (root.site, root.name, root.location, root.state) = (2, "subscribe", "Panes.swift:41", .active)
    (root.age, root.events, root.rate, root.lastEventAge) = (
      .seconds(71), 4_410, 61.2, .microseconds(87)
    )
    (root.isRoot, root.upstreams, root.signal) = (true, [key(4)], key(30))
    (root.isDisposableReleased, root.scheduler, root.chain, root.held) = (
      true, "watchtower.panes", 1, 0
    )
    root.caller = Caller(function: "Tower.open(pane:)", location: "Tower.swift:58")
    root.composedName = "panes.debounce(.milliseconds(100), …)"
    var debounce = SubscriptionRow(key: key(4))
    debounce.composedName = root.composedName
    debounce.caller = root.caller
    (debounce.site, debounce.name, debounce.location, debounce.state) =
      (3, "debounce", "Panes.swift:36", .active)
    (debounce.age, debounce.events, debounce.rate) = (.seconds(71), 4_410, 61.2)
    (debounce.lastEventAge, debounce.root, debounce.level) = (.milliseconds(12), key(3), 1)
    (debounce.downstream, debounce.upstreams, debounce.held) = (key(3), [key(5)], 1)
    debounce.scheduler = "watchtower.panes"
    var interval = SubscriptionRow(key: key(5))
    (interval.name, interval.location, interval.state) = ("interval", "Clock.swift:21", .active)
    (interval.age, interval.events, interval.rate) = (.seconds(71), 72, 1)
    (interval.lastEventAge, interval.root, interval.level) = (.milliseconds(340), key(3), 2)
    (interval.downstream, interval.scheduler, interval.held) = (key(4), "main", 0)
    interval.composedName = "interval(.seconds(1), …)"
    var failed = SubscriptionRow(key: key(90))
    (failed.site, failed.name, failed.location) = (
      7, "flatMap", "ChecksumsOfChangedFiles.swift:118"
    )
    (failed.state, failed.endReason, failed.age) = (.ended, .failed, .milliseconds(1_500))
    (failed.events, failed.root, failed.held) = (0, nil, 0)
    var unknown = SubscriptionRow(key: key(91))
    (unknown.site, unknown.name, unknown.location) = (5, "merge", "Alerts.swift:60")
    return [root, debounce, interval, failed, unknown]
  }()

  private static let timer: TimerRow = {
    var timer = TimerRow(key: key(7))
    (timer.site, timer.name, timer.location) = (4, "schedule(every:)", "Heartbeat.swift:12")
    (timer.state, timer.period, timer.fires, timer.idleFires) = (
      .active, .milliseconds(100), 720, 720
    )
    (timer.age, timer.lastFireAge, timer.scheduler) = (.seconds(72), .milliseconds(45), "main")
    return timer
  }()

  private static let mark: MarkRow = {
    var mark = MarkRow()
    (mark.time, mark.name, mark.liveSubscriptions) = (.seconds(64), "round 8", 778)
    return mark
  }()

  private static let events: [EventRow] = [
    event(8_201, 72_100, .turnBegan, key(5), "interval@Clock.swift:21 #5", "", "main"),
    event(8_202, 72_100, .next, key(5), "interval@Clock.swift:21 #5", "", "main", 72),
    event(
      8_203,
      72_258,
      .subscribed,
      key(3),
      "subscribe@Panes.swift:41 #3",
      "on watchtower.panes",
      "worker-1"
    ),
    event(
      8_204,
      72_300,
      .failed,
      key(90),
      "flatMap@ChecksumsOfChangedFiles.swift:118 #90",
      "FileError",
      "worker-2"
    ),
    event(
      8_205,
      72_300,
      .ended,
      key(90),
      "flatMap@ChecksumsOfChangedFiles.swift:118 #90",
      "reason failed",
      "worker-2"
    ),
    event(
      8_206,
      72_345,
      .timerFired,
      key(7),
      "schedule(every:)@Heartbeat.swift:12 #7",
      "",
      "main",
      720
    ),
  ]

  private static func event(
    _ number: UInt64,
    _ milliseconds: Int,
    _ kind: RecordKind,
    _ subject: EntityKey,
    _ of: String,
    _ says: String,
    _ thread: String,
    _ ordinal: UInt32? = nil
  ) -> EventRow {
    var row = EventRow()
    (row.number, row.time, row.kind, row.subject) = (
      number, .milliseconds(milliseconds), kind, subject
    )
    (row.subjectText, row.text, row.thread) = (of, says, thread)
    row.ordinal = ordinal
    return row
  }

  private static func findings(_ inspection: Inspection) -> [Finding] {
    var findings = [
      Finding(
        kind: .growth,
        level: .leak,
        site: inspection.sites[2],
        summary: "812 live, +34 per round, 6 of 6 rounds",
        sentence:
          "812 of the 812 subscriptions ever made at Panes.swift:41 are still live, and each of 6 rounds added some (+34 at the median).",
        remedy:
          "End them when their pane closes: keep the disposable, or end the signal with take(until:).",
        evidence: Evidence(
          events: [8_203],
          counters: ["live 812", "live at marks 608, 642, 676, 710, 744, 778"]
        ),
        fingerprint: "8f14e45fceea167a",
        weight: 812
      ),
      Finding(
        kind: .idleTimer,
        level: .suspect,
        site: inspection.sites[4],
        subject: key(7),
        summary: "720 fires led to nothing",
        sentence:
          "The timer armed at Heartbeat.swift:12 fired 720 times and not one event came of it.",
        remedy: "Cancel it where its last listener goes.",
        evidence: Evidence(counters: ["fires 720", "fires in vain 720"]),
        fingerprint: "45c48cce2e2d7fbd",
        weight: 720
      ),
    ]
    findings[0].ruledOut = [
      "a cache that fills: their number grew in each of 6 rounds, without a bound"
    ]
    findings[1].settling =
      "What a timer does without sending an event, such as writing a file, is not recorded."
    return findings
  }
}

extension Fixture {
  /// The backtrace of chain 1.
  static let backtrace = [
    "Panes.open(_:) at Panes.swift:41",
    "… asynchronously invoked from:",
    "Directory.changed(_:) at Directory.swift:77",
    "main at main.swift:12",
  ]
}
