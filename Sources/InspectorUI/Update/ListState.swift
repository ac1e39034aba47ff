/// What is selected in a list and which part of it is visible.
///
/// The selection follows its row, not its place: when rows come and go above it, it stays where it was
/// looking. Only when the row itself is gone does the neighbour in its place take over.
struct ListState: Sendable, Hashable {
  /// The selected row; nil before anything was there.
  var selected: RowID?
  /// Its place when it was last seen.
  var index = 0
  /// Whether the selection stays on the last row as rows are added.
  var isPinned = false
  /// The first row on the screen.
  var top = 0

  /// Before another order: who has chosen no row wants to see which come first, and who has keeps it.
  mutating func stayOnTop() { if index == 0 { selected = nil } }

  /// Finds the selection among other rows.
  mutating func follow(_ rows: RowIDs, height: Int) {
    guard !rows.isEmpty else {
      index = 0
      top = 0
      return
    }
    if let selected, !(index < rows.count && rows[index] == selected),
      let place = rows.place(of: selected)
    {
      top += place - index
      index = place
    }
    select(index, in: rows, height: height)
  }

  /// Selects the row at a place, or the nearest there is.
  mutating func select(_ place: Int, in rows: RowIDs, height: Int) {
    guard !rows.isEmpty else { return }
    index = min(max(0, place), rows.count - 1)
    selected = rows[index]
    show(count: rows.count, height: height)
  }

  /// Moves the window so that the selection is in it, and no further.
  mutating func show(count: Int, height: Int) {
    let height = max(1, height)
    if index < top { top = index }
    if index >= top + height { top = index - height + 1 }
    top = max(0, min(top, count - height))
  }
}
