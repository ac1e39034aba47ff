import TraceModel
internal import TraceReading

/// The questions of each screen about the records.
enum ScreenQueries {
  /// The question of the screen on top; nil if the inspection is sufficient.
  static func wanted(by model: Model) -> TraceQuery? {
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

  /// The question about the selected row, for the preview below a list.
  static func previewed(by model: Model) -> TraceQuery? {
    guard model.layout.explanation.count > 0, let scope = model.previewedScope else { return nil }
    let now = model.inspection.instant.time
    switch (model.place.screen, scope) {
    case (.queues, .queue): return .account(scope, upTo: now)
    case (.map, .site), (.sites, .site), (.subscriptions, .subscription), (.events, .record):
      // In a long recording the user has to request, with d, anything that reads all of it.
      guard model.inspection.program.recordCount <= 1 << 18, !isTooSoon(scope, model) else {
        return nil
      }
      return .account(scope, upTo: now)
    default: return nil
    }
  }

  /// Whether the account of a row can wait: a filter that is being typed changes the selection with
  /// each letter, and a recent account of a running program is still good enough.
  private static func isTooSoon(_ scope: Scope, _ model: Model) -> Bool {
    if model.prompt != nil { return true }
    guard model.isRunning, model.isFollowing, case .account(scope, _)? = model.previewed.asked
    else { return false }
    // The more records there are, the longer it takes to make.
    return model.readings - model.previewed.reading <= model.inspection.program.recordCount >> 14
  }
}

extension Model {
  /// The answer, if it is of the kind that the screen shows.
  var marbles: MarbleChart? {
    guard case .marbles(let chart)? = queryState.answer, place.screen == .marbles else {
      return nil
    }
    return chart
  }

  /// The latest count of events between lines; that of another moment is better than none.
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
      queryState.question == .base(DiffView.base(self))
    else { return nil }
    return base
  }

  var journey: Journey? {
    guard case .journey(let journey)? = queryState.answer, case .chain(let event) = place.scope,
      journey.event == event
    else { return nil }
    return journey
  }

  /// The account for a Detail screen.
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

  /// The subject of the preview below a list: for an event, the event itself rather than its
  /// subject.
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

  /// The names of owners, by their lines of code.
  var ownerNames: [String] {
    inspection.sites.filter { $0.kind == .owners }.map(\.label)
  }

  // MARK: Causes and differences

  /// The moment set by D, where it belongs to this recording.
  var comparedFrom: Duration? {
    guard case .time(let time)? = comparedWith else { return nil }
    return time
  }

  /// The event that Detail shows, or the end of an ended entity.
  var detailedEvent: UInt64? {
    guard place.screen == .detail else { return nil }
    if case .record(let number) = place.scope { return number }
    return account?.ending?.event
  }

  /// Opens Events, restricted to the chain of the selected one.
  mutating func followCause() {
    let number: UInt64
    if place.screen == .events, (0..<rows.count).contains(place.list.index),
      case .event(let selected) = rows.rowIDs[place.list.index]
    {
      number = selected
    } else if let shown = detailedEvent {
      number = shown
    } else {
      say(
        "C follows the causes of a row on Events, or of the event or end that Detail shows; e shows Events."
      )
      return
    }
    var next = Place(.events, scope: .chain(number))
    next.list.selected = .event(number)
    if place.scope == next.scope { return }
    path.append(next)
  }

  /// Makes Diff compare with this moment.
  mutating func compareFromHere() -> [Effect] {
    guard hasInspection else { return [] }
    comparedWith = .time(inspection.instant.time)
    otherTrace = nil
    if place.screen != .diff { show(.diff) }
    say("Compared with \(Quantity.moment(inspection.instant.time)) from now on.")
    return []
  }
}
