import TraceModel
import TraceReading

extension NothingPasses {
  /// The minimum number of subscriptions of one line that must have waited in vain.
  private static let minimumUnpaired = 2
  /// How many times as long as the longest successful wait such a subscription must have waited.
  private static let longestFactor = 3.0
  /// The number of seconds that are added to that multiple.
  private static let maximumPause = 0.2

  /// Finds operators that need a value of each input, and of which some subscriptions got none from
  /// one input.
  ///
  /// Those subscriptions waited much longer than others of the same line, and are still waiting or
  /// were disposed of.
  static func unpaired(except reported: Set<UInt32>, _ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let lines = facts.sites.map {
      $0.traits.contains(.waitsForAll) && $0.subscribed > minimumUnpaired
    }
    guard facts.hasEvents, lines.contains(true), let histories = context.histories else {
      return []
    }
    var served: [UInt32: [Double]] = [:]
    var waiting: [Int] = []
    for (place, one) in histories.all.enumerated()
    where Int(one.site) < lines.count && lines[Int(one.site)] && one.creation != 0 {
      if one.events > 0, one.firstEvent != 0 {
        served[one.site, default: []].append(facts.seconds(from: one.createdAt, to: one.firstEvent))
      } else if one.events == 0, one.isLive || one.reason == .cancelled {
        waiting.append(place)
      }
    }
    let waitedTooLong = Set(
      waiting.filter { place in
        let one = histories.all[place]
        guard let longest = served[one.site]?.max() else { return false }
        let time = facts.seconds(from: one.createdAt, to: one.endedAt ?? facts.last)
        return time >= longest * longestFactor + maximumPause && missing(place, histories) != nil
      }
    )
    // If one waiting operator waits for another, both have the same fault, so only the one furthest
    // downstream is reported.
    let outermost = waitedTooLong.filter { place in
      var here = histories.all[place].downstream
      while here >= 0 {
        if waitedTooLong.contains(here) { return false }
        here = histories.all[here].downstream
      }
      return true
    }
    return Dictionary(grouping: outermost, by: { histories.all[$0].site })
      .filter { $0.value.count >= minimumUnpaired && !reported.contains($0.key) }
      .sorted { $0.key < $1.key }
      .map { site, places in
        draft(unpaired: places.sorted(), of: served[site] ?? [], at: site, histories, context)
      }
  }

  /// The first input that sent no value, and did not end by itself; nil if there is none, or if no
  /// input sent a value.
  private static func missing(_ place: Int, _ histories: Histories) -> Int? {
    let inputs = histories.inputs[place]
    guard inputs.contains(where: { histories.all[$0].events > 0 }) else { return nil }
    return inputs.first {
      histories.all[$0].events == 0
        && (histories.all[$0].isLive || histories.all[$0].reason == .cancelled)
    }
  }

  private static func draft(
    unpaired places: [Int],
    of served: [Double],
    at site: UInt32,
    _ histories: Histories,
    _ context: FindingContext
  ) -> FindingDraft {
    let facts = context.facts
    let row = facts.site(site)
    // The path from the operator to the silent source.
    var silent: [Int] = []
    var here = places[0]
    while let next = missing(here, histories) ?? histories.inputs[here].first, silent.count < 64 {
      silent.append(next)
      here = next
      if missing(here, histories) == nil, histories.inputs[here].count != 1 { break }
      if histories.inputs[here].contains(where: { histories.all[$0].events > 0 }),
        missing(here, histories) == nil
      {
        break
      }
    }
    let names = silent.map { facts.site(histories.all[$0].site) }
    let last = names.last?.place ?? row.place
    let way = names.dropLast().map(\.place).filter { $0 != last }
    let all = places.map { histories.all[$0] }
    let times = all.map { facts.seconds(from: $0.createdAt, to: $0.endedAt ?? facts.last) }.sorted()
    return FindingDraft(
      kind: .nothingPasses,
      site: site,
      summary: "\(all.count) of \(row.subscribed) waited in vain",
      sentence:
        "\(all.count) of \(Words.count(row.subscribed, "subscription")) made here had no value within \(Duration.seconds(times[times.count / 2]).brief), while \(served.count) "
        + "others had one within \(Duration.seconds(served.max() ?? 0).brief): \(last) sent nothing\(way.isEmpty ? "" : ", and so neither did \(way.reversed().joined(separator: ", "))"), "
        + "though another input did.",
      remedy:
        "Find out why \(last) sends nothing then; give it a first value (startWith), or let "
        + "\(row.place) give up after a while (timeout).",
      evidence: Evidence(
        events: all.map(\.creation),
        counters: ["in vain \(all.count)", "served \(served.count)"]
      ),
      accusedStages: all.map { AccusedRoot($0) },
      rank: Rank(live: UInt64(all.count)),
      restsOnRecords: true,
      ruledOut: [
        "a wait that is usual: it was more than \(Int(longestFactor)) times as long as the longest of \(served.count) others",
        "silence of all inputs: another one had sent a value each time",
      ]
    )
  }

  /// Finds operators that send only when their inputs end, and that were disposed of before they
  /// sent, because one input never ends.
  ///
  /// Skips lines at which any subscription has completed.
  static func waitingForEndlessInput(
    except reported: Set<UInt32>,
    _ context: FindingContext
  ) -> [FindingDraft] {
    let facts = context.facts
    let lines = facts.sites.map {
      $0.traits.sendsOnlyAtEnd && $0.ended(.cancelled) >= UInt64(minimumUnpaired)
        && $0.ended(.completed) == 0
    }
    guard lines.contains(true), let histories = context.histories else { return [] }
    var found: [UInt32: [(stage: Int, source: UInt32)]] = [:]
    for (place, one) in histories.all.enumerated()
    where Int(one.site) < lines.count && lines[Int(one.site)] && one.creation != 0 {
      let inputs = histories.inputs[place]
      guard one.events == 0, inputs.contains(where: { histories.all[$0].events > 0 }),
        let source = inputs.lazy.compactMap({ histories.endlessSource(upstreamOf: $0, facts) })
          .first
      else { continue }
      found[one.site, default: []].append((place, source))
    }
    return found.sorted { $0.key < $1.key }.compactMap { site, all in
      guard all.count >= minimumUnpaired, !reported.contains(site) else { return nil }
      let row = facts.site(site)
      let source = facts.site(all[0].source).place
      let stages = all.map { histories.all[$0.stage] }
      return FindingDraft(
        kind: .nothingPasses,
        site: site,
        summary: "\(all.count) of \(row.subscribed) were disposed of without a value",
        sentence:
          "\(all.count) of \(Words.count(row.subscribed, "subscription")) made here were disposed of without having sent a value: \(row.place) sends when what comes to it ends, "
          + "and \(source) never ends.",
        remedy:
          "End what comes to \(row.place) with take(1) where one value is wanted, or use combineLatest, which sends each time.",
        evidence: Evidence(
          events: stages.map(\.creation),
          counters: ["without a value \(all.count)", "subscribed \(row.subscribed)"]
        ),
        accusedStages: stages.map { AccusedRoot($0) },
        affected: stages.map(\.key),
        rank: Rank(live: UInt64(all.count)),
        restsOnRecords: true,
        proof: [
          "\(row.place) sends when its inputs end", "\(source) never ends by itself",
          "no operator between ends it",
        ]
      )
    }
  }
}
