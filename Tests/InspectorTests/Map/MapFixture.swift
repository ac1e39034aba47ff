import TraceFindings
import TraceModel
import TraceReading

/// Programs made by hand for maps: lines of code, and how many subscriptions of one line send to
/// those of another.
struct MapFixture {
  var inspection = Inspection()
  private var next: UInt64 = 1
  /// The first subscription of each line.
  private var firsts: [UInt32: EntityKey] = [:]

  init(_ name: String = "program") {
    inspection.program.name = name
    inspection.program.processID = 4711
    inspection.program.status = .running
    inspection.program.level = .graph
    inspection.program.duration = .seconds(60)
    inspection.instant.time = .seconds(60)
  }

  /// Adds a line of code and returns its number.
  mutating func line(
    _ name: String,
    _ file: String,
    _ line: UInt32,
    live: UInt64 = 1,
    rate: Double? = nil,
    on scheduler: String? = "main",
    traits: SiteTraits = [],
    worst: FindingLevel? = nil
  ) -> UInt32 {
    var row = SiteRow()
    // As in traces, row 0 means "no site".
    row.id = UInt32(inspection.sites.count) + 1
    row.name = name
    row.file = file.contains("/") ? file : "App/\(file)"
    row.line = line
    row.column = 5
    row.location = "\(file.split(separator: "/").last ?? ""):\(line)"
    row.live = live
    row.subscribed = live
    row.events = UInt64((rate ?? 0) * 60)
    row.rate = rate
    row.scheduler = scheduler
    row.traits = traits
    row.worst = worst
    inspection.sites.append(row)
    return row.id
  }

  /// Connects a number of subscriptions of one line to another line.
  mutating func feed(_ from: UInt32, _ to: UInt32, _ count: Int = 1) {
    let target = firsts[to] ?? subscription(to, nil)
    for _ in 0..<count { _ = subscription(from, target) }
  }

  private mutating func subscription(_ site: UInt32, _ downstream: EntityKey?) -> EntityKey {
    var row = SubscriptionRow(key: EntityKey(id: TraceID(rawValue: UInt32(next)), serial: next))
    next += 1
    row.site = site
    row.state = .active
    row.downstream = downstream
    inspection.subscriptions.append(row)
    if firsts[site] == nil { firsts[site] = row.key }
    return row.key
  }

  /// Connects each line to the next.
  mutating func chain(_ lines: [UInt32]) {
    for (from, to) in zip(lines, lines.dropFirst()) { feed(from, to) }
  }

  mutating func subscriber(_ file: String, _ line: UInt32, live: UInt64 = 1) -> UInt32 {
    self.line("subscribe", file, line, live: live, traits: .root)
  }

  // MARK: Programs

  /// One value that reaches one operator on two paths.
  static func diamond() -> Inspection {
    var map = MapFixture("diamond")
    let source = map.line("Subject", "Prices.swift", 8, rate: 12, traits: [.hot, .subject])
    let share = map.line("share", "Prices.swift", 9, rate: 12, traits: .shares)
    let left = map.line("map", "Prices.swift", 12, rate: 12)
    let right = map.line("filter", "Prices.swift", 15, rate: 3)
    let combine = map.line("combineLatest", "Prices.swift", 20, rate: 15, traits: .partners)
    let end = map.subscriber("Table.swift", 41)
    map.chain([source, share, left, combine, end])
    map.feed(share, right)
    map.feed(right, combine)
    return map.inspection
  }

  /// One timer that many subscriptions share.
  static func shared() -> Inspection {
    var map = MapFixture("clock")
    let timer = map.line(
      "interval",
      "Clock.swift",
      21,
      rate: 10,
      on: "clock",
      traits: [.timer, .endless, .source]
    )
    let share = map.line(
      "share",
      "Clock.swift",
      22,
      live: 29,
      rate: 10,
      on: "clock",
      traits: .shares
    )
    map.feed(timer, share)
    for place in 0..<28 {
      let end = map.subscriber("Pane\(place).swift", 14)
      map.feed(share, end)
    }
    return map.inspection
  }

