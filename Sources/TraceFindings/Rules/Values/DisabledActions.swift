public import TraceModel
import TraceReading

extension FindingKind {
  /// Every execution that was asked for was refused, because an action was not enabled.
  public static let refusedExecution = FindingKind(
    "executions-refused",
    "every execution is refused",
    needsEvents: true,
    needsAll: true,
    evidence: [.subscribed],
    doubt:
      "Only the author of the code knows whether it was to be enabled by now: what it needs may have been missing while this was recorded.",
    settledBy: [.time]
  )
}

/// Actions and commands whose executions are asked for again and again, and are all refused,
/// because the condition that enables the action has not been met.
///
/// An action that refuses only while it executes, or that was enabled when it was asked, is not
/// reported, nor is one that was asked only at the beginning.
///
/// A program may ask whether or not there is anything to do, for example once a second. Therefore
/// the finding is a SUSPECT only if the signals from which the condition is made sent values while
/// the executions were refused.
enum DisabledActions: FindingRule {
  static let kinds: [FindingKind] = [.refusedExecution]

  /// The minimum number of refused executions.
  private static let minimumCount = 10
  /// The minimum number of seconds for which the action has existed.
  private static let minimumSeconds = 0.5
  /// Some executions must have been refused in each of these equal parts of that time.
  private static let partCount: UInt64 = 4

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.sites.contains(where: { $0.traits.contains(.executes) && $0.ended(.failed) > 0 }),
      let histories = context.histories, let refused = RefusedExecutions(histories, facts)
    else { return [] }
    return draft(refused, histories, facts).map { [$0] } ?? []
  }

  private static func draft(
    _ refused: RefusedExecutions,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let executions = refused.all.map { histories.all[$0] }
    let condition = histories.all[refused.condition]
    guard executions.count >= minimumCount, let first = executions.first,
      let latest = executions.last
    else { return nil }
    // The action cannot have been enabled after the only value of its condition. If there were
    // several values, it may have been, so no execution at all may have begun.
    guard condition.events == 1 || refused.begun.isEmpty,
      !refused.begun.contains(where: { histories.all[$0].createdAt <= condition.firstEvent })
    else { return nil }
    let lines = Set(executions.map(\.site))
    let asked = histories.all.filter { lines.contains($0.site) }
    guard asked.count == executions.count,
      isSpread(executions, from: condition.createdAt, to: condition.endedAt ?? facts.last, facts)
    else { return nil }
    let stage = histories.inputs[refused.condition].first ?? refused.condition
    let row = facts.site(condition.site)
    let enabler = facts.site(histories.all[stage].site).place
    let source = source(of: refused.condition, since: first.createdAt, histories)
    let places = lines.map { facts.site($0).location }.sorted()
    let time = Duration.seconds(facts.seconds(from: first.createdAt, to: latest.createdAt)).brief
    func moment(_ ticks: UInt64) -> String { Quantity.moment(facts.time(ticks)) }
    let last = moment(condition.lastEvent)
    let said =
      condition.events == 1
      ? "sent its only value at \(last)"
      : "sent \(Words.count(condition.events, "value")), the last at \(last)"
    let moved = source.flatMap { place -> String? in
      guard place != stage else { return nil }
      let one = histories.all[place]
      return
        ", although \(facts.site(one.site).place), from which that is made, sent "
        + "\(Words.count(one.events, "value")), the last at \(moment(one.lastEvent))"
    }
    // A program that asks again and again may simply have nothing to do yet: what decides about the
    // condition has to have sent a fair part of what was asked for.
    let isDriven = source.map { histories.all[$0].events * 4 >= UInt64(executions.count) } ?? false
    return FindingDraft(
      kind: .refusedExecution,
      level: isDriven ? .suspect : .info,
      site: condition.site,
      summary: "\(executions.count) asked for, all refused",
      sentence:
        "All \(executions.count) executions that were asked for at \(places.joined(separator: ", ")) within \(time) were refused, "
        + "because \(row.place) was not enabled: \(enabler), which says whether it is, \(said)\(moved ?? "").",
      remedy:
        "Find out what \(enabler) waits for before it says true (RXTRACE=level=values shows its values), "
        + "or, if no execution is to run, do not ask for one while isEnabled is false.",
      evidence: Evidence(
        events: executions.map(\.creation).sorted(),
        counters: [
          "executions refused \(executions.count)",
          "values of the condition \(condition.events)",
        ]
      ),
      accusedStages: executions.map { AccusedRoot($0) },
      affected: executions.map(\.key) + waiting(for: refused, histories),
      rank: Rank(live: UInt64(executions.count)),
      restsOnRecords: true,
      ruledOut: [
        "an execution that is running: none ran when these were asked for",
        "a few requests too early: some were refused in each quarter of the time for which \(enabler) was followed",
      ]
    )
  }

  /// Whether executions were asked for in each part of the time for which an action existed.
  private static func isSpread(
    _ executions: [History],
    from start: UInt64,
    to end: UInt64,
    _ facts: FindingFacts
  ) -> Bool {
    guard end > start, facts.seconds(from: start, to: end) >= minimumSeconds else { return false }
    let length = max(1, (end - start) / partCount)
    let parts = Set(
      executions.map { min(partCount - 1, (max(start, $0.createdAt) - start) / length) }
    )
    return parts.count == Int(partCount)
  }

  /// The subscription furthest upstream of the condition that has sent values since an instant; nil
  /// if there is none.
  private static func source(
    of condition: Int,
    since ticks: UInt64,
    _ histories: Histories
  ) -> Int? {
    histories.tree(upstreamOf: condition, limit: 64).last {
      $0 != condition && histories.all[$0].lastEvent > ticks
    }
  }

  /// The subscriptions that wait for values or failures of the executions.
  private static func waiting(
    for refused: RefusedExecutions,
    _ histories: Histories
  ) -> [EntityKey] {
    histories.all.indices.filter { place in
      let one = histories.all[place]
      return refused.parts.contains(one.signal) && one.events == 0
    }
    .map { histories.all[$0].key }
  }
}
