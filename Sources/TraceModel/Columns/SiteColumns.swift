internal import TraceReading

extension SiteRow {
  /// The columns of lines of code.
  public static let columns: [Column<SiteRow>] = [
    .number("id", "its row: what `site` in other rows refers to") { $0.id }.neverNull,
    .text("name", "the operator, as `map` or `take(until:)`") { $0.name }.neverNull,
    .text("file", "`Module/File.swift`") { $0.file }.neverNull,
    .text("module", "the module of the file; a filter is `module=Gateway`") {
      $0.module
    }.neverNull,
    .number("line", "line in the file") { $0.line }.neverNull,
    .number("column", "column in the line") { $0.column }.neverNull,
    .text("location", "`File.swift:88`") { $0.location }.neverNull,
    .words(
      "traits",
      "what the operator does: " + SiteTraits.names.map { "`\($0.0)`" }.joined(separator: ", ")
    ) {
      $0.traits.schemaNames
    },
    .text(
      "recordedLevel",
      "the level at which this line alone is recorded; null if it is recorded like the whole program"
    ) { $0.level?.schemaName }
    .none { $0.level == nil },
    .text(
      "worst",
      "the level of the most serious finding about the line",
      ColumnHeading("!", 1, name: "findings")
    ) { $0.worst?.label }
    .cell { $0.worst?.sign ?? " " }
    .emphasis { $0.worst?.role ?? .text }
    .rank { row in
      // Findings first, then the lines with the most live instances.
      (row.worst.map { Double($0.rawValue) + 1 } ?? 0) * 1e12 + Double(row.liveOfKind ?? 0)
    },
    .text("place", placeHelp, ColumnHeading("operator@file:line", 26, weight: 3, keepsEnd: true)) {
      $0.label
    }
    .emphasis { $0.liveOfKind == 0 ? .dim : .text }
    .onScreenOnly,
    .count(
      "liveOfKind",
      "subscriptions that have not ended; timers or owners, where a line makes only those",
      ColumnHeading("live", 6)
    ) { $0.liveOfKind }
    .emphasis { $0.liveOfKind == 0 ? .dim : .strong }
    .onScreenOnly,
    .count(
      "newSinceMark",
      "live subscriptions that began since the latest mark",
      ColumnHeading("new", 5, priority: 5)
    ) {
      $0.newSinceMark
    }
    .none { $0.newSinceMark == nil }
    .emphasis { ($0.newSinceMark ?? 0) > 0 ? .good : .dim },
    .count(
      "goneSinceMark",
      "subscriptions that were live at the latest mark and have ended",
      ColumnHeading("gone", 5, priority: 6)
    ) {
      $0.goneSinceMark
    }
    .none { $0.goneSinceMark == nil }
    .emphasis { _ in .gone },
    .count("everOfKind", "begun since the recording began", ColumnHeading("ever", 6, priority: 8)) {
      $0.everOfKind
    }
    .emphasis { _ in .dim }
    .onScreenOnly,
    .rate("rate", "events per second, lately", ColumnHeading("events/s", 8, priority: 2)) {
      $0.rate
    }
    .none { $0.kind != .subscriptions }
    .emphasis { ($0.rate ?? 0) > 0 ? .text : .dim },
    .count(
      "eventsOfKind",
      "events that passed; of a line of timers, how often they fired",
      ColumnHeading("events", 7, priority: 7)
    ) { $0.eventsOfKind }
    .none { $0.kind == .owners }
    .onScreenOnly,
    .duration(
      "lastEventAge",
      "how long ago the latest event of a live subscription was",
      ColumnHeading("last", 7, priority: 3)
    ) { $0.lastEventAge }
    .none { $0.lastEventAge == nil && $0.events != nil && $0.liveOfKind != nil },
    .duration(
      "oldestAge",
      "age of the oldest that is live",
      ColumnHeading("oldest", 7, priority: 9)
    ) { $0.oldestAge }
    .none { $0.oldestAge == nil },
    .text(
      "scheduler",
      "scheduler of the live ones; none if they differ",
      ColumnHeading("scheduler", 9, weight: 1, priority: 4)
    ) { $0.scheduler }
    .none { $0.scheduler == nil }
    .emphasis { _ in .dim },
    .text(
      "givenName",
      "given by the program with named(_:) to a signal made here; the first of several",
      ColumnHeading("given name", 24, priority: 11)
    ) { $0.givenName }
    .none { $0.givenName == nil },
    .text(
      "tag",
      "the name that the line was given in rxtop with `:tag`",
      ColumnHeading("tag", 12, priority: 13)
    ) { $0.tag }
    .none { $0.tag == nil }
    .onScreenOnly,
    .series(
      "liveOverTime",
      "how many subscriptions lived at marks, from the first mark to the latest; the highest is the most there were",
      ColumnHeading("live over time", 24, priority: 12, isSortable: false)
    ) { $0.history?.counts(ofSite: $0.id, columns: 24) }
    .onScreenOnly,
    .count("live", "subscriptions that have not ended") { $0.live },
    .count("subscribed", "subscriptions ever") { $0.subscribed },
    .count("ended", "subscriptions that have ended") { $0.ended },
    .counts("endedByReason", "the same by reason") { row in
      EndReason.allCases.map { reason in
        let index = Int(reason.rawValue)
        return (reason.schemaName, index < row.endedByReason.count ? row.endedByReason[index] : nil)
      }
    },
    .count("signals", "signals that exist") { $0.signals },
    .count("signalsCreated", "signals ever") { $0.signalsCreated },
    .count("events", "events of all its subscriptions ever") { $0.events },
    .duration(
      "medianLifetime",
      "the median lifetime of the ended subscriptions: a power of two, or the length of the recording where that is less"
    ) { $0.medianLifetime },
    .duration("longLifetime", "the p99 lifetime of them, in the same way") {
      $0.longLifetime
    },
    .count("held", "values held by its live subscriptions") { $0.held },
    .count("refused", "events refused after disposal or termination") { $0.refused },
    .count("disposablesReleased", "disposables dropped while their subscription lived") {
      $0.disposablesReleased
    },
    .count("timersArmed", "timers ever") { $0.timersArmed },
    .count("timersLive", "timers armed now") { $0.timersLive },
    .count("timerFires", "times they fired") { $0.timerFires },
    .count("ownersCreated", "owners ever, as bags of disposables: those that got a subscription") {
      $0.ownersCreated
    },
    .count("ownersLive", "owners that have not ended") { $0.ownersLive },
    .change("growthSinceMark", "change of `live` since the latest mark") { $0.growthSinceMark },
    changeColumn { $0.change },
  ]

  /// `map@Feed.swift:81`, with control characters escaped.
  package var label: String { displayName("\(name)@\(location)", columns: 120) }

  /// The number of subscriptions that were live at the latest mark and have ended; nil without a
  /// mark.
  package var goneSinceMark: Int? {
    guard let newSinceMark, let growthSinceMark else { return nil }
    return max(0, newSinceMark - growthSinceMark)
  }
}

/// The help of the column with the operator and its place.
let placeHelp = "the operator, and its place in the source"

/// A column that says whether the row is new or has ended since the previous inspection.
func changeColumn<Row>(_ change: @escaping @Sendable (Row) -> RowChange) -> Column<Row> {
  .text("change", "what happened to the row lately: `none`, `new`, `ended`") { change($0).rawValue }
    .neverNull
}
