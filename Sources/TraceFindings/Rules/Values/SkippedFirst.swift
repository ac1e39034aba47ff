import TraceModel
import TraceReading

extension LostValues {
  /// The minimum number of subscriptions of one line that dropped the first value of a source that
  /// sends none on subscribing.
  private static let minimumSkipping = 3
  /// The number of seconds within which a signal that keeps a value hands it to a new subscriber.
  private static let atOnce = 0.001

  /// First values that an operator drops although they are new.
  ///
  /// Dropping the first value is right if it reports an existing state. Here, the first value was
  /// sent some time after the subscription began.
  static func skipped(_ histories: Histories, _ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.sites.contains(where: { $0.traits.contains(.dropsFirst) && $0.subscribed > 1 })
    else { return [] }
    var found: [UInt32: [(stage: Int, source: Int)]] = [:]
    for (place, one) in histories.all.enumerated()
    where one.creation != 0 && facts.site(one.site).traits.contains(.dropsFirst) {
      guard let source = subject(upstreamOf: place, histories, facts) else { continue }
      found[one.site, default: []].append((place, source))
    }
    return found.keys.sorted().compactMap { site -> FindingDraft? in
      guard let all = found[site] else { return nil }
      // What comes to the operator may begin with a value that no subject has sent (startWith).
      let first = all.compactMap { one -> (stage: Int, source: Int, isLate: Bool)? in
        guard let input = histories.inputs[one.stage].first.map({ histories.all[$0] }),
          input.firstEvent != 0, histories.all[one.source].firstEvent != 0
        else { return nil }
        let wait = facts.seconds(from: input.createdAt, to: input.firstEvent)
        return (one.stage, one.source, wait > atOnce)
      }
      let late = first.filter(\.isLate)
      // If any of these operators received its first value at once, the operators are meant to drop
      // such values.
      let given = first.count - late.count
      guard late.count >= minimumSkipping, given == 0, let first = late.first else { return nil }
      let row = facts.site(site)
      let source = facts.site(histories.all[first.source].site)
      let times = late.map {
        let one = histories.all[$0.source]
        return facts.seconds(from: one.createdAt, to: one.firstEvent)
      }.sorted()
      return FindingDraft(
        kind: .lostValues,
        site: site,
        summary: "the first change of each of \(late.count) dropped",
        sentence:
          "Each of \(late.count) subscriptions made here has dropped the first value of \(source.place), which keeps none for later subscribers: it was sent \(Duration.seconds(times[times.count / 2]).brief) after "
          + "the subscription had begun, and so it was news, not what was there already.",
        remedy:
          "Leave \(row.place) out; it belongs behind what begins with the present value, as a property or a BehaviorSubject does.",
        evidence: Evidence(
          events: late.map { histories.all[$0.stage].creation },
          counters: ["first values dropped \(late.count)", "subscribed \(row.subscribed)"]
        ),
        accusedStages: late.map {
          let stage = histories.all[$0.stage]
          return AccusedRoot(stage)
        },
        affected: late.map { histories.all[histories.root(of: $0.stage)].key },
        rank: Rank(live: UInt64(late.count)),
        restsOnRecords: true,
        ruledOut: [
          "a value that was there before: none was given to any of \(Words.count(all.count, "subscription")) when it began"
        ]
      )
    }
  }

  /// The subject, one that keeps no values, whose values reach a stage only through operators that
  /// forward each value as it comes; nil if there is none.
  private static func subject(
    upstreamOf place: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Int? {
    for here in (histories.upstreamPath(from: place) ?? []).dropFirst() {
      let traits = facts.site(histories.all[here].site).traits
      if traits.contains(.subject) { return traits.contains(.replays) ? nil : here }
      guard traits.fate == .passes || traits.fate == .queues else { return nil }
    }
    return nil
  }
}
