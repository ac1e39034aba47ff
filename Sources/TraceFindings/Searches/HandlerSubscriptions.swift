import TraceModel
import TraceReading

/// Root subscriptions that the handler of another root subscription has made, all by the same call.
///
/// A root subscription is made by a call to `subscribe` in the program; its handler is the closure
/// passed there.
struct HandlerSubscriptions {
  /// The subscription with the handler, by its index in the ``Histories``.
  var maker: Int
  var site: UInt32
  /// The subscriptions that the handler made, by their indices, in the order of creation.
  var members: [Int]
  /// The index of the maker's value at which each was made, counted from 0.
  var values: [Int]
  /// Whether each value of the maker replaces the previous one: the maker observes a signal that
  /// keeps one value, and nothing else.
  var isOfState: Bool
  /// The number of values that the maker has handled.
  var handled: Int

  /// The source of the maker's values, if there is only one.
  func source(_ histories: Histories) -> History {
    histories.all[histories.tree(upstreamOf: maker).last ?? maker]
  }

  private struct Key: Hashable {
    var root: UInt64
    var site: UInt32
    var chain: UInt32
  }

  /// All root subscriptions that one call in a handler made more than once.
  ///
  /// - Complexity: O(subscriptions).
  static func all(
    _ causes: CausalScan,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [HandlerSubscriptions] {
    var groups: [Key: [(place: Int, value: Int)]] = [:]
    for (serial, making) in causes.nestedCreations {
      guard let place = histories.place(of: EntityKey(id: .none, serial: serial)) else { continue }
      let one = histories.all[place]
      guard one.creation != 0, facts.site(one.site).traits.contains(.root) else { continue }
      groups[Key(root: making.root, site: one.site, chain: one.chain), default: []]
        .append((place, making.value))
    }
    return groups.compactMap { key, found in
      guard found.count > 1, let handled = causes.handled[key.root],
        let maker = histories.place(of: handled.key)
      else { return nil }
      let made = found.sorted { $0.place < $1.place }
      return HandlerSubscriptions(
        maker: maker,
        site: key.site,
        members: made.map(\.place),
        values: made.map(\.value),
        isOfState: isState(upstreamOf: maker, histories, facts),
        handled: handled.values.count
      )
    }
    .sorted { histories.all[$0.members[0]].creation < histories.all[$1.members[0]].creation }
  }

  /// Whether the only source upstream of a subscription is a signal that keeps one value.
  static func isState(
    upstreamOf root: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Bool {
    var here = root
    for _ in 0..<64 {
      let inputs = histories.inputs[here]
      let traits = facts.site(histories.all[here].site).traits
      guard inputs.count == 1 else {
        return inputs.isEmpty && traits.keepsOneValue
      }
      here = inputs[0]
    }
    return false
  }
}

extension SiteTraits {
  /// Whether a newer value replaces the previous one, and new subscribers receive the latest, as
  /// with a property.
  var keepsOneValue: Bool { contains(.hot) && (!contains(.subject) || contains(.replays)) }
}
