import TraceModel
import TraceReading

/// Values that were lost because something ended.
extension LostValues {
  /// The minimum share of inner signals that their own trigger ended as soon as they had begun.
  private static let minimumShareCutShort = 0.8
  /// The minimum number of values before the last one.
  private static let minimumSent: UInt64 = 5
  /// The minimum number of seconds of silence after the last value.
  private static let minimumSilence = 0.5
  /// The minimum ratio of that silence to the usual gap between values.
  private static let gapFactor = 5.0

  // MARK: Last values

  /// The last values before the end or before a long silence, if they were dropped by an operator
  /// that forwards only some values.
  ///
  /// An operator that is meant to forward the latest value arms a timer for it, or forwards it when
  /// the source completes.
  static func dropped(_ histories: Histories, _ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    return histories.all.indices.compactMap { place in
      let stage = histories.all[place]
      let row = facts.site(stage.site)
      guard row.traits.fate == .keepsLatest, row.traits.inputs == .source, row.timersArmed == 0,
        stage.creation != 0, stage.events > 0, stage.arrivedSince > 0,
        let input = histories.inputs[place].first.map({ histories.all[$0] }),
        input.events >= minimumSent
      else { return nil }
      let since: String
      if stage.isLive {
        guard let slot = facts.slot(input.key.id), let gap = facts.usualGap(slot) else {
          return nil
        }
        let silence = facts.age(slot.lastEventAt)
        guard silence >= max(minimumSilence, gap * gapFactor) else { return nil }
        since = "no other has come for \(Duration.seconds(silence).brief)"
      } else {
        guard stage.reason == .completed || stage.reason == .sourceGone else { return nil }
        since = "the stream has ended"
      }
      let last =
        stage.arrivedSince == 1
        ? "The last of \(input.events) values that came here was"
        : "The last \(stage.arrivedSince) of \(input.events) values that came here were"
      return FindingDraft(
        kind: .lostValues,
        site: stage.site,
        subject: stage.key,
        summary: "the last \(stage.arrivedSince) of \(input.events) dropped",
        sentence:
          "\(last) not let through, and \(since): what is shown now is older than what was sent last.",
        remedy:
          "Let \(row.place) send the latest at the end of its interval (latest: true), or use debounce.",
        evidence: Evidence(
          events: [stage.creation, stage.end].filter { $0 != 0 }.sorted(),
          counters: [
            "dropped at the end \(stage.arrivedSince)", "values that came \(input.events)",
          ]
        ),
        accusedStages: [AccusedRoot(stage)],
        affected: [stage.key],
        rank: Rank(live: stage.arrivedSince),
        restsOnRecords: true,
        ruledOut: [
          "a value that is sent at the end: \(row.place) has armed no timer for one",
          "a pause like those before: \(since)",
        ]
      )
    }
  }

  // MARK: Ended at once by a trigger

  /// Subscriptions that their own trigger ends as soon as they have begun.
  static func cutShort(_ histories: Histories, _ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    var begun: [UInt64: Int] = [:]
    var cut: [UInt64: [Int]] = [:]
    for (place, one) in histories.all.enumerated() where one.creation != 0 {
      let traits = facts.site(one.site).traits
      guard traits.contains(.bounding), traits.inputs == .triggers else { continue }
      let root = histories.all[histories.root(of: place)]
      let key = Packing.pair(high: one.site, low: root.chain)
      begun[key, default: 0] += 1
      guard let end = one.endedAt, one.events == 0, one.reason == .completed,
        facts.seconds(from: one.createdAt, to: end) < 0.001,
        histories.inputs[place].contains(where: { histories.all[$0].firstEvent != 0 }),
        !isSent(upstreamOf: place, from: one.createdAt, to: end, histories)
      else { continue }
      cut[key, default: []].append(place)
    }
    return cut.keys.sorted().compactMap { key -> FindingDraft? in
      guard let places = cut[key], places.count >= minimumCancelledInners, let all = begun[key],
        Double(places.count) >= Double(all) * minimumShareCutShort
      else { return nil }
      let row = facts.site(Packing.high(key))
      return FindingDraft(
        kind: .lostValues,
        site: Packing.high(key),
        summary: "\(places.count) of \(all) ended as soon as they began",
        sentence:
          "\(places.count) of \(all) subscriptions made here ended as soon as they had begun, without a value: their trigger has a value "
          + "for each new subscriber, so that it ends them at once.",
        remedy:
          "Leave out the value that the trigger of \(row.place) has already (skip(1)), or use flatMapLatest, which needs no trigger.",
        evidence: Evidence(
          events: places.flatMap { [histories.all[$0].creation, histories.all[$0].end] }.filter {
            $0 != 0
          }.sorted(),
          counters: ["ended at once \(places.count)", "begun \(all)"]
        ),
        accusedStages: places.map { place in
          let one = histories.all[place]
          return AccusedRoot(one)
        },
        affected: places.map { histories.all[$0].key },
        rank: Rank(live: UInt64(places.count)),
        restsOnRecords: true,
        ruledOut: [
          "a trigger that happened to come: no source sent anything while they ran",
          "now and then: \(places.count) of \(all) ended so",
        ]
      )
    }
  }

  /// Whether one of the sources sent a new value in a stretch of time, rather than only replaying a
  /// kept value to a new subscriber.
  private static func isSent(
    upstreamOf place: Int,
    from start: UInt64,
    to end: UInt64,
    _ histories: Histories
  ) -> Bool {
    histories.tree(upstreamOf: place, limit: 64).contains { place in
      (histories.turns[histories.all[place].signal] ?? []).contains { start...end ~= $0.ticks }
    }
  }
}
