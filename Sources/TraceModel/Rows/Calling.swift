import TraceReading

/// The caller that made the subscription of a row, looked up on first access.
struct Calling: Sendable {
  private enum Source {
    case given(Caller?)
    /// The subscription of a row, whose caller is looked up on first access.
    case row(SubscriptionLinks, Int)
  }
  private let source: Source

  init(_ caller: Caller?) { source = .given(caller) }

  init(_ links: SubscriptionLinks, _ index: Int) { source = .row(links, index) }

  /// What was recorded about the caller: the asynchronous backtrace (chain) and the site of the
  /// root subscription.
  ///
  /// Upstream subscriptions with the same chain as their root were made by the same call; nil for
  /// upstream subscriptions with another chain.
  private var recorded: (builder: InspectionBuilder, chain: UInt32, site: UInt32)? {
    guard case .row(let links, let index) = source else { return nil }
    let (builder, entity) = (links.order.builder, links.order[index])
    guard entity.chain != 0, builder.snapshot.hasCallers else { return nil }
    if entity.link == .none { return (builder, entity.chain, entity.site) }
    guard let root = links.root(of: index).map({ links.order[$0] }), root.chain == entity.chain
    else { return nil }
    return (builder, root.chain, root.site)
  }

  /// The caller; nil if it is unknown, or if there is none.
  var caller: Caller? {
    if case .given(let caller) = source { return caller }
    return path?.caller
  }

  /// Why the caller is not known although it was recorded; nil if it is known, or was not recorded.
  var problem: String? { path?.problem }

  private var path: CallPath? {
    recorded.flatMap { $0.builder.callPaths.path(of: $0.chain, at: $0.site, $0.builder.snapshot) }
  }

  /// A number that rows with the same caller share, -1 if no caller is known; nil if ``caller`` was
  /// assigned.
  var group: Int? {
    if case .given(.some) = source { return nil }
    return recorded.map {
      $0.builder.callPaths.number(of: $0.chain, at: $0.site, $0.builder.snapshot)
    } ?? -1
  }
}
