/// Assigns to each vertex the row on which lines reach it, so that long lines run straight.
///
/// The method is that of Brandes & Köpf (2001). Vertices are aligned with their median neighbours
/// in four ways: with the neighbours in the previous or the next layer, and from top to bottom or
/// from bottom to top. Each of the four alignments is packed, and the row of a vertex is the mean
/// of the middle two of its four rows. A block is a set of vertices that are aligned with each
/// other. Unlike in the paper, packing works on the graph of blocks and not on classes of blocks,
/// so that it never puts two vertices of a layer on one row.
struct RowAssignment {
  let graph: LayeredGraph
  let order: LayerOrder
  /// The number of rows of each vertex above the row of its lines.
  let above: [Int]
  /// The number of rows of each vertex below the row of its lines.
  let below: [Int]
  /// The number of empty rows between two nodes of a layer.
  let gap: Int

  /// The rows of all vertices; they may be negative.
  func rows(straightens: Bool) -> [Int] {
    straightens ? Self.middle(candidates()) : packedRows()
  }

  /// The four assignments, shifted so that each begins or ends where the narrowest one does.
  func candidates() -> [[Int]] {
    let conflicts = conflicts()
    var candidates: [[Int]] = []
    var extents: [ClosedRange<Int>] = []
    for isForward in [true, false] {
      for isFromTop in [true, false] {
        let rows = candidate(isForward: isForward, isFromTop: isFromTop, conflicts: conflicts)
        candidates.append(rows)
        extents.append(extent(rows))
      }
    }
    var narrowest = 0
    for index in extents.indices where extents[index].count < extents[narrowest].count {
      narrowest = index
    }
    for index in candidates.indices {
      let shift =
        index % 2 == 0
        ? extents[narrowest].lowerBound - extents[index].lowerBound
        : extents[narrowest].upperBound - extents[index].upperBound
      for vertex in candidates[index].indices { candidates[index][vertex] += shift }
    }
    return candidates
  }

  /// The mean of the middle two of four assignments, which also keeps the required distances.
  static func middle(_ candidates: [[Int]]) -> [Int] {
    candidates[0].indices.map { vertex in
      let (a, b, c, d) = (
        candidates[0][vertex], candidates[1][vertex], candidates[2][vertex], candidates[3][vertex]
      )
      let sum = a + b + c + d - min(a, b, c, d) - max(a, b, c, d)
      // The sums keep twice the required distances, so their halves, rounded down, keep the
      // required distances.
      return sum >> 1
    }
  }

  /// The minimum distance between the rows of a vertex and of the next vertex in its layer.
  @inline(__always)
  func distance(_ upper: Int, _ lower: Int) -> Int {
    let gap = graph.isDummy(upper) || graph.isDummy(lower) ? 0 : gap
    return below[upper] + 1 + gap + above[lower]
  }

  /// The range of rows that vertices occupy.
  func extent(_ rows: [Int]) -> ClosedRange<Int> {
    var least = Int.max
    var most = Int.min
    for vertex in rows.indices {
      least = min(least, rows[vertex] - above[vertex])
      most = max(most, rows[vertex] + below[vertex])
    }
    return least <= most ? least...most : 0...0
  }

  /// Rows without gaps beyond the required ones.
  private func packedRows() -> [Int] {
    var rows = [Int](repeating: 0, count: graph.vertexCount)
    for layer in order.layers {
      for (index, vertex) in layer.enumerated() {
        rows[vertex] =
          index == 0
          ? above[vertex] : rows[layer[index - 1]] + distance(layer[index - 1], vertex)
      }
    }
    return rows
  }

  /// For each segment, whether it crosses a segment between two dummies.
  ///
  /// If it does, its vertices are not aligned, so that the two dummies can be aligned.
  private func conflicts() -> [Bool] {
    var result = [Bool](repeating: false, count: graph.weights.count)
    for layer in order.layers.indices.dropFirst() {
      let vertices = order.layers[layer]
      var first = 0
      var scanned = 0
      for (index, vertex) in vertices.enumerated() {
        var inner: Int?
        if graph.isDummy(vertex), let slot = graph.earlier.slots(vertex).first,
          graph.isDummy(graph.earlier.neighbours[slot])
        {
          inner = order.positions[graph.earlier.neighbours[slot]]
        }
        guard inner != nil || index == vertices.count - 1 else { continue }
        let last = inner ?? order.layers[layer - 1].count - 1
        while scanned <= index {
          let other = vertices[scanned]
          for slot in graph.earlier.slots(other) {
            let neighbour = graph.earlier.neighbours[slot]
            if graph.isDummy(other), graph.isDummy(neighbour) { continue }
            let position = order.positions[neighbour]
            if position < first || position > last { result[graph.earlier.pairs[slot]] = true }
          }
          scanned += 1
        }
        first = last
      }
    }
    return result
  }

