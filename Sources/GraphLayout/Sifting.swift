/// Moves single vertices to the position in their layer with the fewest crossings.
///
/// Sifting finds improvements that exchanging adjacent vertices misses, because a vertex may pass
/// positions that are worse. The technique is due to Matuszewski, Schönfeld & Molitor (1999).
struct Sifting {
  private let graph: LayeredGraph
  /// The current order.
  private(set) var order: LayerOrder
  /// For each position in the previous (`earlierBalance`) or the next layer (`laterBalance`), the
  /// weight of the moving vertex's segments that end above the position minus the weight of its
  /// segments that end below the position.
  private var earlierBalance: [Int]
  private var laterBalance: [Int]
  /// For each vertex of the layer, the crossings that are saved if the moving vertex moves from
  /// below to above that vertex.
  private var gains: [Int]

  /// Creates a search that starts from an order.
  init(graph: LayeredGraph, order: LayerOrder) {
    self.graph = graph
    self.order = order
    let longest = order.layers.reduce(0) { max($0, $1.count) }
    earlierBalance = [Int](repeating: 0, count: longest)
    laterBalance = earlierBalance
    gains = earlierBalance
  }

  /// Sifts all layers until hardly anything improves.
  ///
  /// The crossings are weighted: each counts as often as there are pairs of edges that cross in it.
  /// A round that saves at most one in `resolution` of them is the last. There are at most `rounds`
  /// rounds, and `effort` bounds the number of elementary steps. Returns the number of weighted
  /// crossings that are left.
  @discardableResult
  mutating func run(
    crossings: Int,
    resolution: Int,
    rounds: Int,
    effort: Int,
    isMovable: (Int) -> Bool = { _ in true }
  ) -> Int {
    var effort = effort
    var remaining = crossings
    for round in 0..<rounds {
      guard remaining > 0 else { return remaining }
      var saved = 0
      let layers = order.layers.indices
      for index in layers {
        let layer = round % 2 == 0 ? index : layers.count - 1 - index
        saved += sift(inLayer: layer, effort: &effort, isMovable: isMovable)
        guard effort > 0 else { return remaining - saved }
      }
      remaining -= saved
      guard saved * resolution > remaining else { return remaining }
    }
    return remaining
  }

  /// Sifts the movable vertices of one layer, and returns the number of weighted crossings saved.
  ///
  /// All other vertices keep their relative order.
  private mutating func sift(
    inLayer layer: Int,
    effort: inout Int,
    isMovable: (Int) -> Bool
  ) -> Int {
    let movable = order.layers[layer].filter(isMovable)
    guard !movable.isEmpty, order.layers[layer].count > 1 else { return 0 }
    let earlierCount = layer > 0 ? order.layers[layer - 1].count : 0
    let laterCount = layer + 1 < order.layers.count ? order.layers[layer + 1].count : 0
    let segments = order.layers[layer].reduce(0) {
      $0 + graph.earlier.degree($1) + graph.later.degree($1)
    }
    var saved = 0
    for vertex in movable {
      effort -= earlierCount + laterCount + segments
      guard effort > 0 else { break }
      fill(&earlierBalance, count: earlierCount, vertex: vertex, adjacency: graph.earlier)
      fill(&laterBalance, count: laterCount, vertex: vertex, adjacency: graph.later)
      computeGains(layer)
      let position = order.positions[vertex]
      var best = position
      var most = 0
      var sum = 0
      for index in stride(from: position - 1, through: 0, by: -1) {
        sum += gains[index]
        if sum > most {
          most = sum
          best = index
        }
      }
      sum = 0
      for index in order.layers[layer].indices.dropFirst(position + 1) {
        sum -= gains[index]
        if sum > most {
          most = sum
          best = index
        }
      }
      guard best != position else { continue }
      saved += most
      order.layers[layer].remove(at: position)
      order.layers[layer].insert(vertex, at: best)
      order.updatePositions(layer)
    }
    return saved
  }

  /// Computes the balance of a vertex at each position of a neighbouring layer.
  private func fill(_ balance: inout [Int], count: Int, vertex: Int, adjacency: Adjacency) {
    guard count > 0 else { return }
    for index in 0..<count { balance[index] = 0 }
    var total = 0
    for slot in adjacency.slots(vertex) {
      let weight = graph.weights[adjacency.pairs[slot]]
      balance[order.positions[adjacency.neighbours[slot]]] += weight
      total += weight
    }
    var above = 0
    for index in 0..<count {
      let here = balance[index]
      balance[index] = 2 * above + here - total
      above += here
    }
  }

  /// Computes ``gains`` for the vertices of a layer.
  private mutating func computeGains(_ layer: Int) {
    let vertices = order.layers[layer]
    order.positions.withUnsafeBufferPointer { positions in
      graph.weights.withUnsafeBufferPointer { weights in
        graph.earlier.withUnsafeSlots { starts, neighbours, pairs in
          for (index, vertex) in vertices.enumerated() {
            var sum = 0
            for slot in starts[vertex]..<starts[vertex + 1] {
              sum += earlierBalance[positions[neighbours[slot]]] * weights[pairs[slot]]
            }
            gains[index] = sum
          }
        }
        graph.later.withUnsafeSlots { starts, neighbours, pairs in
          for (index, vertex) in vertices.enumerated() {
            var sum = 0
            for slot in starts[vertex]..<starts[vertex + 1] {
              sum += laterBalance[positions[neighbours[slot]]] * weights[pairs[slot]]
            }
            gains[index] += sum
          }
        }
      }
    }
  }
}
