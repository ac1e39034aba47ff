import TraceModel

/// What is selected on the map, which part of it is visible, and how it is drawn.
struct MapState: Hashable, Sendable {
  /// The selected node.
  var selected: ProgramMap.ID?
  /// The cell of the drawing in the upper left corner.
  var top = 0
  var left = 0
  /// The node to which the map is restricted, with what reaches it or is reached from it.
  var focus: ProgramMap.ID?
  /// What is folded into one node.
  var folding = MapFolding()
  /// Whether ended connections are drawn, too.
  var showsEnded = false
  /// Nil to use what fits.
  var style: MapStyle?
}

/// How large nodes are drawn.
enum MapStyle: Hashable, Sendable {
  /// A line of text each.
  case lines
  /// A box with two lines of text.
  case boxes

  /// The rows of a node, and the blank rows between two.
  var height: Int { self == .boxes ? 4 : 1 }
  /// The minimum and maximum width of a node.
  var widths: ClosedRange<Int> { self == .boxes ? 18...30 : 20...36 }
  /// The width below which nothing can be read.
  var least: Int { self == .boxes ? 16 : 20 }
}
