import TraceModel

/// What is selected on the map, which part of it is visible, and how it is drawn.
struct MapState: Hashable, Sendable {
  /// The selected node.
  var selected: ProgramMap.ID?
  /// The row and the column of the drawing that are shown in the upper left corner.
  var top = 0
  var left = 0
  /// If set, the map shows only this node, the nodes from which events reach it, and the nodes that
  /// its events reach.
  var focus: ProgramMap.ID?
  /// Which lines of code are folded into one node.
  var folding = MapFolding()
  /// Whether connections that have ended are drawn as well.
  var showsEnded = false
  /// The style that the user chose; nil to let the map choose one that fits the screen.
  var style: MapStyle?
}

/// The style in which nodes are drawn.
enum MapStyle: Hashable, Sendable {
  /// A line of text for each node.
  case lines
  /// A box with two lines of text for each node.
  case boxes

  /// The number of rows that a node occupies.
  var height: Int { self == .boxes ? 4 : 1 }
  /// The minimum and maximum width of a node in a drawing that fits the screen.
  var widths: ClosedRange<Int> { self == .boxes ? 18...30 : 20...36 }
  /// The width below which a node would be unreadable.
  var least: Int { self == .boxes ? 16 : 20 }
}
