import TraceModel
import TraceReading

extension NothingPasses {
  /// The minimum number of subscriptions of one line that ended because an input was empty.
  private static let minimumEmptied = 2

  /// Finds operators that need a value of each input, and of which some subscriptions ended without
  /// a value, because one input completed without one, although another had sent values.
  ///
  /// At least one other subscription of the line must have sent a value. An input does not count
  /// as empty if the program decides when it ends: if it comes from a subject, or if an operator
  /// ends it.
  static func emptied(
    except reported: Set<UInt32>,
    _ context: FindingContext
  ) -> [FindingDraft] {
    let facts = context.facts
    let lines = facts.sites.map {
      $0.traits.contains(.waitsForAll) && $0.ended(.completed) >= UInt64(minimumEmptied)
    }
    guard facts.hasEvents, lines.contains(true), let histories = context.histories else {
      return []
    }
    var served: [UInt32: Int] = [:]
    var found: [UInt32: [(stage: Int, source: Int, dropped: UInt64)]] = [:]
    for (place, one) in histories.all.enumerated()
    where Int(one.site) < lines.count && lines[Int(one.site)] && one.creation != 0 {
      if one.events > 0 {
        served[one.site, default: 0] += 1
        continue
      }
      let dropped = histories.inputs[place].reduce(UInt64(0)) {
        $0.saturatingAdding(histories.all[$1].events)
      }
      guard one.reason == .completed, dropped > 0, isValueMissing(place, histories, facts),
        let source = histories.inputs[place].lazy.compactMap({
          emptySource(of: $0, histories, facts)
        }).first
      else { continue }
      found[one.site, default: []].append((place, source, dropped))
    }
    return found.sorted { $0.key < $1.key }.compactMap { site, all in
      guard all.count >= minimumEmptied, let served = served[site], !reported.contains(site) else {
        return nil
      }
      return draft(emptied: all, served: served, at: site, histories, facts)
    }
  }

  /// The source of an input that completed by itself without a value; nil if it did not, or if the
  /// program decided when it ended.
  private static func emptySource(
    of input: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Int? {
    var here = input
    for _ in 0..<64 {
      let one = histories.all[here]
      let traits = facts.site(one.site).traits
      let inputs = histories.inputs[here]
      // An empty combination of signals is reported itself. An operator with a single input that
      // may end it, such as `first`, has not done so without a value.
      guard one.creation != 0, one.events == 0, one.reason == .completed,
        traits.isDisjoint(with: [.hot, .subject, .waitsForAll]),
        inputs.count == 1 || !traits.contains(.bounding)
      else { return nil }
      guard inputs.count == 1, histories.all[inputs[0]].events == 0 else { return here }
      here = inputs[0]
    }
    return nil
  }

  private static func draft(
    emptied all: [(stage: Int, source: Int, dropped: UInt64)],
    served: Int,
    at site: UInt32,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let stages = all.map { histories.all[$0.stage] }
    let source = facts.site(histories.all[all[0].source].site).place
    let dropped = all.reduce(UInt64(0)) { $0.saturatingAdding($1.dropped) }
    return FindingDraft(
      kind: .nothingCombined,
      site: site,
      summary: "\(all.count) of \(row.subscribed) ended without a value: an input was empty",
      sentence:
        "\(all.count) of \(Words.count(row.subscribed, "subscription")) made here ended without a value: \(source) completed without one, "
        + "so \(Words.count(dropped, "value")) of other inputs had no effect, while \(Words.count(UInt64(served), "subscription")) of this line did send values.",
      remedy:
        "Let \(source) send a value where it has none to send (defaultIfEmpty), if those that wait below need one.",
      evidence: Evidence(
        events: all.flatMap { [histories.all[$0.stage].end, histories.all[$0.source].end] }
          .filter { $0 != 0 }.sorted(),
        counters: ["without a value \(all.count)", "with values \(served)"]
      ),
      accusedStages: stages.map { AccusedRoot($0) },
      affected: stages.map(\.key),
      rank: Rank(live: UInt64(all.count)),
      restsOnRecords: true,
      ruledOut: [
        "silence of all inputs: another one had sent a value each time",
        "an end that the program decides: no subject and no operator such as take ended the input",
      ]
    )
  }
}
