/// Queries over all subscriptions; most of them create no row for each subscription.
extension Inspection {
  /// The subscriptions that belong to a root subscription, which is one that the program's own call
  /// of `subscribe` made.
  package func subscriptions(ofRoot root: EntityKey) -> [EntityKey] {
    guard let links = subscriptionLinks else {
      return subscriptions.filter { $0.root == root }.map(\.key)
    }
    guard let index = links.order.index(of: root) else { return [] }
    return (0..<links.order.count).filter { links.root(of: $0) == index }.map(links.order.key)
  }

  /// All subscriptions of the roots to which subscriptions of a line of code belong, and the
  /// subscriptions of that line whose root is not known.
  package func subscriptions(around site: UInt32) -> [EntityKey] {
    guard let links = subscriptionLinks else {
      let roots = Set(subscriptions.filter { $0.site == site }.compactMap(\.root))
      return subscriptions.filter { $0.root.map(roots.contains) ?? ($0.site == site) }.map(\.key)
    }
    let order = links.order
    var isWanted = [Bool](repeating: false, count: order.count)
    for index in 0..<order.count where order[index].site == site {
      isWanted[links.root(of: index) ?? index] = true
    }
    return (0..<order.count).filter { isWanted[links.root(of: $0) ?? $0] }.map(order.key)
  }

  /// The first subscriptions that satisfy a condition.
  package func subscriptions(where holds: (SubscriptionRow) -> Bool, limit: Int) -> [EntityKey] {
    var keys: [EntityKey] = []
    for row in subscriptionRows where holds(row) {
      if keys.count >= limit { break }
      keys.append(row.key)
    }
    return keys
  }

  /// Calls `body` for each subscription that may be live and sends events to another, with the
  /// lines of code of both.
  package func forEachFeeding(_ body: (_ from: UInt32, _ to: UInt32) -> Void) {
    guard let links = subscriptionLinks else {
      for row in subscriptions where row.state?.isLive != false {
        if let next = row.downstream.flatMap(subscription) { body(row.site, next.site) }
      }
      return
    }
    for index in 0..<links.order.count {
      let next = Int(links.downstream[index])
      let entity = links.order[index]
      if next >= 0, entity.state?.isLive != false { body(entity.site, links.order[next].site) }
    }
  }

  /// The ages of the live subscriptions of a line of code, as far as they are known.
  package func ages(ofSite site: UInt32) -> [Duration] {
    let rows = subscriptionRows
    let places = (0..<rows.count).filter { rows.site(at: $0) == site }
    guard let order = rows.order else {
      return places.map { rows[$0] }.filter { $0.state?.isLive == true }.compactMap(\.age)
    }
    // A `Moment` is so large that copying it for each subscription would take most of the time.
    let moment = order.builder.moment
    return places.compactMap { place in
      let entity = order[place]
      return entity.isLive == true ? moment.age(entity.createdAt) : nil
    }
  }
}
