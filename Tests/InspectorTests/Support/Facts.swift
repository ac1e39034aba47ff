import ReactiveTrace
import TraceModel
import TraceReading

/// What is true of a traced program at an instant, in a form that can be compared; nil means
/// unknown.
struct Facts: Equatable {
  struct Entity: Equatable {
    var kind: EntityKind
    var site: UInt32
    var state: LifeState?
    var count: UInt64?
    var now: UInt64?
    var upstream: TraceID?
  }

  var entities: [EntityKey: Entity] = [:]
  var live: [UInt32: UInt64?] = [:]
  var subscribed: [UInt32: UInt64?] = [:]
  var timers: [UInt32: UInt64?] = [:]
  var owners: [UInt32: UInt64?] = [:]
  var events: [UInt32: UInt64?] = [:]
  var isExact = true

  /// The facts as the simulator knows them, which are true.
  init(_ trace: TraceSimulator) {
    // Owners have no rows, and are counted at their sites.
    for slot in trace.slots.values where slot.kind != .owner {
      entities[EntityKey(id: slot.id, serial: slot.serial)] = Entity(
        kind: slot.kind,
        site: slot.site,
        state: LifeState(slot.state),
        count: slot.eventCount,
        now: slot.kind == .signal ? UInt64(slot.depth) : nil,
        upstream: slot.link == .none ? nil : slot.link
      )
    }
    for site in trace.snapshot.sites.dropFirst() {
      live[site.index] = site.live
      subscribed[site.index] = site.subscribed
      timers[site.index] = site.timersArmed - site.timersEnded
      owners[site.index] = site.ownersCreated - site.ownersEnded
      events[site.index] =
        site.eventsOfReleased
        + trace.slots.values.reduce(0) {
          $0 + ($1.kind == .subscription && $1.site == site.index ? $1.eventCount : 0)
        }
    }
  }

  /// The facts according to an inspection.
  init(_ inspection: Inspection) {
    for row in inspection.subscriptions where row.state != .released {
      entities[row.key] = Entity(
        kind: .subscription,
        site: row.site,
        state: row.state,
        count: row.events,
        now: nil,
        upstream: row.downstream?.id
      )
    }
    for row in inspection.signals where row.state != .released {
      entities[row.key] = Entity(
        kind: .signal,
        site: row.site,
        state: row.state,
        count: row.subscriptionsEver,
        now: row.subscriptions,
        upstream: row.upstreams.first?.id
      )
    }
    for row in inspection.timers where row.state != .released {
      entities[row.key] = Entity(
        kind: .timer,
        site: row.site,
        state: row.state,
        count: row.fires,
        now: nil,
        upstream: row.subscription?.id
      )
    }
    for row in inspection.sites {
      live[row.id] = row.live
      subscribed[row.id] = row.subscribed
      timers[row.id] = row.timersLive
      owners[row.id] = row.ownersLive
      events[row.id] = row.events
    }
    isExact = inspection.instant.isExact
  }

  /// A sentence for each known fact that differs from the truth.
  func contradictions(to truth: Facts) -> [String] {
    var found: [String] = []
    for (key, entity) in entities {
      guard let true_ = truth.entities[key] else {
        found.append("\(key.label) is there, and is not")
        continue
      }
      func compare<Value: Equatable>(_ what: String, _ mine: Value?, _ theirs: Value?) {
        if let mine, mine != theirs {
          found.append("\(key.label): \(what) is \(mine), not \(theirs.map { "\($0)" } ?? "nil")")
        }
      }
      compare("kind", entity.kind, true_.kind)
      compare("site", entity.site, true_.site)
      compare("state", entity.state, true_.state)
      compare("count", entity.count, true_.count)
      compare("subscriptions now", entity.now, true_.now)
      compare("link", entity.upstream, true_.upstream)
    }
    if isExact {
      for key in truth.entities.keys where entities[key] == nil {
        found.append("\(key.label) is not there, and is")
      }
    }
    found += contradictions("live", live, truth.live)
    found += contradictions("subscribed", subscribed, truth.subscribed)
    found += contradictions("timers", timers, truth.timers)
    found += contradictions("owners", owners, truth.owners)
    found += contradictions("events", events, truth.events)
    return found
  }

  private func contradictions(
    _ what: String,
    _ mine: [UInt32: UInt64?],
    _ theirs: [UInt32: UInt64?]
  ) -> [String] {
    mine.compactMap { site, value in
      guard let value, let truth = theirs[site], value != truth else { return nil }
      return "site \(site): \(what) is \(value), not \(truth ?? 0)"
    }
  }

  /// Whether no fact is unknown.
  var isComplete: Bool {
    isExact && entities.values.allSatisfy { $0.state != nil && $0.count != nil }
      && live.values.allSatisfy { $0 != nil } && events.values.allSatisfy { $0 != nil }
  }
}
