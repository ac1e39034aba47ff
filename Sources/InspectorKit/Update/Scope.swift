/// What a screen is narrowed down to, by opening a row of another.
public enum Scope: Hashable, Sendable {
  case all
  case site(UInt32)
  case signal(EntityKey)
  case subscription(EntityKey)
  case timer(EntityKey)
  /// The causal chain of an event.
  case chain(UInt64)
  /// A scheduler, by its row.
  case queue(UInt32)
}

/// One screen of the way that led to the present one.
public struct Place: Hashable, Sendable {
  /// Which screen.
  public var screen: Screen
  /// What it is narrowed down to.
  public var scope: Scope = .all
  var list = ListState()
  var sort: SortOrder?
  /// Whether rows keep their order although what they are sorted by changes.
  var isFrozen = false
  /// Marbles: which stretch of time.
  var stretch = Stretch()
  /// Graph: whether it is drawn in lanes.
  var hasLanes = false

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
