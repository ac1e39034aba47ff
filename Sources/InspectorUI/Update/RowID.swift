public import TraceModel

/// What a row of a list represents, the same at every refresh.
public enum RowID: Hashable, Sendable {
  /// Row in the site table.
  case site(UInt32)
  case signal(EntityKey)
  case subscription(EntityKey)
  /// Record number.
  case event(UInt64)
  /// A finding's ``/TraceModel/Finding/id``.
  case finding(String)
  /// Row in the scheduler table.
  case queue(UInt32)
  /// A line of text or of a tree, by its index.
  case line(Int)
}
