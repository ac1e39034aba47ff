public import TraceModel

/// One screen of the path to the current one.
public struct Place: Hashable, Sendable {
  /// The screen.
  public var screen: Screen
  /// What it is restricted to.
  public var scope: Scope = .all
  var list = ListState()
  /// The filter of its rows.
  var filter = RowFilter("")
  var sort: SortOrder? { didSet { if sort != oldValue { list.keepFirstRow() } } }
  /// Whether rows keep their order although the values they are sorted by change.
  var isFrozen = false
  /// Marbles: the stretch of time.
  var stretch = Stretch()
  /// Graph: whether it is drawn in lanes.
  var hasLanes = false
  /// Detail: whether all functions of backtraces are shown; help: whether it is about everything.
  var isUnfolded = false

  /// Map: the selection, the visible part and the folding.
  var map = MapState()

  init(_ screen: Screen, scope: Scope = .all) {
    self.screen = screen
    self.scope = scope
  }

  /// Whether both show the same, ignoring the selection.
  func isSame(as other: Place) -> Bool { screen == other.screen && scope == other.scope }
}

/// The column that sorts, by its title, and its direction.
struct SortOrder: Hashable, Sendable {
  var column: String
  var ascending: Bool
}

/// The stretch of time that marbles show.
struct Stretch: Hashable, Sendable {
  /// Its length; nil for what fits the recording.
  var span: Duration?
  /// Its end; nil to follow the instant shown.
  var end: Duration?
  /// The instant of the cursor; nil for the end.
  var cursor: Duration?
}
