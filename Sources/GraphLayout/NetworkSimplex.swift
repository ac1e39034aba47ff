/// Finds layers with the least total length of edges, by the method of Gansner and others (1993).
///
/// The method maintains a spanning tree of tight edges, which connect neighbouring layers. The cut
/// value of a tree edge is the amount by which the total length grows if the edge becomes longer by
/// one. The slack of an edge is the number of layers that it passes through. An edge with a
/// negative cut value leaves the tree, and is replaced by the edge with the least slack that
/// connects the two halves of the tree in the opposite direction.
struct NetworkSimplex {
  /// The layer of each node.
  private(set) var layers: [Int]

  private let graph: FlowGraph
  /// The edges at each node.
  ///
  /// The index of a pair is twice the index of its edge, plus one if the node is the edge's head.
  private let incident: Adjacency
  private var isInTree: [Bool]
  private var treeEdges: [[Int]]
  private var cutValues: [Int]
  private var parentEdges: [Int]
  /// The number of each node in postorder.
  private var limits: [Int]
  /// The least number in the subtree of each node.
  private var lows: [Int]
  /// The node with each number.
  private var nodesByLimit: [Int]
  private var searchStart = 0
  private var work: Int

  /// Improves the layers of a connected graph without cycles, in which each edge leads to a later
  /// layer.
  ///
  /// `effort` bounds the number of elementary steps. When it is used up, each edge still leads to a
  /// later layer, but the total length may not be the least.
  init(graph: FlowGraph, layers: [Int], effort: Int) {
    self.graph = graph
    let edgeCount = graph.tails.count
    var ends: [Int] = []
    var others: [Int] = []
    ends.reserveCapacity(2 * edgeCount)
    others.reserveCapacity(2 * edgeCount)
    for edge in 0..<edgeCount {
      ends.append(graph.tails[edge])
      others.append(graph.heads[edge])
      ends.append(graph.heads[edge])
      others.append(graph.tails[edge])
    }
    incident = Adjacency(count: graph.count, from: ends, to: others)
    let tree = TightTree(graph: graph, layers: layers, incident: incident)
    self.layers = tree.layers
    isInTree = [Bool](repeating: false, count: edgeCount)
    treeEdges = [[Int]](repeating: [], count: graph.count)
    cutValues = [Int](repeating: 0, count: edgeCount)
    parentEdges = [Int](repeating: -1, count: graph.count)
    limits = [Int](repeating: 0, count: graph.count)
    lows = limits
    nodesByLimit = limits
    work = effort
    guard tree.edges.count == graph.count - 1, graph.count > 1 else { return }
    for edge in tree.edges { addToTree(edge) }
    number(from: 0, parentEdge: -1, low: 0)
    for node in nodesByLimit where parentEdges[node] >= 0 {
      cutValues[parentEdges[node]] = cutValue(below: node)
    }
    while work > 0, let leaving = leavingEdge(), let entering = enteringEdge(for: leaving) {
      exchange(leaving, for: entering)
    }
  }

  private func slack(_ edge: Int) -> Int {
    layers[graph.heads[edge]] - layers[graph.tails[edge]] - 1
  }

  private mutating func addToTree(_ edge: Int) {
    isInTree[edge] = true
    treeEdges[graph.tails[edge]].append(edge)
    treeEdges[graph.heads[edge]].append(edge)
  }

  private mutating func removeFromTree(_ edge: Int) {
    isInTree[edge] = false
    for node in [graph.tails[edge], graph.heads[edge]] {
      if let index = treeEdges[node].firstIndex(of: edge) { treeEdges[node].remove(at: index) }
    }
  }

  /// Numbers the nodes of a subtree in postorder, beginning with `low`.
  private mutating func number(from root: Int, parentEdge: Int, low: Int) {
    var counter = low
    var path: [(node: Int, next: Int)] = [(root, 0)]
    parentEdges[root] = parentEdge
    lows[root] = low
    while let (node, next) = path.last {
      if next < treeEdges[node].count {
        path[path.count - 1].next += 1
        let edge = treeEdges[node][next]
        guard edge != parentEdges[node] else { continue }
        let child = graph.tails[edge] == node ? graph.heads[edge] : graph.tails[edge]
        parentEdges[child] = edge
        lows[child] = counter
        path.append((child, 0))
      } else {
        limits[node] = counter
        nodesByLimit[counter] = node
        counter += 1
        path.removeLast()
      }
    }
    work -= 3 * (counter - low)
  }

