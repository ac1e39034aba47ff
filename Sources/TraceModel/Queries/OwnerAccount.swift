package import TraceReading

/// An owner, such as a bag of disposables, with the number of subscriptions that it holds.
package struct OwnerAccount: Sendable, Equatable {
  package var life: AccountedLife
  /// The number of subscriptions that it holds now (`live`), and that it has ever held (`ever`).
  package var live = 0
  package var ever = 0
  /// How many of ``live`` belong to the line of code in question.
  package var ofLine = 0
}

/// The subscriptions that an owner holds or has held.
package struct Holdings: Sendable, Equatable {
  /// The subscriptions, in the order in which they were bound to the owner.
  package var rows: [Row] = []
  /// The number of further subscriptions that the owner held, but of which no record is left.
  package var missing = 0

  /// One subscription.
  package struct Row: Sendable, Equatable {
    package var life: AccountedLife
    /// Why it ended; nil for a live one, and if that is not recorded.
    package var reason: EndReason?
    /// Whether it has been bound to another owner since.
    package var hasMoved = false

    /// Whether the owner still holds it.
    package var isHeld: Bool { life.ended == nil && !hasMoved }
  }

  package var live: Int { rows.count(where: \.isHeld) }
}

/// Finds out which owner each subscription belongs to.
///
/// Each binding to an owner is recorded. If a binding is older than the oldest record, the slot of
/// the subscription (its place in the table of live entities) still names the owner while the
/// subscription is live.
package struct OwnerScan {
  private let snapshot: TraceSnapshot
  private let store: EntityStore
  private let end: Duration
  /// The owners of each subscription, in the order of binding.
  private var owners: [EntityKey: [EntityKey]] = [:]
  private var reasons: [EntityKey: EndReason] = [:]
  /// All bindings, in chronological order.
  private var bound: [(subscription: EntityStore.Life, owner: EntityStore.Life)] = []

  /// Reads all bindings.
  ///
  /// - Parameters:
  ///   - end: The end of the period examined; later records are ignored.
  ///   - store: Says which entity an identifier refers to.
  ///   - snapshot: The trace.
  /// - Complexity: O(bound subscriptions + ends + slots).
  package init(upTo end: Duration, _ store: EntityStore, _ snapshot: TraceSnapshot) {
    self.snapshot = snapshot
    self.store = store
    self.end = end
    let last = snapshot.records.count
    let ticks = snapshot.ticks(at: end)
    for slot in snapshot.slots where slot.kind == .subscription && slot.owner != 0 {
      let key = EntityKey(id: slot.id, serial: slot.serial)
      if let subscription = store.life(key) {
        note(subscription, TraceID(rawValue: slot.owner), row: max(0, last - 1))
      }
    }
    let early = bound
    bound = []
    owners = [:]
    var recorded: Set<EntityKey> = []
    snapshot.records.forEach(of: RecordKinds([.ownerBound, .ended])) { row, record in
      guard record.ticks <= ticks, let life = store.subscription(record.entity, at: row) else {
        return
      }
      if record.kind == .ended {
        reasons[life.key] = record.endReason
      } else if let owner = record.owner {
        note(life, owner, row: row)
        recorded.insert(life.key)
      }
    }
    let missed = early.filter { !recorded.contains($0.subscription.key) }
    for pair in missed { owners[pair.subscription.key] = [pair.owner.key] }
    bound = missed + bound
  }

  private mutating func note(_ subscription: EntityStore.Life, _ owner: TraceID, row: Int) {
    guard let owner = store.life(owner, at: row), owner.kind == .owner,
      snapshot.time(subscription.createdAt) <= end
    else { return }
    bound.append((subscription, owner))
    owners[subscription.key, default: []].append(owner.key)
  }

  /// The owner to which a subscription was bound last.
  package func owner(of subscription: EntityKey) -> AccountedLife? {
    guard let key = owners[subscription]?.last, let life = store.life(key) else { return nil }
    return AccountedLife(life, upTo: end, store, snapshot)
  }

  /// The subscriptions that an owner holds now, and all that it has ever held.
  package func holdings(of owner: EntityKey) -> Holdings {
    var holdings = Holdings()
    var seen: Set<EntityKey> = []
    for pair in bound
    where pair.owner.key == owner && seen.insert(pair.subscription.key).inserted {
      var row = Holdings.Row(life: AccountedLife(pair.subscription, upTo: end, store, snapshot))
      row.reason = reasons[pair.subscription.key]
      row.hasMoved = owners[pair.subscription.key]?.last != owner
      holdings.rows.append(row)
    }
    if let slot = snapshot.slots.first(where: { $0.id == owner.id && $0.serial == owner.serial }),
      snapshot.time(snapshot.lastTicks) <= end
    {
      holdings.missing = max(0, Int(clamping: slot.eventCount) - holdings.rows.count)
    }
    return holdings
  }

  /// The owners that satisfy a condition, in the order of creation.
  ///
  /// - Parameters:
  ///   - line: A line of code whose subscriptions are counted separately.
  ///   - isWanted: Which owners are wanted.
  /// - Returns: The owners that had been made by the end of the period examined.
  package func owners(
    holding line: UInt32? = nil,
    where isWanted: (OwnerAccount) -> Bool
  ) -> [OwnerAccount] {
    var found: [EntityKey: OwnerAccount] = [:]
    for life in store.all(of: .owner) where snapshot.time(life.createdAt) <= end {
      found[life.key] = OwnerAccount(life: AccountedLife(life, upTo: end, store, snapshot))
    }
    var seen: Set<EntityKey> = []
    for (subscription, _) in bound where seen.insert(subscription.key).inserted {
      let keys = owners[subscription.key] ?? []
      let isLive = store.end(subscription).map { snapshot.time($0) > end } ?? true
      for key in Set(keys) {
        found[key]?.ever += 1
        guard isLive, key == keys.last else { continue }
        found[key]?.live += 1
        if subscription.site == line { found[key]?.ofLine += 1 }
      }
    }
    return found.values.filter(isWanted).sorted { $0.life.key < $1.life.key }
  }
}
