import TraceModel
internal import TraceReading

/// How long work waits and runs on each scheduler, and whose events run on another than their own.
enum QueuesView: TableScreen {
  static func table(_ glyphs: Glyphs) -> Table<QueueRow> {
    func time(_ lengths: Percentiles?, _ part: (Percentiles) -> Duration?) -> String {
      guard let lengths else { return Quantity.unknown }
      return part(lengths).map { Quantity.duration($0) } ?? glyphs.dash
    }
    return Table(
      columns: [
        Column("queue", width: 14, weight: 3, keepsEnd: true, key: { .text(label($0)) }) {
          (label($0), .strong)
        },
        Column("kind", width: 10, weight: 1, priority: 7, key: { .text(name($0.kind)) }) {
          (name($0.kind), .dim)
        },
        Column("busy", width: 6, isNumber: true, key: { .number($0.occupancy) }) {
          (percent($0.occupancy), ($0.occupancy ?? 0) > 0.8 ? .suspect : .text)
        },
        Column("waiting", width: 7, priority: 1, isNumber: true, key: { .count($0.waiting) }) {
          (waiting($0), ($0.waiting ?? 0) > 0 ? .strong : .dim)
        },
        Column(
          "most",
          width: 5,
          priority: 6,
          isNumber: true,
          key: { .number($0.mostWaiting.map(Double.init)) }
        ) {
          (Quantity.count($0.mostWaiting), .dim)
        },
        Column(
          "begun",
          width: 6,
          priority: 4,
          isNumber: true,
          key: { .number($0.begun.map(Double.init)) }
        ) {
          (Quantity.count($0.begun), $0.begun == 0 ? .dim : .text)
        },
        Column(
          "wait p50",
          width: 8,
          priority: 5,
          isNumber: true,
          key: { .duration($0.waits?.median) }
        ) {
          (time($0.waits, \.median), .text)
        },
        Column("p99", width: 7, priority: 2, isNumber: true, key: { .duration($0.waits?.p99) }) {
          (time($0.waits, \.p99), .text)
        },
        Column(
          "longest",
          width: 7,
          priority: 8,
          isNumber: true,
          key: { .duration($0.waits?.longest) }
        ) {
          (time($0.waits, \.longest), .text)
        },
        Column(
          "run p50",
          width: 7,
          priority: 6,
          isNumber: true,
          key: { .duration($0.runs?.median) }
        ) {
          (time($0.runs, \.median), .text)
        },
        Column("run p99", width: 7, priority: 3, isNumber: true, key: { .duration($0.runs?.p99) }) {
          (time($0.runs, \.p99), .text)
        },
        Column(
          "threads",
          width: 7,
          priority: 9,
          isNumber: true,
          key: { .number($0.threads.map(Double.init)) }
        ) {
          (Quantity.count($0.threads), .dim)
        },
      ],
      glyphs: glyphs,
      defaultSort: SortOrder(column: "busy", ascending: false)
    )
  }

  static func rows(_ model: Model) -> [QueueRow] {
    (model.queues?.queues ?? []).map { $0.counted(model.inspection) }
  }

  /// `3`, or `3+` where older work may wait besides.
  private static func waiting(_ row: QueueRow) -> String {
    Quantity.count(row.waiting) + (row.waiting != nil && row.isWaitingLeast ? "+" : "")
  }

  static func id(_ row: QueueRow) -> RowID { .queue(row.id) }
  static func belongs(_ row: QueueRow, to scope: Scope, in inspection: Inspection) -> Bool {
    scope == .queue(row.id)
  }
  static func subject(of row: QueueRow) -> Scope? { .queue(row.id) }

  /// The subscriptions made on it.
  static func target(of row: QueueRow, in inspection: Inspection) -> Place? {
    Place(.subscriptions, scope: .queue(row.id))
  }

