import TraceModel
import TraceReading

/// Subscriptions whose completion handler never runs: all work that began for the source's only
/// value has ended, but the source itself never ends.
enum UnendedWork {
  /// The minimum number of such subscriptions of one line.
  private static let minimumCount = 2
  /// The minimum number of seconds without a further event.
  private static let minimumSeconds = 0.2

  private struct Wait {
    var root: Int
    /// The operator that began work for the value.
    var stage: Int
    /// The source that never ends.
    var source: UInt32
    var seconds: Double
  }

  static func found(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let lines = facts.sites.map {
      $0.traits.contains(.root) && $0.traits.contains(.handlesEnd) && $0.ended(.completed) == 0
        && $0.subscribed >= minimumCount
    }
    guard lines.contains(true), facts.hasEvents, let histories = context.histories,
      histories.isWhole
    else { return [] }
    var found: [UInt32: [Wait]] = [:]
    var others: [UInt32: Int] = [:]
    for (place, one) in histories.all.enumerated()
    where one.downstream < 0 && Int(one.site) < lines.count && lines[Int(one.site)] {
      if let wait = wait(place, histories, facts) {
        found[one.site, default: []].append(wait)
      } else {
        others[one.site, default: 0] += 1
      }
    }
    return found.keys.sorted().compactMap { site in
      guard let waits = found[site], waits.count >= minimumCount, waits.count > others[site] ?? 0
      else {
        return nil
      }
      return draft(site, waits, histories, facts)
    }
  }

  private static func wait(_ root: Int, _ histories: Histories, _ facts: FindingFacts) -> Wait? {
    let one = histories.all[root]
    let end = one.endedAt ?? facts.last
    guard one.events > 0, one.isLive || one.reason == .cancelled,
      facts.seconds(from: one.lastEvent, to: end) >= minimumSeconds
    else { return nil }
    let tree = histories.tree(upstreamOf: root, limit: 256)
    var first: (stage: Int, source: UInt32)?
    for stage in tree {
      let traits = facts.site(histories.all[stage].site).traits
      // An operator that limits the stream, by itself or by another signal, ends the subscription
      // anyway.
      if traits.contains(.bounding) { return nil }
      guard traits.fate == .flattens, histories.inputs[stage].count > 1 else { continue }
      let inputs = histories.inputs[stage].map { histories.all[$0] }
      guard inputs[0].events == 1, inputs[0].isLive || inputs[0].reason == .cancelled,
        inputs.dropFirst().allSatisfy({ $0.reason == .completed }),
        let source = histories.endlessSource(upstreamOf: histories.inputs[stage][0], facts)
      else { return nil }
      if first == nil { first = (stage, source) }
    }
    guard let first else { return nil }
    return Wait(
      root: root,
      stage: first.stage,
      source: first.source,
      seconds: facts.seconds(from: one.lastEvent, to: end)
    )
  }

  private static func draft(
    _ site: UInt32,
    _ waits: [Wait],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let stages = waits.map { histories.all[$0.stage] }
    let row = facts.site(stages[0].site)
    let source = facts.site(waits[0].source).place
    let times = waits.map(\.seconds).sorted()
    return FindingDraft(
      kind: .waitedInVain,
      site: stages[0].site,
      summary: "the end of \(waits.count) never came",
      sentence:
        "\(facts.site(site).place) is to do something at the end, but none of its "
        + "\(Words.count(waits.count, "subscription")) has ended in "
        + "\(Duration.seconds(times[times.count / 2]).brief) or more: all that \(row.place) had "
        + "begun was over, but \(source), which had sent one value, never ends.",
      remedy:
        "Put take(1) in front of \(row.place), or end what it follows with take(until:); where each value counts, do it at each value, not at the end.",
      evidence: Evidence(
        events: waits.map { histories.all[$0.root].creation }.filter { $0 != 0 }.sorted(),
        counters: ["waiting \(waits.count)"]
      ),
      accusedStages: stages.map { AccusedRoot($0) },
      affected: waits.map { histories.all[$0.root].key },
      rank: Rank(live: UInt64(waits.count), age: times.last ?? 0),
      restsOnRecords: true,
      ruledOut: [
        "work that goes on: all inner signals of it had ended",
        "values that are still to come: \(source) had sent one each time, and no more",
      ]
    )
  }
}
