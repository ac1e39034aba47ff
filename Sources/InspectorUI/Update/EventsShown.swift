import TraceModel

/// The rows of Events that have been found so far.
///
/// The records are searched in slices, the latest first, so that keys are handled in between. The
/// rows of a causal chain need no search.
struct EventsShown: Sendable {
  private(set) var rows = EventRows([])
  /// The number of events found so far, whether they pass the filter or not.
  private(set) var total = 0
  /// The search for every event of the recording.
  private var all = EventScan()
  /// The search for the events of the scope that pass the filter; nil if all events do.
  private var passing: EventScan?
  private var searchKey: SearchKey?
  private var inspectionNumber = -1

  private struct SearchKey: Hashable {
    let scope: Scope
    let filter: String
    /// The number of the answer that contains the causal chain.
    let query: Int
  }

  /// The number of records that are searched after each character of a filter that is being typed,
  /// before the character is shown.
  private static let typingSlice = 1 << 12
  /// The number of records that are searched before the first check for a key.
  private static let firstSlice = 1 << 14
  /// The number of records that are searched between two checks for a key.
  private static let slice = 1 << 16
  /// The number of records that the search for every event reads between two checks for a key.
  private static let countingSlice = 1 << 20

  /// Whether records remain to be searched.
  var isSearching: Bool { !all.isDone || passing?.isDone == false }

  /// The share of the records that has been searched.
  var share: Double {
    let scan = passing ?? all
    return scan.total == 0 ? 1 : Double(scan.searched) / Double(scan.total)
  }

  /// The number of records that were not searched, because the user stopped the search.
  var leftOut: Int { passing?.leftOut ?? all.leftOut }

  /// Whether a model has the same scope as these rows, but another filter.
  func isOtherFilter(of model: Model) -> Bool {
    guard let searchKey, inspectionNumber >= 0 else { return false }
    return searchKey.scope == model.place.scope && searchKey.filter != model.filter.text
  }

  /// Begins to find the rows that a model shows, and keeps the rows already found if they still
  /// apply.
  mutating func update(_ model: Model) {
    let isChain = if case .chain = model.place.scope { true } else { false }
    let next = SearchKey(
      scope: model.place.scope,
      filter: model.filter.text,
      query: isChain ? model.queryState.count : 0
    )
    guard next != searchKey || inspectionNumber != model.inspectionCount else { return }
    let isOther = next != searchKey
    searchKey = next
    inspectionNumber = model.inspectionCount
    let admits = Self.admits(model)
    guard !isChain, let (log, count) = model.inspection.recordedEvents else {
      let known = isChain ? EventsView.chain(model) : model.inspection.events
      total = known.count
      rows = EventRows(admits.map { admits in known.filter(admits) } ?? known)
      all = EventScan()
      passing = nil
      return
    }
    all.move(to: log, upTo: count)
    if admits == nil {
      passing = nil
    } else {
      if isOther || passing == nil { passing = EventScan() }
      passing?.move(to: log, upTo: count)
    }
    continueSearch(model, admits, model.prompt == nil ? Self.firstSlice : Self.typingSlice)
  }

  /// Searches the next records.
  mutating func continueSearch(_ model: Model, isFirst: Bool = false) {
    continueSearch(model, Self.admits(model), isFirst ? Self.firstSlice : Self.slice)
  }

  /// Ends the search, and leaves out the records that were not searched yet.
  mutating func stop(_ model: Model) {
    all.stop()
    passing?.stop()
    list(model)
  }

  private mutating func continueSearch(
    _ model: Model,
    _ admits: ((EventRow) -> Bool)?,
    _ records: Int
  ) {
    all.searchNext(records: Self.countingSlice, nil)
    if let admits { passing?.searchNext(records: records, admits) }
    list(model)
  }

  private mutating func list(_ model: Model) {
    let known = all.rows()
    total = known.count
    let comparesDelta = model.filter.columns.contains { name in
      EventRow.columns.contains { $0.id == "sincePrevious" && $0.isCalled(name) }
    }
    rows = passing?.rows(comparesWithAll: comparesDelta) ?? known
  }

  /// Returns a function that says whether a row belongs to the scope and passes the filter; nil if
  /// all rows do.
  private static func admits(_ model: Model) -> ((EventRow) -> Bool)? {
    let scope = model.place.scope
    let isWhole = if case .chain = scope { true } else { scope == .all }
    guard !isWhole || !model.filter.isEmpty else { return nil }
    let matching = RowMatching(EventsView.table(model.glyphs), model.filter)
    let isFiltered = !model.filter.isEmpty
    return { row in
      (isWhole || EventsView.belongs(row, to: scope, in: model.inspection))
        && (!isFiltered || matching.admits(row))
    }
  }
}

