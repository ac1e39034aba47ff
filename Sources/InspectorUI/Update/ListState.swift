/// The selected row of a list, and the visible part of the list.
///
/// The selection follows its row, not its index: when rows come and go above it, it stays on the
/// same row. Only when the row itself disappears does the neighbour at its index take over.
struct ListState: Sendable, Hashable {
  /// The selected row; nil before anything was there.
  var selected: RowID?
  /// Its index when it was last seen.
  var index = 0
  /// Whether the selection stays on the last row as rows are added.
  var isPinned = false
  /// The first row on the screen.
  var top = 0

  /// Called before the order changes: if the user has chosen no row, the first rows are shown,
  /// otherwise the selection is kept.
  mutating func keepFirstRow() { if index == 0 { selected = nil } }

  /// Restores the selection among other rows.
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

  /// Selects the row at an index, or the nearest one.
  mutating func select(_ place: Int, in rows: RowIDs, height: Int) {
    guard !rows.isEmpty else { return }
    index = min(max(0, place), rows.count - 1)
    selected = rows[index]
    show(count: rows.count, height: height)
  }

  /// Moves the window just far enough to contain the selection.
  mutating func show(count: Int, height: Int) {
    let height = max(1, height)
    if index < top { top = index }
    if index >= top + height { top = index - height + 1 }
    top = max(0, min(top, count - height))
  }
}
