public import TraceModel
import TraceReading

extension FindingKind {
  /// An execution does not end, and other executions are refused because of it.
  public static let endlessExecution = FindingKind(
    "execution-never-ends",
    "execution does not end, others are refused",
    needsAll: true,
    evidence: [.subscribed],
    doubt: "Only the author of the code knows how long its work may take: it may be about to end.",
    settledBy: [.time]
  )
}

/// Executions of an action or a command that do not end, while other executions of the same line
/// are refused.
///
/// The rule also finds inner signals that do not end, although their operator ignores values while
/// one of them runs (``IgnoredWhileBusy``).
///
/// The signal of the execution is accused: its author has to make sure that it ends.
enum EndlessExecutions: FindingRule {
  static let kinds: [FindingKind] = [.endlessExecution]

  /// The minimum number of refusals since the execution began, if its source never ends.
  private static let minimumRefusedIfEndless = 2
  /// The minimum number of refusals if its source may end, but has been silent for a long time.
  private static let minimumRefusedIfSilent = 3
  /// For an execution whose source may end, the minimum number of seconds of silence.
  private static let minimumSilence = 1.5
  /// The minimum ratio of that silence to the usual gap between values.
  private static let gapFactor = 10.0
  /// The minimum number of other executions that have ended.
  private static let minimumEnded = 2
  /// The minimum ratio of the age of the execution to the longest duration of these other
  /// executions.
  private static let longestFactor = 10.0
  /// The minimum number of seconds that the execution has run.
  private static let minimumRun = 1.0

  static func check(_ context: FindingContext) -> [FindingDraft] {
    executions(context) + IgnoredWhileBusy.found(context)
  }

  private static func executions(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let running = facts.slots.filter {
      $0.isLiveSubscription && facts.site($0.site).traits.contains(.executes)
        && facts.isSettled($0.createdAt)
    }
    guard !running.isEmpty, let histories = context.histories else { return [] }
    var refused: [UInt32: [History]] = [:]
    var ended: [UInt32: [History]] = [:]
    for (place, one) in histories.all.enumerated() where one.creation != 0 {
      guard facts.site(one.site).traits.contains(.executes) else { continue }
      if one.reason == .completed, one.events > 0 || !facts.hasEvents {
        ended[one.site, default: []].append(one)
      }
      if histories.isRefused(place) { refused[one.site, default: []].append(one) }
    }
    return running.compactMap { slot in
      draft(
        slot,
        (refused[slot.site] ?? []).filter { $0.createdAt > slot.createdAt },
        ended[slot.site] ?? [],
        context
      )
    }
    .worstOfEachLine
  }

  private static func draft(
    _ slot: TraceSlot,
    _ refused: [History],
    _ ended: [History],
    _ context: FindingContext
  ) -> FindingDraft? {
    let (facts, walk) = (context.facts, context.walk)
    let source = walk.endlessSource(upstreamOf: slot)
    let last = max(slot.lastEventAt, slot.createdAt)
    let silence = facts.seconds(from: last, to: facts.last)
    if source == nil {
      let gap = facts.usualGap(slot) ?? 0
      guard refused.count >= minimumRefusedIfSilent, silence >= max(minimumSilence, gap * gapFactor)
      else {
        return nil
      }
    }
    let age = facts.age(slot.createdAt)
    let longest =
      ended.map { facts.seconds(from: $0.createdAt, to: $0.endedAt ?? facts.last) }.max()
      ?? .infinity
    // If callers check first whether the command is enabled, nothing is refused, but the age of the
    // execution shows the fault as well.
    let isOutOfLine =
      source != nil && slot.eventCount > 0 && ended.count >= minimumEnded && age >= minimumRun
      && age >= longest * longestFactor
    guard refused.count >= minimumRefusedIfEndless || isOutOfLine else { return nil }
    let made = walk.upstreams(of: slot).first ?? slot
    let row = facts.site(made.site)
    let time = Duration.seconds(age).brief
    let why: String
    if let source {
      why =
        source.place == row.place
        ? "it never ends by itself" : "\(source.place), which it follows, never ends"
    } else {
      why = "nothing has come of it for \(Duration.seconds(silence).brief)"
    }
    let others =
      refused.count >= minimumRefusedIfEndless
      ? "\(Words.count(refused.count, "execution")) asked for there since were refused"
      : "\(Words.count(ended.count, "other execution")) asked for there ended within \(Duration.seconds(longest).brief), and its command or action is disabled meanwhile"
    return FindingDraft(
      kind: .endlessExecution,
      site: made.site,
      subject: made.key,
      summary: refused.count >= minimumRefusedIfEndless
        ? "has run for \(time), \(refused.count) refused since"
        : "has run for \(time), others ended",
      sentence:
        "The execution that was asked for at \(facts.site(slot.site).location) has run for \(time), after \(Words.count(slot.eventCount, "value")), and \(why): "
        + "\(others).",
      remedy:
        "Let \(row.place) end when its work is done (complete, take(1), a timeout), or allow "
        + "several executions at once.",
      evidence: Evidence(
        events: (facts.creations(of: [slot]) + refused.map(\.creation)).sorted(),
        counters: [
          "refused since \(refused.count)", "others ended \(ended.count)",
          "values \(slot.eventCount)",
        ]
      ),
      members: made.key == slot.key ? [slot] : [slot, made],
      affected: [slot.key] + refused.map(\.key),
      rank: Rank(live: UInt64(refused.count), age: facts.age(slot.createdAt)),
      restsOnRecords: true,
      explains: walk.sites(upstreamOf: slot).union([slot.site]),
      proof: source.map {
        [
          "\($0.place) never ends by itself", "no operator between it and the execution ends it",
          "no other is allowed as long as the execution runs",
        ]
      } ?? []
    )
  }
}
