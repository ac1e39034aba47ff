import TraceModel
import TraceReading

/// What became of one subscription, from its beginning to its end.
struct History {
  var key: EntityKey
  var site: UInt32
  var signal: TraceID
  /// The place of the one that its events go to; -1 where there is none, or it is not known.
  var below: Int = -1
  var chain: UInt32
  var born: UInt64
  /// Numbers of records; 0 where there is none.
  var birth: UInt64 = 0
  var failure: UInt64 = 0
  var end: UInt64 = 0
  /// Ticks; nil for what lives.
  var endedAt: UInt64?
  var reason: EndReason?
  /// The type of the failure that passed, by its number among the strings.
  var failureType: UInt32 = 0
  var events: UInt64 = 0
  /// Ticks of the first value; 0 where there was none, or it is not known.
  var firstEvent: UInt64 = 0
  /// The same of the last one.
  var lastEvent: UInt64 = 0
  /// Values of its inputs since it sent one itself, and when the first of these came.
  var arrivedSince: UInt64 = 0
  var arrivedFrom: UInt64 = 0

  var isLive: Bool { endedAt == nil }
  var hasFailed: Bool { failure != 0 }
}

/// What became of each subscription that records tell of, or that lives.
///
/// Only what is known to be without a gap up to the end is looked at, and of a running program the latest records.
struct Histories {
  private(set) var all: [History] = []
  /// The inputs of each, in the order of creation.
  private(set) var inputs: [[Int]] = []
  /// Signals to which values were sent while no subscription of them lived.
  private(set) var unheard: Set<TraceID> = []
  /// What signals were applied to that read other signals besides.
  private(set) var sources: [TraceID: TraceID] = [:]
  /// Values sent to each signal.
  private(set) var turns: [TraceID: [Turn]] = [:]
  /// Whether nothing that ever happened is left out.
  let isWhole: Bool
  private let places: [UInt64: Int]

  struct Turn {
    var ticks: UInt64
    var number: UInt64
  }

  private static let kinds = RecordKinds([
    .signalCreated, .subscribed, .next, .failed, .ended, .turnBegan,
  ])

  /// - Complexity: O(records + slots).
  init?(_ facts: FindingFacts) {
    guard facts.loss == nil, let exact = facts.exactFrom else { return nil }
    let count = facts.records.count
    let rows = max(0, count - DeliveryScan.limit(facts))..<count
    let from = rows.lowerBound > 0 ? max(exact, facts.records[rows.lowerBound].ticks) : exact
    isWhole = from <= facts.start
    var builder = Builder(facts, since: from)
    facts.records.forEach(of: Self.kinds, in: rows) { _, record in
      if record.ticks >= from { builder.take(record) }
    }
    builder.finish()
    all = builder.all
    unheard = builder.unheard
    sources = builder.sources
    turns = builder.turns
    inputs = [[Int]](repeating: [], count: all.count)
    var places: [UInt64: Int] = [:]
    places.reserveCapacity(all.count)
    for (place, one) in all.enumerated() {
      places[one.key.serial] = place
      if one.below >= 0 { inputs[one.below].append(place) }
    }
    self.places = places
  }

  /// Where a subscription stands; nil if nothing is told of it.
  func place(of key: EntityKey) -> Int? { places[key.serial] }

  /// The one at the end of the chain that it belongs to.
  func root(of place: Int) -> Int {
    var here = place
    var left = 512
    while all[here].below >= 0, left > 0 {
      here = all[here].below
      left -= 1
    }
    return here
  }

  /// Whether it is an execution that was refused: it failed, and no work was ever begun for it.
  func isRefused(_ place: Int) -> Bool {
    let one = all[place]
    return one.birth != 0 && one.reason == .failed && one.events == 0 && inputs[place].isEmpty
  }

  /// Whether it leads to what does something of its own for each subscriber, and comes to an end.
  func asks(_ place: Int, _ facts: FindingFacts) -> Bool {
    tree(above: place, limit: 64).contains {
      let traits = facts.site(all[$0].site).traits
      return traits.contains(.source) || traits.contains(.timer) && !traits.contains(.endless)
    }
  }

  /// Whether a failure has passed it, or what leads to it.
  func hasFailed(above place: Int) -> Bool {
    tree(above: place, limit: 32).contains { all[$0].hasFailed }
  }

  /// From itself up to the source, where there is but one way; nil where there are several.
  func way(above place: Int) -> [Int]? {
    var way = [place]
    while way.count < 512, let here = way.last, let next = inputs[here].first {
      guard inputs[here].count == 1 else { return nil }
      way.append(next)
    }
    return way
  }

