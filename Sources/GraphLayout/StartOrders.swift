extension LayeredGraph {
  /// A traversal of the graph, from which the initial order for an ``OrderSearch`` is derived.
  enum Start {
    /// Depth-first along the flow, from left to right, so that connected vertices are close
    /// together.
    case forward
    /// Depth-first against the flow, from right to left.
    case backward
    /// Breadth-first in both directions at once, from the first vertex.
    case breadth
  }

  /// The vertices of each layer, in the order in which a traversal of the graph visits them.
  ///
  /// The traversal does not recurse, so that long paths cannot overflow the stack.
  ///
  /// - Complexity: Linear in the size of the graph.
  func startOrder(_ start: Start) -> LayerOrder {
    var result = [[Int]](repeating: [], count: layerCount)
    var isSeen = [Bool](repeating: false, count: vertexCount)
    var byLayer = [[Int]](repeating: [], count: layerCount)
    for vertex in 0..<vertexCount { byLayer[layers[vertex]].append(vertex) }
    switch start {
    case .forward, .backward:
      let adjacency = start == .forward ? later : earlier
      var next = adjacency.starts
      var path: [Int] = []
      for layer in start == .forward ? Array(byLayer.indices) : byLayer.indices.reversed() {
        for root in byLayer[layer] where !isSeen[root] {
          isSeen[root] = true
          result[layers[root]].append(root)
          path.append(root)
          while let vertex = path.last {
            guard next[vertex] < adjacency.starts[vertex + 1] else {
              path.removeLast()
              continue
            }
            let neighbour = adjacency.neighbours[next[vertex]]
            next[vertex] += 1
            guard !isSeen[neighbour] else { continue }
            isSeen[neighbour] = true
            result[layers[neighbour]].append(neighbour)
            path.append(neighbour)
          }
        }
      }
    case .breadth:
      var queue: [Int] = []
      queue.reserveCapacity(vertexCount)
      var head = 0
      for root in byLayer.joined() where !isSeen[root] {
        isSeen[root] = true
        queue.append(root)
        while head < queue.count {
          let vertex = queue[head]
          head += 1
          result[layers[vertex]].append(vertex)
          for adjacency in [later, earlier] {
            for slot in adjacency.slots(vertex) where !isSeen[adjacency.neighbours[slot]] {
              isSeen[adjacency.neighbours[slot]] = true
              queue.append(adjacency.neighbours[slot])
            }
          }
        }
      }
    }
    return LayerOrder(layers: result, vertexCount: vertexCount)
  }
}
