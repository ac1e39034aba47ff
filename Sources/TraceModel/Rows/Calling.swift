import TraceReading

/// Who made a subscription, for its row; nothing is looked up before somebody asks.
struct Calling: Sendable {
  private enum Source {
    case given(Caller?)
    case recorded(InspectionBuilder, chain: UInt32, site: UInt32)
  }
  private let source: Source

  init(_ caller: Caller?) { source = .given(caller) }

  /// That of a subscription whose own stack is known: it begins that of the program's own one and of the stages that begin with it.
  init(_ entity: TracedEntity, _ links: SubscriptionLinks, _ index: Int) {
    let builder = links.order.builder
    guard entity.chain != 0, builder.snapshot.hasCallers else {
      source = .given(nil)
      return
    }
    if entity.link == .none {
      source = .recorded(builder, chain: entity.chain, site: entity.site)
    } else if let root = links.root(of: index).map({ links.order[$0] }), root.chain == entity.chain
    {
      source = .recorded(builder, chain: root.chain, site: root.site)
    } else {
      source = .given(nil)
    }
  }

  /// Nil where it is not known, and where nobody called.
  var caller: Caller? {
    switch source {
    case .given(let caller): caller
    case .recorded: path?.caller
    }
  }

  /// Why the caller is not known though it was recorded; nil if it is, or was not.
  var problem: String? { path?.problem }

  private var path: CallPath? {
    guard case .recorded(let builder, let chain, let site) = source else { return nil }
    return builder.callPaths.path(of: chain, at: site, builder.snapshot)
  }

  /// A number that rows with the same caller share; nil where it was put in by hand.
  var group: Int? {
    switch source {
    case .given(let caller): caller == nil ? -1 : nil
    case .recorded(let builder, let chain, let site):
      builder.callPaths.number(of: chain, at: site, builder.snapshot)
    }
  }
}
