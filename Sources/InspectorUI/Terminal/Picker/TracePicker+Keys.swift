import TraceModel

extension TracePicker {
  /// Handles a message from the terminal.
  public mutating func update(_ message: TerminalMessage) -> Outcome {
    switch message {
    case .resized(let size):
      self.size = size
      refresh()
      return .undecided
    case .ended: return .quit
    case .mouse(let action):
      // A message covers the keys of the footer.
      let isOnNote = note != nil && action.row == footerRow
      note = nil
      return isOnNote ? .undecided : point(action)
    case .key(let key):
      note = nil
      return prompt == nil ? press(key) : type(key)
    }
  }

  /// The commands of the key table that work on this screen, in the order in which its help lists
  /// them.
  static let commands: [Command] = [
    .move(1), .move(-1), .scroll(2), .scroll(-2), .scroll(1), .scroll(-1), .first, .last, .open,
    .search, .nextMatch, .previousMatch, .filter, .sortRight, .sortLeft, .invert, .show(.help),
    .redraw, .quit, .quitNow,
  ]

  private mutating func press(_ key: Key) -> Outcome {
    guard let command = KeyTable.command(for: key) else { return showUnknownKey(key) }
    // Escape quits only if there is nothing else to close.
    if key == .escape, helpTop == nil { return .quit }
    switch command {
    case .begin: return perform(.first)
    case .end: return perform(.last)
    case .stepRight: return perform(.open)
    case .back, .stepLeft:
      helpTop = nil
      return .undecided
    default:
      return Self.commands.contains(command) ? perform(command) : showUnknownKey(key)
    }
  }

  private mutating func showUnknownKey(_ key: Key) -> Outcome {
    showNote("\(key.name) does nothing here; ? shows the keys.")
    return .undecided
  }

  private mutating func perform(_ command: Command) -> Outcome {
    switch command {
    case .quitNow: return .quit
    case .quit:
      guard helpTop != nil else { return .quit }
      helpTop = nil
    case .show(.help): helpTop = helpTop == nil ? 0 : nil
    case .move(let step): move(by: step)
    case .scroll(let halfPages): move(by: halfPages * max(1, listHeight / 2))
    case .first: move(by: -Self.farthest)
    case .last: move(by: Self.farthest)
    // All other commands apply to the list.
    case _ where helpTop != nil: showNote("That is a key of the list; Esc closes this help.")
    case .open: return open()
    case .search: prompt = Prompt(kind: .search, text: "", before: search)
    case .filter: prompt = Prompt(kind: .filter, text: filter.text, before: filter.text)
    case .nextMatch: findMatch(forward: true)
    case .previousMatch: findMatch(forward: false)
    case .sortRight: sort(by: 1)
    case .sortLeft: sort(by: -1)
    case .invert: invert()
    default: break
    }
    return .undecided
  }

  /// A number of rows that is greater than the length of any list.
  private static var farthest: Int { 1 << 40 }

  private mutating func move(by step: Int) {
    if let top = helpTop {
      helpTop = max(0, min(top + step, PickerHelp.lines(self).count - listHeight))
    } else {
      list.select(list.index + step, in: shown.rowIDs, height: listHeight)
    }
  }

  private mutating func open() -> Outcome {
    guard let row = selectedRow else {
      showNote("There is no row to open.")
      return .undecided
    }
    guard let problem = row.problem else { return .chosen(row.path) }
    showNote("'\(displayName(row.name, columns: 60))' \(displayName(problem))", isProblem: true)
    return .undecided
  }

  // MARK: Typing and searching

  private mutating func type(_ key: Key) -> Outcome {
    guard var typing = prompt else { return .undecided }
    switch key {
    case .escape:
      prompt = nil
      if typing.kind == .filter { narrow(typing.before) }
      return .undecided
    case .enter:
      prompt = nil
      if typing.kind == .search {
        search = typing.text.isEmpty ? typing.before : typing.text
        if !search.isEmpty { findMatch(forward: true, includingCurrent: true) }
      } else if filter.isEmpty, !typing.before.isEmpty {
        showNote("All rows are shown again.")
      }
      return .undecided
    case .control("c"): return .quit
    case .backspace, .delete: if !typing.text.isEmpty { typing.text.removeLast() }
    case .control("u"): typing.text = ""
    case .character(let character):
      if typing.text.count < 200 { CellWidth.append(character, to: &typing.text) }
    default: return .undecided
    }
    prompt = typing
    if typing.kind == .filter { narrow(typing.text) }
    return .undecided
  }

  private mutating func narrow(_ text: String) {
    filter = RowFilter(text)
    refresh()
  }

  /// Selects the next or the previous row that matches the search, wrapping around at the end.
  private mutating func findMatch(forward: Bool, includingCurrent: Bool = false) {
    guard !search.isEmpty else { return showNote("Nothing was searched for yet; / searches.") }
    let count = shown.count
    let first = includingCurrent ? 0 : 1
    for distance in first..<(max(first, count) + 1) where count > 0 {
      let index = ((list.index + (forward ? distance : -distance)) % count + count) % count
      guard let row = row(at: index), table.text(of: row).foldedRange(of: search) != nil else {
        continue
      }
      return list.select(index, in: shown.rowIDs, height: listHeight)
    }
    showNote("'\(search)' is on no row of this screen.")
  }

  // MARK: Order

  private mutating func sort(by step: Int) {
    let columns = table.sortable
    let current = sort.flatMap { order in columns.firstIndex { $0.title == order.column } }
    let next = current.map { ($0 + step + columns.count) % columns.count } ?? 0
    sort(by: columns[next])
  }

  private mutating func sort(by column: SortableColumn) {
    sort = SortOrder(column: column.title, ascending: !column.isDescendingFirst)
    showNote("Sorted by \(column.name).")
    refresh()
  }

  private mutating func invert() {
    guard sort != nil else {
      return showNote("Running programs come first, then the latest; > sorts by a column.")
    }
    sort?.ascending.toggle()
    refresh()
  }

  // MARK: The mouse

  private mutating func point(_ action: MouseAction) -> Outcome {
    guard prompt == nil, isLargeEnough else { return .undecided }
    switch action.kind {
    case .wheelUp:
      move(by: -1)
      return .undecided
    case .wheelDown:
      move(by: 1)
      return .undecided
    case .press, .doublePress: break
    }
    if action.row == footerRow {
      let hit = footerSegments.first { $0.columns.contains(action.column) }
      return hit.map { perform($0.command) } ?? .undecided
    }
    guard helpTop == nil else { return .undecided }
    if action.row == headingRow {
      pressHeading(action.column)
    } else if listRows.contains(action.row) {
      let index = list.top + action.row - listRows.lowerBound
      guard index < shown.count else { return .undecided }
      let wasSelected = index == list.index
      list.select(index, in: shown.rowIDs, height: listHeight)
      if wasSelected || action.kind == .doublePress { return open() }
    }
    return .undecided
  }

  private mutating func pressHeading(_ column: Int) {
    let title = table.title(at: column, width: size.columns)
    guard let hit = table.sortable.first(where: { $0.title == title }) else { return }
    if sort?.column == title { invert() } else { sort(by: hit) }
  }
}
