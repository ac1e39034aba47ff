import TraceModel
import TraceReading

extension LostValues {
  /// The minimum number of subscriptions of one line that ended before an input had sent a value.
  private static let minimumLate = 3

  /// Finds operators of which all subscriptions ended before one input had sent its first value, so
  /// that the values of the other inputs were dropped.
  static func late(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard let found = context.unserved else { return [] }
    return Dictionary(grouping: found.late.keys, by: \.site).sorted { $0.key < $1.key }.compactMap {
      site,
      callers in
      let all = callers.flatMap { found.late[$0] ?? [] }.sorted { $0.stage < $1.stage }
      // The counters also cover what happened before the records begin.
      guard all.count >= minimumLate, facts.site(site).eventsOfReleased == 0,
        !facts.slots.contains(where: {
          $0.site == site && $0.kind == .subscription && $0.eventCount > 0
        })
      else { return nil }
      return draft(late: all, at: site, found, facts)
    }
  }

  private static func draft(
    late all: [UnservedCombinations.Unserved],
    at site: UInt32,
    _ found: UnservedCombinations,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let source = found.places(all)
    let dropped = all.reduce(UInt64(0)) { $0.saturatingAdding($1.dropped) }
    return found.draft(
      .lostValues,
      all,
      at: site,
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
