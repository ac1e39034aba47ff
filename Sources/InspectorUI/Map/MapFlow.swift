import GraphLayout
import TraceModel

/// Animates the map: marks move along the connections that carry events.
enum MapFlow {
  /// Draws a mark on each connection that carries events.
  ///
  /// `pulse` counts the steps of the animation. At 0, no marks are drawn, because the picture is
  /// not animated.
  static func draw(
    _ view: inout Frame,
    _ picture: MapPicture,
    _ state: MapState,
    pulse: Int,
    _ glyphs: Glyphs
  ) {
    guard pulse > 0 else { return }
    for edge in picture.flowing {
      guard let cell = cell(picture.layout.routes[edge], pulse: pulse) else { continue }
      let (row, column) = (cell.row - state.top, cell.column - state.left)
      guard (0..<view.size.rows).contains(row), (0..<view.size.columns).contains(column) else {
        continue
      }
      // A mark must not cover the event count that is written on a connection.
      guard view[row, column].role != .message else { continue }
      view.put(glyphs.marbles.value, row: row, column: column, role: .good)
    }
  }

  /// The position of the mark of a connection.
  ///
  /// With each pulse the mark advances by one cell, from the source node towards the arrowhead;
  /// then it starts over at the source node.
  static func cell(_ route: GraphLayout.Route, pulse: Int) -> GraphLayout.Point? {
    let points = route.isReversed ? route.points.reversed() : route.points
    let pieces = zip(points, points.dropFirst())
    func length(_ piece: (GraphLayout.Point, GraphLayout.Point)) -> Int {
      abs(piece.0.column - piece.1.column) + abs(piece.0.row - piece.1.row)
    }
    // The mark does not reach the last cell, which contains the arrowhead.
    let whole = pieces.reduce(0) { $0 + length($1) }
    guard whole > 0 else { return nil }
    var left = (pulse - 1) % whole
    for piece in pieces {
      let cells = length(piece)
      if left < cells {
        return GraphLayout.Point(
          column: piece.0.column + (piece.1.column - piece.0.column).signum() * left,
          row: piece.0.row + (piece.1.row - piece.0.row).signum() * left
        )
      }
      left -= cells
    }
    return nil
  }
}