  static func summary(_ model: Model) -> String {
    guard let report = model.queues else { return "looking at the records" }
    let span = report.span > .zero ? Quantity.duration(report.span) : "moment"
    let crossings =
      report.crossings.isEmpty
      ? ""
      : ", \(Quantity.of(report.crossings.count, "line", "lines")) on another queue than their own"
    guard report.isKnown else { return "unknown: records of the last \(span) are missing" }
    return
      "work of the last \(span)\(report.isPartial ? ", as far as it is recorded" : "")\(crossings)"
  }

  static func emptiness(_ model: Model) -> [String] {
    guard model.queues != nil else { return ["Looking at the records …"] }
    return [
      "No scheduler has been used yet at this moment of the recording.",
      Chrome.whatToDo(
        model,
        "Rows appear when the program schedules work, as deliver(on:), delay or interval do."
      ),
    ]
  }

  // MARK: Crossings

  /// Below the list: lines whose events ran here, or on another queue than this.
  static func explain(_ model: Model, _ frame: inout Frame, _ layout: ScreenLayout) {
    guard layout.explanation.count > 0, let report = model.queues else { return }
    let width = frame.size.columns
    frame.put(
      String(repeating: model.glyphs.rule, count: width),
      row: layout.explanation.lowerBound - 1,
      column: 0,
      role: .dim
    )
    let lines = crossings(report, model, width: width)
    for (row, line) in zip(layout.explanation, lines) {
      DocumentScreens.draw(line, &frame, row: row, model.glyphs)
    }
  }

  static func crossings(_ report: QueueReport, _ model: Model, width: Int) -> [DocumentLine] {
    guard report.isKnown else {
      return DocumentLine.paragraph(
        "Records of this stretch are missing, so nothing is known of how long work took and where it ran. Go to a later moment, or record with a larger ring (size=) or mode=stream.",
        width: width,
        indent: 0
      )
    }
    guard !report.crossings.isEmpty else {
      guard model.inspection.program.level >= .events || !model.isRunning else {
        return DocumentLine.paragraph(
          "Single events are not recorded at level '\(model.inspection.program.level)', so nothing is known of where they run. Restart the program with RXTRACE=1.",
          width: width,
          indent: 0
        )
      }
      return DocumentLine.paragraph(
        "Every event ran on the queue that its subscription was made on, as far as this stretch tells.",
        width: width,
        indent: 0,
        role: .dim
      )
    }
    return [.heading("Events on another queue than the one of their subscription")]
      + report.crossings.map { crossing in
        let part = crossing.total > 0 ? 100 * crossing.events / crossing.total : 0
        return DocumentLine([
          (displayName(crossing.name, columns: 60), .strong),
          ("  \(scheduler(crossing.home, report)) \(model.glyphs.hop) ", .dim),
          (scheduler(crossing.other, report), .suspect),
          ("  \(Quantity.of(crossing.events, "event", "events")), \(part)% of them", .dim),
        ])
      }
  }

  private static func scheduler(_ row: UInt32, _ report: QueueReport) -> String {
    report.queues.first { $0.id == row }.map(label) ?? Quantity.unknown
  }

  // MARK: Words

  static func label(_ row: QueueRow) -> String {
    let name = displayName(row.name, columns: 60)
    return name.isEmpty ? "\(self.name(row.kind)) \(row.id)" : name
  }

  static func name(_ kind: SchedulerKind) -> String {
    switch kind {
    case .other: "other"
    case .immediate: "immediate"
    case .main: "main"
    case .serialQueue: "serial"
    case .concurrentQueue: "concurrent"
    case .virtualTime: "virtual"
    }
  }

  /// `0.3%`, `87%`, `240%`: of one thread.
  static func percent(_ value: Double?) -> String {
    guard let value, value.isFinite else { return Quantity.unknown }
    let percent = value * 100
    return percent >= 9.95 || percent == 0
      ? "\(Int(percent.rounded()))%" : "\(Quantity.rate(percent))%"
  }
}
