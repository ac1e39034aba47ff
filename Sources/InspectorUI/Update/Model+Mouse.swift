import TraceModel

extension Model {
  /// Handles a mouse action: a click selects or opens a row, or acts on a part of the view bar, the
  /// headings or the footer.
  mutating func point(_ action: MouseAction) -> [Effect] {
    guard prompt == nil, size.columns >= Size.minimum.columns, size.rows >= Size.minimum.rows
    else { return [] }
    let layout = layout
    switch action.kind {
    case .wheelUp: return perform(.move(-3))
    case .wheelDown: return perform(.move(3))
    case .press, .doublePress: break
    }
    if action.row == layout.bar {
      let hit = ScreenFrame.barSegments(self).first { $0.columns.contains(action.column) }
      return hit.map { perform(.show($0.screen)) } ?? []
    }
    if action.row == layout.footer {
      let hit = ScreenFrame.footerSegments(self).first { $0.columns.contains(action.column) }
      return hit.map { perform($0.command) } ?? []
    }
    if action.row == layout.headings, let table = place.screen.table {
      pressHeading(table, action.column)
      return []
    }
    if place.screen == .map { return pointOnMap(action, layout) }
    guard layout.list.contains(action.row) else { return [] }
    let index = place.list.top + action.row - layout.list.lowerBound
    guard index < listCount else { return [] }
    let wasSelected = index == place.list.index
    move(to: index)
    if place.screen == .marbles {
      let query = MarblesView.query(self)
      let column = action.column - MarblesView.labelWidth(size.columns)
      if column >= 0, column < query.columns {
        moveCursor(column - MarblesView.cursor(self, query))
        if action.kind == .doublePress { return perform(.open) }
        return []
      }
    }
    return wasSelected || action.kind == .doublePress ? perform(.open) : []
  }

  private mutating func pressHeading(_ table: any TableScreen.Type, _ column: Int) {
    guard let title = table.title(at: column, self),
      let hit = table.sortable(self).first(where: { $0.title == title })
    else { return }
    if table.order(self)?.column == title {
      _ = perform(.invert)
    } else {
      place.sort = SortOrder(column: title, ascending: !hit.isDescendingFirst)
      showNote("Sorted by \(hit.name).")
    }
  }
}
