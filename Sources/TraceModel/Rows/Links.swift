import TraceReading

/// The connections between the subscriptions of an instant, and the root of each: the subscription
/// made by the program's own call of `subscribe`.
package final class SubscriptionLinks: Sendable {
  package let order: EntityOrder
  /// The index of the downstream subscription of each subscription; -1 if none is known.
  let downstream: [Int32]
  /// The upstream subscriptions of each subscription.
  let upstreams: AdjacencyList
  /// The index of the root of each subscription; -1 if it is unknown, ``shared`` if there is none,
  /// because the path to it ends at a shared subscription.
  private let roots: [Int32]
  /// The number of steps from each subscription to its root.
  private let levels: [Int32]

  private static let shared: Int32 = -2

  /// Finds the connections and the roots.
  ///
  /// - Complexity: O(entities).
  init(_ order: EntityOrder) {
    self.order = order
    let entities = order.builder.moment.state.entities
    let indices = order.indices()
    var downstream = [Int32](repeating: -1, count: order.count)
    var edges: [(from: Int32, to: Int32)] = []
    edges.reserveCapacity(order.count)
    for index in 0..<order.count {
      let link = order[index].link
      guard link != .none, let place = entities.place(of: link), indices[place] >= 0 else {
        continue
      }
      downstream[index] = indices[place]
      edges.append((Int32(index), indices[place]))
    }
    self.downstream = downstream
    upstreams = AdjacencyList(count: order.count, edges)
    (roots, levels) = Self.settle(order, downstream, upstreams)
  }

  /// Finds the root and the level of each subscription.
  ///
  /// Each path downstream is followed to its end only once, and then all subscriptions on it get
  /// their results.
  private static func settle(
    _ order: EntityOrder,
    _ downstream: [Int32],
    _ upstreams: AdjacencyList
  ) -> (roots: [Int32], levels: [Int32]) {
    var roots = [Int32](repeating: -1, count: order.count)
    var levels = [Int32](repeating: 0, count: order.count)
    var isSettled = [Bool](repeating: false, count: order.count)
    for index in 0..<order.count where !isSettled[index] {
      var path: [Int] = []
      var here = index
      while true {
        path.append(here)
        isSettled[here] = true
        let next = Int(downstream[here])
        guard next >= 0, !isSettled[next] else { break }
        here = next
      }
      for here in path.reversed() {
        let entity = order[here]
        let next = Int(downstream[here])
        if next >= 0 {
          roots[here] = roots[next]
          levels[here] = levels[next] + 1
        } else if entity.link == .none, order.builder.isRoot(entity.site) {
          // If the path ends anywhere else, the root of its subscriptions is unknown.
          roots[here] = Int32(here)
        } else if entity.link == .none, order.builder.traits(entity.site).contains(.shares),
          !upstreams[here].isEmpty
        {
          roots[here] = shared
        }
      }
    }
    return (roots, levels)
  }

  /// The root of a subscription; nil if it is unknown.
  package func root(of index: Int) -> Int? { roots[index] < 0 ? nil : Int(roots[index]) }

  /// Whether the path to the root ends at the subscription that a sharing signal makes once for all
  /// of its subscribers.
  func isShared(_ index: Int) -> Bool { roots[index] == Self.shared }

  /// The number of steps from the root.
  func level(of index: Int) -> Int { Int(levels[index]) }

  /// The upstream subscriptions of a subscription, in the order of creation.
  func upstreamKeys(of index: Int) -> [EntityKey] { upstreams[index].map { order.key(Int($0)) } }

  /// The row of a subscription.
  func row(at index: Int) -> SubscriptionRow {
    SubscriptionRow(order[index], self, index)
  }
}

/// The upstreams and downstreams of signals.
final class SignalLinks: Sendable {
  let order: EntityOrder
  /// The second and further upstreams of the few signals that have them.
  private let more: [EntityKey: [TraceID]]
  private let downstreams: AdjacencyList

  /// Finds the connections.
  ///
  /// - Complexity: O(entities).
  init(_ order: EntityOrder) {
    self.order = order
    let entities = order.builder.moment.state.entities
    var more: [EntityKey: [TraceID]] = [:]
    for slot in order.builder.moment.snapshot.slots
    where slot.kind == .signal && !slot.moreUpstreams.isEmpty {
      more[EntityKey(id: slot.id, serial: slot.serial)] = slot.moreUpstreams
    }
    self.more = more
    let indices = order.indices()
    var edges: [(from: Int32, to: Int32)] = []
    for index in 0..<order.count {
      let entity = order[index]
      for id in [entity.link] + (more[entity.key] ?? []) where id != .none {
        guard let place = entities.place(of: id), indices[place] >= 0 else { continue }
        edges.append((Int32(index), indices[place]))
      }
    }
    downstreams = AdjacencyList(count: order.count, edges)
  }

  func upstreams(_ entity: TracedEntity) -> [EntityKey] {
    let first = order.builder.key(entity.link).map { [$0] } ?? []
    guard let more = more[entity.key] else { return first }
    let entities = order.builder.moment.state.entities
    return first
      + more.map { id in
        guard let place = entities.place(of: id), entities.values[place].kind == .signal else {
          return EntityKey(id: id, serial: 0)
        }
        return entities.values[place].key
      }
  }

  /// The row of a signal.
  func row(at index: Int) -> SignalRow {
    let entity = order[index]
    var row = order.builder.signal(entity)
    row.upstreams = upstreams(entity)
    row.downstreams = downstreams[index].map { order.key(Int($0)) }
    return row
  }
}
