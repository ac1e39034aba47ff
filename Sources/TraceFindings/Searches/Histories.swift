import TraceModel
import TraceReading

/// What happened to one subscription, from its beginning to its end.
struct History {
  var key: EntityKey
  var site: UInt32
  var signal: TraceID
  /// The index of its downstream subscription; -1 if there is none, or if it is unknown.
  var downstream: Int = -1
  var chain: UInt32
  var createdAt: UInt64
  /// The numbers of the records of its beginning, its failure and its end; 0 if there is no record.
  var creation: UInt64 = 0
  var failure: UInt64 = 0
  var end: UInt64 = 0
  /// When it ended, in ticks, the units of the trace's clock; nil while it is live.
  var endedAt: UInt64?
  var reason: EndReason?
  /// The type of the failure that passed through it, as the number of a string.
  var failureType: UInt32 = 0
  var events: UInt64 = 0
  /// The ticks of its first value; 0 if there was none, or if it is unknown.
  var firstEvent: UInt64 = 0
  /// The ticks of its last value; 0 if there was none, or if it is unknown.
  var lastEvent: UInt64 = 0
  /// The number of values that its inputs have sent since it sent one itself, and the ticks of the
  /// first of these.
  var arrivedSince: UInt64 = 0
  var arrivedFrom: UInt64 = 0

  var isLive: Bool { endedAt == nil }
  var hasFailed: Bool { failure != 0 }
}

