import TraceModel

extension Model {
  /// The effects to perform before the first message.
  public func start() -> [Effect] { [.show(.end)] }

  /// Handles a message and returns the effects that it requires.
  public mutating func update(_ message: Message) -> [Effect] {
    switch message {
    case .key(let key):
      note = nil
      let before = path
      let effects = prompt == nil ? press(key) : type(key)
      remember(before)
      refresh()
      return effects + neededEffects()
    case .mouse(let action):
      // A message covers the keys of the footer.
      let isOnNote = note != nil && action.row == layout.footer
      note = nil
      let before = path
      let effects = isOnNote ? [] : point(action)
      remember(before)
      refresh()
      return effects + neededEffects()
    case .answered(let query, let answer):
      if query == previewed.requested, query != queryState.requested {
        previewed.receive(answer, to: query)
      } else {
        guard query == queryState.requested else { return [] }
        queryState.receive(answer, to: query)
        refresh()
      }
      // The new content may need a backtrace, and the selected row an account.
      return neededEffects()
    case .compared(let base):
      otherTrace = base
      comparisonCount += 1
      let before = path
      if place.screen != .diff { show(.diff) }
      remember(before)
      refresh()
      showNote("Compared with \(base.label); D compares with a moment of this recording again.")
      return neededEffects()
    case .edited(let what):
      showNote(displayName(what, columns: 400))
      return [.redraw]
    case .settingsSaved(let path):
      showNote("Settings saved to '\(displayName(path))'.")
      return []
    case .resized(let size):
      self.size = size
      refresh()
      return [.redraw] + neededEffects()
    case .elapsed(let time): return advancePlayback(time)
    case .pulse:
      pulse &+= 1
      return []
    case .idle:
      continueSearching()
      return []
    case .tick:
      if isPlaying || eventFind != nil { return [] }
      if isRunning { return [isFollowing ? .show(.end) : .watch] }
      // After the end of the program, only the time since its end changes.
      if case .died(_?) = inspection.program.status { return [.watch] }
      return []
    case .inspection(let inspection, let position):
      apply(inspection, position)
      refresh()
      return neededEffects()
    case .noStep(let forward):
      showNoStep(forward: forward)
      return []
    case .program(let program):
      let wasRunning = isRunning
      inspection.program.status = program.status
      inspection.program.statusText = program.statusText
      if wasRunning { announceEnd() }
      return []
    case .backtrace(let chain, let lines):
      backtraces[chain] = lines
      refresh()
      return []
    case .saved(let path):
      showNote("Saved as '\(displayName(path))'.")
      return []
    case .failed(let sentence):
      followAgain()
      showNote(displayName(sentence, columns: 400), isProblem: true)
      return []
    }
  }

  mutating func showNote(_ text: String, isProblem: Bool = false) {
    note = Note(text: text, isProblem: isProblem)
  }

  /// Recomputes the rows or lines, and keeps the selection.
  mutating func refresh() {
    document = []
    let height = listHeight
    if place.screen == .map {
      refreshMap()
      return
    }
    if place.screen == .events {
      refreshEvents()
      return
    }
    if let table = place.screen.table {
      // Rows are filtered and sorted only if an input has changed, because there may be a hundred
      // thousand of them.
      let origin = RowList.Origin(
        screen: place.screen,
        scope: place.scope,
        sort: place.sort,
        filter: filter.text,
        comparedWith: comparedWith,
        comparison: otherTrace == nil ? 0 : comparisonCount,
        inspectionNumber: inspectionCount,
        query: table.isQueried ? queryState.count : 0
      )
      if let again = existingRows(table, origin) {
        rows = again
      } else if rows.origin != origin {
        let before = rows
        rows = table.arrange(
          self,
          rowsBeforeFilter.origin == origin.withoutFilter ? rowsBeforeFilter : nil
        )
        rows.origin = origin
        if filter.isEmpty { rowsBeforeFilter = rows }
        if place.isFrozen, before.origin?.screen == place.screen { rows.keep(orderOf: before) }
      }
      place.list.follow(rows.rowIDs, height: height)
    } else {
      document = DocumentScreens.lines(self)
      if place.list.selected == nil {
        place.list.index = document.firstIndex(where: \.isChosen) ?? 0
      }
      place.list.follow(rowIDs, height: height)
    }
  }

  /// The existing rows, found again in the latest inspection; nil if the rows must be filtered and
  /// sorted again.
  private func existingRows(_ table: any TableScreen.Type, _ origin: RowList.Origin) -> RowList? {
    guard rows.maxStaleRefreshes > 0, isFollowing, let made = rows.origin,
      made.inspectionNumber != origin.inspectionNumber,
      origin.inspectionNumber - made.inspectionNumber < rows.maxStaleRefreshes
    else { return nil }
    var same = origin
    same.inspectionNumber = made.inspectionNumber
    guard same == made else { return nil }
    if rows.foundAt == origin.inspectionNumber { return rows }
    var again = table.find(again: rows, self)
    again?.foundAt = origin.inspectionNumber
    return again
  }

  /// The layout of the screen.
  var layout: ScreenLayout {
    ScreenLayout(size: size, screen: place.screen, found: rows.count, hasPreview: settings.preview)
  }

  /// The number of rows or lines that the list part of the screen shows.
  var listHeight: Int { layout.list.count }

  /// The effects that provide what the screen on top still lacks: its backtraces, and the answers
  /// to its questions about the records.
  private mutating func neededEffects() -> [Effect] {
    var effects = neededBacktraces()
    guard hasInspection else { return effects }
    let query = ScreenQueries.query(for: self)
    if let query, queryState.beginRequest(query, at: inspectionCount) {
      effects.append(.query(query))
    }
    if let query = ScreenQueries.previewQuery(for: self),
      previewed.beginRequest(query, at: inspectionCount)
    {
      effects.append(.query(query))
    }
    return effects
  }

  private func neededBacktraces() -> [Effect] {
    DocumentScreens.chains(self).filter { backtraces[$0] == nil }.map(Effect.backtrace(of:))
  }

  /// Adds the previous path to the history, if the screen has changed.
  private mutating func remember(_ before: [Place]) {
    guard !before.elementsEqual(path, by: { $0.isSame(as: $1) }) else { return }
    if isTravellingInHistory {
      isTravellingInHistory = false
      return
    }
    past.append(before)
    if past.count > 100 { past.removeFirst() }
    future = []
  }

  private mutating func apply(_ inspection: Inspection, _ position: Position) {
    let wasRunning = hasInspection && isRunning
    self.inspection = inspection
    showTags()
    self.position = position
    isLeavingEnd = false
    hasInspection = true
    inspectionCount += 1
    if wasRunning { announceEnd() }
  }

  /// Shows a message if the program has just ended.
  private mutating func announceEnd() {
    guard !isRunning else { return }
    let status = displayName(inspection.program.statusText)
    showNote(status.isEmpty ? "The program has ended; its trace is kept." : status, isProblem: true)
  }
}
