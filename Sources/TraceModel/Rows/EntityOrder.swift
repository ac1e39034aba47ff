import TraceReading

/// The entities of one kind in the order of creation.
///
/// It takes a few bytes for each entity. Rows are made one at a time (``LazyRows``), because a
/// screen shows perhaps forty of a hundred thousand.
package final class EntityOrder: Sendable {
  package let builder: InspectionBuilder
  /// Indices into the entities of the instant and, beyond their count, into those that ended
  /// recently.
  private let places: [Int32]

  /// Sorts the entities of a kind.
  ///
  /// - Complexity: O(n) for n entities that are already in the order of creation, and O(n log n)
  ///   otherwise.
  init(of kind: EntityKind, _ builder: InspectionBuilder) {
    self.builder = builder
    let entities = builder.moment.state.entities.values
    var order: [(key: EntityKey, place: Int32)] = []
    order.reserveCapacity(entities.count)
    for place in entities.indices where entities[place].kind == kind {
      order.append((entities[place].key, Int32(place)))
    }
    for (place, entity) in builder.gone.enumerated() where entity.kind == kind {
      order.append((entity.key, Int32(entities.count + place)))
    }
    order.sort { $0.key < $1.key }
    places = order.map(\.place)
  }

  package var count: Int { places.count }

  package subscript(index: Int) -> TracedEntity {
    let place = Int(places[index])
    let count = builder.moment.state.entities.count
    return place < count
      ? builder.moment.state.entities.values[place] : builder.gone[place - count]
  }

  package func key(_ index: Int) -> EntityKey { self[index].key }

  /// The index of an entity.
  ///
  /// - Complexity: O(log n).
  func index(of key: EntityKey) -> Int? { EntityKey.index(of: key, in: places.count, self.key) }

  /// The index in this order of each entity of the instant, by the place of the entity in the
  /// state; -1 for entities of other kinds.
  func indices() -> [Int32] {
    let count = builder.moment.state.entities.count
    var indices = [Int32](repeating: -1, count: count)
    for (index, place) in places.enumerated() where place < count {
      indices[Int(place)] = Int32(index)
    }
    return indices
  }
}

extension EntityKey {
  /// The index of a key among a number of keys in ascending order.
  ///
  /// - Complexity: O(log n).
  static func index(of key: EntityKey, in count: Int, _ keyAt: (Int) -> EntityKey) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if keyAt(middle) < key { low = middle + 1 } else { high = middle }
    }
    return low < count && keyAt(low) == key ? low : nil
  }
}

/// For each node of a graph, the nodes from which edges lead to it, in order.
///
/// It stores one number for each node and one for each edge.
struct AdjacencyList: Sendable {
  private let starts: [Int32]
  private let sources: [Int32]

  /// Creates the lists of a graph.
  ///
  /// - Parameters:
  ///   - count: The number of nodes.
  ///   - edges: Pairs of source and target, in the order of the source.
  init(count: Int, _ edges: [(from: Int32, to: Int32)]) {
    var starts = [Int32](repeating: 0, count: count + 1)
    for edge in edges { starts[Int(edge.to) + 1] += 1 }
    for index in 0..<count { starts[index + 1] += starts[index] }
    var next = starts
    var sources = [Int32](repeating: 0, count: edges.count)
    for edge in edges {
      sources[Int(next[Int(edge.to)])] = edge.from
      next[Int(edge.to)] += 1
    }
    self.starts = starts
    self.sources = sources
  }

  subscript(index: Int) -> ArraySlice<Int32> {
    sources[Int(starts[index])..<Int(starts[index + 1])]
  }
}
