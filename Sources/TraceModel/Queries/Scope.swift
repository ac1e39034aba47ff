/// The subject to which a screen is restricted when it is opened from a row of another screen.
public enum Scope: Hashable, Sendable {
  case all
  case site(UInt32)
  case signal(EntityKey)
  case subscription(EntityKey)
  case timer(EntityKey)
  /// The records that led to an event, and those that it led to; by the number of its record.
  case chain(UInt64)
  /// A scheduler, by its row.
  case queue(UInt32)
  /// An owner of subscriptions, such as a bag of disposables.
  case owner(EntityKey)
  /// Owners whose name contains a text.
  case owners(String)
  /// A record, by its number.
  case record(UInt64)

  /// The scope itself, or nil for one that the screen Detail cannot show.
  package var detailed: Scope? {
    switch self {
    case .all, .chain: nil
    default: self
    }
  }
}
