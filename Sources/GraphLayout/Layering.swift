extension FlowGraph {
  /// The layer of each node, chosen so that every edge leads to a later layer and the total length
  /// of edges is small.
  ///
  /// - Complexity: O(e log e) for e edges, plus at most about `effort` elementary steps.
  func layers(effort: Int) -> [Int] {
    var layers = NetworkSimplex(graph: self, layers: longestPathLayers(), effort: effort).layers
    normalise(&layers)
    balance(&layers)
    return layers
  }

  /// The layers of a previous layout, in which nodes are moved only as far as edges require.
  ///
  /// A node whose previous layer is nil is new. It is placed after its predecessors or, if it has
  /// none, before its successors. Layers without nodes are removed. The function takes linear time.
  func layers(keeping previous: [Int?]) -> [Int] {
    let order = topologicalOrder()
    let later = Adjacency(count: count, from: tails, to: heads)
    let earlier = Adjacency(count: count, from: heads, to: tails)
    var latest = previous
    for node in order.reversed() where previous[node] == nil {
      for slot in later.slots(node) {
        guard let layer = latest[later.neighbours[slot]] else { continue }
        latest[node] = min(latest[node] ?? .max, layer - 1)
      }
    }
    var layers = [Int](repeating: 0, count: count)
    for node in order {
      let least = earlier.slots(node).map { layers[earlier.neighbours[$0]] + 1 }.max()
      if let kept = previous[node] {
        layers[node] = max(kept, least ?? kept)
      } else {
        layers[node] = least ?? latest[node] ?? 0
      }
    }
    normalise(&layers)
    return layers
  }

  /// The number of layers that each edge passes through, if each node is in its earliest possible
  /// layer.
  ///
  /// The total estimates the size of the drawing before the layout begins. The function takes
  /// linear time.
  func passedLayers() -> [Int] {
    let layers = longestPathLayers()
    return tails.indices.map { layers[heads[$0]] - layers[tails[$0]] - 1 }
  }

  /// The earliest possible layer of each node: the layer after those of all its predecessors.
  ///
  /// The function takes linear time.
  private func longestPathLayers() -> [Int] {
    let later = Adjacency(count: count, from: tails, to: heads)
    var layers = [Int](repeating: 0, count: count)
    for node in topologicalOrder() {
      for slot in later.slots(node) {
        let head = later.neighbours[slot]
        layers[head] = max(layers[head], layers[node] + 1)
      }
    }
    return layers
  }

  /// Renumbers layers from zero without gaps.
  private func normalise(_ layers: inout [Int]) {
    guard let least = layers.min(), let most = layers.max() else { return }
    guard most - least < 4 * count + 64 else {
      // A table of all layers would be too large if they are far apart, which happens only with
      // unusual previous layers. The used layers are then sorted instead.
      let used = Array(Set(layers)).sorted()
      let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
      for node in layers.indices { layers[node] = numbers[layers[node]] ?? 0 }
      return
    }
    var number = [Int](repeating: 0, count: most - least + 1)
    for layer in layers { number[layer - least] = 1 }
    var next = 0
    for layer in number.indices where number[layer] == 1 {
      number[layer] = next
      next += 1
    }
    for node in layers.indices { layers[node] = number[layers[node] - least] }
  }

  /// Moves nodes to layers with fewer nodes if that does not change the total length of edges.
  private func balance(_ layers: inout [Int]) {
    guard let most = layers.max() else { return }
    var population = [Int](repeating: 0, count: most + 1)
    for layer in layers { population[layer] += 1 }
    let later = Adjacency(count: count, from: tails, to: heads)
    let earlier = Adjacency(count: count, from: heads, to: tails)
    for node in 0..<count {
      let incoming = earlier.slots(node)
      let outgoing = later.slots(node)
      guard !incoming.isEmpty, !outgoing.isEmpty else { continue }
      let weightIn = incoming.reduce(0) { $0 + weights[earlier.pairs[$1]] }
      let weightOut = outgoing.reduce(0) { $0 + weights[later.pairs[$1]] }
      guard weightIn == weightOut else { continue }
      let first = incoming.reduce(0) { max($0, layers[earlier.neighbours[$1]] + 1) }
      let last = outgoing.reduce(most) { min($0, layers[later.neighbours[$1]] - 1) }
      guard first < last else { continue }
      var best = layers[node]
      for layer in first...last where population[layer] < population[best] - 1 { best = layer }
      population[layers[node]] -= 1
      population[best] += 1
      layers[node] = best
    }
  }
}
