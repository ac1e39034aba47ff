/// Searches for an order of the vertices in each layer with few crossings.
///
/// The search sweeps over the layers in both directions, sorts each layer by the median or mean
/// position of the neighbours in the layer that was visited before, and exchanges adjacent vertices
/// while that helps, as described by Sugiyama et al. (1981) and Gansner et al. (1993). The search
/// keeps the best order that it finds.
struct OrderSearch {
  /// The position by which a sweep sorts the vertices of a layer.
  enum Rule {
    /// The median position of the neighbours, which guarantees a bound on the crossings.
    case median
    /// The mean position of the neighbours, which often gives fewer crossings in sparse graphs.
    case mean
  }

  private let graph: LayeredGraph
  /// The current order.
  private(set) var order: LayerOrder
  /// The positions of the neighbours of each vertex in the previous and in the next layer, in
  /// ascending order, and the weights of the segments to them.
  private var earlierPositions: [Int]
  private var earlierWeights: [Int]
  private var laterPositions: [Int]
  private var laterWeights: [Int]

  /// Creates a search that starts from an order.
  init(graph: LayeredGraph, order: LayerOrder) {
    self.graph = graph
    self.order = order
    earlierPositions = [Int](repeating: 0, count: graph.earlier.neighbours.count)
    earlierWeights = earlierPositions
    laterPositions = earlierPositions
    laterWeights = earlierPositions
  }

  /// Sweeps until the crossings no longer decrease.
  ///
  /// The search makes at most `sweeps` sweeps, and stops after `failureLimit` sweeps without a
  /// notable improvement. `passes` is the maximum number of passes over a layer in which adjacent
  /// vertices are exchanged. Returns the best order and its weighted crossings, each of which
  /// counts as often as there are pairs of edges that cross in it.
  mutating func run(rule: Rule, sweeps: Int, failureLimit: Int, passes: Int) -> (LayerOrder, Int) {
    var best = order
    var least = order.crossings(of: graph)
    var failures = 0
    for sweep in 0..<max(0, sweeps) {
      guard least > 0, failures < failureLimit else { break }
      let goesForward = sweep % 2 == 0
      let flipsTies = sweep % 4 >= 2
      let layers = Array(order.layers.indices)
      for layer in goesForward ? layers : layers.reversed() {
        sort(layer, byLater: !goesForward, rule: rule, flipsTies: flipsTies)
      }
      for layer in goesForward ? layers : layers.reversed() {
        exchange(inLayer: layer, passes: passes, takesTies: flipsTies)
      }
      let crossings = order.crossings(of: graph)
      if crossings < least {
        if crossings * 200 < least * 199 { failures = 0 } else { failures += 1 }
        least = crossings
        best = order
      } else {
        failures += 1
      }
    }
    order = best
    for _ in 0..<4 {
      var hasChanged = false
      for layer in order.layers.indices
      where exchange(inLayer: layer, passes: passes, takesTies: false) {
        hasChanged = true
      }
      guard hasChanged else { break }
    }
    return (order, order.crossings(of: graph))
  }

  /// Sorts the vertices of a layer by the positions of their neighbours; vertices without
  /// neighbours keep their places.
  private mutating func sort(_ layer: Int, byLater: Bool, rule: Rule, flipsTies: Bool) {
    let adjacency = byLater ? graph.later : graph.earlier
    var moving: [(value: Double, position: Int, vertex: Int)] = []
    var places: [Int] = []
    var buffer: [Int] = []
    for (index, vertex) in order.layers[layer].enumerated() {
      let slots = adjacency.slots(vertex)
      guard !slots.isEmpty else { continue }
      let value: Double
      switch rule {
      case .mean:
        var sum = 0
        for slot in slots { sum += order.positions[adjacency.neighbours[slot]] }
        value = Double(sum) / Double(slots.count)
      case .median:
        buffer.removeAll(keepingCapacity: true)
        for slot in slots { buffer.append(order.positions[adjacency.neighbours[slot]]) }
        value = Self.weightedMedian(&buffer)
      }
      moving.append((value, flipsTies ? -index : index, vertex))
      places.append(index)
    }
    moving.sort { ($0.value, $0.position) < ($1.value, $1.position) }
    for (index, element) in zip(places, moving) {
      order.layers[layer][index] = element.vertex
    }
    order.updatePositions(layer)
  }

