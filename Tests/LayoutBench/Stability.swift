import GraphLayout

/// Adds nodes and edges one by one, and compares the layout with a fresh one.
func stability(seed: UInt64, count: Int) {
  print(
    "graph          crossings kept / fresh   straight kept / fresh   layers kept  "
      + "order kept   mean rows moved"
  )
  var source = RandomGraphs(seed: seed)
  var random = RandomSource(seed: seed &+ 77)
  var sums = (kept: 0, fresh: 0, straightKept: 0, straightFresh: 0)
  var worst = 0.0
  var totals = (layers: 0.0, order: 0.0, rows: 0.0)
  for number in 0..<count {
    let kind = GraphKind.allCases[number % GraphKind.allCases.count]
    var graph = source.graph(kind)
    var layout = GraphLayout(graph)
    var (samples, layers, order, pairs, moved) = (0, 0, 0, 0, 0)
    for step in 0..<50 {
      let before = (graph: graph, layout: layout)
      if random.below(3) > 0 {
        graph.nodes.append(
          LayoutGraph.Node(id: UInt64(1_000_000 + step), width: 6 + random.below(18))
        )
        let node = graph.nodes.count - 1
        for _ in 0..<(1 + random.below(2)) {
          let other = random.below(node)
          graph.edges.append(
            random.below(4) == 0
              ? LayoutGraph.Edge(from: node, to: other) : LayoutGraph.Edge(from: other, to: node)
          )
        }
      } else {
        let (a, b) = (random.below(graph.nodes.count), random.below(graph.nodes.count))
        if a != b { graph.edges.append(LayoutGraph.Edge(from: min(a, b), to: max(a, b))) }
      }
      layout = GraphLayout(graph, after: layout.memory)
      for node in before.graph.nodes.indices {
        let (old, new) = (before.layout.places[node], layout.places[node])
        samples += 1
        layers += old.layer == new.layer ? 1 : 0
        moved += abs(old.row - new.row)
        let other = random.below(before.graph.nodes.count)
        let (oldOther, newOther) = (before.layout.places[other], layout.places[other])
        guard other != node, old.layer == oldOther.layer, new.layer == newOther.layer else {
          continue
        }
        pairs += 1
        order += (old.row < oldOther.row) == (new.row < newOther.row) ? 1 : 0
      }
    }
    let fresh = GraphLayout(graph)
    let straightKept = straightCrossings(graph, layout: layout)
    let straightFresh = straightCrossings(graph, layout: fresh)
    let (a, b) = (straightKept.proper, straightFresh.proper)
    sums.kept += layout.crossings
    sums.fresh += fresh.crossings
    sums.straightKept += a
    sums.straightFresh += b
    worst = max(worst, Double(layout.crossings + 1) / Double(fresh.crossings + 1))
    totals.layers += Double(layers) / Double(samples)
    totals.order += Double(order) / Double(max(1, pairs))
    totals.rows += Double(moved) / Double(samples)
    print(
      "\(kind) \(before(graph))" + padded(layout.crossings, 14) + " / \(fresh.crossings)"
        + padded(a, 14) + " / \(b)" + padded(text(Double(layers) / Double(samples)), 14)
        + padded(text(Double(order) / Double(max(1, pairs))), 12)
        + padded(text(Double(moved) / Double(samples)), 12)
    )
  }
  let scale = Double(max(1, count))
  print(
    "all: crossings \(sums.kept) / \(sums.fresh), straight \(sums.straightKept) / "
      + "\(sums.straightFresh), worst ratio \(text(worst)), layers kept "
      + "\(text(totals.layers / scale)), order kept \(text(totals.order / scale)), "
      + "mean rows moved \(text(totals.rows / scale))"
  )
}

private func before(_ graph: LayoutGraph) -> String { "\(graph.nodes.count)" }
