internal import TraceReading

extension DiffRow {
  /// The columns that show how lines of code differ between two moments.
  package static let columns = line(22) + figures + [what] + presence

  /// The columns that show how lines of code differ between two runs: the columns for moments, and
  /// further ones that only whole runs have.
  ///
  /// Exports have one column for each figure of each run. Screens show a figure of both runs in one
  /// cell, such as `1 → 29`, and sort rows by the difference.
  package static let runColumns =
    line(26) + figures.map(\.exportedOnly) + onScreens + inExports + presence

  // MARK: For moments and runs

  private static func line(_ width: Int) -> [Column<DiffRow>] {
    [
      .text(
        "worst",
        "the level of the most serious finding about the line",
        ColumnHeading("!", 1, name: "findings", isSortable: false)
      ) {
        $0.worst?.label
      }
      .cell { $0.worst?.sign ?? " " }
      .emphasis { $0.worst?.role ?? .text }
      .onScreenOnly,
      .text(
        "place",
        placeHelp,
        ColumnHeading("operator@file:line", width, weight: 3, keepsEnd: true)
      ) {
        displayName("\($0.name)@\($0.location)", columns: 120)
      }
      .onScreenOnly,
      .number("site", "row of the site; null for a line that only the earlier trace has") {
        $0.site
      },
      .text("name", "the operator") { $0.name }.neverNull,
      .text("location", "`File.swift:88`") { $0.location }.neverNull,
    ]
  }

  private static let presence: [Column<DiffRow>] = [
    .flag("isOnlyBefore", "whether only the earlier trace has the line") { $0.isOnlyBefore }
      .neverNull,
    .flag("isOnlyAfter", "whether only the later one has it") { $0.isOnlyAfter }.neverNull,
  ]

  // MARK: For moments

  private static let figures: [Column<DiffRow>] = [
    .change("change", "live now minus live then", ColumnHeading("change", 7)) { $0.change }.emphasis
    {
      role($0.change)
    },
    .count(
      "before",
      "how many were live at the moment compared with",
      ColumnHeading("before", 7, priority: 1)
    ) {
      $0.before
    }
    .emphasis { _ in .dim },
    .count("after", "how many are live", ColumnHeading("now", 7)) { $0.after }.emphasis { _ in
      .strong
    },
    .count("begun", "begun in between", ColumnHeading("begun", 7, priority: 3)) { $0.begun },
    .count(
      "events",
      "events in between, fires where the line has only timers",
      ColumnHeading("events", 7, priority: 4)
    ) { $0.events },
  ]

  private static let what: Column<DiffRow> =
    .text(
      "what",
      "the kind of change, in one word",
      ColumnHeading("what", 9, priority: 2, isSortable: false)
    ) {
      word($0)
    }
    .emphasis { role($0.change) }
    .onScreenOnly

  private static func word(_ row: DiffRow) -> String {
    if row.isOnlyBefore { return "gone" }
    if row.isOnlyAfter { return "new line" }
    guard let change = row.change else { return Quantity.unknown }
    return change > 0 ? "more" : change < 0 ? "fewer" : "the same"
  }

  private static func role(_ change: Int?) -> Role {
    guard let change else { return .dim }
    return change > 0 ? .suspect : change < 0 ? .good : .dim
  }

  // MARK: For runs

