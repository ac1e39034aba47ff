import TraceModel
import TraceReading

/// Values of a shared signal that later subscribers have missed.
extension LostValues {
  /// The minimum number of later subscribers of one line that got nothing, unless an operator
  /// waited for one of them.
  private static let minimumLateSubscribers = 2
  /// The minimum ratio of the time for which a later subscriber got nothing to the time after which
  /// the shared subscription had sent its first value.
  private static let waitFactor = 2.0
  /// The minimum number of seconds for which a later subscriber got nothing.
  private static let minimumWait = 0.3
  /// The maximum number of seconds between a subscription and the kept value that it receives.
  private static let atOnce = 0.001

  /// A later subscriber that got nothing.
  private struct Latecomer {
    var place: Int
    /// The shared subscription.
    var shared: Int
    /// The source of the shared subscription, which has kept a value.
    var source: Int
    /// Whether an operator that needs a value of each input waits for this one only.
    var isAwaited: Bool
  }

  /// Finds shared signals that keep no value although their source keeps one, and whose later
  /// subscribers got nothing for as long as they lived.
  ///
  /// If the source keeps no value, such as that of a button, its values may be meant only for those
  /// that are there when they are sent. So nothing is said about such a source.
  static func missed(_ histories: Histories, _ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard histories.isWhole,
      facts.sites.contains(where: { $0.traits.contains(.shares) && !$0.traits.contains(.replays) })
    else { return [] }
    // The shared subscriptions of each signal, in the order in which they began.
    var shared: [TraceID: [Int]] = [:]
    var subscribers: [Int] = []
    for (place, one) in histories.all.enumerated() {
      let traits = facts.site(one.site).traits
      guard one.creation != 0, traits.contains(.shares), !traits.contains(.replays) else {
        continue
      }
      if one.downstream < 0 {
        shared[one.signal, default: []].append(place)
      } else {
        subscribers.append(place)
      }
    }
    var others: [UInt32: Int] = [:]
    var sources: [Int: Int?] = [:]
    var found: [UInt32: [Latecomer]] = [:]
    for place in subscribers {
      let one = histories.all[place]
      // A signal has one shared subscription at a time, so only the last one can still be running.
      let earlier = shared[one.signal] ?? []
      let count = earlier.prefixCount { histories.all[$0].createdAt < one.createdAt }
      guard count > 0, case let running = earlier[count - 1],
        (histories.all[running].endedAt ?? .max) > one.createdAt,
        histories.all[running].firstEvent != 0,
        histories.all[running].firstEvent < one.createdAt
      else { continue }
      let source = sources[running] ?? keptSource(of: running, histories, facts)
      sources[running] = .some(source)
      guard let source,
        let late = latecomer(place, running, source, histories, facts)
      else {
        others[one.site, default: 0] += 1
        continue
      }
      found[one.site, default: []].append(late)
    }
    return found.sorted { $0.key < $1.key }.compactMap { site, all in
      let others = others[site] ?? 0
      guard all.count >= minimumLateSubscribers || all.contains(where: { $0.isAwaited }),
        Double(all.count) >= Double(all.count + others) * minimumShareOfSubjects
      else { return nil }
      return draft(missedBy: all, of: all.count + others, at: site, histories, facts)
    }
  }

  private static func latecomer(
    _ place: Int,
    _ shared: Int,
    _ source: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Latecomer? {
    let (one, running) = (histories.all[place], histories.all[shared])
    let path = histories.downstreamPath(from: place)
    guard one.events == 0, !one.hasFailed, let root = path.last.map({ histories.all[$0] }),
      facts.site(root.site).traits.contains(.root), root.events == 0
    else { return nil }
    let wait = facts.seconds(from: one.createdAt, to: one.endedAt ?? facts.last)
    let usual = facts.seconds(from: running.createdAt, to: running.firstEvent)
    guard wait >= max(minimumWait, usual * waitFactor) else { return nil }
    // An operator that drops a first value shows that only changes are wanted.
    let isOfChanges = path.contains {
      facts.site(histories.all[$0].site).traits.contains(.dropsFirst)
        || histories.isOnlySampledOrTriggers($0, facts)
    }
    guard !isOfChanges else { return nil }
    let isAwaited =
      facts.isSettled(one.createdAt)
      && path.dropFirst().contains { stage in
        let traits = facts.site(histories.all[stage].site).traits
        let partners = histories.inputs[stage].filter { !path.contains($0) }
        return traits.contains(.waitsForAll) && traits.inputs == .partners && !partners.isEmpty
          && partners.allSatisfy { histories.all[$0].events > 0 }
      }
    return Latecomer(place: place, shared: shared, source: source, isAwaited: isAwaited)
  }

  /// The source that has kept a value from which the first value of a shared subscription came; nil
  /// if there is none, or if that value may have come from something that was sent.
  private static func keptSource(
    of shared: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Int? {
    let first = histories.all[shared].firstEvent
    let tree = histories.tree(upstreamOf: shared, limit: 64)
    guard tree.count < 64 else { return nil }
    var kept: Int?
    for place in tree {
      let one = histories.all[place]
      let traits = facts.site(one.site).traits
      if traits.contains(.dropsFirst) { return nil }
      guard histories.inputs[place].isEmpty, traits.contains(.hot), one.createdAt <= first else {
        continue
      }
      let turns = histories.turns[one.signal] ?? []
      if turns.contains(where: { one.createdAt...first ~= $0.ticks }) { return nil }
      if kept == nil, traits.contains(.endless), one.firstEvent != 0,
        facts.seconds(from: one.createdAt, to: one.firstEvent) < atOnce
      {
        kept = place
      }
    }
    return kept
  }

  private static func draft(
    missedBy all: [Latecomer],
    of count: Int,
    at site: UInt32,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    guard let first = all.first else { return nil }
    let row = facts.site(site)
    let source = facts.site(histories.all[first.source].site)
    let stages = all.map { histories.all[$0.place] }
    let whole = Set(all.map(\.shared)).sorted().map { histories.all[$0] }
    let waits = stages.map { facts.seconds(from: $0.createdAt, to: $0.endedAt ?? facts.last) }
    let longest = Duration.seconds(waits.max() ?? 0).brief
    return FindingDraft(
      kind: .lostValues,
      // A subscriber on which nothing waits may only want to know of changes.
      level: all.contains(where: \.isAwaited) ? .suspect : .info,
      site: site,
      summary: "\(all.count) of \(count) later subscribers got nothing",
      sentence:
        "\(all.count) of \(Words.count(count, "subscriber")) that came here after the first value of the shared subscription got nothing, for up to "
        + "\(longest): \(row.place) keeps no value for those who come later, although that first value came from one that \(source.place) keeps.",
      remedy:
        "Let \(row.place) keep the latest value for those who come later, as share(replay: 1) does.",
      evidence: Evidence(
        events: (stages + whole).map(\.creation).filter { $0 != 0 }.sorted(),
        counters: ["got nothing \(all.count)", "came later \(count)"]
      ),
      members: stages.compactMap { facts.slot($0.key.id) }.filter { slot in
        stages.contains { $0.key.serial == slot.serial }
      },
      accusedStages: stages.map { AccusedRoot($0) },
      affected: stages.map(\.key),
      rank: Rank(live: UInt64(all.count)),
      restsOnRecords: true,
      ruledOut: [
        "a source whose values count only when they are sent: \(source.place) keeps one for those who come later",
        "subscribers that drop a first value: none of them does",
        "subscribers that had too little time: each was there for longer than the shared subscription had needed for its first value",
      ]
    )
  }
}
