/// The neighbours of each vertex of a graph, stored in one array.
///
/// The graph is given as pairs of a vertex and one of its neighbours. Building takes time linear in
/// the number of vertices and pairs. The neighbours of one vertex keep the order in which the pairs
/// were given.
struct Adjacency: Sendable {
  /// For each vertex, the index of its first neighbour in `neighbours`; the last entry is the
  /// number of all neighbours.
  private(set) var starts: [Int]
  /// The neighbours of all vertices, one vertex after the other.
  private(set) var neighbours: [Int]
  /// For each neighbour, the index of its pair.
  private(set) var pairs: [Int]

  /// Creates the neighbours of `count` vertices from pairs of a vertex, in `tails`, and one of its
  /// neighbours, in `heads`.
  init(count: Int, from tails: [Int], to heads: [Int]) {
    starts = [Int](repeating: 0, count: count + 1)
    neighbours = [Int](repeating: 0, count: tails.count)
    pairs = neighbours
    for tail in tails { starts[tail + 1] += 1 }
    for vertex in 0..<count { starts[vertex + 1] += starts[vertex] }
    var next = starts
    for pair in tails.indices {
      let slot = next[tails[pair]]
      next[tails[pair]] = slot + 1
      neighbours[slot] = heads[pair]
      pairs[slot] = pair
    }
  }

  /// The slots of `neighbours` and `pairs` that belong to a vertex.
  @inline(__always)
  func slots(_ vertex: Int) -> Range<Int> {
    starts[vertex]..<starts[vertex + 1]
  }

  /// The number of neighbours of a vertex.
  @inline(__always)
  func degree(_ vertex: Int) -> Int {
    starts[vertex + 1] - starts[vertex]
  }

  /// Calls a closure with the starts, the neighbours and the pairs, for access without bounds
  /// checks in release builds.
  @inline(__always)
  func withUnsafeSlots(
    _ body: (UnsafeBufferPointer<Int>, UnsafeBufferPointer<Int>, UnsafeBufferPointer<Int>) -> Void
  ) {
    starts.withUnsafeBufferPointer { starts in
      neighbours.withUnsafeBufferPointer { neighbours in
        pairs.withUnsafeBufferPointer { pairs in body(starts, neighbours, pairs) }
      }
    }
  }
}
