public import TraceModel

/// A screen on the path from the first screen to the current screen, with its state.
public struct Place: Hashable, Sendable {
  /// The screen.
  public var screen: Screen
  /// The subject to which its rows or lines are restricted, such as a line of code, a signal or a
  /// queue.
  public var scope: Scope = .all
  var list = ListState()
  /// The filter of its rows.
  var filter = RowFilter("")
  var sort: SortOrder? { didSet { if sort != oldValue { list.keepFirstRow() } } }
  /// Whether rows keep their order even if the values by which they are sorted change.
  var isFrozen = false
  /// On Marbles, the visible period.
  var stretch = Stretch()
  /// On Graph, whether it is drawn in lanes.
  var hasLanes = false
  /// On Detail, whether all functions of backtraces are shown; in the help, whether it covers all
  /// screens.
  var isUnfolded = false

  /// On Map, the selection, the visible part and the folding.
  var map = MapState()

  init(_ screen: Screen, scope: Scope = .all) {
    self.screen = screen
    self.scope = scope
  }

  /// Whether two places have the same screen and scope, even if other rows are selected.
  func isSame(as other: Place) -> Bool { screen == other.screen && scope == other.scope }
}

/// The title of the column by which rows are sorted, and the direction.
struct SortOrder: Hashable, Sendable {
  var column: String
  var ascending: Bool
}

/// The period that Marbles shows.
struct Stretch: Hashable, Sendable {
  /// The length of the period; nil for a length that fits the recording.
  var span: Duration?
  /// The end of the period; nil if it follows the instant shown.
  var end: Duration?
  /// The instant of the cursor; nil if the cursor is at the end of the period.
  var cursor: Duration?
}
