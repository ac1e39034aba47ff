import TraceModel
import TraceReading

/// Subscriptions of the program's own that the handler of another one has made, by one call.
struct HandlerSubscriptions {
  /// Whose handler it is, by its place in the ``Histories``.
  var maker: Int
  var site: UInt32
  /// Their places, in the order of creation.
  var members: [Int]
  /// At which value of the maker each was made, counted from 0.
  var values: [Int]
  /// Whether each value of the maker takes the place of the one before: it follows what keeps one value, and nothing else.
  var isOfState: Bool
  /// How many values the maker has handled.
  var handled: Int

  /// What the maker's values come from, where it is one.
  func source(_ histories: Histories) -> History {
    histories.all[histories.tree(above: maker).last ?? maker]
  }

  private struct Key: Hashable {
    var root: UInt64
    var site: UInt32
    var chain: UInt32
  }

  /// All that were made more than once by one call.
  ///
  /// - Complexity: O(subscriptions).
  static func all(
    _ causes: CausalScan,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [HandlerSubscriptions] {
    var groups: [Key: [(place: Int, value: Int)]] = [:]
    for (serial, making) in causes.makings {
      guard let place = histories.place(of: EntityKey(id: .none, serial: serial)) else { continue }
      let one = histories.all[place]
      guard one.birth != 0, facts.site(one.site).traits.contains(.root) else { continue }
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
        isOfState: isState(above: maker, histories, facts),
        handled: handled.values.count
      )
    }
    .sorted { histories.all[$0.members[0]].birth < histories.all[$1.members[0]].birth }
  }

  private static func isState(
    above root: Int,
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
  /// Whether a newer value takes the place of the one before, which whoever comes is given: that of a property.
  var keepsOneValue: Bool { contains(.hot) && (!contains(.subject) || contains(.replays)) }
}
