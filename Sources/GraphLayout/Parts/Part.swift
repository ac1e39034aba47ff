/// A connected component of the graph.
struct Part: Sendable {
  /// The indices of the part's nodes in the whole graph.
  var nodes: [Int]
  /// The edges of the part; they refer to nodes by index in `nodes`.
  var flow: FlowGraph
  /// For each edge of `flow`, the indices of the edges of the whole graph that it represents.
  var edges: [[Int]]

  /// Splits a graph into its parts, in the order of their first nodes.
  ///
  /// Loops and edges that name a node that does not exist are left out, and duplicate edges are
  /// merged.
  static func parts(of graph: LayoutGraph) -> [Part] {
    let count = graph.nodes.count
    var leaders = Array(0..<count)
    func leader(_ node: Int) -> Int {
      var node = node
      while leaders[node] != node {
        leaders[node] = leaders[leaders[node]]
        node = leaders[node]
      }
      return node
    }
    let nodes = graph.nodes.indices
    let drawn = graph.edges.indices.filter { index in
      let edge = graph.edges[index]
      return nodes.contains(edge.from) && nodes.contains(edge.to) && edge.from != edge.to
    }
    for index in drawn {
      let (a, b) = (leader(graph.edges[index].from), leader(graph.edges[index].to))
      // The leader of a part is the node with the smallest index.
      leaders[max(a, b)] = min(a, b)
    }
    var parts: [Part] = []
    var partOfLeader = [Int](repeating: -1, count: count)
    var local = [Int](repeating: 0, count: count)
    for node in 0..<count {
      let leader = leader(node)
      if partOfLeader[leader] < 0 {
        partOfLeader[leader] = parts.count
        parts.append(
          Part(
            nodes: [],
            flow: FlowGraph(count: 0, tails: [], heads: [], weights: [], isReversed: []),
            edges: []
          )
        )
      }
      let part = partOfLeader[leader]
      local[node] = parts[part].nodes.count
      parts[part].nodes.append(node)
      parts[part].flow.count += 1
    }
    var known: [LayoutGraph.Edge: Int] = [:]
    known.reserveCapacity(drawn.count)
    for index in drawn {
      let edge = graph.edges[index]
      let part = partOfLeader[leader(edge.from)]
      if let duplicate = known[edge] {
        parts[part].flow.weights[duplicate] += 1
        parts[part].edges[duplicate].append(index)
        continue
      }
      known[edge] = parts[part].edges.count
      parts[part].edges.append([index])
      parts[part].flow.tails.append(local[edge.from])
      parts[part].flow.heads.append(local[edge.to])
      parts[part].flow.weights.append(1)
      parts[part].flow.isReversed.append(false)
    }
    return parts
  }
}