  @inline(__always)
  private func isInside(_ node: Int, subtreeOf root: Int) -> Bool {
    lows[root] <= limits[node] && limits[node] <= limits[root]
  }

  /// The cut value of the edge from a node to its parent, computed from the cut values of the edges
  /// to its children.
  private func cutValue(below node: Int) -> Int {
    let parentEdge = parentEdges[node]
    let isTail = graph.tails[parentEdge] == node
    var sum = 0
    for slot in incident.slots(node) {
      let edge = incident.pairs[slot] >> 1
      let other = incident.neighbours[slot]
      let isOutside = !isInside(other, subtreeOf: node)
      var value = graph.weights[edge]
      if !isOutside { value = (isInTree[edge] ? cutValues[edge] : 0) - value }
      var isPositive = isTail ? graph.heads[edge] == node : graph.tails[edge] == node
      if isOutside { isPositive.toggle() }
      sum += isPositive ? value : -value
    }
    return sum
  }

  /// The tree edge with the least cut value among the first thirty whose cut values are negative.
  ///
  /// The next search continues at the thirtieth of them, which spreads the work over the graph.
  private mutating func leavingEdge() -> Int? {
    var best: Int?
    var found = 0
    let count = graph.tails.count
    for step in 0..<count {
      var edge = searchStart + step
      if edge >= count { edge -= count }
      guard isInTree[edge], cutValues[edge] < 0 else { continue }
      if best.map({ cutValues[edge] < cutValues[$0] }) ?? true { best = edge }
      found += 1
      if found == 30 {
        searchStart = edge
        work -= step
        return best
      }
    }
    work -= count
    return best
  }

  /// The edge with the least slack that connects the two halves of the tree in the direction
  /// opposite to the leaving edge.
  private mutating func enteringEdge(for leaving: Int) -> Int? {
    let tail = graph.tails[leaving]
    let head = graph.heads[leaving]
    let isTailBelow = limits[tail] < limits[head]
    let root = isTailBelow ? tail : head
    var best: Int?
    var least = Int.max
    for limit in lows[root]...limits[root] {
      let node = nodesByLimit[limit]
      work -= 1
      // If the subtree contains the tail of the leaving edge, the edges that enter the subtree are
      // examined; otherwise, the edges that leave the subtree are examined.
      for slot in incident.slots(node) where (incident.pairs[slot] & 1 == 1) == isTailBelow {
        guard !isInside(incident.neighbours[slot], subtreeOf: root) else { continue }
        let edge = incident.pairs[slot] >> 1
        let slack = slack(edge)
        if slack < least {
          least = slack
          best = edge
        }
      }
      if least == 0 { break }
    }
    return best
  }

  /// Replaces a tree edge and updates layers, cut values and numbers.
  private mutating func exchange(_ leaving: Int, for entering: Int) {
    let delta = slack(entering)
    if delta > 0 {
      let isTailBelow = limits[graph.tails[leaving]] < limits[graph.heads[leaving]]
      let root = isTailBelow ? graph.tails[leaving] : graph.heads[leaving]
      for limit in lows[root]...limits[root] {
        layers[nodesByLimit[limit]] += isTailBelow ? -delta : delta
      }
      work -= limits[root] - lows[root]
    }
    let value = cutValues[leaving]
    let tail = graph.tails[entering]
    let head = graph.heads[entering]
    let ancestor = updateCutValues(from: tail, to: head, by: value, isForward: true)
    _ = updateCutValues(from: head, to: tail, by: value, isForward: false)
    cutValues[entering] = -value
    cutValues[leaving] = 0
    removeFromTree(leaving)
    addToTree(entering)
    number(from: ancestor, parentEdge: parentEdges[ancestor], low: lows[ancestor])
  }

  /// Changes the cut values on the path from `start` up to the lowest common ancestor of `start`
  /// and `end`, and returns that ancestor.
  private mutating func updateCutValues(
    from start: Int,
    to end: Int,
    by value: Int,
    isForward: Bool
  ) -> Int {
    var node = start
    while !isInside(end, subtreeOf: node) {
      let edge = parentEdges[node]
      let isAdded = (graph.tails[edge] == node) == isForward
      cutValues[edge] += isAdded ? value : -value
      node = graph.tails[edge] == node ? graph.heads[edge] : graph.tails[edge]
      work -= 1
    }
    return node
  }
}