  /// The line of what never ends above a subscription, where there is but one way to it and nothing on it ends what comes.
  func endlessSource(above place: Int, _ facts: FindingFacts) -> UInt32? {
    var here = place
    for _ in 0..<256 {
      let site = all[here].site
      let traits = facts.site(site).traits
      if traits.contains(.bounding) { return nil }
      if traits.contains(.endless) { return site }
      guard inputs[here].count == 1 else { return nil }
      here = inputs[here][0]
    }
    return nil
  }

  /// All that lead to it, itself first.
  func tree(above root: Int, limit: Int = 4096) -> [Int] {
    var found = [root]
    var next = 0
    while next < found.count, found.count < limit {
      found += inputs[found[next]]
      next += 1
    }
    return found
  }

  private struct Builder {
    var all: [History] = []
    var unheard: Set<TraceID> = []
    var sources: [TraceID: TraceID] = [:]
    var turns: [TraceID: [Turn]] = [:]
    private let facts: FindingFacts
    private var current: [TraceID: Int] = [:]
    private var listeners: [TraceID: Int] = [:]

    init(_ facts: FindingFacts, since start: UInt64) {
      self.facts = facts
      // Those that were there before the records.
      for slot in facts.slots where slot.isLiveSubscription && slot.createdAt < start {
        begin(
          History(
            key: slot.key,
            site: slot.site,
            signal: TraceID(rawValue: slot.signal),
            chain: slot.chain,
            born: slot.createdAt
          )
        )
      }
    }

    private mutating func begin(_ one: History) {
      current[one.key.id] = all.count
      listeners[one.signal, default: 0] += 1
      all.append(one)
    }

    mutating func take(_ record: TraceRecord) {
      switch record.kind {
      case .signalCreated:
        guard let birth = record.signalCreation, facts.site(birth.site).traits.inputs == .sampled
        else { return }
        sources[record.entity] = birth.upstream
      case .subscribed:
        guard let birth = record.subscribing else { return }
        if let place = current[record.entity] { close(place, at: record.ticks) }
        var one = History(
          key: EntityKey(id: record.entity, serial: birth.serial),
          site: birth.site,
          signal: birth.signal,
          chain: birth.chain,
          born: record.ticks
        )
        one.birth = record.number
        one.below = below(one.key, birth.downstream)
        begin(one)
      // Those of a startup would be taken for all there were.
      case .next where facts.hasEvents:
        guard let place = current[record.entity] else { return }
        all[place].events &+= 1
        all[place].arrivedSince = 0
        if all[place].firstEvent == 0 { all[place].firstEvent = record.ticks }
        all[place].lastEvent = record.ticks
        let below = all[place].below
        guard below >= 0 else { return }
        if all[below].arrivedSince == 0 { all[below].arrivedFrom = record.ticks }
        all[below].arrivedSince &+= 1
      case .failed:
        guard let place = current[record.entity] else { return }
        all[place].failure = record.number
        all[place].failureType = record.argument
      case .ended:
        guard let place = current.removeValue(forKey: record.entity) else { return }
        close(place, at: record.ticks)
        all[place].end = record.number
        all[place].reason = record.endReason
        // Where there are no records of events, the end tells that one was a failure.
        if !facts.hasEvents, record.endReason == .failed { all[place].failure = record.number }
      case .turnBegan where facts.hasEvents:
        let turn = Turn(ticks: record.ticks, number: record.number)
        turns[record.entity, default: []].append(turn)
        if listeners[record.entity] ?? 0 == 0 { unheard.insert(record.entity) }
      default: break
      }
    }

    /// The place of what a subscription leads to: that has begun before it, whatever a file claims, so that no way leads in a circle.
    private func below(_ key: EntityKey, _ downstream: TraceID) -> Int {
      guard downstream != .none, let place = current[downstream],
        all[place].key.serial < key.serial
      else { return -1 }
      return place
    }

    private mutating func close(_ place: Int, at ticks: UInt64) {
      all[place].endedAt = ticks
      let signal = all[place].signal
      listeners[signal] = max(0, (listeners[signal] ?? 0) - 1)
    }

    /// What is told of the living by their slots.
    mutating func finish() {
      var slots: [UInt64: TraceSlot] = [:]
      for slot in facts.slots where slot.kind == .subscription { slots[slot.serial] = slot }
      for place in all.indices where all[place].isLive {
        guard let slot = slots[all[place].key.serial], slot.isLiveSubscription else {
          all[place].endedAt = facts.last
          continue
        }
        all[place].events = max(all[place].events, slot.eventCount)
        if all[place].below < 0 { all[place].below = below(all[place].key, slot.link) }
      }
    }
  }
}
