/// The selected row of a list, and the visible part of the list.
///
/// The selection belongs to a row, not to an index: it stays on the same row when rows above it are
/// added or removed. If the row itself is removed, the row that is then at its index is selected.
struct ListState: Sendable, Hashable {
  /// The selected row; nil if the row at ``index`` is to be selected.
  var selected: RowID?
  /// The index of the selected row when it was last found.
  var index = 0
  /// Whether the selection stays on the last row while rows are added.
  var isPinned = false
  /// The index of the first row on the screen.
  var top = 0

  /// Prepares for a change of the order.
  ///
  /// If the first row is selected, the row that is first after the change will be selected. Any
  /// other selection is kept.
  mutating func keepFirstRow() { if index == 0 { selected = nil } }

  /// Finds the selected row again after the rows have changed.
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

  /// Selects the row at an index, or the nearest row if the index is out of bounds.
  mutating func select(_ place: Int, in rows: RowIDs, height: Int) {
    guard !rows.isEmpty else { return }
    index = min(max(0, place), rows.count - 1)
    selected = rows[index]
    show(count: rows.count, height: height)
  }

  /// Scrolls just far enough to show the selected row.
  mutating func show(count: Int, height: Int) {
    let height = max(1, height)
    if index < top { top = index }
    if index >= top + height { top = index - height + 1 }
    top = max(0, min(top, count - height))
  }
}
