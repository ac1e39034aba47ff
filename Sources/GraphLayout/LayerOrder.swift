/// The order of the vertices in each layer, from top to bottom.
struct LayerOrder: Sendable {
  /// The vertices of each layer, in order.
  var layers: [[Int]]
  /// The index of each vertex in its layer.
  var positions: [Int]

  /// Creates an order from the vertices of each layer.
  init(layers: [[Int]], vertexCount: Int) {
    self.layers = layers
    positions = [Int](repeating: 0, count: vertexCount)
    for layer in layers.indices { updatePositions(layer) }
  }

  /// Recomputes the positions of the vertices of one layer.
  mutating func updatePositions(_ layer: Int) {
    for index in layers[layer].indices { positions[layers[layer][index]] = index }
  }

  /// Exchanges a vertex with the next vertex of its layer.
  @inline(__always)
  mutating func exchange(_ index: Int, inLayer layer: Int) {
    layers[layer].swapAt(index, index + 1)
    positions[layers[layer][index]] = index
    positions[layers[layer][index + 1]] = index + 1
  }

  /// The number of crossings between segments; if `isWeighted`, each crossing counts as often as
  /// there are pairs of edges that cross in it.
  ///
  /// The function visits segments in the order of their ends, from top to bottom. For each segment,
  /// a Fenwick tree gives the number of segments that end further up but start further down.
  ///
  /// - Complexity: O(s log v) for s segments and v vertices in a layer.
  func crossings(of graph: LayeredGraph, isWeighted: Bool = true) -> Int {
    var total = 0
    for layer in layers.indices.dropLast() {
      total += crossings(of: graph, behind: layer, isWeighted: isWeighted)
    }
    return total
  }

  /// The number of crossings between a layer and the next layer.
  func crossings(of graph: LayeredGraph, behind layer: Int, isWeighted: Bool = true) -> Int {
    let count = layers[layer].count
    guard count > 1, layers[layer + 1].count > 1 else { return 0 }
    var sums = [Int](repeating: 0, count: count + 1)
    var total = 0
    var all = 0
    let earlier = graph.earlier
    return sums.withUnsafeMutableBufferPointer { sums in
      for vertex in layers[layer + 1] {
        let slots = earlier.slots(vertex)
        for slot in slots {
          var index = positions[earlier.neighbours[slot]] + 1
          var before = 0
          while index > 0 {
            before += sums[index]
            index &= index - 1
          }
          total += (all - before) * (isWeighted ? graph.weights[earlier.pairs[slot]] : 1)
        }
        for slot in slots {
          var index = positions[earlier.neighbours[slot]] + 1
          let weight = isWeighted ? graph.weights[earlier.pairs[slot]] : 1
          all += weight
          while index <= count {
            sums[index] += weight
            index += index & -index
          }
        }
      }
      return total
    }
  }
}
