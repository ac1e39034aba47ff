/// A connected part of the graph without loops and duplicate edges, on which the stages of the
/// layout work.
struct FlowGraph: Sendable {
  /// The number of nodes.
  var count: Int
  /// The node at which each edge starts in the drawing, from left to right.
  var tails: [Int]
  /// The node at which each edge ends in the drawing.
  var heads: [Int]
  /// The number of input edges that each edge represents.
  var weights: [Int]
  /// Whether each edge has the opposite direction in the input.
  var isReversed: [Bool]

  mutating func reverse(_ edge: Int) {
    swap(&tails[edge], &heads[edge])
    isReversed[edge].toggle()
  }

  /// The nodes in an order in which every edge leads forward.
  ///
  /// Nodes of cycles, and the nodes that can be reached from them, are missing from the result. The
  /// function takes linear time.
  func topologicalOrder() -> [Int] {
    let later = Adjacency(count: count, from: tails, to: heads)
    var open = [Int](repeating: 0, count: count)
    for head in heads { open[head] += 1 }
    var order = (0..<count).filter { open[$0] == 0 }
    order.reserveCapacity(count)
    var next = 0
    while next < order.count {
      for slot in later.slots(order[next]) {
        let head = later.neighbours[slot]
        open[head] -= 1
        if open[head] == 0 { order.append(head) }
      }
      next += 1
    }
    return order
  }
}
