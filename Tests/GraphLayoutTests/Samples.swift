import GraphLayout

@testable import layout_bench

/// The graphs that the tests lay out.
enum Samples {
  /// A graph of nodes of equal size, with edges given as pairs of node indices.
  static func graph(_ count: Int, _ edges: [(Int, Int)], height: Int = 1) -> LayoutGraph {
    LayoutGraph(
      nodes: (0..<count).map { LayoutGraph.Node(id: UInt64($0) + 1, width: 5, height: height) },
      edges: edges.map { LayoutGraph.Edge(from: $0.0, to: $0.1) }
    )
  }

  /// A random graph with self-loops, duplicate edges, cycles and nodes of various sizes.
  static func random(seed: UInt64) -> LayoutGraph {
    var random = RandomSource(seed: seed)
    let count = 1 + random.below(seed % 5 == 0 ? 120 : 40)
    let height = 1 + random.below(4)
    let nodes = (0..<count).map {
      LayoutGraph.Node(
        id: UInt64($0) + 1,
        width: 1 + random.below(12),
        height: 1 + random.below(height)
      )
    }
    let isCyclic = random.below(2) == 0
    let edges = (0..<random.below(2 * count + 1)).map { _ in
      let (a, b) = (random.below(count), random.below(count))
      let isReversed = isCyclic && random.below(8) == 0
      return LayoutGraph.Edge(
        from: isReversed ? max(a, b) : min(a, b),
        to: isReversed ? min(a, b) : max(a, b)
      )
    }
    return LayoutGraph(nodes: nodes, edges: edges)
  }

  /// A random layered graph with so many edges between neighbouring layers that their lines compete
  /// for the tracks between the layers.
  static func dense(seed: UInt64) -> LayoutGraph {
    var random = RandomSource(seed: seed)
    let layers = 2 + random.below(4)
    let size = 2 + random.below(10)
    var edges: [(Int, Int)] = []
    for layer in 0..<(layers - 1) {
      for node in 0..<size {
        for _ in 0..<(1 + random.below(3)) {
          edges.append((layer * size + node, (layer + 1) * size + random.below(size)))
        }
      }
    }
    return graph(layers * size, edges)
  }

  /// Graphs made by hand, each for a special case.
  static let special: [LayoutGraph] = [
    graph(0, []), graph(1, []), graph(3, []), graph(1, [(0, 0)]), graph(2, [(0, 1), (0, 1)]),
    graph(2, [(0, 1), (1, 0)]), graph(3, [(0, 1), (1, 2), (2, 0)]), graph(2, [(0, 5), (-1, 1)]),
    graph(4, [(0, 1), (0, 2), (1, 3), (2, 3)]), graph(4, [(0, 1), (1, 2), (2, 3), (0, 3)]),
    graph(6, [(0, 1), (2, 3), (3, 2), (4, 4)]), graph(30, (1..<30).map { (0, $0) }),
    graph(30, (1..<30).map { ($0, 0) }), graph(4, [(0, 3), (1, 2), (0, 2), (1, 3)], height: 3),
    graph(12, (0..<36).map { ($0 / 6, 6 + $0 % 6) }),
    graph(5, (0..<20).map { ($0 / 4, ($0 / 4 + 1 + $0 % 4) % 5) }),
  ]

  /// The special graphs, and random and dense ones.
  static let all: [LayoutGraph] =
    special + (0..<60).map { random(seed: $0) } + (0..<30).map { dense(seed: $0) }

  /// The options with which each graph is laid out.
  static let options: [GraphLayout.Options] = [
    GraphLayout.Options(), GraphLayout.Options(gap: 1, channel: 2...4),
    GraphLayout.Options(straightens: false, partGap: 0),
  ]
}
