import TraceModel
internal import TraceReading

/// The home screen: one row for each line of code that applies an operator.
enum SitesView: TableScreen {
  static func table(_ glyphs: Glyphs) -> Table<SiteRow> {
    Table(
      columns: [
        Column("!", width: 1, key: { .number(rank($0)) }) { Severity.mark($0.worst) },
        Column(
          "operator@file:line",
          width: 26,
          weight: 3,
          keepsEnd: true,
          key: { .text(label($0)) }
        ) {
          (label($0), $0.liveOfKind == 0 ? .dim : .text)
        },
        Column("live", width: 6, isNumber: true, key: { .count($0.liveOfKind) }) {
          (Quantity.count($0.liveOfKind), $0.liveOfKind == 0 ? .dim : .strong)
        },
        Column(
          "new",
          width: 5,
          priority: 5,
          isNumber: true,
          key: { .number($0.newSinceMark.map(Double.init)) }
        ) {
          (
            $0.newSinceMark.map { Quantity.count($0) } ?? glyphs.dash,
            ($0.newSinceMark ?? 0) > 0 ? .good : .dim
          )
        },
        Column(
          "gone",
          width: 5,
          priority: 6,
          isNumber: true,
          key: { .number(gone($0).map(Double.init)) }
        ) {
          (gone($0).map { Quantity.count($0) } ?? glyphs.dash, .gone)
        },
        Column("ever", width: 6, priority: 8, isNumber: true, key: { .count($0.everOfKind) }) {
          (Quantity.count($0.everOfKind), .dim)
        },
        Column("events/s", width: 8, priority: 2, isNumber: true, key: { .number($0.rate) }) {
          (
            $0.kind == .subscriptions ? Quantity.rate($0.rate) : glyphs.dash,
            ($0.rate ?? 0) > 0 ? .text : .dim
          )
        },
        Column("events", width: 7, priority: 7, isNumber: true, key: { .count($0.eventsOfKind) }) {
          ($0.kind == .owners ? glyphs.dash : Quantity.count($0.eventsOfKind), .text)
        },
        Column("last", width: 7, priority: 3, isNumber: true, key: { .duration($0.lastEventAge) }) {
          (last($0, glyphs), .text)
        },
        Column("oldest", width: 7, priority: 9, isNumber: true, key: { .duration($0.oldestAge) }) {
          ($0.oldestAge.map { Quantity.duration($0) } ?? glyphs.dash, .text)
        },
        Column("scheduler", width: 9, weight: 1, priority: 4, key: { .text($0.scheduler ?? "") }) {
          ($0.scheduler.map { displayName($0, columns: 40) } ?? glyphs.dash, .dim)
        },
      ],
      glyphs: glyphs,
      defaultSort: SortOrder(column: "!", ascending: false)
    )
  }

  static func rows(_ model: Model) -> [SiteRow] { model.inspection.sites }
  static func id(_ row: SiteRow) -> RowID { .site(row.id) }
  static func belongs(_ row: SiteRow, to scope: Scope, in inspection: Inspection) -> Bool {
    scope == .site(row.id)
  }
  static func subject(of row: SiteRow) -> Scope? { .site(row.id) }

  static func target(of row: SiteRow, in inspection: Inspection) -> Place? {
    let hasRows = !inspection.subscriptionRows.keys(ofSite: row.id, limit: 1).isEmpty
    return Place(hasRows ? .subscriptions : .detail, scope: .site(row.id))
  }

  static func summary(_ model: Model) -> String {
    let inspection = model.inspection
    let mark = inspection.marks.last.map { mark in
      let name = displayName(mark.name, columns: 24)
      let ago = Quantity.duration(inspection.instant.time - mark.time)
      return "; new and gone since \(name.isEmpty ? "the latest mark" : "'\(name)'"), \(ago) ago"
    }
    return "\(Quantity.of(inspection.sites.count, "line", "lines")) of code, "
      + live(inspection) + (mark ?? "")
  }

  /// How many subscriptions live, as `7 live subscriptions`.
  ///
  /// A mark has counted them. Before the exact window, others may have lived that have ended unseen.
  private static func live(_ inspection: Inspection) -> String {
    let instant = inspection.instant
    let mark = inspection.marks.last { $0.time == instant.time }
    let live = mark.map(\.liveSubscriptions) ?? UInt64(inspection.liveSubscriptions)
    let text = Quantity.of(Int(clamping: live), "live subscription", "live subscriptions")
    return mark == nil && !instant.isExact ? "at least \(text)" : text
  }

  static func emptiness(_ model: Model) -> [String] {
    [
      "No operator has been used yet at this moment of the recording.",
      Chrome.whatToDo(model, "Rows appear as soon as the program subscribes to a signal."),
    ]
  }

  // MARK: Values

  static func label(_ row: SiteRow) -> String {
    displayName("\(row.name)@\(row.location)", columns: 120)
  }

  private static func gone(_ row: SiteRow) -> Int? {
    guard let new = row.newSinceMark, let growth = row.growthSinceMark else { return nil }
    return max(0, new - growth)
  }

  private static func last(_ row: SiteRow, _ glyphs: Glyphs) -> String {
    if let age = row.lastEventAge { return Quantity.duration(age) }
    return row.events == nil || row.liveOfKind == nil ? Quantity.unknown : glyphs.dash
  }

  /// Findings first, then what is most alive.
  private static func rank(_ row: SiteRow) -> Double {
    let level = row.worst.map { Double($0.rawValue) + 1 } ?? 0
    return level * 1e12 + Double(row.liveOfKind ?? 0)
  }
}

/// How the level of a finding is marked: never by colour alone.
enum Severity {
  /// One letter for a narrow column.
  static func mark(_ level: FindingLevel?) -> (text: String, role: Role) {
    guard let level else { return (" ", .text) }
    return (level == .info ? "i" : "!", role(level))
  }

  static func role(_ level: FindingLevel) -> Role {
    switch level {
    case .info: .info
    case .suspect: .suspect
    case .leak: .leak
    case .violation: .violation
    }
  }
}
