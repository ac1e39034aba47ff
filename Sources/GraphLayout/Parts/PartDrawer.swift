/// Draws a part, close to its previous drawing if the result is good enough.
struct PartDrawer {
  let part: Part
  let sizes: [LayoutGraph.Node]
  let memory: GraphLayout.Memory
  let options: GraphLayout.Options

  /// Draws the part, and returns its edges with the directions in which they are drawn.
  func draw() -> (FlowGraph, Drawing) {
    let ids = sizes.map(\.id)
    let previous = ids.map { memory.places[$0]?.layer }
    var flow = part.flow
    let turned = flow.tails.indices.filter {
      memory.reversed.contains(.init(from: ids[flow.tails[$0]], to: ids[flow.heads[$0]]))
    }
    flow = part.flowWithoutCycles(preferring: turned)
    let context = DrawingContext(flow: flow, sizes: sizes, options: options)
    let fresh = { () -> Drawing in
      let layers = flow.layers(effort: 20_000_000)
      return context.freshDrawing(LayeredGraph(flow, layers: layers))
    }
    guard previous.contains(where: { $0 != nil }) else { return (flow, fresh()) }
    let stable = stableDrawing(context, previous: previous)
    if stable.isUnchanged || stable.drawing.cost == 0 { return (flow, stable.drawing) }
    let other = fresh()
    let isAcceptable = { (drawing: Drawing) -> Bool in
      drawing.cost * 2 <= other.cost * 3
        && drawing.order.crossings(of: drawing.graph, isWeighted: false) * 2
          <= other.order.crossings(of: other.graph, isWeighted: false) * 3
    }
    if isAcceptable(stable.drawing) { return (flow, stable.drawing) }
    // The first attempt to improve the stable drawing exchanges adjacent vertices, and the second
    // moves single vertices. If neither result is acceptable, the fresh drawing is used.
    var search = OrderSearch(graph: stable.drawing.graph, order: stable.drawing.order)
    var (order, crossings) = search.run(rule: .median, sweeps: 0, failureLimit: 0, passes: 8)
    for attempt in 0..<2 {
      if attempt == 1 {
        var sifting = Sifting(graph: stable.drawing.graph, order: order)
        crossings = sifting.run(
          crossings: crossings,
          resolution: 1000,
          rounds: 4,
          effort: 10_000_000
        )
        order = sifting.order
      }
      let improved = Drawing(
        graph: stable.drawing.graph,
        order: order,
        context: context,
        isThorough: true
      )
      if isAcceptable(improved) { return (flow, improved) }
    }
    return (flow, other)
  }

  /// A drawing that keeps the layers and orders of the previous drawing as far as edges allow.
  private func stableDrawing(
    _ context: DrawingContext,
    previous: [Int?]
  ) -> (drawing: Drawing, isUnchanged: Bool) {
    let layers = context.flow.layers(keeping: previous)
    let graph = LayeredGraph(context.flow, layers: layers)
    var rows: [Int?] = sizes.map { memory.places[$0.id]?.row }
    var isKnown = sizes.indices.map { previous[$0] != nil }
    // All layers may have been shifted by the same number, so a node has moved only if its layer
    // has changed by a different number than the layers of most nodes.
    var differences: [Int: Int] = [:]
    for node in sizes.indices {
      if let layer = previous[node] { differences[layers[node] - layer, default: 0] += 1 }
    }
    let usual = differences.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 0
    for node in sizes.indices where previous[node].map({ layers[node] - $0 != usual }) ?? false {
      isKnown[node] = false
    }
    for dummy in graph.nodeCount..<graph.vertexCount {
      let net = graph.nets[graph.netOfDummy[dummy - graph.nodeCount]]
      let passage = GraphLayout.Memory.Passage(
        start: sizes[net.start].id,
        isReversed: net.isReversed,
        step: dummy - net.firstDummy
      )
      rows.append(memory.passages[passage])
      isKnown.append(rows[dummy] != nil)
    }
    let isUnchanged = !isKnown.contains(false)
    if !isUnchanged {
      // If something has changed, lines may move freely, and only nodes must stay.
      for dummy in graph.nodeCount..<graph.vertexCount { isKnown[dummy] = false }
    }
    let order = graph.order(keeping: rows, isSettled: isKnown)
    let drawing = Drawing(graph: graph, order: order, context: context, isThorough: true)
    return (drawing, isUnchanged)
  }
}
