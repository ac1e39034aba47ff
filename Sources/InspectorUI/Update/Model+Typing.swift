import TraceModel

extension Model {
  /// Handles a key while a search, a filter or a command is being typed.
  mutating func type(_ key: Key) -> [Effect] {
    guard var typing = prompt else { return [] }
    switch key {
    case .escape:
      prompt = nil
      if typing.kind == .filter { filter = RowFilter(typing.before) }
      return []
    case .enter:
      prompt = nil
      if typing.kind == .command { return run(typing.text) }
      finish(typing)
      return []
    case .tab where typing.kind == .command: typing.text = completion(of: typing.text)
    case .up where typing.kind == .command: typing.text = typedBefore(typing.text)
    case .backspace where typing.kind == .command && typing.text.isEmpty:
      prompt = nil
      return []
    case .control("c"): return [.quit]
    case .backspace, .delete: if !typing.text.isEmpty { typing.text.removeLast() }
    case .control("u"): typing.text = ""
    case .character(let character):
      if typing.text.count < 200 { CellWidth.append(character, to: &typing.text) }
    default: return []
    }
    prompt = typing
    if typing.kind == .filter { filter = RowFilter(typing.text) }
    return []
  }

  private mutating func finish(_ typing: Prompt) {
    guard typing.kind == .search else {
      if place.screen == .events { continueSearching(isFirst: true) }
      if filter.isEmpty, !typing.before.isEmpty { showNote("All rows are shown again.") }
      return
    }
    search = typing.text.isEmpty ? typing.before : typing.text
    guard !search.isEmpty else { return }
    findSearched()
  }

  /// Finds the text of the search, from the selected row or node on.
  mutating func findSearched() {
    if place.screen == .map {
      findNode(forward: true, includingCurrent: true)
    } else {
      findMatch(forward: true, includingCurrent: true)
    }
  }

  /// Selects the next or the previous row that matches the search, or without a search the next or
  /// the previous line that can be opened, wrapping around at the end.
  mutating func findMatch(forward: Bool, includingCurrent: Bool = false) {
    guard !search.isEmpty || opensFromLines else {
      showNote("Nothing was searched for yet; / searches.")
      return
    }
    if place.screen == .events {
      findEvent(forward: forward, includingCurrent: includingCurrent)
      return
    }
    let count = listCount
    let first = includingCurrent ? 0 : 1
    for distance in first..<(max(first, count) + 1) where count > 0 {
      let index = ((place.list.index + (forward ? distance : -distance)) % count + count) % count
      let isWanted =
        search.isEmpty
        ? document[index].target != nil : text(ofRow: index).foldedRange(of: search) != nil
      guard isWanted else { continue }
      place.list.select(index, in: rowIDs, height: listHeight)
      place.list.isPinned = false
      return
    }
    showNote("'\(search)' is on no row of this screen.")
  }

  /// Whether the screen has lines that can be opened, between which `n` moves without a search.
  private var opensFromLines: Bool {
    place.screen.table == nil && document.contains { $0.target != nil }
  }

  private func text(ofRow index: Int) -> String {
    guard let table = place.screen.table else { return document[index].text }
    return rows.place(at: index).map { table.text(self, at: $0) } ?? ""
  }
}
