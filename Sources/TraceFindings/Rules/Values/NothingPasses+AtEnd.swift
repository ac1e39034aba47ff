import TraceModel
import TraceReading

extension NothingPasses {
  /// The minimum number of subscriptions of one line that forwarded nothing before the end.
  private static let minimumStarved = 2
  /// The minimum number of values that each of them received.
  private static let minimumValuesReceived: UInt64 = 12
  /// The minimum number of seconds over which these values came.
  private static let minimumStretch = 0.5
  /// If a value is forwarded within this number of seconds before the end of the input, it was
  /// forwarded because of the end.
  private static let atTheEnd = 0.005

  /// Operators that keep the latest value until there is a pause, and forwarded only the last one
  /// because their input ended, so that all earlier values had no effect.
  static func forwardedOnlyAtEnd(
    except reported: Set<UInt32>,
    _ context: FindingContext
  ) -> [FindingDraft] {
    let facts = context.facts
    func mayStarve(_ traits: SiteTraits) -> Bool {
      traits.fate == .keepsLatest && !traits.contains(.waitsForAll) && traits.inputs == .source
    }
    guard facts.hasEvents,
      facts.sites.contains(where: { mayStarve($0.traits) && $0.endedCount >= minimumStarved }),
      let histories = context.histories
    else { return [] }
    var found: [UInt32: [(stage: Int, input: Int)]] = [:]
    for (place, one) in histories.all.enumerated()
    where one.creation != 0 && one.events <= 1 && mayStarve(facts.site(one.site).traits) {
      guard !reported.contains(one.site), histories.inputs[place].count == 1,
        let input = histories.inputs[place].first
      else { continue }
      let source = histories.all[input]
      guard source.reason == .completed, let end = source.endedAt,
        source.events >= minimumValuesReceived,
        facts.seconds(from: source.firstEvent, to: source.lastEvent) >= minimumStretch,
        one.events == 0 || facts.seconds(from: min(end, one.firstEvent), to: end) < atTheEnd
      else { continue }
      found[one.site, default: []].append((place, input))
    }
    return found.sorted { $0.key < $1.key }.compactMap { site, all in
      guard all.count >= minimumStarved else { return nil }
      let row = facts.site(site)
      let values = all.reduce(UInt64(0)) { $0 + histories.all[$1.input].events }
      let times = all.map { _, input in
        facts.seconds(from: histories.all[input].firstEvent, to: histories.all[input].lastEvent)
      }.sorted()
      let source = facts.site(histories.all[all[0].input].site).place
      return FindingDraft(
        kind: .nothingPasses,
        site: site,
        summary: "\(values) values came to \(all.count) subscriptions, none passed before the end",
        sentence:
          "\(values) values came to \(all.count) subscriptions made here, to each over about "
          + "\(Duration.seconds(times[times.count / 2]).brief), and none passed before \(source) "
          + "was over: there was never a pause as long as "
          + "\(row.place) waits for.",
        remedy:
          "Use throttle or sample instead of \(row.place), which send at intervals however steadily values come.",
        evidence: Evidence(
          events: all.flatMap { [histories.all[$0.stage].creation, histories.all[$0.input].end] }
            .filter { $0 != 0 }.sorted(),
          counters: ["values that came \(values)", "subscriptions \(all.count)"]
        ),
        accusedStages: all.map {
          let stage = histories.all[$0.stage]
          return AccusedRoot(stage)
        },
        affected: all.map { histories.all[histories.root(of: $0.stage)].key },
        rank: Rank(live: values),
        restsOnRecords: true,
        ruledOut: [
          "a burst: each came over \(Duration.seconds(times.first ?? 0).brief) at least"
        ]
      )
    }
  }
}
