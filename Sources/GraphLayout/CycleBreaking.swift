extension FlowGraph {
  /// Reverses edges until no cycle is left.
  ///
  /// A depth-first search, which starts at the nodes without incoming edges, finds the edges that
  /// lead back to a node on the current path and so close a cycle. These edges are reversed, as
  /// described by Gansner et al. (1993). To keep the drawing stable, edges that were reversed in
  /// the previous layout are reversed first if they are still part of a cycle.
  ///
  /// - Parameter preferred: The edges that were reversed in the previous layout.
  /// - Complexity: Linear. The search iterates instead of recursing, so that long paths do not
  ///   exhaust the stack.
  mutating func breakCycles(preferring preferred: [Int] = []) {
    if !preferred.isEmpty {
      let component = stronglyConnectedComponents()
      for edge in preferred where component[tails[edge]] == component[heads[edge]] {
        reverse(edge)
      }
    }
    for edge in backEdges() { reverse(edge) }
  }

  /// Reverses edges so that each leads from a node that a breadth-first search visits earlier to a
  /// node that the search visits later.
  ///
  /// This method reverses more edges than necessary, but the longest path stays short even in large
  /// graphs with many cycles. The method takes linear time.
  mutating func breakCyclesByDistance() {
    let later = Adjacency(count: count, from: tails, to: heads)
    var incoming = [Int](repeating: 0, count: count)
    for head in heads { incoming[head] += 1 }
    let sources = (0..<count).filter { incoming[$0] == 0 }
    var rank = [Int](repeating: -1, count: count)
    var queue = sources
    for (index, node) in queue.enumerated() { rank[node] = index }
    var next = 0
    for root in 0..<count {
      while next < queue.count {
        for slot in later.slots(queue[next]) where rank[later.neighbours[slot]] < 0 {
          rank[later.neighbours[slot]] = queue.count
          queue.append(later.neighbours[slot])
        }
        next += 1
      }
      guard rank[root] < 0 else { continue }
      rank[root] = queue.count
      queue.append(root)
    }
    for edge in tails.indices where rank[heads[edge]] < rank[tails[edge]] { reverse(edge) }
  }

  /// The edges that lead back to a node on the current path of a depth-first search.
  private func backEdges() -> [Int] {
    let later = Adjacency(count: count, from: tails, to: heads)
    var incoming = [Int](repeating: 0, count: count)
    for head in heads { incoming[head] += 1 }
    let roots = (0..<count).filter { incoming[$0] == 0 } + (0..<count).filter { incoming[$0] > 0 }
    var result: [Int] = []
    var isOnPath = [Bool](repeating: false, count: count)
    var isSeen = isOnPath
    var next = later.starts
    var path: [Int] = []
    for root in roots where !isSeen[root] {
      path.append(root)
      isSeen[root] = true
      isOnPath[root] = true
      while let node = path.last {
        guard next[node] < later.starts[node + 1] else {
          isOnPath[node] = false
          path.removeLast()
          continue
        }
        let slot = next[node]
        next[node] += 1
        let head = later.neighbours[slot]
        if isOnPath[head] {
          result.append(later.pairs[slot])
        } else if !isSeen[head] {
          isSeen[head] = true
          isOnPath[head] = true
          path.append(head)
        }
      }
    }
    return result
  }

  /// For each node, the index of its strongly connected component, found by Tarjan's algorithm.
  private func stronglyConnectedComponents() -> [Int] {
    let later = Adjacency(count: count, from: tails, to: heads)
    var component = [Int](repeating: -1, count: count)
    var index = component
    var lowest = component
    var next = later.starts
    var path: [Int] = []
    var open: [Int] = []
    var time = 0
    var components = 0
    for root in 0..<count where index[root] < 0 {
      path.append(root)
      while let node = path.last {
        if index[node] < 0 {
          index[node] = time
          lowest[node] = time
          time += 1
          open.append(node)
        }
        if next[node] < later.starts[node + 1] {
          let head = later.neighbours[next[node]]
          next[node] += 1
          if index[head] < 0 {
            path.append(head)
          } else if component[head] < 0 {
            lowest[node] = min(lowest[node], index[head])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last { lowest[parent] = min(lowest[parent], lowest[node]) }
        guard lowest[node] == index[node] else { continue }
        while let member = open.popLast() {
          component[member] = components
          if member == node { break }
        }
        components += 1
      }
    }
    return component
  }
}
