import TraceModel
import TraceReading

/// Values of one input of a `merge` that an operator downstream, such as `debounce`, gave up for
/// values of another input.
extension LostValues {
  /// The minimum number of such values.
  private static let minimumReplaced = 2
  /// A value that follows another input's value within this many seconds belongs to it, as a
  /// selection that moves with each edit does.
  private static let togetherSeconds = 0.05
  /// The minimum number of seconds for which the operator holds a value.
  private static let minimumDelay = 0.02

  /// An operator that holds the latest value of several inputs.
  private struct Holder {
    var stage: Int
    var merge: Int
    var inputs: [Int]
  }

  /// The values of one input that would have passed if another input had sent nothing.
  private struct Outcome {
    var passed = 0
    /// The values that were replaced, by the line of the input that replaced them.
    var replaced: [UInt32: Int] = [:]
    var numbers: [UInt64] = []
    /// The values that another input followed at once.
    var together = 0

    var replacedCount: Int { replaced.values.reduce(0, +) }
  }

  /// The findings about such inputs, one for each line of the operator that holds the values.
  ///
  /// Inputs that only say that something has changed may replace each other. So nothing is reported
  /// unless an input has never, or hardly ever, come through.
  static func replacedInputs(_ histories: Histories, _ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard histories.isWhole, facts.sites.contains(where: { isHolder($0) }) else { return [] }
    let holders = histories.all.indices.compactMap { holder($0, histories, facts) }
    guard !holders.isEmpty else { return [] }
    let moments = EventMoments(
      of: Set(holders.flatMap { $0.inputs + [$0.stage] }),
      histories,
      facts
    )
    return holders.compactMap { draft($0, moments, histories, facts) }
  }

  private static func isHolder(_ site: TraceSite) -> Bool {
    site.traits.fate == .keepsLatest && site.traits.inputs == .source && site.timersArmed > 0
      && !site.traits.contains(.timer)
  }

  private static func holder(
    _ place: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Holder? {
    let one = histories.all[place]
    guard one.creation != 0, one.events > 0, isHolder(facts.site(one.site)) else { return nil }
    var here = place
    for _ in 0..<8 {
      guard histories.inputs[here].count == 1 else { return nil }
      here = histories.inputs[here][0]
      let traits = facts.site(histories.all[here].site).traits
      guard traits.fate == .passes else { return nil }
      if traits.contains(.merging) {
        guard traits.inputs == .partners, !traits.contains(.queuesInner),
          (2...16).contains(histories.inputs[here].count)
        else { return nil }
        return Holder(stage: place, merge: here, inputs: histories.inputs[here])
      }
    }
    return nil
  }

  /// The time for which the operator holds a value, in ticks: the time between the latest value that
  /// arrived and one that was sent.
  ///
  /// Nil if the times differ much, because the operator then does not wait for a pause, or has sent
  /// a value when its source ended.
  private static func delay(
    _ arrivals: [(moment: EventMoments.Moment, input: Int)],
    _ sent: [EventMoments.Moment],
    _ facts: FindingFacts
  ) -> UInt64? {
    let delays = sent.compactMap { one -> UInt64? in
      let count = arrivals.prefixCount { $0.moment.ticks <= one.ticks }
      return count > 0 ? one.ticks - arrivals[count - 1].moment.ticks : nil
    }
    guard let least = delays.min(), let most = delays.max(),
      case let seconds = facts.seconds(from: 0, to: least), seconds >= minimumDelay,
      facts.seconds(from: least, to: most) <= seconds * 0.5
    else { return nil }
    return least
  }

  private static func outcomes(
    of holder: Holder,
    _ moments: EventMoments,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [Int: Outcome]? {
    let arrivals = holder.inputs.flatMap { input in
      moments[input].map { (moment: $0, input: input) }
    }
    .sorted { $0.moment.number < $1.moment.number }
    guard let delay = delay(arrivals, moments[holder.stage], facts) else { return nil }
    let end = histories.all[holder.stage].endedAt ?? facts.last
    var outcomes: [Int: Outcome] = [:]
    var nextOfInput: [Int: UInt64] = [:]
    for place in arrivals.indices.reversed() {
      let (moment, input) = arrivals[place]
      let own = nextOfInput.updateValue(moment.ticks, forKey: input) ?? end
      let next = place + 1 < arrivals.count ? arrivals[place + 1] : nil
      // Times may be damaged.
      guard own >= moment.ticks, own - moment.ticks >= delay else { continue }
      guard let next, next.moment.ticks >= moment.ticks, next.moment.ticks - moment.ticks < delay
      else {
        outcomes[input, default: Outcome()].passed += 1
        continue
      }
      if facts.seconds(from: moment.ticks, to: next.moment.ticks) < togetherSeconds {
        outcomes[input, default: Outcome()].together += 1
      } else {
        let line = histories.all[next.input].site
        outcomes[input, default: Outcome()].replaced[line, default: 0] += 1
        outcomes[input]?.numbers += [moment.number, next.moment.number]
      }
    }
    return outcomes
  }

  private static func draft(
    _ holder: Holder,
    _ moments: EventMoments,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    guard let outcomes = outcomes(of: holder, moments, histories, facts) else { return nil }
    let lost = outcomes.filter { _, one in
      one.replacedCount >= minimumReplaced && one.passed * 10 <= one.replacedCount
        && one.together * 2 <= one.replacedCount
    }
    guard
      let (input, one) = lost.max(by: {
        ($0.value.replacedCount, $1.key) < ($1.value.replacedCount, $0.key)
      }),
      let other = one.replaced.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key
    else { return nil }
    let stage = histories.all[holder.stage]
    let row = facts.site(stage.site)
    let source = facts.site(histories.all[input].site).place
    let (count, all) = (one.replacedCount, one.replacedCount + one.passed)
    return FindingDraft(
      kind: .lostValues,
      // Inputs that only say that something has changed may replace each other.
      level: .info,
      site: stage.site,
      subject: stage.key,
      summary: "\(count) of \(all) values of one input replaced by those of another",
      sentence:
        "\(count) of \(Words.count(all, "value")) of \(source) that came before a pause of that input would have been sent from here, but values of "
        + "\(facts.site(other).place) replaced them: only the latest value of all inputs is kept.",
      remedy:
        "If each input matters by itself, put \(row.name) in front of \(facts.site(histories.all[holder.merge].site).place), behind \(source).",
      evidence: Evidence(
        events: one.numbers.sorted(),
        counters: ["replaced \(count)", "passed \(one.passed)"]
      ),
      accusedStages: [AccusedRoot(stage)],
      affected: [histories.all[input].key],
      rank: Rank(live: UInt64(count)),
      restsOnRecords: true,
      ruledOut: [
        "newer values of \(source) itself: the next one came later than these would have passed",
        "a value that always follows at once: the other input sent \(Duration.seconds(togetherSeconds).brief) later or more",
      ]
    )
  }
}