/// What happened to each subscription that is live or that records mention.
///
/// Only the records after the last gap are examined, and only a limited number of the latest ones.
struct Histories {
  private(set) var all: [History] = []
  /// The indices of the inputs of each subscription, in the order of creation.
  private(set) var inputs: [[Int]] = []
  /// Signals to which values were sent while they had no live subscription.
  private(set) var signalsWithoutSubscribers: Set<TraceID> = []
  /// For signals of operators that sample other signals, or that other signals trigger, the signal
  /// to which the operator was applied.
  private(set) var sources: [TraceID: TraceID] = [:]
  /// The values sent to each signal.
  private(set) var turns: [TraceID: [Turn]] = [:]
  /// Whether the histories cover everything that ever happened.
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
      if record.ticks >= from { builder.process(record) }
    }
    builder.finish()
    all = builder.all
    signalsWithoutSubscribers = builder.signalsWithoutSubscribers
    sources = builder.sources
    turns = builder.turns
    inputs = [[Int]](repeating: [], count: all.count)
    var places: [UInt64: Int] = [:]
    places.reserveCapacity(all.count)
    for (place, one) in all.enumerated() {
      places[one.key.serial] = place
      if one.downstream >= 0 { inputs[one.downstream].append(place) }
    }
    self.places = places
  }

  /// The index of a subscription; nil if nothing is known about it.
  func place(of key: EntityKey) -> Int? { places[key.serial] }

  /// The subscription at the downstream end of the chain to which a subscription belongs.
  func root(of place: Int) -> Int {
    var here = place
    var left = 512
    while all[here].downstream >= 0, left > 0 {
      here = all[here].downstream
      left -= 1
    }
    return here
  }

  /// Whether a subscription is a refused execution: it failed without a value, and no work was ever
  /// begun for it.
  func isRefused(_ place: Int) -> Bool {
    let one = all[place]
    return one.creation != 0 && one.reason == .failed && one.events == 0 && inputs[place].isEmpty
  }

  /// Whether a source upstream of a subscription does separate work for each subscriber, and may
  /// end by itself.
  func startsFiniteWork(_ place: Int, _ facts: FindingFacts) -> Bool {
    tree(upstreamOf: place, limit: 64).contains {
      let traits = facts.site(all[$0].site).traits
      return traits.contains(.source) || traits.contains(.timer) && !traits.contains(.endless)
    }
  }

  /// Whether a failure has passed through a subscription, or through a subscription upstream of it.
  func hasFailed(upstreamOf place: Int) -> Bool {
    tree(upstreamOf: place, limit: 32).contains { all[$0].hasFailed }
  }

  /// The path from the subscription up to the source; nil if there is more than one path.
  func upstreamPath(from place: Int) -> [Int]? {
    var path = [place]
    while path.count < 512, let here = path.last, let next = inputs[here].first {
      guard inputs[here].count == 1 else { return nil }
      path.append(next)
    }
    return path
  }

  /// The line of a source, upstream of a subscription, that never ends; nil unless there is only
  /// one path to the source, and no operator on the path ends the stream.
  func endlessSource(upstreamOf place: Int, _ facts: FindingFacts) -> UInt32? {
    var here = place
    for _ in 0..<256 {
      let site = all[here].site
      if facts.site(site).traits.contains(.bounding) { return nil }
      if facts.site(site).isEndless { return site }
      guard inputs[here].count == 1 else { return nil }
      here = inputs[here][0]
    }
    return nil
  }

  /// The subscription itself, followed by everything upstream of it.
  func tree(upstreamOf root: Int, limit: Int = 4096) -> [Int] {
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
    var signalsWithoutSubscribers: Set<TraceID> = []
    var sources: [TraceID: TraceID] = [:]
    var turns: [TraceID: [Turn]] = [:]
    private let facts: FindingFacts
    private var current: [TraceID: Int] = [:]
    private var listeners: [TraceID: Int] = [:]

    init(_ facts: FindingFacts, since start: UInt64) {
      self.facts = facts
      // Subscriptions that were made before `start` have no record of their beginning here.
      for slot in facts.slots where slot.isLiveSubscription && slot.createdAt < start {
        begin(
          History(
            key: slot.key,
            site: slot.site,
            signal: TraceID(rawValue: slot.signal),
            chain: slot.chain,
            createdAt: slot.createdAt
          )
        )
      }
    }

    private mutating func begin(_ one: History) {
      current[one.key.id] = all.count
      listeners[one.signal, default: 0] += 1
      all.append(one)
    }

    mutating func process(_ record: TraceRecord) {
      switch record.kind {
      case .signalCreated:
        guard let creation = record.signalCreation,
          [.sampled, .triggers].contains(facts.site(creation.site).traits.inputs)
        else { return }
        sources[record.entity] = creation.upstream
      case .subscribed:
        guard let creation = record.subscribing else { return }
        if let place = current[record.entity] { close(place, at: record.ticks) }
        var one = History(
          key: EntityKey(id: record.entity, serial: creation.serial),
          site: creation.site,
          signal: creation.signal,
          chain: creation.chain,
          createdAt: record.ticks
        )
        one.creation = record.number
        one.downstream = downstreamIndex(one.key, creation.downstream)
        begin(one)
      // If events are recorded only during startup, the values are ignored, because they would be
      // mistaken for all values.
      case .next where facts.hasEvents:
        guard let place = current[record.entity] else { return }
        all[place].events &+= 1
        all[place].arrivedSince = 0
        if all[place].firstEvent == 0 { all[place].firstEvent = record.ticks }
        all[place].lastEvent = record.ticks
        let downstream = all[place].downstream
        guard downstream >= 0 else { return }
        if all[downstream].arrivedSince == 0 { all[downstream].arrivedFrom = record.ticks }
        all[downstream].arrivedSince &+= 1
      case .failed:
        guard let place = current[record.entity] else { return }
        all[place].failure = record.number
        all[place].failureType = record.argument
      case .ended:
        guard let place = current.removeValue(forKey: record.entity) else { return }
        close(place, at: record.ticks)
        all[place].end = record.number
        all[place].reason = record.endReason
        // If events are not recorded, only the record of the end shows the failure.
        if !facts.hasEvents, record.endReason == .failed { all[place].failure = record.number }
      case .turnBegan where facts.hasEvents:
        let turn = Turn(ticks: record.ticks, number: record.number)
        turns[record.entity, default: []].append(turn)
        if listeners[record.entity] ?? 0 == 0 { signalsWithoutSubscribers.insert(record.entity) }
      default: break
      }
    }

    /// The index of the downstream subscription.
    ///
    /// Only a subscription that began earlier is accepted, so that a damaged file cannot make a
    /// path circular.
    private func downstreamIndex(_ key: EntityKey, _ downstream: TraceID) -> Int {
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

    /// Adds what the slots, the entries for live entities, show about live subscriptions.
    mutating func finish() {
      var slots: [UInt64: TraceSlot] = [:]
      for slot in facts.slots where slot.kind == .subscription { slots[slot.serial] = slot }
      for place in all.indices where all[place].isLive {
        guard let slot = slots[all[place].key.serial], slot.isLiveSubscription else {
          all[place].endedAt = facts.last
          continue
        }
        all[place].events = max(all[place].events, slot.eventCount)
        if all[place].downstream < 0 {
          all[place].downstream = downstreamIndex(all[place].key, slot.link)
        }
      }
    }
  }
}

extension Histories {
  /// The nearest subscription downstream that belongs to a line.
  func stage(downstreamOf place: Int, at site: UInt32) -> History? {
    var here = place
    while here >= 0 {
      if all[here].site == site { return all[here] }
      here = all[here].downstream
    }
    return nil
  }
}
