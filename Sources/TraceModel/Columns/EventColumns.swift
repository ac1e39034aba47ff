internal import TraceReading

extension EventRow {
  /// The columns of records.
  public static let columns: [Column<EventRow>] = [
    .number(
      "number",
      "where it stands in the recording: what `evidence.events` and `rxtop dump --event` mean; across threads, the order of numbers is not that of times",
      ColumnHeading("event", 8, isSortable: false)
    ) { $0.number }
    .cell { "#\($0.number)" }
    .emphasis { _ in .dim }
    .neverNull,
    .moment(
      "time",
      "since the recording began",
      ColumnHeading("time", 13, priority: 2, isSortable: false)
    ) { $0.time }
    .emphasis { $0.isPartial ? .dim : .text }
    .neverNull,
    .duration(
      "sincePrevious",
      "time since the row above; a filter uses the time since the previous event, shown or not",
      ColumnHeading("delta", 8, priority: 4, isSortable: false)
    ) { $0.sincePrevious }
    .none { $0.sincePrevious == nil }
    .cell { event in
      // A time that would be shown as zero is shown as a dot.
      let text = Quantity.duration(event.sincePrevious)
      return text == Quantity.duration(.zero) ? "·" : "+" + text
    }
    .emphasis { _ in .dim },
    .text(
      "kind",
      "kind of record, as in rxtop dump",
      ColumnHeading("what", 13, weight: 1, isSortable: false)
    ) {
      RecordSpec.of($0.kind).name
    }
    .cell { $0.what }
    .emphasis { role($0.kind) }
    .neverNull,
    .number(
      "ordinal",
      "of a value, which event of its subscription it is, counted from 1; of a timer that fired, which time"
    ) { $0.ordinal },
    .entity("subject", "what it is about") { $0.subject },
    .text(
      "subjectText",
      "who it happened to",
      ColumnHeading("of", 22, weight: 4, keepsEnd: true, isSortable: false)
    ) { $0.subjectText }
    .cell { row in
      row.steps + (row.subjectText.isEmpty ? "–" : displayName(row.subjectText, columns: 120))
    }
    .grouped { row in row.hopDepth > 0 ? nil : row.subject.map { Int($0.serial) } ?? -1 }
    .emphasis { $0.isQueriedEvent ? .strong : .text }
    .neverNull,
    .text(
      "text",
      "what else is known: a reason, a failure, a value where values are recorded",
      ColumnHeading("says", 11, weight: 2, priority: 3, isSortable: false)
    ) { $0.text }.neverNull,
    .text(
      "thread",
      "on which it happened",
      ColumnHeading("thread", 14, weight: 1, priority: 6, isSortable: false)
    ) { $0.thread }
    .emphasis { _ in .dim }
    .neverNull,
    .text("endCause", "of an end, what ended it; null where that is not known") {
      $0.endCause?.schemaName
    },
    .entity("endedBy", "of an end, the owner, operator or subscription that ended it") {
      $0.endedBy
    },
    .flag("isPartial", "whether its neighbours may be missing") { $0.isPartial }.neverNull,
  ]

  private static func role(_ kind: RecordKind) -> Role {
    switch kind {
    case .failed, .refused: .violation
    case .subscribed, .signalCreated, .timerArmed: .good
    case .ended, .completed, .signalReleased, .subscriptionReleased, .timerEnded: .gone
    case .disposableReleased: .suspect
    case .recordsLost: .loss
    case .mark: .message
    default: .text
    }
  }

  /// Arrows that show how many hops (passages of work to another queue) led to the event.
  private var steps: String {
    guard hopDepth > 0 else { return "" }
    return hopDepth <= 3 ? String(repeating: "⇢ ", count: hopDepth) : "⇢ \(hopDepth)× "
  }
}

extension MarkRow {
  /// The columns of marks.
  public static let columns: [Column<MarkRow>] = [
    .number("id", "its row") { $0.id }.neverNull,
    .moment("time", "when it was set") { $0.time }.neverNull,
    .text("name", "as given to `Trace.mark`; empty for those of the recorder") { $0.name }
      .neverNull,
    .text("kind", "`program`, or `automatic` (the recorder's own)") { $0.kind.schemaName }
      .neverNull,
    .count("liveSignals", "signals at the time") { $0.liveSignals }.neverNull,
    .count("liveSubscriptions", "live subscriptions at the time") { $0.liveSubscriptions }
      .neverNull,
    .count("liveTimers", "armed timers at the time") { $0.liveTimers }.neverNull,
    .count(
      "heapInUse",
      "bytes that the program had from its heap and had not given back; null where that is not known"
    ) { $0.heapInUse },
    .count(
      "residentSize",
      "bytes of the process that were in memory; null where that is not known"
    ) { $0.residentSize },
  ]
}
