public import TraceModel

/// Identifies what a row of a list represents; the identifier stays the same when the list is
/// refreshed.
public enum RowID: Hashable, Sendable {
  /// A line of code, by its row in the site table.
  case site(UInt32)
  case signal(EntityKey)
  case subscription(EntityKey)
  /// A record, by its number.
  case event(UInt64)
  /// A finding, by its ``/TraceModel/Finding/id``.
  case finding(String)
  /// A scheduler, by its row in the scheduler table.
  case queue(UInt32)
  /// A line of a text or a tree, by its index.
  case line(Int)
}
