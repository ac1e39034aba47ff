import TraceModel
import TraceReading

extension LostValues {
  /// The minimum number of subscriptions of one line that ended before an input had sent a value.
  private static let minimumLate = 3

  /// Finds operators of which all subscriptions ended before one input had sent its first value, so
  /// that the values of the other inputs were dropped.
  static func late(_ histories: Histories, _ context: FindingContext) -> [FindingDraft] {
    let found = UnservedCombinations(histories, context.facts)
    return found.late.sorted { $0.key < $1.key }.compactMap { site, all in
      guard all.count >= minimumLate, found.served[site] == nil, found.emptied[site] == nil else {
        return nil
      }
      return draft(late: all, at: site, histories, context.facts)
    }
  }

  private static func draft(
    late all: [UnservedCombinations.Unserved],
    at site: UInt32,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let source = UnservedCombinations.places(all, histories, facts)
    let dropped = all.reduce(UInt64(0)) { $0.saturatingAdding($1.dropped) }
    return UnservedCombinations.draft(
      .lostValues,
      all,
      at: site,
      histories,
      summary: "\(dropped) came before the first value of \(source)",
      sentence:
        "\(all.count) of \(Words.count(row.subscribed, "subscription")) made here ended without a value, and none has sent one: "
        + "\(Words.count(dropped, "value")) of other inputs came before \(source) had sent its first, and these inputs ended before it did.",
      remedy:
        "Give \(source) a first value (startWith, a BehaviorSubject), or use combineLatest or zip, which wait for it, instead of \(row.place).",
      served: 0,
      ruledOut: ["silence of all inputs: another one had sent a value each time"]
    )
  }
}
