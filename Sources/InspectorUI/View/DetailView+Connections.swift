import TraceReading
import TraceModel

/// The lines about the root of a subscription, which is the subscription that the program itself
/// made, and about its downstream, to which its events go; if these are not known, the lines say
/// why.
extension DetailView {
  /// The line about the root subscription to which a subscription belongs.
  static func root(_ row: SubscriptionRow, _ inspection: Inspection) -> DocumentLine {
    guard row.isRoot || row.root == nil else { return link(row.root, "root", "", inspection) }
    let text =
      row.isRoot
      ? "this subscription is a root: the program made it"
      : "not known: " + reasonRootIsUnknown(row, inspection)
    return .field("root", text, role: .dim)
  }

  /// The line about the downstream of a subscription.
  static func feeds(_ row: SubscriptionRow, _ inspection: Inspection) -> DocumentLine {
    if row.isRoot || row.downstream != nil {
      return link(row.downstream, "feeds", "the program's own code", inspection)
    }
    guard isShared(row), let signal = row.signal else {
      return .field("feeds", "not known: " + unrecorded("it"), role: .dim)
    }
    return .field(
      "feeds",
      "all other subscriptions of its signal, which share it",
      target: Place(.subscriptions, scope: .signal(signal))
    )
  }

  /// A text that says why the root of a subscription is not known.
  private static func reasonRootIsUnknown(_ row: SubscriptionRow, _ inspection: Inspection)
    -> String
  {
    var last = row
    // A damaged trace may contain a cycle, which must not be followed forever.
    var seen: Set<EntityKey> = [row.key]
    while let key = last.downstream, let next = inspection.subscription(key) {
      guard seen.insert(key).inserted else { return "its downstream subscriptions form a cycle" }
      last = next
    }
    if let key = last.downstream {
      return "nothing is known of \(ScreenFrame.name(.subscription(key), inspection)) below it"
    }
    let isSelf = last.key == row.key
    let name = isSelf ? "it" : ScreenFrame.name(.subscription(last.key), inspection)
    guard isShared(last) else { return unrecorded(name) }
    return isSelf ? "it is shared" : "\(name) below it is shared"
  }

  private static func unrecorded(_ name: String) -> String {
    "no subscription below \(name) is recorded"
  }

  /// Whether this is the subscription that a sharing signal makes once for all of its subscribers.
  ///
  /// No other subscription of the signal has upstream subscriptions.
  private static func isShared(_ row: SubscriptionRow) -> Bool {
    row.downstream == nil && !row.isRoot && !row.upstreams.isEmpty && row.traits.contains(.shares)
  }
}
