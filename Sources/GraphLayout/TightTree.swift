/// A spanning tree of edges that connect neighbouring layers, with which the network simplex
/// starts.
///
/// The tree grows from the first node. The slack of an edge is the number of layers that it passes
/// through. Whenever no edge of length one connects the tree with a node outside, the whole tree
/// moves by the least slack of the edges that connect it with nodes outside, as described by
/// Gansner et al. (1993). Two priority queues, one for each direction in which the tree can move,
/// find that slack in logarithmic time.
struct TightTree {
  /// The layer of each node, changed so that all edges of the tree have length one.
  private(set) var layers: [Int]
  /// The edges of the tree.
  private(set) var edges: [Int] = []

  /// Grows a tree over a connected graph whose edges all lead to later layers.
  ///
  /// - Complexity: O(e log e) for e edges.
  init(graph: FlowGraph, layers: [Int], incident: Adjacency) {
    self.layers = layers
    edges.reserveCapacity(graph.count)
    guard graph.count > 1 else { return }
    // The layers of nodes in the tree are stored minus `shift`, so that the whole tree can be moved
    // at no cost.
    var shift = 0
    var isInside = [Bool](repeating: false, count: graph.count)
    var outgoing = MinimumHeap()
    var incoming = MinimumHeap()
    var current = 0
    var remaining = graph.count - 1
    while true {
      isInside[current] = true
      self.layers[current] -= shift
      for slot in incident.slots(current) {
        let edge = incident.pairs[slot] >> 1
        let other = incident.neighbours[slot]
        guard !isInside[other] else { continue }
        if graph.tails[edge] == current {
          outgoing.insert(edge, key: self.layers[other] - self.layers[current] - 1)
        } else {
          incoming.insert(edge, key: self.layers[current] - self.layers[other] - 1)
        }
      }
      guard remaining > 0 else { break }
      while let first = outgoing.first, isInside[graph.heads[first.value]] {
        _ = outgoing.removeFirst()
      }
      while let first = incoming.first, isInside[graph.tails[first.value]] {
        _ = incoming.removeFirst()
      }
      let outward = outgoing.first.map { $0.key - shift } ?? .max
      let inward = incoming.first.map { $0.key + shift } ?? .max
      guard outward < .max || inward < .max else { break }
      if outward <= inward, let edge = outgoing.removeFirst()?.value {
        shift += outward
        edges.append(edge)
        current = graph.heads[edge]
      } else if let edge = incoming.removeFirst()?.value {
        shift -= inward
        edges.append(edge)
        current = graph.tails[edge]
      }
      remaining -= 1
    }
    for node in 0..<graph.count where isInside[node] { self.layers[node] += shift }
  }
}
