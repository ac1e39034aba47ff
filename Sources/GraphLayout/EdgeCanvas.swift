/// The routes of a layout, drawn into cells with line characters.
///
/// The canvas covers only a window of the layout, so that memory is needed only for visible cells.
package struct EdgeCanvas: Sendable {
  /// The sides of a cell that a line touches.
  package struct Directions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The left side.
    package static let left = Directions(rawValue: 1)
    /// The right side.
    package static let right = Directions(rawValue: 2)
    /// The upper side.
    package static let up = Directions(rawValue: 4)
    /// The lower side.
    package static let down = Directions(rawValue: 8)
    /// Both sides of a horizontal line.
    package static let horizontal: Directions = [.left, .right]
    /// Both sides of a vertical line.
    package static let vertical: Directions = [.up, .down]
  }

  /// The arrowhead at the end of an edge.
  package enum ArrowHead: Sendable, Hashable {
    /// The edge ends at a node on its right.
    case right
    /// The edge closes a cycle, leads to the left and ends at a node on its left.
    case left
  }

  /// The lines and the arrowhead in one cell.
  package struct Cell: Sendable, Hashable {
    /// The sides that lines touch; none in an empty cell.
    package internal(set) var directions: Directions = []
    /// The arrowhead in the cell, which hides the lines in the cell.
    package internal(set) var arrowHead: ArrowHead?
    /// The net (a line with all its branches) that runs horizontally or turns here, or -1.
    package internal(set) var horizontalNet = -1
    /// The net that runs vertically or turns here, or -1.
    package internal(set) var verticalNet = -1
    /// Whether a line turns here.
    var hasTurn = false

    /// Whether unrelated lines of different nets cross here.
    package var isCrossing: Bool {
      directions == [.left, .right, .up, .down] && !hasTurn && horizontalNet != verticalNet
    }

    /// The character for the cell; a blank if it is empty.
    ///
    /// At a crossing, the vertical line covers the horizontal one, so that the crossing cannot be
    /// mistaken for a junction.
    package func character(ascii: Bool) -> Character {
      if let arrowHead {
        switch arrowHead {
        case .right: return ascii ? ">" : "▶"
        case .left: return ascii ? "<" : "◀"
        }
      }
      if isCrossing { return ascii ? "|" : "│" }
      let isHorizontal = directions.isSubset(of: .horizontal)
      let isVertical = directions.isSubset(of: .vertical)
      if directions.isEmpty { return " " }
      if ascii { return isHorizontal ? "-" : isVertical ? "|" : "+" }
      if isHorizontal { return "─" }
      if isVertical { return "│" }
      switch directions {
      case [.right, .down]: return "╭"
      case [.left, .down]: return "╮"
      case [.right, .up]: return "╰"
      case [.left, .up]: return "╯"
      case [.right, .up, .down]: return "├"
      case [.left, .up, .down]: return "┤"
      case [.left, .right, .down]: return "┬"
      case [.left, .right, .up]: return "┴"
      default: return "┼"
      }
    }
  }

  /// The columns of the window.
  package let columns: Range<Int>
  /// The rows of the window.
  package let rows: Range<Int>
  private var cells: [Cell]

  /// Draws the routes of a layout as far as they are inside a window; without a window, draws all
  /// of them.
  ///
  /// - Complexity: Linear in the number of cells of the window, plus the number of corners of all
  ///   routes, plus the number of cells of the window through which each route passes.
  package init(_ layout: GraphLayout, columns: Range<Int>? = nil, rows: Range<Int>? = nil) {
    self.columns = columns ?? 0..<layout.columns
    self.rows = rows ?? 0..<layout.rows
    cells = [Cell](repeating: Cell(), count: self.columns.count * self.rows.count)
    for route in layout.routes where !route.points.isEmpty { draw(route) }
    for route in layout.routes {
      guard let first = route.points.first, let last = route.points.last else { continue }
      let point = route.isReversed ? first : last
      change(point) { $0.arrowHead = route.isReversed ? .left : .right }
    }
  }

  /// The cell at a position; an empty cell outside the window.
  package subscript(column column: Int, row row: Int) -> Cell {
    guard columns.contains(column), rows.contains(row) else { return Cell() }
    return cells[index(column, row)]
  }

  private func index(_ column: Int, _ row: Int) -> Int {
    (row - rows.lowerBound) * columns.count + column - columns.lowerBound
  }

  private mutating func change(_ point: GraphLayout.Point, _ body: (inout Cell) -> Void) {
    guard columns.contains(point.column), rows.contains(point.row) else { return }
    body(&cells[index(point.column, point.row)])
  }

  /// Draws the pieces of a route and its corners.
  private mutating func draw(_ route: GraphLayout.Route) {
    let points = route.points
    for (start, end) in zip(points, points.dropFirst()) {
      if start.row == end.row {
        guard rows.contains(start.row) else { continue }
        let least = min(start.column, end.column)
        let most = max(start.column, end.column)
        for column in max(
          least + 1, columns.lowerBound)..<max(
            max(least + 1, columns.lowerBound),
            min(most, columns.upperBound)
          )
        {
          let index = index(column, start.row)
          cells[index].directions.formUnion(.horizontal)
          cells[index].horizontalNet = route.net
        }
      } else {
        guard columns.contains(start.column) else { continue }
        let least = min(start.row, end.row)
        let most = max(start.row, end.row)
        for row in max(
          least + 1, rows.lowerBound)..<max(
            max(least + 1, rows.lowerBound),
            min(most, rows.upperBound)
          )
        {
          let index = index(start.column, row)
          cells[index].directions.formUnion(.vertical)
          cells[index].verticalNet = route.net
        }
      }
    }
    // A corner touches the pieces before and after it, and the end of a line touches its node.
    for index in points.indices {
      let sides = Self.side(of: points[index], towards: index > 0 ? points[index - 1] : nil)
        .union(
          Self.side(of: points[index], towards: index + 1 < points.count ? points[index + 1] : nil)
        )
        .union(index == 0 ? .left : [])
        .union(index == points.count - 1 ? .right : [])
      change(points[index]) { cell in
        cell.directions.formUnion(sides)
        if sides.contains(.left) || sides.contains(.right) { cell.horizontalNet = route.net }
        if sides.contains(.up) || sides.contains(.down) { cell.verticalNet = route.net }
        if !sides.isSubset(of: .horizontal), !sides.isSubset(of: .vertical) { cell.hasTurn = true }
      }
    }
  }

  /// The side of a cell that a piece of a line to another cell touches; none without another cell.
  private static func side(
    of point: GraphLayout.Point,
    towards other: GraphLayout.Point?
  ) -> Directions {
    guard let other else { return [] }
    if other.column != point.column { return other.column < point.column ? .left : .right }
    if other.row != point.row { return other.row < point.row ? .up : .down }
    return []
  }
}
