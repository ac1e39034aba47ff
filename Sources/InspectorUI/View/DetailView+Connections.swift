import TraceReading
import TraceModel

/// What a subscription belongs to and where its events go, and why that is not known.
extension DetailView {
  /// The program's own subscription that it belongs to.
  static func root(_ row: SubscriptionRow, _ inspection: Inspection) -> DocumentLine {
    guard row.isRoot || row.root == nil else { return link(row.root, "root", "", inspection) }
    let text =
      row.isRoot
      ? "this is one itself: the program made it" : "not known: " + whyRootless(row, inspection)
    return .field("root", text, role: .dim)
  }

  /// Where its events go.
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

  /// Why no root is known of what is none itself.
  private static func whyRootless(_ row: SubscriptionRow, _ inspection: Inspection) -> String {
    var last = row
    // A damaged trace may lead round in a circle.
    var seen: Set<EntityKey> = [row.key]
    while let key = last.downstream, let next = inspection.subscription(key) {
      guard seen.insert(key).inserted else { return "the way to it leads round in a circle" }
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

  /// Whether it is the one that all subscriptions of its signal share: these have nothing upstream themselves.
  private static func isShared(_ row: SubscriptionRow) -> Bool {
    row.downstream == nil && !row.isRoot && !row.upstreams.isEmpty && row.traits.contains(.shares)
  }
}
