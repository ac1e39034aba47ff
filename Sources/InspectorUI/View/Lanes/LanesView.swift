import TraceModel

/// Graph in lanes: the tagged nodes, or everything that is connected with the chosen node.
enum LanesView {
  static func lines(_ model: Model) -> [DocumentLine] {
    let nodes = nodes(model)
    guard !nodes.isEmpty else {
      return DocumentLine.emptiness(
        [
          "There is nothing to draw at this moment of the recording.",
          "Tag rows with x, or choose one and press r; V goes back to the tree.",
        ],
        width: model.size.columns
      )
    }
    guard nodes.count <= LaneGraph.limit else {
      let text =
        "\(Quantity.count(nodes.count)) connected nodes, and lanes are readable up to "
        + "\(LaneGraph.limit): each open connection is a column. Tag a part with x or X, or press V for the tree."
      return [DocumentLine()]
        + DocumentLine.paragraph(text, width: model.size.columns, role: .strong)
    }
    var places: [TreeNode: Int] = [:]
    for (place, node) in nodes.enumerated() { places[node] = place }
    let upstreams = nodes.map { node in
      self.upstreams(of: node, model.inspection).compactMap { places[$0] }
    }
    let graph = LaneGraph(count: nodes.count, upstreams: upstreams, model.glyphs)
    let chosen = GraphView.node(model)
    return graph.lines.map { line in
      var pieces: [(String, Role)] = [(line.lanes, .dim)]
      guard let place = line.node else { return DocumentLine(pieces) }
      let node = nodes[place]
      let isChosen = node == chosen
      pieces.append((" ", .text))
      pieces += GraphView.text(node, model, isChosen: isChosen)
      var shown = DocumentLine(pieces, target: GraphView.target(node, isChosen: true))
      shown.isChosen = isChosen
      return shown
    }
  }

  static func summary(_ model: Model) -> String {
    "consumers on top; V goes back to the tree"
  }

  /// The nodes to draw, in a stable order.
  private static func nodes(_ model: Model) -> [TreeNode] {
    let inspection = model.inspection
    if !model.tags.isEmpty {
      let keys: [TreeNode] = model.tags.flatMap { scope -> [TreeNode] in
        switch scope {
        case .subscription(let key): [.subscription(key)]
        case .signal(let key): [.signal(key)]
        case .site(let site):
          inspection.subscriptionRows.keys(ofSite: site, limit: .max).map(TreeNode.subscription)
        default: []
        }
      }
      var seen: Set<TreeNode> = []
      return keys.filter { seen.insert($0).inserted }
    }
    switch GraphView.node(model) {
    case .subscription(let key):
      guard let row = inspection.subscription(key) else { return [] }
      guard let root = row.root else { return connected(.subscription(key), inspection) }
      return inspection.subscriptions(ofRoot: root).map(TreeNode.subscription)
    case .signal(let key): return connected(.signal(key), inspection)
    case .site(let site):
      return inspection.subscriptions(around: site).map(TreeNode.subscription)
    case nil:
      let rows = inspection.subscriptionRows
      return (0..<rows.count).map { .subscription(rows.key(at: $0)) }
    }
  }

  /// The nodes that are connected with a node; the search stops when it has found more nodes than
  /// can be drawn.
  private static func connected(_ start: TreeNode, _ inspection: Inspection) -> [TreeNode] {
    var found: [TreeNode] = [start]
    var seen: Set<TreeNode> = [start]
    var next = 0
    while next < found.count, found.count <= LaneGraph.limit {
      let node = found[next]
      next += 1
      for other in upstreams(of: node, inspection) + downstreams(of: node, inspection)
      where seen.insert(other).inserted {
        found.append(other)
      }
    }
    return found
  }

  private static func upstreams(of node: TreeNode, _ inspection: Inspection) -> [TreeNode] {
    switch node {
    case .subscription(let key):
      (inspection.subscription(key)?.upstreams ?? []).map(TreeNode.subscription)
    case .signal(let key):
      (inspection.signal(key)?.upstreams ?? []).filter { inspection.signal($0) != nil }
        .map(TreeNode.signal)
    case .site: []
    }
  }

  private static func downstreams(of node: TreeNode, _ inspection: Inspection) -> [TreeNode] {
    switch node {
    case .subscription(let key):
      [inspection.subscription(key)?.downstream].compactMap { $0 }
        .filter { inspection.subscription($0) != nil }.map(TreeNode.subscription)
    case .signal(let key):
      (inspection.signal(key)?.downstreams ?? []).filter { inspection.signal($0) != nil }
        .map(TreeNode.signal)
    case .site: []
    }
  }
}
