public import TraceModel

/// One screen of the way that led to the present one.
public struct Place: Hashable, Sendable {
  /// Which screen.
  public var screen: Screen
  /// What it is narrowed down to.
  public var scope: Scope = .all
  var list = ListState()
  /// Which rows to show.
  var filter = RowFilter("")
  var sort: SortOrder? { didSet { if sort != oldValue { list.stayOnTop() } } }
  /// Whether rows keep their order although what they are sorted by changes.
  var isFrozen = false
  /// Marbles: which stretch of time.
  var stretch = Stretch()
  /// Graph: whether it is drawn in lanes.
  var hasLanes = false
  /// Detail: whether all functions of backtraces are shown; help: whether it is about everything.
  var isUnfolded = false

  /// Map: what is selected, in sight and folded.
  var map = MapState()

  init(_ screen: Screen, scope: Scope = .all) {
    self.screen = screen
    self.scope = scope
  }

  /// Whether both show the same, whatever is selected in them.
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
  /// Its end; nil goes along with the instant shown.
  var end: Duration?
  /// The instant of the cursor; nil for the end.
  var cursor: Duration?
}
