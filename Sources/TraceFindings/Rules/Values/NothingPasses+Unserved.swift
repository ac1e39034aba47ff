import TraceModel
import TraceReading

extension NothingPasses {
  /// The minimum number of subscriptions of one line that ended because an input was empty.
  private static let minimumEmptied = 2

  /// Finds operators of which some subscriptions ended without a value, because one input completed
  /// without one, while others of the same line have sent values.
  static func emptied(
    except reported: Set<UInt32>,
    _ context: FindingContext
  ) -> [FindingDraft] {
    guard context.facts.hasEvents, let histories = context.histories else { return [] }
    let found = UnservedCombinations(histories, context.facts)
    return found.emptied.sorted { $0.key < $1.key }.compactMap { site, all in
      guard all.count >= minimumEmptied, !reported.contains(site), let served = found.served[site]
      else { return nil }
      return draft(emptied: all, served: served, at: site, histories, context.facts)
    }
  }

  private static func draft(
    emptied all: [UnservedCombinations.Unserved],
    served: Int,
    at site: UInt32,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let source = UnservedCombinations.places(all, histories, facts)
    let dropped = all.reduce(UInt64(0)) { $0.saturatingAdding($1.dropped) }
    let effect =
      dropped > 0
      ? "\(Words.count(dropped, "value")) of other inputs had no effect"
      : "the other inputs were cancelled"
    return UnservedCombinations.draft(
      .nothingCombined,
      all,
      at: site,
      histories,
      summary: "\(all.count) of \(row.subscribed) ended without a value: an input was empty",
      sentence:
        "\(all.count) of \(Words.count(row.subscribed, "subscription")) made here ended without a value: \(source) completed without one, "
        + "so \(effect), while \(Words.count(UInt64(served), "subscription")) of this line did send values.",
      remedy:
        "Let \(source) send a value where it has none to send (defaultIfEmpty), if those that wait below need one.",
      served: served,
      ruledOut: [
        "silence of all inputs: another one had sent a value or was still running each time",
        "an end that the program decides: the input and all that is upstream of it completed by themselves, and none of them is a subject, shared, or made by create",
      ]
    )
  }
}
