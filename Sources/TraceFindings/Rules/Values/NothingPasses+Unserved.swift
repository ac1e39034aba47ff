import TraceModel
import TraceReading

extension NothingPasses {
  /// The minimum number of subscriptions of one line that ended because an input was empty.
  private static let minimumEmptied = 2

  /// Finds operators of which some subscriptions ended without a value, because one input completed
  /// without one, while others of the same line have sent values.
  static func emptied(except reported: Set<UInt32>, _ context: FindingContext) -> [FindingDraft] {
    guard context.facts.hasEvents, let found = context.unserved else { return [] }
    // Each line with the combinations of its callers that were sometimes served.
    let places = found.emptied.filter { place, all in
      all.count >= minimumEmptied && found.served[place] != nil && !reported.contains(place.site)
    }
    return Dictionary(grouping: places.keys, by: \.site).sorted { $0.key < $1.key }.map {
      site,
      callers in
      draft(
        emptied: callers.flatMap { places[$0] ?? [] }.sorted { $0.stage < $1.stage },
        served: callers.reduce(0) { $0 + (found.served[$1] ?? 0) },
        at: site,
        found,
        context.facts
      )
    }
  }

  private static func draft(
    emptied all: [UnservedCombinations.Unserved],
    served: Int,
    at site: UInt32,
    _ found: UnservedCombinations,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let source = found.places(all)
    let dropped = all.reduce(UInt64(0)) { $0.saturatingAdding($1.dropped) }
    let effect =
      dropped > 0
      ? "\(Words.count(dropped, "value")) of other inputs had no effect"
      : "another input was cancelled, or not even subscribed to"
    return found.draft(
      .nothingCombined,
      all,
      at: site,
      summary: "\(all.count) of \(row.subscribed) ended without a value: an input was empty",
      sentence:
        "\(all.count) of \(Words.count(row.subscribed, "subscription")) made here ended without a value: \(source) completed without one, "
        + "so \(effect), while \(Words.count(UInt64(served), "subscription")) of this line did send values.",
      remedy:
        "Let \(source) send a value where it has none to send (defaultIfEmpty), if those that wait below need one.",
      served: served,
      ruledOut: [
        "an end that the program decides: the input and all that is upstream of it completed by themselves, and none of them is a subject, shared, or made by create"
      ]
    )
  }
}
