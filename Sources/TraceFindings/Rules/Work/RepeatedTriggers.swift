import TraceModel
import TraceReading

/// Work that was started again while the same work was still running, because of an event that
/// carries no information except that it happened, such as a second press of a button.
enum RepeatedTriggers {
  /// The minimum number of times that the work was started while it was running.
  private static let minimumCount = 3
  /// The minimum number of times that the work was started while it was not running.
  private static let minimumOccasions = 2
  /// Work that ended within this number of seconds before the end of the operator's subscription is
  /// taken to have ended together with the subscription.
  private static let apart = 0.005
  /// The maximum share of starts while the work was running: if the share is greater, the triggers
  /// are a continuous stream and not single presses.
  private static let maximumShareOverlapping = 0.9

  static func found(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let lines = facts.sites.contains { $0.traits.contains(.ofNothing) && $0.subscribed > 0 }
    guard lines, let histories = context.histories else { return [] }
    var found: [UInt32: [(stage: Int, again: [Int], alone: Int)]] = [:]
    for (place, one) in histories.all.enumerated()
    where facts.site(one.site).traits.contains(.ofNothing) {
      guard isSentByProgram(place, histories, facts) else { continue }
      let inners = histories.inputs[place].dropFirst().sorted {
        histories.all[$0].createdAt < histories.all[$1].createdAt
      }
      var again: [Int] = []
      var alone = 0
      var end: UInt64 = 0
      for inner in inners where histories.startsFiniteWork(inner, facts) {
        let history = histories.all[inner]
        // Work that continues until everything ends does not count.
        guard history.reason == .completed, let innerEnd = history.endedAt,
          facts.seconds(from: innerEnd, to: one.endedAt ?? facts.last) > apart
        else { continue }
        if history.createdAt < end { again.append(inner) } else { alone += 1 }
        end = max(end, innerEnd)
      }
      if !again.isEmpty { found[one.site, default: []].append((place, again, alone)) }
    }
    return found.sorted { $0.key < $1.key }.compactMap { site, all in
      let again = all.flatMap(\.again)
      let alone = all.reduce(0) { $0 + $1.alone }
      guard again.count >= minimumCount, alone >= minimumOccasions,
        Double(again.count) <= Double(again.count + alone) * maximumShareOverlapping
      else { return nil }
      let row = facts.site(site)
      return FindingDraft(
        kind: .duplicatedWork,
        site: site,
        summary: "\(again.count) begun while the same was under way",
        sentence:
          "\(again.count) of \(again.count + alone) inner signals were begun here while one before "
          + "them was still at work, and all came to their end: the values that they are made from "
          + "only say that something happened, so that each did the same once more.",
        remedy:
          "In place of \(row.place), use flatMapFirst, which lets nothing begin while the work is "
          + "under way, flatMapLatest, which begins it anew, or an Action.",
        evidence: Evidence(
          events: again.map { histories.all[$0].creation }.filter { $0 != 0 }.sorted(),
          counters: ["begun meanwhile \(again.count)", "begun alone \(alone)"]
        ),
        accusedStages: all.map {
          let stage = histories.all[$0.stage]
          return AccusedRoot(stage)
        },
        rank: Rank(live: UInt64(again.count)),
        restsOnRecords: true,
        ruledOut: [
          "a retry: each was begun while the one before went on, which came to its end, too"
        ]
      )
    }
  }

  /// Whether the program itself sends the events, rather than a timer.
  private static func isSentByProgram(
    _ place: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Bool {
    guard let source = histories.inputs[place].first,
      let origin = histories.upstreamPath(from: source)?.last
    else { return false }
    return facts.site(histories.all[origin].site).traits.contains(.subject)
  }
}