  private static let onScreens: [Column<DiffRow>] =
    [
      Column.change(
        "live",
        "how many were live at the end of the earlier run, and of the later one",
        ColumnHeading("live", 11)
      ) { $0.change }
      .cell { pair(Quantity.count($0.before), Quantity.count($0.after)) }
      .emphasis { $0.worse.contains(.live) ? .suspect : .text },
      rates(
        "eventRate",
        "events per second in each run",
        ColumnHeading("events/s", 15, priority: 1)
      ) { $0.eventRate }
      .emphasis { $0.worse.contains(.events) ? .suspect : .text },
      shares("failed", ColumnHeading("failed", 11, priority: 3), .failed)
        .emphasis { $0.worse.contains(.failures) ? .violation : .text },
      rates(
        "begunRate",
        "begun per second in each run",
        ColumnHeading("begun/s", 13, priority: 5)
      ) { $0.begunRate }
      .emphasis { $0.worse.contains(.begun) ? .suspect : .text },
      lengths(
        "medianLifetime",
        "the median lifetime of the ended subscriptions, rounded up to a power of two of nanoseconds",
        ColumnHeading("lifetime", 15, priority: 4),
        of: \.lifetimeCount
      ) { $0.medianLifetime },
      lengths(
        "medianWait",
        "the median time that work for its subscriptions waited on queues",
        ColumnHeading("wait", 15, priority: 6),
        of: \.waitCount
      ) { $0.waits?.median },
      lengths(
        "longLifetime",
        "the p99 lifetime of the ended subscriptions, rounded up in the same way",
        ColumnHeading("99% lifetime", 15, name: "long-lifetime", priority: 7),
        of: \.lifetimeCount
      ) { $0.longLifetime },
      lengths(
        "longWait",
        "the p99 of the time that this work waited",
        ColumnHeading("99% wait", 15, name: "long-wait", priority: 8),
        of: \.waitCount
      ) { $0.waits?.p99 },
      shares("completed", ColumnHeading("completed", 12, priority: 9), .completed),
      shares("cancelled", ColumnHeading("cancelled", 12, priority: 10), .cancelled),
      .text(
        "verdict",
        "what is worse or better in the later run",
        ColumnHeading("what", 16, weight: 1, priority: 2)
      ) { verdict($0) }
      .emphasis { $0.worse.isEmpty ? $0.better.isEmpty ? .dim : .good : .suspect }
      .rank { $0.rank },
    ].map(\.onScreenOnly)

  private static let inExports: [Column<DiffRow>] = [
    .rate("begunRateBefore", "begun per second in the earlier run") { $0.earlier?.begunRate },
    .rate("begunRateAfter", "begun per second in the later run") { $0.later?.begunRate },
    .rate("eventRateBefore", "events, or fires, per second in the earlier run") {
      $0.earlier?.eventRate
    },
    .rate("eventRateAfter", "events, or fires, per second in the later run") {
      $0.later?.eventRate
    },
    .counts("endedBefore", "subscriptions that ended in the earlier run, by reason") {
      ends($0.earlier)
    },
    .counts("endedAfter", "subscriptions that ended in the later run, by reason") {
      ends($0.later)
    },
    .duration(
      "medianLifetimeBefore",
      "the median lifetime of the ended subscriptions of the earlier run, as `medianLifetime` of `sites[]`"
    ) { $0.earlier?.medianLifetime },
    .duration(
      "medianLifetimeAfter",
      "the median lifetime of the ended subscriptions of the later run"
    ) { $0.later?.medianLifetime },
    .duration(
      "longLifetimeBefore",
      "the p99 lifetime of the ended subscriptions of the earlier run"
    ) { $0.earlier?.longLifetime },
    .duration("longLifetimeAfter", "the p99 lifetime of the ended subscriptions of the later run") {
      $0.later?.longLifetime
    },
    .duration(
      "medianWaitBefore",
      "the median time that work for its subscriptions waited on queues, in the earlier run"
    ) { $0.earlier?.waits?.median },
    .duration(
      "medianWaitAfter",
      "the median time that work for its subscriptions waited on queues, in the later run"
    ) { $0.later?.waits?.median },
    .duration("longWaitBefore", "the p99 of this waiting time in the earlier run") {
      $0.earlier?.waits?.p99
    },
    .duration("longWaitAfter", "the p99 of this waiting time in the later run") {
      $0.later?.waits?.p99
    },
    .words("worse", "in what the later run is worse, as `aspect` of what differs, the worst first")
    {
      $0.worse.map(\.rawValue)
    },
    .words("better", "in what the later run is better") { $0.better.map(\.rawValue) },
    .words("less", "in what it has less, which may be good or bad") { $0.less.map(\.rawValue) },
  ]

  /// The values of both runs in one cell, such as `1 → 29`.
  private static func pair(_ before: String, _ after: String) -> String { "\(before) → \(after)" }

