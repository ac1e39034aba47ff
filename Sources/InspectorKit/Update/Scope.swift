/// What a screen is narrowed down to, by opening a row of another.
public enum Scope: Hashable, Sendable {
  case all
  case site(UInt32)
  case signal(EntityKey)
  case subscription(EntityKey)
  case timer(EntityKey)
}

/// One screen of the way that led to the present one.
public struct Place: Hashable, Sendable {
  /// Which screen.
  public var screen: Screen
  /// What it is narrowed down to.
  public var scope: Scope = .all
  var list = ListState()
  var sort: SortOrder?

  init(_ screen: Screen, scope: Scope = .all) {
    self.screen = screen
    self.scope = scope
  }
}

/// The column that sorts, by its title, and its direction.
struct SortOrder: Hashable, Sendable {
  var column: String
  var ascending: Bool
}
