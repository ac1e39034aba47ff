import GraphLayout

/// The kinds of random graphs that are compared.
enum GraphKind: String, CaseIterable {
  case acyclic, pipeline, tree, diamonds, cyclic
}

/// Makes random graphs.
struct RandomGraphs {
  private var random: RandomSource

  /// Creates a source of graphs that are the same for the same seed.
  init(seed: UInt64) { random = RandomSource(seed: seed) }

  /// A random number from 0 up to, but not including, a bound.
  mutating func number(below bound: Int) -> Int { random.below(bound) }

  /// A graph of the given kind, with 10 to 300 nodes.
  mutating func graph(_ kind: GraphKind) -> LayoutGraph {
    let count = 10 + random.below(291)
    switch kind {
    case .acyclic: return acyclic(count: count, edges: count + random.below(count + 1))
    case .pipeline: return pipeline(count: count)
    case .tree: return tree(count: count)
    case .diamonds: return diamonds(count: count)
    case .cyclic:
      var graph = acyclic(count: count, edges: count + random.below(count + 1))
      for index in graph.edges.indices where random.below(20) == 0 {
        let edge = graph.edges[index]
        graph.edges[index] = LayoutGraph.Edge(from: edge.to, to: edge.from)
      }
      return graph
    }
  }

  /// Random edges from earlier to later nodes.
  mutating func acyclic(count: Int, edges: Int) -> LayoutGraph {
    var known = Set<LayoutGraph.Edge>()
    var result: [LayoutGraph.Edge] = []
    while result.count < edges, known.count < count * (count - 1) / 2 {
      let (a, b) = (random.below(count), random.below(count))
      guard a != b else { continue }
      let edge = LayoutGraph.Edge(from: min(a, b), to: max(a, b))
      if known.insert(edge).inserted { result.append(edge) }
    }
    return LayoutGraph(nodes: nodes(count), edges: result)
  }

  /// Stages with fan-out and fan-in, with some edges that skip stages.
  mutating func pipeline(count: Int) -> LayoutGraph {
    var known = Set<LayoutGraph.Edge>()
    var edges: [LayoutGraph.Edge] = []
    var stages: [[Int]] = []
    var next = 0
    while next < count {
      let size = min(count - next, 1 + random.below(max(2, count / 8)))
      stages.append(Array(next..<(next + size)))
      next += size
    }
    for index in stages.indices.dropFirst() {
      for node in stages[index] {
        for _ in 0..<(1 + random.below(2)) {
          let back = random.below(10) == 0 ? min(index, 1 + random.below(4)) : 1
          let source = stages[index - back][random.below(stages[index - back].count)]
          let edge = LayoutGraph.Edge(from: source, to: node)
          if known.insert(edge).inserted { edges.append(edge) }
        }
      }
    }
    return LayoutGraph(nodes: nodes(count), edges: edges)
  }

  private mutating func tree(count: Int) -> LayoutGraph {
    let flips = random.below(2) == 0
    let edges = (1..<count).map { node in
      let parent = random.below(node)
      return LayoutGraph.Edge(from: flips ? node : parent, to: flips ? parent : node)
    }
    return LayoutGraph(nodes: nodes(count), edges: edges)
  }

  private mutating func diamonds(count: Int) -> LayoutGraph {
    var edges: [LayoutGraph.Edge] = []
    var open = [0]
    var next = 1
    while next < count {
      let source = open[random.below(open.count)]
      let arms = 2 + random.below(3)
      let sink = next
      next += 1
      for _ in 0..<arms {
        var end = source
        for _ in 0..<(1 + random.below(2)) {
          edges.append(LayoutGraph.Edge(from: end, to: next))
          end = next
          next += 1
        }
        edges.append(LayoutGraph.Edge(from: end, to: sink))
      }
      open.append(sink)
      if open.count > 4 { open.removeFirst() }
    }
    return LayoutGraph(nodes: nodes(next), edges: edges)
  }

  private mutating func nodes(_ count: Int) -> [LayoutGraph.Node] {
    (0..<count).map { LayoutGraph.Node(id: UInt64($0) + 1, width: 6 + random.below(18)) }
  }
}
