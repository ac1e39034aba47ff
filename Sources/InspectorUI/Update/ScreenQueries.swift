import TraceModel
internal import TraceReading

/// The questions about the records that each screen asks.
enum ScreenQueries {
  /// The question that the screen on top asks; nil if the inspection is sufficient.
  static func query(for model: Model) -> TraceQuery? {
    let place = model.place
    let now = model.inspection.instant.time
    switch (place.screen, place.scope) {
    case (.map, _):
      guard model.inspection.program.highestLevel >= .events else { return nil }
      let stretch = MapView.stretch(model)
      return .flow(from: stretch.lowerBound, to: stretch.upperBound)
    case (.marbles, _):
      let query = MarblesView.query(model)
      return query.lanes.isEmpty ? nil : .marbles(query)
    case (.queues, _): return .queues(upTo: now)
    case (.diff, _): return .base(DiffView.base(model))
    case (.events, .chain(let event)): return .journey(of: event)
    case (.detail, .all), (.detail, .chain): return nil
    case (.detail, let scope): return .account(scope, upTo: now)
    case (.sites, _), (.signals, _), (.subscriptions, _):
      guard model.layout.explanation.count > 0, model.inspection.program.highestLevel >= .events
      else {
        return nil
      }
      let stretch = MapView.stretch(model)
      return .flow(from: stretch.lowerBound, to: stretch.upperBound)
    default: return nil
    }
  }

  /// The question about the selected row that the preview below a list asks.
  static func previewQuery(for model: Model) -> TraceQuery? {
    guard model.layout.explanation.count > 0, let scope = model.previewedScope else { return nil }
    let now = model.inspection.instant.time
    switch (model.place.screen, scope) {
    case (.queues, .queue): return .account(scope, upTo: now)
    case (.map, .site), (.sites, .site), (.subscriptions, .subscription), (.events, .record):
      // An account, which is everything that the records say about one subject, requires reading
      // all records, so in a long recording only the key d requests it.
      guard model.inspection.program.recordCount <= 1 << 18, !isTooSoon(scope, model) else {
        return nil
      }
      return .account(scope, upTo: now)
    default: return nil
    }
  }

  /// Whether it is too soon to request the account of a row.
  ///
  /// While a filter is being typed, the selection may change with each letter. While a running
  /// program is followed, a recent account is good enough.
  private static func isTooSoon(_ scope: Scope, _ model: Model) -> Bool {
    if model.prompt != nil { return true }
    guard model.isRunning, model.isFollowing, case .account(scope, _)? = model.previewed.requested
    else { return false }
    // The more records there are, the longer an account takes, and the less often it is requested.
    return model.inspectionCount - model.previewed.inspectionNumber <= model.inspection.program
      .recordCount >> 14
  }
}

extension Model {
  /// The chart that Marbles shows; nil until the answer arrives.
  var marbles: MarbleChart? {
    guard case .marbles(let chart)? = queryState.answer, place.screen == .marbles else {
      return nil
    }
    return chart
  }

  /// The latest counts of events between lines of code, even if they were requested for another
  /// moment.
  var flow: FlowReport? {
    guard case .flow(let report)? = queryState.answer else { return nil }
    return report
  }

  var queues: QueueReport? {
    guard case .queues(let report)? = queryState.answer else { return nil }
    return report
  }

  var base: SiteBase? {
    guard case .base(let base)? = queryState.answer,
      queryState.answeredQuery == .base(DiffView.base(self))
    else { return nil }
    return base
  }

  var journey: Journey? {
    guard case .journey(let journey)? = queryState.answer, case .chain(let event) = place.scope,
      journey.event == event
    else { return nil }
    return journey
  }

  /// The account that Detail shows; nil until it arrives.
  var account: Account? {
    guard case .account(let account)? = queryState.answer, account.scope == place.scope else {
      return nil
    }
    return account
  }

  /// The selected event.
  var selectedEvent: EventRow? {
    guard place.screen == .events, let row = rows.place(at: place.list.index),
      events.rows.indices.contains(row)
    else { return nil }
    return events.rows[row]
  }

  /// The subject of the preview below a list; for an event, its record.
  var previewedScope: Scope? {
    place.screen == .events ? selectedEvent.map { .record($0.number) } : selectedScope
  }

  /// The account of the selected row of a list; nil until it arrives.
  var previewedAccount: Account? {
    guard case .account(let account)? = previewed.answer, account.scope == previewedScope else {
      return nil
    }
    return account
  }

  var histograms: [Histogram]? { account?.histograms }

  /// The labels of the lines of code that create owners.
  var ownerNames: [String] {
    inspection.sites.filter { $0.kind == .owners }.map(\.label)
  }

  // MARK: Causes and differences

  /// The moment that the key D has set; nil if there is none.
  var comparedFrom: Duration? {
    guard case .time(let time)? = comparedWith else { return nil }
    return time
  }

  /// The number of the event that Detail shows; for an ended entity, the number of the event that
  /// ended it.
  var detailedEvent: UInt64? {
    guard place.screen == .detail else { return nil }
    if case .record(let number) = place.scope { return number }
    return account?.ending?.event
  }

  /// Opens Events, restricted to the causal chain of the selected event.
  mutating func followCause() {
    let number: UInt64
    if place.screen == .events, (0..<rows.count).contains(place.list.index),
      case .event(let selected) = rows.rowIDs[place.list.index]
    {
      number = selected
    } else if let shown = detailedEvent {
      number = shown
    } else {
      showNote(
        "C follows the causes of a row on Events, or of the event or end that Detail shows; e shows Events."
      )
      return
    }
    var next = Place(.events, scope: .chain(number))
    next.list.selected = .event(number)
    if place.scope == next.scope { return }
    path.append(next)
  }

  /// Makes Diff compare with the moment shown.
  mutating func compareFromHere() -> [Effect] {
    guard hasInspection else { return [] }
    comparedWith = .time(inspection.instant.time)
    otherTrace = nil
    if place.screen != .diff { show(.diff) }
    showNote("Compared with \(Quantity.moment(inspection.instant.time)) from now on.")
    return []
  }
}
