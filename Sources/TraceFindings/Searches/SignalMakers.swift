import TraceModel
import TraceReading

/// The calls of the operators that made the signals of some subscriptions, and of those downstream.
///
/// The caller of `subscribe` says nothing about an operator that a helper applies, where other code
/// subscribes to what the helper returns; and for an inner signal it is the operator around it that
/// shows for whom it is.
struct SignalMakers {
  /// One subscription on the path down to the root.
  struct Step: Hashable {
    /// The site of its operator.
    var site: UInt32
    /// The chain in which the operator was called; 0 where that was not captured.
    var chain: UInt32
  }

  /// The maximum number of steps downstream.
  static let depth = 8
  /// The maximum number of other subscriptions of a line that are examined.
  private static let others = 256

  private struct Birth {
    var site: UInt32
    var signal: TraceID
    var downstream: TraceID
  }

  private var births: [TraceID: Birth] = [:]
  private var chains: [TraceID: UInt32] = [:]
  /// The subscriptions of each line that were examined, each with whether it is live.
  private(set) var known: [UInt32: [(key: EntityKey, isAlive: Bool)]] = [:]

  /// - Parameters:
  ///   - accused: Subscriptions of operators.
  ///   - facts: The facts of the same trace.
  /// - Complexity: O(slots + records).
  init(of accused: [AccusedRoot], _ facts: FindingFacts) {
    guard !accused.isEmpty, facts.hasCallers else { return }
    let sites = Set(accused.map(\.site))
    let serials = Set(accused.map(\.key.serial))
    var others: [UInt32: Int] = [:]
    /// Whether a subscription is examined: all accused ones of each line, and a limited number of
    /// others, the live ones first.
    func isWanted(_ key: EntityKey, _ site: UInt32) -> Bool {
      guard sites.contains(site) else { return false }
      if serials.contains(key.serial) { return true }
      others[site, default: 0] += 1
      return others[site, default: 0] <= Self.others
    }
    var below: Set<TraceID> = []
    var made: Set<TraceID> = []
    for slot in facts.slots where slot.isLiveSubscription && slot.link != .none {
      guard isWanted(slot.key, slot.site) else { continue }
      known[slot.site, default: []].append((slot.key, true))
      var here = slot
      for _ in 0..<Self.depth {
        let signal = TraceID(rawValue: here.signal)
        births[here.id] = Birth(site: here.site, signal: signal, downstream: here.link)
        made.insert(signal)
        guard let next = facts.slot(here.link), next.kind == .subscription, births[next.id] == nil
        else { break }
        here = next
      }
    }
    func read(_ record: TraceRecord) {
      if record.kind == .signalMade {
        if made.contains(record.entity), chains[record.entity] == nil {
          chains[record.entity] = record.argument
        }
        return
      }
      guard let birth = record.subscribing, birth.downstream != .none else { return }
      let key = EntityKey(id: record.entity, serial: birth.serial)
      if births[key.id] == nil {
        if isWanted(key, birth.site) {
          known[birth.site, default: []].append((key, false))
        } else if !below.contains(key.id) {
          return
        }
        births[key.id] = Birth(
          site: birth.site,
          signal: birth.signal,
          downstream: birth.downstream
        )
      }
      below.insert(birth.downstream)
      made.insert(birth.signal)
    }
    // Backwards, because downstream subscriptions began earlier, and so did the signals of all.
    _ = facts.records.lastRow(of: Self.kinds) { record in
      read(record)
      return false
    }
    for slot in facts.slots where slot.kind == .signal && slot.chain != 0 {
      if made.contains(slot.id) { chains[slot.id] = slot.chain }
    }
  }

  /// All chains in which an operator was called.
  var allChains: Set<UInt32> { Set(chains.values) }

  private static let kinds = RecordKinds([.subscribed, .signalMade])

  /// The subscription itself, and those downstream, the nearest first.
  func steps(from subscription: TraceID) -> [Step] {
    var steps: [Step] = []
    var here = subscription
    while steps.count < Self.depth, let birth = births[here] {
      steps.append(Step(site: birth.site, chain: chains[birth.signal] ?? 0))
      here = birth.downstream
    }
    return steps
  }
}