  /// One of the four assignments.
  private func candidate(isForward: Bool, isFromTop: Bool, conflicts: [Bool]) -> [Int] {
    let roots = alignedRoots(isForward: isForward, isFromTop: isFromTop, conflicts: conflicts)
    // The distances between adjacent vertices of a layer become distances between their blocks.
    var tails: [Int] = []
    var heads: [Int] = []
    var distances: [Int] = []
    for layer in order.layers {
      for index in layer.indices.dropFirst() {
        let (upper, lower) = (layer[index - 1], layer[index])
        tails.append(roots[isFromTop ? upper : lower])
        heads.append(roots[isFromTop ? lower : upper])
        distances.append(distance(upper, lower))
      }
    }
    let following = Adjacency(count: graph.vertexCount, from: tails, to: heads)
    var open = [Int](repeating: 0, count: graph.vertexCount)
    for head in heads { open[head] += 1 }
    var sorted = (0..<graph.vertexCount).filter { roots[$0] == $0 && open[$0] == 0 }
    var rows = [Int](repeating: 0, count: graph.vertexCount)
    var next = 0
    while next < sorted.count {
      let block = sorted[next]
      next += 1
      for slot in following.slots(block) {
        let head = following.neighbours[slot]
        rows[head] = max(rows[head], rows[block] + distances[following.pairs[slot]])
        open[head] -= 1
        if open[head] == 0 { sorted.append(head) }
      }
    }
    // A block that is far from the blocks that follow it moves towards them.
    for block in sorted.reversed() {
      var limit = Int.max
      for slot in following.slots(block) {
        limit = min(limit, rows[following.neighbours[slot]] - distances[following.pairs[slot]])
      }
      if limit < .max { rows[block] = max(rows[block], limit) }
    }
    return (0..<graph.vertexCount).map { isFromTop ? rows[roots[$0]] : -rows[roots[$0]] }
  }

  /// For each vertex, the first vertex of the block with which it is aligned.
  private func alignedRoots(isForward: Bool, isFromTop: Bool, conflicts: [Bool]) -> [Int] {
    var roots = Array(0..<graph.vertexCount)
    var isTaken = [Bool](repeating: false, count: graph.vertexCount)
    let adjacency = isForward ? graph.earlier : graph.later
    let count = order.layers.count
    var sorted: [(position: Int, slot: Int)] = []
    for step in 1..<max(1, count) {
      let vertices = order.layers[isForward ? step : count - 1 - step]
      let neighbours = order.layers[isForward ? step - 1 : count - step].count
      var reached = -1
      for index in vertices.indices {
        let vertex = vertices[isFromTop ? index : vertices.count - 1 - index]
        let slots = adjacency.slots(vertex)
        guard !slots.isEmpty else { continue }
        sorted.removeAll(keepingCapacity: true)
        for slot in slots {
          let position = order.positions[adjacency.neighbours[slot]]
          sorted.append((isFromTop ? position : neighbours - 1 - position, slot))
        }
        if sorted.count > 1 { sorted.sort { $0 < $1 } }
        for middle in ((sorted.count - 1) / 2)...(sorted.count / 2) {
          let (position, slot) = sorted[middle]
          let neighbour = adjacency.neighbours[slot]
          guard position > reached, !isTaken[neighbour], !conflicts[adjacency.pairs[slot]] else {
            continue
          }
          isTaken[neighbour] = true
          roots[vertex] = roots[neighbour]
          reached = position
          break
        }
      }
    }
    return roots
  }
}

extension RowAssignment {
  /// Shifts rows so that they start at zero, and leaves at most `gap` consecutive empty rows.
  ///
  /// Rows with an unusually large range are only shifted, because a table of them would be too
  /// large.
  func compacted(_ rows: [Int]) -> [Int] {
    let extent = extent(rows)
    guard extent.count < 8 * graph.vertexCount + 4096 else {
      return rows.map { $0 - extent.lowerBound }
    }
    var changes = [Int](repeating: 0, count: extent.count + 1)
    for vertex in rows.indices {
      changes[rows[vertex] - above[vertex] - extent.lowerBound] += 1
      changes[rows[vertex] + below[vertex] + 1 - extent.lowerBound] -= 1
    }
    var target = [Int](repeating: 0, count: extent.count)
    var covering = 0
    var next = 0
    var emptyRows = 0
    for row in target.indices {
      covering += changes[row]
      emptyRows = covering > 0 ? 0 : emptyRows + 1
      target[row] = next
      if covering > 0 || emptyRows <= gap { next += 1 }
    }
    return rows.map { target[$0 - extent.lowerBound] }
  }
}