  /// Inner signals that have inner signals themselves.
  static func nested() -> Inspection {
    var map = MapFixture("search")
    let text = map.line("Subject", "Box.swift", 8, rate: 4, traits: [.hot, .subject])
    let outer = map.line("flatMap", "Search.swift", 20, rate: 9, traits: [.merging, .flattens])
    let inner = map.line(
      "flatMap",
      "Search.swift",
      24,
      live: 4,
      rate: 9,
      traits: [.merging, .flattens]
    )
    let request = map.line("task", "Client.swift", 55, live: 12, rate: 9, on: nil, traits: .source)
    let page = map.line("task", "Client.swift", 71, live: 4, rate: 4, on: nil, traits: .source)
    let end = map.subscriber("Results.swift", 12)
    map.chain([text, outer, end])
    map.feed(inner, outer, 4)
    map.feed(request, inner, 12)
    map.feed(page, inner, 4)
    return map.inspection
  }

  /// Work that moves to a queue and back.
  static func queues() -> Inspection {
    var map = MapFixture("thumbnails")
    let files = map.line("Subject", "Folder.swift", 9, rate: 30, traits: [.hot, .subject])
    let there = map.line(
      "deliver(on:)",
      "Folder.swift",
      14,
      rate: 30,
      on: "decoder",
      traits: .switchesQueue
    )
    let decode = map.line("map", "Decoder.swift", 30, rate: 30, on: "decoder")
    let back = map.line("deliver(on:)", "Grid.swift", 18, rate: 30, traits: .switchesQueue)
    let end = map.subscriber("Grid.swift", 19)
    map.chain([files, there, decode, back, end])
    return map.inspection
  }

  /// A handler that sends to the source of its own values.
  static func cycle() -> (inspection: Inspection, flow: FlowReport) {
    var map = MapFixture("editor")
    let changes = map.line("Subject", "Editor.swift", 10, rate: 20, traits: [.hot, .subject])
    let debounce = map.line("debounce", "Editor.swift", 14, rate: 2)
    let layout = map.line("map", "Layout.swift", 31, rate: 2)
    let end = map.subscriber("Layout.swift", 33)
    let counter = map.subscriber("Status.swift", 12)
    map.chain([changes, debounce, layout, end])
    map.feed(changes, counter)
    map.inspection.program.level = .events
    var flow = FlowReport()
    flow.to = .seconds(10)
    flow.sent[Packing.pair(high: end, low: changes)] = 20
    flow.carried[Packing.pair(high: changes, low: debounce)] = 200
    flow.parts[changes] = (0..<16).map { UInt32($0 % 5 * 4) }
    flow.origins[end] = [changes: 20]
    return (map.inspection, flow)
  }

  /// The modules of a large program.
  static let areas = [
    "Gateway", "Accounts", "Catalogue", "Prices", "Orders", "Payments", "Stock", "Shipping",
    "Search", "Mail", "Reports", "Admin",
  ]

  /// The files of a large program, each with sources, operators and subscriptions, in one module or
  /// in modules of 84 files.
  static func large(lines: Int, isDivided: Bool = false) -> Inspection {
    var map = MapFixture("server")
    var shares = [[UInt32]](repeating: [], count: areas.count)
    var made = 0
    var file = 0
    while made < lines {
      file += 1
      let area = isDivided ? min(areas.count - 1, file / 84) : 0
      let name = "\(isDivided ? areas[area] : "App")/Part\(file).swift"
      // Every ninth file receives its events from another module.
      let feeding = shares[file % 9 == 0 && area >= 4 ? area - 4 + file / 9 % 2 : area]
      let source =
        file % 3 == 0 && !feeding.isEmpty
        ? feeding[(file * 7) % feeding.count]
        : map.line("Subject", name, 8, rate: 2, traits: [.hot, .subject])
      let share = map.line("share", name, 12, rate: 2, traits: .shares)
      map.feed(source, share)
      shares[area].append(share)
      made += 2
      for branch in 0..<(1 + file % 3) {
        var last = share
        for step in 0..<(2 + (file + branch) % 3) {
          let here = map.line(
            ["map", "filter", "scan"][step % 3],
            name,
            UInt32(20 + branch * 10 + step),
            rate: 2
          )
          map.feed(last, here)
          last = here
          made += 1
        }
        let end = map.subscriber(name, UInt32(29 + branch * 10))
        map.feed(last, end)
        made += 1
      }
    }
    return map.inspection
  }
}
