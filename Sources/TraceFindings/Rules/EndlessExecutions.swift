public import TraceModel
import TraceReading

extension FindingKind {
  /// An execution does not end, and others are refused because of it.
  public static let endlessExecution = FindingKind(
    "execution-never-ends",
    "execution does not end, others are refused",
    needsAll: true,
    evidence: [.subscribed]
  )
}

/// Executions of an action or a command that do not end, while others of the same line are refused.
///
/// What is blamed is the signal that the execution is of: whoever made it has to see that it ends.
enum EndlessExecutions: FindingRule {
  static let kinds: [FindingKind] = [.endlessExecution]

  /// Refusals since it began, where its source never ends, and where it only has been silent for long.
  private static let fewRefused = 2
  private static let manyRefused = 3
  /// Seconds of silence of one that may end, and how many times the usual gap they must be.
  private static let shortestSilence = 1.5
  private static let timesTheGap = 10.0

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let running = facts.slots.filter {
      $0.isLiveSubscription && facts.site($0.site).traits.contains(.executes)
        && facts.isSettled($0.createdAt)
    }
    guard !running.isEmpty, let histories = context.histories else { return [] }
    var refused: [UInt32: [History]] = [:]
    for (place, one) in histories.all.enumerated() where one.birth != 0 && one.reason == .failed {
      guard facts.site(one.site).traits.contains(.executes), one.events == 0,
        histories.inputs[place].isEmpty,
        facts.seconds(from: one.born, to: one.endedAt ?? .max) < 0.001
      else { continue }
      refused[one.site, default: []].append(one)
    }
    return running.compactMap { slot in
      draft(slot, (refused[slot.site] ?? []).filter { $0.born > slot.createdAt }, context)
    }
    .worstOfEachLine
  }

  private static func draft(
    _ slot: TraceSlot,
    _ refused: [History],
    _ context: FindingContext
  ) -> FindingDraft? {
    let (facts, walk) = (context.facts, context.walk)
    let source = walk.endlessSource(above: slot)
    let last = max(slot.lastEventAt, slot.createdAt)
    let silence = facts.seconds(from: last, to: facts.last)
    if source == nil {
      let gap = facts.usualGap(slot) ?? 0
      guard refused.count >= manyRefused, silence >= max(shortestSilence, gap * timesTheGap) else {
        return nil
      }
    }
    guard refused.count >= fewRefused else { return nil }
    let made = walk.upstreams(of: slot).first ?? slot
    let row = facts.site(made.site)
    let time = Duration.seconds(facts.age(slot.createdAt)).brief
    let why: String
    if let source {
      why =
        source.place == row.place
        ? "it never ends by itself" : "\(source.place), which it follows, never ends"
    } else {
      why = "nothing has come of it for \(Duration.seconds(silence).brief)"
    }
    return FindingDraft(
      kind: .endlessExecution,
      site: made.site,
      subject: made.key,
      summary: "runs for \(time), \(refused.count) refused since",
      sentence:
        "The execution that was asked for at \(facts.site(slot.site).location) has run for \(time), after \(Words.count(slot.eventCount, "value")), and \(why): "
        + "\(Words.count(refused.count, "execution")) asked for there since \(refused.count == 1 ? "was" : "were") refused.",
      remedy:
        "Let \(row.place) end when its work is done (complete, take(1), a timeout), or allow executions beside each other.",
      evidence: Evidence(
        events: (facts.births(of: [slot]) + refused.map(\.birth)).sorted(),
        counters: ["refused since \(refused.count)", "values \(slot.eventCount)"]
      ),
      members: made.key == slot.key ? [slot] : [slot, made],
      rank: Rank(live: UInt64(refused.count), age: facts.age(slot.createdAt)),
      restsOnRecords: true,
      explains: walk.sites(above: slot).union([slot.site]),
      proof: source.map {
        [
          "\($0.place) never ends by itself", "no operator between it and the execution ends it",
          "others are refused as long as the execution runs",
        ]
      } ?? []
    )
  }
}
