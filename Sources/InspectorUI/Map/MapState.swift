import TraceModel

/// What is selected on the map, which part of it is visible, and how it is drawn.
struct MapState: Hashable, Sendable {
  /// The selected node.
  var selected: ProgramMap.ID?
  /// The cell of the drawing that stands in the upper left corner.
  var top = 0
  var left = 0
  /// The node around which everything else is left out.
  var focus: ProgramMap.ID?
  /// What is drawn as one node.
  var folding = MapFolding()
  /// Whether what has ended is drawn, too.
  var showsEnded = false
  /// Nil for what fits.
  var style: MapStyle?
}

/// How large nodes are drawn.
enum MapStyle: Hashable, Sendable {
  /// A line of text each.
  case lines
  /// A box with two lines of text.
  case boxes

  /// Rows of a node, and blank ones between two.
  var height: Int { self == .boxes ? 4 : 1 }
  /// Columns of a node, at least and at most.
  var widths: ClosedRange<Int> { self == .boxes ? 18...30 : 20...36 }
  /// Columns below which nothing can be read.
  var least: Int { self == .boxes ? 16 : 20 }
}
