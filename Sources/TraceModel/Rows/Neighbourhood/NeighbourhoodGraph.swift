/// The connections between subscriptions, between signals, or between lines of code.
///
/// The upstream nodes of a subscription are the subscriptions that send events to it, and likewise
/// for signals and lines.
struct NeighbourhoodGraph {
  private let inspection: Inspection
  private let siteUpstreams: [UInt32: [UInt32]]
  private let siteDownstreams: [UInt32: [UInt32]]

  init(_ inspection: Inspection, for node: TreeNode) {
    self.inspection = inspection
    var edges = SiteEdges()
    if case .site = node { edges = SiteEdges(inspection) }
    siteUpstreams = edges.upstreams
    siteDownstreams = edges.downstreams
  }

  func exists(_ node: TreeNode) -> Bool {
    switch node {
    case .site(let site): inspection.site(site) != nil
    case .signal(let key): inspection.signal(key) != nil
    case .subscription(let key): inspection.subscription(key) != nil
    }
  }

  /// The nodes that send events to a node.
  ///
  /// Subscriptions are sorted by the number of their events, and lines of code by the number of
  /// their connections, most first. Signals are in the order of the inputs.
  func upstreams(of node: TreeNode) -> [TreeNode] {
    switch node {
    case .site(let site): siteUpstreams[site, default: []].map(TreeNode.site)
    case .signal(let key):
      (inspection.signal(key)?.upstreams ?? []).filter { inspection.signal($0) != nil }
        .map(TreeNode.signal)
    case .subscription(let key):
      busiestFirst(inspection.subscription(key)?.upstreams ?? []).map(TreeNode.subscription)
    }
  }

  func downstreams(of node: TreeNode) -> [TreeNode] {
    switch node {
    case .site(let site): siteDownstreams[site, default: []].map(TreeNode.site)
    case .signal(let key):
      (inspection.signal(key)?.downstreams ?? []).filter { inspection.signal($0) != nil }
        .map(TreeNode.signal)
    case .subscription(let key):
      [inspection.subscription(key)?.downstream].compactMap { $0 }
        .filter { inspection.subscription($0) != nil }.map(TreeNode.subscription)
    }
  }

  /// The site of a node, used to count the distinct sites of folded nodes.
  func site(of node: TreeNode) -> UInt32 {
    switch node {
    case .site(let site): site
    case .signal(let key): inspection.signal(key)?.site ?? 0
    case .subscription(let key): inspection.subscription(key)?.site ?? 0
    }
  }

  /// The scheduler of `downstream`; nil if it is unknown or also the scheduler of `upstream`.
  func hop(from upstream: TreeNode, to downstream: TreeNode) -> String? {
    guard let to = scheduler(downstream), to != scheduler(upstream) else { return nil }
    return to
  }

  private func scheduler(_ node: TreeNode) -> String? {
    switch node {
    case .site(let site): inspection.site(site)?.scheduler
    case .signal: nil
    case .subscription(let key): inspection.subscription(key)?.scheduler
    }
  }

  private func busiestFirst(_ keys: [EntityKey]) -> [EntityKey] {
    let rows = keys.compactMap(inspection.subscription)
    return rows.sorted { ($1.events ?? 0, $0.key) < ($0.events ?? 0, $1.key) }.map(\.key)
  }
}

/// Edges between lines of code.
///
/// An edge leads from one line to another if a subscription of the first sends events to a
/// subscription of the second, and is not known to have ended.
struct SiteEdges {
  private(set) var upstreams: [UInt32: [UInt32]] = [:]
  private(set) var downstreams: [UInt32: [UInt32]] = [:]

  init() {}

  init(_ inspection: Inspection) {
    var counts: [Edge: Int] = [:]
    inspection.forEachFeeding { from, to in counts[Edge(from: from, to: to), default: 0] += 1 }
    // Edges with equal counts are sorted by their sites, because the order of a dictionary varies.
    let edges = counts.sorted {
      ($1.value, $0.key.from, $0.key.to) < ($0.value, $1.key.from, $1.key.to)
    }
    for (edge, _) in edges {
      upstreams[edge.to, default: []].append(edge.from)
      downstreams[edge.from, default: []].append(edge.to)
    }
  }

  private struct Edge: Hashable {
    var from: UInt32
    var to: UInt32
  }
}
