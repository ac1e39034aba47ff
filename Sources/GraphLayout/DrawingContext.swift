/// What all drawings of one connected part of the graph have in common: edges, sizes and distances.
struct DrawingContext: Sendable {
  /// The nodes and edges of the part, without cycles.
  let flow: FlowGraph
  /// The nodes with their sizes.
  let sizes: [LayoutGraph.Node]
  /// The options, which contain the distances.
  let options: GraphLayout.Options

  /// The maximum number of edges for which drawings are compared by their ``StraightCrossings``,
  /// which are counted as if the edges were straight lines.
  private static let exactLimit = 1500

  /// Whether drawings are compared by their straight crossings.
  var countsStraightCrossings: Bool { flow.tails.count <= Self.exactLimit }

  /// The cost of a drawing: the number of its ``StraightCrossings`` or, in large graphs, of the
  /// crossings between layers.
  func cost(graph: LayeredGraph, order: LayerOrder, rows: [Int]) -> Int {
    guard countsStraightCrossings else { return order.crossings(of: graph) }
    let crossings = StraightCrossings(
      centers: centers(graph: graph, rows: rows),
      edges: flow.tails.indices.map { (flow.tails[$0], flow.heads[$0]) }
    )
    return crossings.proper + crossings.touching
  }

  /// The centres of the nodes in half cells.
  ///
  /// Every channel (the space between two neighbouring layers) is assumed to have its minimum
  /// width, because its actual width is not known yet.
  func centers(graph: LayeredGraph, rows: [Int]) -> [(x: Int, y: Int)] {
    var widths = [Int](repeating: 1, count: graph.layerCount)
    for (vertex, size) in sizes.enumerated() {
      widths[graph.layers[vertex]] = max(widths[graph.layers[vertex]], size.width)
    }
    var columns: [Int] = []
    var column = 0
    for width in widths {
      columns.append(column)
      column += width + options.usableChannel.lowerBound
    }
    return sizes.indices.map { vertex in
      (
        x: 2 * columns[graph.layers[vertex]] + max(1, sizes[vertex].width),
        y: centerRow(of: vertex, row: rows[vertex])
      )
    }
  }

  /// The vertical centre of a node in half cells, given the row on which lines reach the node.
  func centerRow(of node: Int, row: Int) -> Int {
    let height = max(1, sizes[node].height)
    return 2 * (row - height / 2) + height
  }

  /// The best of several drawings that ignore the previous layout.
  ///
  /// ``OrderSearch`` runs from several initial orders, and the most promising results are improved
  /// by ``Sifting``. Large parts get fewer initial orders and less sifting, so that the time stays
  /// bounded.
  func freshDrawing(_ graph: LayeredGraph) -> Drawing {
    let size = graph.vertexCount + graph.weights.count
    let budget: (starts: Int, sweeps: Int, finalists: Int) =
      switch size {
      case ..<700: (6, 40, 6)
      case ..<1600: (6, 40, 3)
      case ..<5000: (5, 30, 2)
      case ..<12_000: (4, 20, 2)
      case ..<40_000: (2, 8, 1)
      default: (1, 3, 1)
      }
    let plans: [(LayeredGraph.Start, OrderSearch.Rule)] = [
      (.forward, .median), (.backward, .mean), (.breadth, .median), (.forward, .mean),
      (.backward, .median), (.breadth, .mean),
    ]
    var found: [(order: LayerOrder, crossings: Int)] = []
    for plan in plans.prefix(budget.starts) {
      var search = OrderSearch(graph: graph, order: graph.startOrder(plan.0))
      found.append(
        search.run(rule: plan.1, sweeps: budget.sweeps, failureLimit: 10, passes: 0)
      )
      if found.last?.crossings == 0, !countsStraightCrossings { break }
    }
    let ranked = found.indices.sorted {
      (found[$0].crossings, $0) < (found[$1].crossings, $1)
    }
    var best: (order: LayerOrder, cost: Int)?
    for index in ranked.prefix(budget.finalists) {
      var sifting = Sifting(graph: graph, order: found[index].order)
      sifting.run(crossings: found[index].crossings, resolution: 100, rounds: 8, effort: 20_000_000)
      let cost =
        budget.finalists == 1
        ? 0 : Drawing(graph: graph, order: sifting.order, context: self).cost
      if cost < best?.cost ?? .max { best = (sifting.order, cost) }
      if cost == 0 { break }
    }
    return Drawing(
      graph: graph,
      order: best?.order ?? graph.startOrder(.forward),
      context: self,
      isThorough: true
    )
  }
}
