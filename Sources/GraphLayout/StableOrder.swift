extension LayeredGraph {
  /// An order in which settled vertices keep the relative order that they had in the previous
  /// layout, and all other vertices are where they cause few crossings.
  ///
  /// - Parameters:
  ///   - rows: The previous row of each vertex; nil for a new vertex.
  ///   - isSettled: Whether each vertex must keep its place among the settled ones.
  /// - Returns: The order.
  func order(keeping rows: [Int?], isSettled: [Bool]) -> LayerOrder {
    var keys = rows.map { $0.map(Double.init) }
    let byLayer = (0..<vertexCount).sorted { (layers[$0], $0) < (layers[$1], $1) }
    for adjacency in [earlier, later] {
      let isForward = adjacency.starts == earlier.starts
      for vertex in isForward ? byLayer : byLayer.reversed() where keys[vertex] == nil {
        var sum = 0.0
        var count = 0.0
        for slot in adjacency.slots(vertex) {
          guard let key = keys[adjacency.neighbours[slot]] else { continue }
          sum += key
          count += 1
        }
        if count > 0 { keys[vertex] = sum / count }
      }
    }
    var result = [[Int]](repeating: [], count: layerCount)
    for vertex in byLayer { result[layers[vertex]].append(vertex) }
    let values = keys.map { $0 ?? .infinity }
    for layer in result.indices {
      result[layer].sort {
        (values[$0], isSettled[$0] ? 0 : 1, $0) < (values[$1], isSettled[$1] ? 0 : 1, $1)
      }
    }
    let order = LayerOrder(layers: result, vertexCount: vertexCount)
    guard isSettled.contains(false) else { return order }
    var sifting = Sifting(graph: self, order: order)
    sifting.run(
      crossings: order.crossings(of: self),
      resolution: 1000,
      rounds: 4,
      effort: 20_000_000
    ) { !isSettled[$0] }
    return sifting.order
  }
}