  private static func rates(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading,
    _ rate: @escaping @Sendable (RunFigures) -> Double?
  ) -> Column<DiffRow> {
    .rate(id, help, heading) { row in difference(row, rate) { $0 - $1 } }
      .cell { row in
        let (before, after) = (row.earlier.flatMap(rate), row.later.flatMap(rate))
        let text = both(row, Quantity.rate(before), Quantity.rate(after))
        guard let before, let after, before > 0 else { return text }
        let factor = after / before
        // For nearly equal values, the factor is not worth showing.
        return after == 0 || (0.8...1.2).contains(factor)
          ? text : "\(text) ×\(Quantity.rate(factor))"
      }
  }

  private static func shares(_ id: String, _ heading: ColumnHeading, _ reason: EndReason)
    -> Column<DiffRow>
  {
    .share(id, "the share of the ended subscriptions that \(help(reason))", heading) { row in
      difference(row, { $0.share(reason) }) { $0 - $1 }
    }
    .cell { row in
      func text(_ figures: RunFigures?) -> String {
        figures?.ended == 0 ? "–" : Quantity.percent(figures?.share(reason))
      }
      return both(row, text(row.earlier), text(row.later))
    }
  }

  private static func help(_ reason: EndReason) -> String {
    switch reason {
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "were cancelled"
    case .ownerGone: "went with their owner"
    case .sourceGone: "had nothing left that could send"
    }
  }

  private static func lengths(
    _ id: String,
    _ help: String,
    _ heading: ColumnHeading,
    of count: @escaping @Sendable (RunFigures) -> UInt64?,
    _ length: @escaping @Sendable (RunFigures) -> Duration?
  ) -> Column<DiffRow> {
    .duration(id, help, heading) { row in difference(row, length) { $0 - $1 } }
      .cell { row in
        func text(_ figures: RunFigures?) -> String {
          guard let figures, count(figures) != 0 else { return "–" }
          return Quantity.duration(length(figures))
        }
        return both(row, text(row.earlier), text(row.later))
      }
  }

  /// The texts of both runs, with a dash for a run that does not have the line.
  private static func both(_ row: DiffRow, _ before: String, _ after: String) -> String {
    pair(row.earlier == nil ? "–" : before, row.later == nil ? "–" : after)
  }

  private static func difference<Value>(
    _ row: DiffRow,
    _ value: (RunFigures) -> Value?,
    _ less: (Value, Value) -> Value
  ) -> Value? {
    guard let before = row.earlier.flatMap(value), let after = row.later.flatMap(value) else {
      return nil
    }
    return less(after, before)
  }

  private static func ends(_ figures: RunFigures?) -> [(name: String, count: UInt64?)] {
    EndReason.allCases.map { ($0.schemaName, figures?.ended($0)) }
  }

  private static func verdict(_ row: DiffRow) -> String {
    func list(_ word: String, _ aspects: [RunChange.Aspect]) -> String {
      "\(word): \(aspects.map(\.title).joined(separator: ", "))"
    }
    if !row.worse.isEmpty { return list("worse", row.worse) }
    if row.isOnlyBefore { return "gone" }
    if row.isOnlyAfter { return "new line" }
    if !row.better.isEmpty { return list("better", row.better) }
    if !row.less.isEmpty { return list("less", row.less) }
    guard let change = row.change else { return Quantity.unknown }
    return change == 0 ? "alike" : "may be chance"
  }
}

extension RunChange {
  /// The columns for the list of changes between two runs.
  package static let columns: [Column<RunChange>] = [
    .text(
      "aspect",
      "what differs: " + Aspect.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    ) { $0.aspect.rawValue }.neverNull,
    .number("site", "row of the site; null for a line that only the earlier trace has") { $0.site },
    .text("name", "the operator") { $0.name }.neverNull,
    .text("location", "`File.swift:88`") { $0.location }.neverNull,
    .text(
      "level",
      "the level of a finding; its level in the earlier run if the later run no longer has it"
    ) {
      $0.level?.label
    },
    .text("fingerprint", "of a finding, as in `findings[]`") { $0.fingerprint },
    .rate(
      "before",
      "the value in the earlier run: a number, a part of 1, a number per second, or nanoseconds; null for findings"
    ) { $0.before },
    .rate("after", "the value in the later run") { $0.after },
    .rate(
      "factor",
      "the value in the later run divided by that in the earlier one; null if that was 0, and for findings"
    ) {
      $0.factor
    },
    .text("text", "the difference, in words") { $0.text }.neverNull,
  ]
}