/// A search for a text in the rows of Events, in slices, which wraps around at the end.
struct EventFind: Sendable {
  let text: String
  private let forward: Bool
  private let needle: String
  private var next: Int
  private var left: Int
  private let total: Int

  /// The number of rows that are searched between two checks for a key.
  private static let slice = 1 << 14

  init(_ text: String, forward: Bool, from index: Int, count: Int) {
    self.text = text
    self.forward = forward
    needle = text.lowercased()
    next = count > 0 ? (index % count + count) % count : 0
    left = count
    total = count
  }

  /// Whether all rows have been searched.
  var isDone: Bool { left == 0 }

  /// The share of the rows that has been searched.
  var share: Double { total == 0 ? 1 : Double(total - left) / Double(total) }

  /// Searches the next slice of rows, and returns the index of the first row in the direction of
  /// the search that contains the text.
  mutating func searchNext(in rows: EventRows, _ table: Table<EventRow>) -> Int? {
    guard rows.count == total else {
      left = 0
      return nil
    }
    var budget = Self.slice
    while left > 0, budget > 0 {
      let count = min(budget, left, forward ? total - next : next + 1)
      let range = forward ? next..<(next + count) : (next + 1 - count)..<(next + 1)
      left -= count
      budget -= count
      next = forward ? range.upperBound % total : (range.lowerBound + total - 1) % total
      var found: Int?
      rows.forEach(in: range) { index, row in
        guard found == nil || !forward, table.text(of: row).lowercased().containsText(needle)
        else { return }
        found = index
      }
      if let found { return found }
    }
    return nil
  }
}

extension Model {
  /// Whether records or rows are being searched; if so, ``Message/idle`` continues the search.
  public var isSearching: Bool {
    eventFind != nil || (place.screen == .events && events.isSearching)
  }

  /// Updates the events that the screen on top lists.
  mutating func refreshEvents() {
    var shown = EventsShown()
    swap(&shown, &events)
    // In a recording that no longer changes, a new filter must not move the selection to the last
    // event.
    if shown.isOtherFilter(of: self), !isRunning { place.list.isPinned = false }
    shown.update(self)
    events = shown
    let isPinned = place.list.isPinned
    rows = RowList(events.rows, total: events.total)
    place.list.follow(rows.rowIDs, height: listHeight)
    if isPinned { place.list.select(rows.count - 1, in: rows.rowIDs, height: listHeight) }
  }

  /// Continues the search with the next records or rows.
  mutating func continueSearching(isFirst: Bool = false) {
    if eventFind != nil {
      continueFinding()
    } else if place.screen == .events, events.isSearching {
      var shown = EventsShown()
      swap(&shown, &events)
      shown.continueSearch(self, isFirst: isFirst)
      events = shown
    }
    refresh()
  }

  /// Stops a search; returns false if there is none.
  mutating func stopSearching() -> Bool {
    if let find = eventFind {
      eventFind = nil
      showNote(
        "Stopped: '\(find.text)' was not found in the \(Quantity.percent(find.share)) searched."
      )
      return true
    }
    guard isSearching else { return false }
    let share = Quantity.percent(events.share)
    var shown = EventsShown()
    swap(&shown, &events)
    shown.stop(self)
    events = shown
    showNote("Stopped: the latest \(share) of the recording were searched.")
    return true
  }

  /// Goes to the next or the previous event that matches the search.
  mutating func findEvent(forward: Bool, includingCurrent: Bool) {
    let step = includingCurrent ? 0 : forward ? 1 : -1
    eventFind = EventFind(
      search,
      forward: forward,
      from: place.list.index + step,
      count: rows.count
    )
    continueFinding()
  }

  private mutating func continueFinding() {
    guard var find = eventFind else { return }
    if let index = find.searchNext(in: events.rows, EventsView.table(glyphs)) {
      eventFind = nil
      note = nil
      place.list.select(index, in: rows.rowIDs, height: listHeight)
      place.list.isPinned = false
    } else if find.isDone {
      eventFind = nil
      showNote("'\(find.text)' is on no row of this screen.")
    } else {
      eventFind = find
      showNote("Searching for '\(find.text)': \(Quantity.percent(find.share)); Esc stops.")
    }
  }
}
