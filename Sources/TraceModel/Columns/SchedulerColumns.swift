internal import TraceReading

extension SchedulerRow {
  /// The columns of schedulers.
  public static let columns: [Column<SchedulerRow>] = [
    .number("id", "its row") { $0.id }.neverNull,
    .text("name", "its name") { $0.name }.neverNull,
    .text(
      "kind",
      "`immediate`, `main`, `serialQueue`, `concurrentQueue`, `virtualTime`, `other`"
    ) { $0.kind.schemaName }.neverNull,
    .count("scheduled", "work accepted ever") { $0.scheduled },
    .count("begun", "work begun ever") { $0.begun },
    .count("cancelled", "work cancelled before it began") { $0.cancelled },
    .count(
      "waiting",
      "work neither begun nor cancelled; null where timers run, whose work is accepted once and begins many times"
    ) { $0.waiting },
    .rate("rate", "work begun per second lately") { $0.rate },
  ]
}

extension QueueRow {
  /// The columns that show what schedulers did in a stretch of time.
  public static let columns: [Column<QueueRow>] = {
    func time(
      _ id: String,
      _ help: String,
      _ heading: ColumnHeading,
      _ lengths: @escaping @Sendable (QueueRow) -> Percentiles?,
      _ part: @escaping @Sendable (Percentiles) -> Duration?
    ) -> Column<QueueRow> {
      .duration(id, help, heading) { lengths($0).flatMap(part) }
        .none { row in lengths(row).map { part($0) == nil } ?? false }
    }
    let wait = "from being accepted to beginning: the median, 99 of 100, and the longest"
    let run = "from beginning to end: the median, 99 of 100, and the longest"
    return [
      .number("queue", "its row") { $0.id }.neverNull,
      .text(
        "name",
        "as the program named it",
        ColumnHeading("queue", 14, weight: 3, keepsEnd: true)
      ) { $0.name }
      .cell { $0.label }
      .emphasis { _ in .strong }
      .neverNull,
      .text("kind", "how it runs its work", ColumnHeading("kind", 10, weight: 1, priority: 7)) {
        $0.kind.schemaName
      }
      .cell { $0.kind.word }
      .emphasis { _ in .dim }
      .neverNull,
      .share(
        "occupancy",
        "share of the time in which its work ran; above 100 % if several ran at once",
        ColumnHeading("busy", 6)
      ) { $0.occupancy }
      .emphasis { ($0.occupancy ?? 0) > 0.8 ? .suspect : .text },
      .count(
        "waiting",
        "work accepted that has not begun, without timers; 3+ if older work may wait besides",
        ColumnHeading("waiting", 7, priority: 1)
      ) { $0.waiting }
      .cell { Quantity.count($0.waiting) + ($0.waiting != nil && $0.isWaitingLeast ? "+" : "") }
      .emphasis { ($0.waiting ?? 0) > 0 ? .strong : .dim },
      .count(
        "mostWaiting",
        "the most that waited at once in the stretch",
        ColumnHeading("most", 5, priority: 6)
      ) { $0.mostWaiting }
      .emphasis { _ in .dim },
      .count("begun", "work that began in the stretch", ColumnHeading("begun", 6, priority: 4)) {
        $0.begun
      }
      .emphasis { $0.begun == 0 ? .dim : .text },
      time("waitMedian", wait, ColumnHeading("wait p50", 8, priority: 5), \.waits, \.median),
      time("waitP99", wait, ColumnHeading("p99", 7, priority: 2), \.waits, \.p99),
      time("waitLongest", wait, ColumnHeading("longest", 7, priority: 8), \.waits, \.longest),
      time("runMedian", run, ColumnHeading("run p50", 7, priority: 6), \.runs, \.median),
      time("runP99", run, ColumnHeading("run p99", 7, priority: 3), \.runs, \.p99),
      .duration("runLongest", run) { $0.runs?.longest },
      .count("threads", "on which it ran", ColumnHeading("threads", 7, priority: 9)) { $0.threads }
        .emphasis { _ in .dim },
    ]
  }()

  /// Its name, or its kind and row if it has no name.
  package var label: String {
    let name = displayName(name, columns: 60)
    return name.isEmpty ? "\(kind.word) \(id)" : name
  }
}

extension SchedulerKind {
  /// The word for the kind in tables.
  package var word: String {
    switch self {
    case .other: "other"
    case .immediate: "immediate"
    case .main: "main"
    case .serialQueue: "serial"
    case .concurrentQueue: "concurrent"
    case .virtualTime: "virtual"
    }
  }
}
