import TraceModel
import TraceReading

/// Finds the calls to operators by which the program made the signals of accused subscriptions, and
/// the signals of the subscriptions downstream of them.
///
/// If a helper applies an operator and other code subscribes to the signal that it returns, the
/// caller of `subscribe` says nothing about who applied that operator. What an inner signal is for
/// can be seen from the call of the operator that subscribes to it, such as `flatMap`.
struct SignalMakers {
  /// A subscription on the path from an examined subscription downstream to its root subscription.
  struct Step: Hashable {
    /// The site of its operator.
    var site: UInt32
    /// The chain, or asynchronous backtrace, of the operator's call; 0 if none was captured.
    var chain: UInt32
  }

  /// The maximum number of steps on such a path, including the subscription where it starts.
  static let depth = 8
  /// The maximum number of subscriptions that are examined for each line in addition to the accused
  /// ones.
  private static let others = 256

  private struct Creation {
    var site: UInt32
    var signal: TraceID
    var downstream: TraceID
  }

  private var creations: [TraceID: Creation] = [:]
  private var chains: [TraceID: UInt32] = [:]
  /// The examined subscriptions of each line, and whether each of them is live.
  private(set) var known: [UInt32: [(key: EntityKey, isAlive: Bool)]] = [:]

  /// - Parameters:
  ///   - accused: The subscriptions that findings accuse; only those that operators made are
  ///     examined.
  ///   - facts: The facts of the same trace.
  /// - Complexity: O(slots + records).
  init(of accused: [AccusedRoot], _ facts: FindingFacts) {
    guard !accused.isEmpty, facts.hasCallers else { return }
    let sites = Set(accused.map(\.site))
    let serials = Set(accused.map(\.key.serial))
    var others: [UInt32: Int] = [:]
    /// Whether a subscription is to be examined: all accused ones of each line, and a limited
    /// number of others, the live ones first.
    func isWanted(_ key: EntityKey, _ site: UInt32) -> Bool {
      guard sites.contains(site) else { return false }
      if serials.contains(key.serial) { return true }
      others[site, default: 0] += 1
      return others[site, default: 0] <= Self.others
    }
    var downstreams: Set<TraceID> = []
    var made: Set<TraceID> = []
    for slot in facts.slots where slot.isLiveSubscription && slot.link != .none {
      guard isWanted(slot.key, slot.site) else { continue }
      known[slot.site, default: []].append((slot.key, true))
      var here = slot
      for _ in 0..<Self.depth {
        let signal = TraceID(rawValue: here.signal)
        creations[here.id] = Creation(site: here.site, signal: signal, downstream: here.link)
        made.insert(signal)
        guard let next = facts.slot(here.link), next.kind == .subscription,
          creations[next.id] == nil
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
      guard let creation = record.subscribing, creation.downstream != .none else { return }
      let key = EntityKey(id: record.entity, serial: creation.serial)
      if creations[key.id] == nil {
        if isWanted(key, creation.site) {
          known[creation.site, default: []].append((key, false))
        } else if !downstreams.contains(key.id) {
          return
        }
        creations[key.id] = Creation(
          site: creation.site,
          signal: creation.signal,
          downstream: creation.downstream
        )
      }
      downstreams.insert(creation.downstream)
      made.insert(creation.signal)
    }
    // The records are read from the last to the first, because the downstream of a subscription and
    // the signals of both were recorded before the subscription.
    _ = facts.records.lastRow(of: Self.kinds) { record in
      read(record)
      return false
    }
    for slot in facts.slots where slot.kind == .signal && slot.chain != 0 {
      if made.contains(slot.id) { chains[slot.id] = slot.chain }
    }
  }

  /// The chains of all operator calls that were found.
  var allChains: Set<UInt32> { Set(chains.values) }

  private static let kinds = RecordKinds([.subscribed, .signalMade])

  /// The step of the subscription itself, and the steps of the subscriptions downstream, nearest
  /// first.
  func steps(from subscription: TraceID) -> [Step] {
    var steps: [Step] = []
    var here = subscription
    while steps.count < Self.depth, let creation = creations[here] {
      steps.append(Step(site: creation.site, chain: chains[creation.signal] ?? 0))
      here = creation.downstream
    }
    return steps
  }
}
