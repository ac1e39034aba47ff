/// Places the parts of a graph one below the other.
///
/// Parts with a single node come last. They are placed side by side, in lines that are at most as
/// wide as the widest part.
struct PartPacking {
  /// The upper left corner of each part.
  private(set) var origins: [GraphLayout.Point]
  /// The number of columns of all parts together.
  private(set) var columns = 0
  /// The number of rows of all parts together.
  private(set) var rows = 0

  /// The width up to which parts with a single node are placed side by side even if all other parts
  /// are narrower.
  private static let usualWidth = 80
  /// The number of empty columns between nodes that are placed side by side.
  private static let columnGap = 2

  /// Packs parts.
  ///
  /// - Parameters:
  ///   - layouts: The parts.
  ///   - sequence: The indices of the parts in the order in which to place them.
  ///   - gap: The number of empty rows between two parts; there are none between two parts of one
  ///     row each.
  init(_ layouts: [PartLayout], sequence: [Int], gap: Int) {
    origins = [GraphLayout.Point](
      repeating: GraphLayout.Point(column: 0, row: 0),
      count: layouts.count
    )
    var lastHeight = 0
    for index in sequence where layouts[index].places.count > 1 {
      let layout = layouts[index]
      if rows > 0, lastHeight > 1 || layout.rows > 1 { rows += max(0, gap) }
      origins[index].row = rows
      rows += layout.rows
      columns = max(columns, layout.columns)
      lastHeight = layout.rows
    }
    let limit = max(columns, Self.usualWidth)
    if rows > 0 { rows += max(0, gap) }
    var column = 0
    var height = 0
    for index in sequence where layouts[index].places.count <= 1 {
      let layout = layouts[index]
      if column > 0, column + layout.columns > limit {
        rows += height
        column = 0
        height = 0
      }
      origins[index] = GraphLayout.Point(column: column, row: rows)
      column += layout.columns
      columns = max(columns, column)
      column += Self.columnGap
      height = max(height, layout.rows)
    }
    rows += height
    if height == 0, rows > 0 { rows -= max(0, gap) }
  }
}
