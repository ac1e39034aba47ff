import TraceModel
internal import TraceReading

/// The screen Events: a row for each event, the oldest first.
enum EventsView: TableScreen {
  static var columns: [Column<EventRow>] { EventRow.columns }

  static func rows(_ model: Model) -> EventRows { model.events.rows }

  /// The known events of the requested causal chain.
  static func chain(_ model: Model) -> [EventRow] {
    guard let journey = model.journey else { return [] }
    // The number of hops (passages of work to another thread or queue) before an event is shown
    // as indentation.
    return zip(journey.events, journey.depths).map { event, depth in
      var event = event
      event.hopDepth = depth
      event.isQueriedEvent = event.number == journey.event
      return event
    }
  }

  static func arrange(_ model: Model, _ beforeFilter: RowList?) -> RowList { model.rows }

  static func id(_ row: EventRow) -> RowID { .event(row.number) }

  static func belongs(_ row: EventRow, to scope: Scope, in inspection: Inspection) -> Bool {
    switch scope {
    case .all: true
    case .site(let site): row.site == site
    case .signal(let key), .subscription(let key), .timer(let key): row.subject == key
    case .chain: true
    case .owner(let key): row.subject == key || row.endedBy == key
    case .queue, .owners, .record: false
    }
  }

  static func subject(of row: EventRow) -> Scope? {
    guard let key = row.subject else { return .record(row.number) }
    switch row.kind {
    case .hopScheduled, .hopBegan, .hopEnded, .hopCancelled: return .record(row.number)
    case .signalCreated, .signalNamed, .signalMade, .signalReleased: return .signal(key)
    case .timerArmed, .timerFired, .timerEnded: return .timer(key)
    case .ownerCreated, .ownerEnded: return .owner(key)
    default: return .subscription(key)
    }
  }

  static func target(of row: EventRow, in inspection: Inspection) -> Place? {
    subject(of: row).map { Place(.detail, scope: $0) }
  }

  static func event(of row: EventRow) -> UInt64? { row.number }

  private static func summary(_ journey: Journey) -> String {
    guard let first = journey.events.first, let last = journey.events.last else {
      return "nothing is known of its causes"
    }
    let threads = Set(journey.events.map(\.thread)).count
    let most = journey.depths.max() ?? 0
    return
      "\(Quantity.of(journey.events.count, "related event", "related events")), "
      + "\(Quantity.duration(last.time - first.time)) on \(Quantity.of(threads, "thread", "threads")), "
      + "up to \(Quantity.of(most, "hop", "hops"))"
      + (journey.isCut ? "; what caused the first is not recorded" : "")
  }

  static func summary(_ model: Model) -> String {
    if case .chain = model.place.scope {
      return model.journey.map(summary) ?? "looking at the records"
    }
    let shown = model.events
    if model.isSearching {
      return
        "\(Quantity.count(shown.rows.count)) found in the \(Quantity.percent(shown.share)) searched so far; Esc stops"
    }
    guard shown.rows.count > 0 else { return shown.total > 0 ? "" : "no events" }
    let count =
      shown.rows.count == shown.total
      ? Quantity.of(shown.total, "event", "events")
      : "\(Quantity.count(shown.rows.count)) of \(Quantity.of(shown.total, "event", "events"))"
    let first = Quantity.moment(shown.rows.time(at: 0))
    let last = Quantity.moment(shown.rows.time(at: shown.rows.count - 1))
    return "\(count), \(first) to \(last)"
      + (shown.leftOut > 0 ? "; earlier events were not searched" : "")
  }

  static func emptiness(_ model: Model) -> [String] {
    if case .chain = model.place.scope {
      return [
        model.journey == nil
          ? "Looking at the records …" : "What led to this event is not recorded.",
        "Press Esc to go back to all events.",
      ]
    }
    let level = DetailView.level(of: model)
    if level < .events, model.isRunning {
      return [
        "Single events are not recorded at level '\(level)'.",
        "Restart the program with RXTRACE=1 to record them.",
      ]
    }
    let program = model.inspection.program
    if program.recordCount > 0, !model.inspection.instant.isExact {
      guard let first = program.exactWindow?.lowerBound else {
        return ["Records are missing throughout: which events came before this is unknown."]
      }
      return [
        program.isIncomplete
          ? "The recording lacks what happened up to this moment."
          : "What happened up to this moment is not in the recording any more: newer events have taken its place.",
        "\(program.parts.hasEveryEvent ? "Every event is there" : "Lifetimes are there") from \(Quantity.moment(first)) on. Press . for the first of them, $ for the newest.",
      ]
    }
    return ScreenFrame.reasons(
      [
        "Nothing has happened yet at this moment of the recording.",
        model.isFollowing
          ? ScreenFrame.emptyHint(model, "Rows appear as soon as something happens.")
          : "Press . for the next event.",
      ],
      model
    )
  }
}
