import TraceModel
import TraceReading

/// Inner signals that do not end, although their operator ignores values while an inner signal
/// runs: a button that triggers the operator, for example, no longer does anything.
///
/// Other inner signals of the same line must have ended, so that an inner signal that is meant to
/// continue is not accused.
enum IgnoredWhileBusy {
  /// The minimum number of ignored values.
  private static let minimumIgnored = 2
  /// The minimum number of other inner signals of the line that have ended.
  private static let minimumEnded = 2
  /// The minimum number of seconds of silence.
  private static let minimumSilence = 0.5
  /// The minimum ratio of that silence to the longest run of the others.
  private static let longestFactor = 3.0

  static func found(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.hasEvents,
      facts.slots.contains(where: { $0.isLiveSubscription && dropsWhileBusy(facts.site($0.site)) }),
      let histories = context.histories
    else { return [] }
    var ended: [UInt32: [History]] = [:]
    var stages: [Int] = []
    for (place, one) in histories.all.enumerated() where dropsWhileBusy(facts.site(one.site)) {
      if one.isLive { stages.append(place) }
      ended[one.site, default: []] += histories.inputs[place].dropFirst().lazy
        .map { histories.all[$0] }.filter { $0.creation != 0 && $0.reason == .completed }
    }
    return stages.compactMap { place in
      draft(place, ended[histories.all[place].site] ?? [], histories, context)
    }
    .worstOfEachLine
  }

  private static func dropsWhileBusy(_ site: TraceSite) -> Bool {
    site.traits.contains(.merging) && site.traits.fate == .drops
  }

  private static func draft(
    _ place: Int,
    _ ended: [History],
    _ histories: Histories,
    _ context: FindingContext
  ) -> FindingDraft? {
    let facts = context.facts
    let stage = histories.all[place]
    guard ended.count >= minimumEnded, let newest = histories.inputs[place].dropFirst().last,
      histories.all[newest].isLive, let slot = facts.slot(histories.all[newest].key.id)
    else { return nil }
    let inner = histories.all[newest]
    // A value that started an inner signal was not ignored. It is one of the values counted, unless
    // the operator has sent something since, or the record of the value was overwritten.
    let began = histories.inputs[place].dropFirst()
      .count { stage.lastEvent < histories.all[$0].createdAt }
    let ignored = stage.arrivedSince - min(stage.arrivedSince, UInt64(began))
    let silence = facts.seconds(from: max(stage.lastEvent, inner.createdAt), to: facts.last)
    let longest =
      ended.map { facts.seconds(from: $0.createdAt, to: $0.endedAt ?? facts.last) }.max()
      ?? .infinity
    guard ignored >= minimumIgnored, silence >= max(minimumSilence, longest * longestFactor) else {
      return nil
    }
    let (row, operation) = (facts.site(inner.site), facts.site(stage.site))
    let source = context.walk.endlessSource(upstreamOf: slot)
    let why = source.map { "\($0.place), which it follows, never ends" } ?? "it has not ended"
    return FindingDraft(
      kind: .endlessExecution,
      site: inner.site,
      subject: inner.key,
      summary:
        "has run for \(Duration.seconds(facts.age(inner.createdAt)).brief), \(ignored) values "
        + "ignored since",
      sentence:
        "The inner signal that \(operation.place) runs has sent nothing for \(Duration.seconds(silence).brief), and \(why): \(operation.name) ignored "
        + "\(Words.count(ignored, "value")) that came meanwhile. \(Words.count(ended.count, "other")) ended within \(Duration.seconds(longest).brief).",
      remedy:
        "Let \(row.place) end on every way through it (take(1), a timeout), or use flatMapLatest, which goes on to the newest.",
      evidence: Evidence(
        events: [inner.creation, stage.creation].filter { $0 != 0 }.sorted(),
        counters: ["ignored since \(ignored)", "others ended \(ended.count)"]
      ),
      members: [slot],
      affected: [stage.key],
      rank: Rank(live: ignored, age: facts.age(inner.createdAt)),
      restsOnRecords: true,
      explains: context.walk.sites(upstreamOf: slot).union([stage.site]),
      proof: source.map {
        [
          "\($0.place) never ends by itself",
          "no operator between it and \(operation.place) ends it",
          "\(operation.name) takes no other as long as one runs",
        ]
      } ?? [],
      ruledOut: [
        "work that is meant to go on: \(Words.count(ended.count, "other")) made here ended"
      ]
    )
  }
}
