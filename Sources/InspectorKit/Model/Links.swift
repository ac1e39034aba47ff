import ReactiveTrace

/// Fills in what rows say of each other: upstreams, roots, levels.
enum Links {
  /// Fills in what one row says of others, without the rows of those.
  static func connect(_ row: inout SubscriptionRow, _ builder: InspectionBuilder) {
    let entities = builder.moment.state.entities
    for entity in entities.values + builder.gone
    where entity.kind == .subscription && entity.link == row.key.id {
      if builder.key(entity.link) == row.key { row.upstreams.append(entity.key) }
    }
    row.upstreams.sort()
    var here = row.key
    var (level, isRoot, downstream) = (0, row.isRoot, row.downstream)
    while let next = downstream, level <= entities.count {
      guard let entity = entities[next.id], entity.kind == .subscription, entity.key == next else {
        isRoot = false
        break
      }
      level += 1
      here = next
      isRoot = builder.isRoot(entity.site)
      downstream = builder.key(entity.link)
    }
    row.level = level
    row.root = isRoot && downstream == nil ? here : nil
  }

  static func connectSignals(_ rows: inout [SignalRow], _ snapshot: TraceSnapshot) {
    var places: [TraceID: Int] = [:]
    for (place, row) in rows.enumerated() { places[row.key.id] = place }
    for slot in snapshot.slots where slot.kind == .signal && !slot.moreUpstreams.isEmpty {
      guard let place = places[slot.id], rows[place].key.serial == slot.serial else { continue }
      rows[place].upstreams += slot.moreUpstreams.map { id in
        places[id].map { rows[$0].key } ?? EntityKey(id: id, serial: 0)
      }
    }
    for place in rows.indices {
      for upstream in rows[place].upstreams {
        guard let other = places[upstream.id] else { continue }
        rows[other].downstreams.append(rows[place].key)
      }
    }
  }

  static func connectSubscriptions(_ rows: inout [SubscriptionRow]) {
    var places: [EntityKey: Int] = [:]
    places.reserveCapacity(rows.count)
    for (place, row) in rows.enumerated() { places[row.key] = place }
    for place in rows.indices {
      guard let downstream = rows[place].downstream, let other = places[downstream] else {
        continue
      }
      rows[other].upstreams.append(rows[place].key)
    }
    // A chain is followed to its end once; those on the way get their answers from it.
    var isSettled = [Bool](repeating: false, count: rows.count)
    for place in rows.indices where !isSettled[place] {
      var path: [Int] = []
      var here = place
      while true {
        path.append(here)
        isSettled[here] = true
        guard let next = rows[here].downstream.flatMap({ places[$0] }), !isSettled[next] else {
          break
        }
        here = next
      }
      settle(path, &rows, places)
    }
  }

  private static func settle(
    _ path: [Int],
    _ rows: inout [SubscriptionRow],
    _ places: [EntityKey: Int]
  ) {
    for place in path.reversed() {
      guard let downstream = rows[place].downstream else {
        // The end of a chain that is not a root is one whose root is not known.
        if rows[place].isRoot { rows[place].root = rows[place].key }
        continue
      }
      guard let next = places[downstream] else { continue }
      rows[place].root = rows[next].root
      rows[place].level = rows[next].level + 1
    }
  }
}