  /// The median, or for an even number of values, a value between the two in the middle, closer to
  /// the side on which the values are denser.
  private static func weightedMedian(_ values: inout [Int]) -> Double {
    switch values.count {
    case 1: return Double(values[0])
    case 2: return Double(values[0] + values[1]) / 2
    default: break
    }
    values.sort()
    let middle = values.count / 2
    if values.count % 2 == 1 { return Double(values[middle]) }
    let left = Double(values[middle - 1] - values[0])
    let right = Double(values[values.count - 1] - values[middle])
    guard left + right > 0 else { return Double(values[middle - 1] + values[middle]) / 2 }
    return (Double(values[middle - 1]) * right + Double(values[middle]) * left) / (left + right)
  }

  /// Exchanges adjacent vertices of a layer if that saves crossings, counted on both sides of the
  /// layer.
  ///
  /// With `takesTies`, the first pass also exchanges vertices if that makes no difference, in order
  /// to escape from a local minimum. Returns whether crossings were saved.
  @discardableResult
  private mutating func exchange(inLayer layer: Int, passes: Int, takesTies: Bool) -> Bool {
    let count = order.layers[layer].count
    guard count > 1, passes > 0 else { return false }
    for vertex in order.layers[layer] { fill(vertex) }
    var hasSaved = false
    for pass in 0..<passes {
      var hasChanged = false
      for index in 0..<(count - 1) {
        let upper = order.layers[layer][index]
        let lower = order.layers[layer][index + 1]
        let gain = gain(upper, lower)
        if gain > 0 {
          order.exchange(index, inLayer: layer)
          hasChanged = true
          hasSaved = true
        } else if gain == 0, takesTies, pass == 0 {
          order.exchange(index, inLayer: layer)
        }
      }
      guard hasChanged else { break }
    }
    return hasSaved
  }

  /// Stores the positions of the neighbours of a vertex on both sides, in ascending order.
  private mutating func fill(_ vertex: Int) {
    Self.fill(
      graph.earlier,
      vertex,
      order.positions,
      graph.weights,
      &earlierPositions,
      &earlierWeights
    )
    Self.fill(graph.later, vertex, order.positions, graph.weights, &laterPositions, &laterWeights)
  }

  /// The number of crossings that are saved if two adjacent vertices are exchanged; negative if the
  /// exchange adds crossings.
  private func gain(_ upper: Int, _ lower: Int) -> Int {
    Self.gain(
      graph.earlier.slots(upper),
      graph.earlier.slots(lower),
      earlierPositions,
      earlierWeights
    )
      + Self.gain(graph.later.slots(upper), graph.later.slots(lower), laterPositions, laterWeights)
  }

  /// Stores the positions of the neighbours of a vertex on one side, in ascending order.
  @inline(__always)
  private static func fill(
    _ adjacency: Adjacency,
    _ vertex: Int,
    _ positions: [Int],
    _ segmentWeights: [Int],
    _ sorted: inout [Int],
    _ weights: inout [Int]
  ) {
    let slots = adjacency.slots(vertex)
    if slots.count > 16 {
      let pairs = slots.map {
        (positions[adjacency.neighbours[$0]], segmentWeights[adjacency.pairs[$0]])
      }.sorted { $0 < $1 }
      for (slot, pair) in zip(slots, pairs) {
        sorted[slot] = pair.0
        weights[slot] = pair.1
      }
      return
    }
    for slot in slots {
      let position = positions[adjacency.neighbours[slot]]
      let weight = segmentWeights[adjacency.pairs[slot]]
      var hole = slot
      while hole > slots.lowerBound, sorted[hole - 1] > position {
        sorted[hole] = sorted[hole - 1]
        weights[hole] = weights[hole - 1]
        hole -= 1
      }
      sorted[hole] = position
      weights[hole] = weight
    }
  }

  /// The number of crossings on one side that are saved if two adjacent vertices are exchanged.
  @inline(__always)
  private static func gain(
    _ upper: Range<Int>,
    _ lower: Range<Int>,
    _ positions: [Int],
    _ weights: [Int]
  ) -> Int {
    guard !upper.isEmpty, !lower.isEmpty else { return 0 }
    var total = 0
    for slot in lower { total += weights[slot] }
    var gain = 0
    var next = lower.lowerBound
    var before = 0
    for slot in upper {
      let position = positions[slot]
      while next < lower.upperBound, positions[next] < position {
        before += weights[next]
        next += 1
      }
      var equal = 0
      var probe = next
      while probe < lower.upperBound, positions[probe] == position {
        equal += weights[probe]
        probe += 1
      }
      gain += weights[slot] * (before - (total - before - equal))
    }
    return gain
  }
}
