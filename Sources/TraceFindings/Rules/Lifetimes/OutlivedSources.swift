public import TraceModel
import TraceReading

extension FindingKind {
  /// A trigger ended the source of an operator on purpose, and an inner signal made from the
  /// source's values continues for ever.
  public static let outlivedSource = FindingKind(
    "inner-outlives-source",
    "inner signal goes on after its source",
    needsAll: true,
    evidence: [.subscribed, .ended],
    doubt:
      "Only the author of the code knows whether the inner signal is meant to continue on its own. "
      + "If it did so only once, it may be.",
    settledBy: [.time]
  )
}

/// Operators whose source was ended by a trigger, while an inner signal continues that nothing will
/// end.
///
/// A source that ends by itself is not a fault: a single value is often turned into a stream. But
/// if the program ends the source with a trigger, it means the inner signals to end, too.
enum OutlivedSources: FindingRule {
  static let kinds: [FindingKind] = [.outlivedSource]

  private struct Outlived {
    var stage: TraceSlot
    var source: History
    /// The line of the operator that ended the source by its trigger.
    var bound: UInt32
    var inners: [TraceSlot]
    var endless: TraceSite
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let mayBe = facts.sites.contains {
      $0.traits.contains(.bounding) && $0.traits.inputs == .triggers && $0.endedCount > 0
    }
    guard mayBe, let histories = context.histories else { return [] }
    var found: [UInt32: [Outlived]] = [:]
    for slot in facts.slots where slot.isLiveSubscription {
      let traits = facts.site(slot.site).traits
      guard traits.contains(.merging), traits.fate == .flattens,
        let one = outlived(slot, histories, context)
      else { continue }
      found[slot.site, default: []].append(one)
    }
    return found.keys.sorted().compactMap { site in
      found[site].map { draft(site, $0, context) }
    }
  }

  private static func outlived(
    _ slot: TraceSlot,
    _ histories: Histories,
    _ context: FindingContext
  ) -> Outlived? {
    let (facts, walk) = (context.facts, context.walk)
    guard let place = histories.place(of: slot.key), histories.all[place].creation != 0,
      let first = histories.inputs[place].first
    else { return nil }
    let source = histories.all[first]
    guard source.reason == .completed, let end = source.endedAt, facts.isSettled(end),
      let bound = bound(first, at: end, histories, facts)
    else { return nil }
    let inners = walk.upstreams(of: slot)
    guard let endless = inners.lazy.compactMap({ walk.endlessSource(upstreamOf: $0) }).first,
      !isBounded(place, histories, facts)
    else { return nil }
    return Outlived(stage: slot, source: source, bound: bound, inners: inners, endless: endless)
  }

  /// The line of the operator whose trigger ended a source; nil if the source ended otherwise.
  private static func bound(
    _ source: Int,
    at end: UInt64,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> UInt32? {
    histories.tree(upstreamOf: source, limit: 64).first { place in
      let one = histories.all[place]
      let traits = facts.site(one.site).traits
      guard traits.contains(.bounding), traits.inputs == .triggers, one.reason == .completed,
        facts.seconds(from: one.endedAt ?? 0, to: end) < 0.001
      else { return false }
      // A trigger cancels what the operator was applied to, to which it subscribes last; if that
      // ended by itself, it has completed.
      let inputs = histories.inputs[place]
      let applied = histories.source(of: one, facts)
      let bounded = inputs.first { histories.all[$0].signal == applied } ?? inputs.last
      return bounded.map { histories.all[$0].reason == .cancelled } ?? false
    }
    .map { histories.all[$0].site }
  }

  /// Whether an operator downstream will end the inner signals at some time.
  private static func isBounded(_ place: Int, _ histories: Histories, _ facts: FindingFacts) -> Bool
  {
    var here = histories.all[place].downstream
    while here >= 0 {
      let traits = facts.site(histories.all[here].site).traits
      if traits.contains(.bounding) { return true }
      if traits.contains(.merging), traits.fate == .flattens { return true }
      here = histories.all[here].downstream
    }
    return false
  }

  private static func draft(
    _ site: UInt32,
    _ all: [Outlived],
    _ context: FindingContext
  ) -> FindingDraft {
    let (facts, walk) = (context.facts, context.walk)
    let row = facts.site(site)
    let oldest = all.min { $0.stage.serial < $1.stage.serial } ?? all[0]
    let time = Duration.seconds(facts.age(oldest.source.endedAt ?? facts.now)).brief
    let bound = facts.site(oldest.bound)
    let stages = all.map(\.stage)
    let one = all.count == 1
    let inners = all.reduce(0) { $0 + $1.inners.count }
    return FindingDraft(
      kind: .outlivedSource,
      level: all.count >= 2 ? .leak : .suspect,
      site: site,
      subject: one ? oldest.stage.key : nil,
      summary: "\(all.count) go on after their source, for up to \(time)",
      sentence:
        "\(Words.count(inners, "inner signal")) \(inners == 1 ? "goes" : "go") on here after the "
        + "source, which \(bound.place) has ended, up to \(time) ago: "
        + "\(oldest.endless.place) never ends, and nothing below ends it.",
      remedy:
        "Put \(bound.name) behind \(row.place) instead of in front of it, so that it ends what that has begun as well.",
      evidence: Evidence(
        events: all.flatMap { [$0.source.creation, $0.source.end] }.filter { $0 != 0 }.sorted(),
        counters: ["live \(row.live)", "inner signals live \(inners)"]
      ),
      members: stages + all.flatMap(\.inners),
      accusedStages: stages.map { AccusedRoot($0) },
      rank: Rank(live: UInt64(all.count), age: facts.age(oldest.source.endedAt ?? facts.now)),
      upstreamChain: walk.chain(upstreamOf: site),
      restsOnRecords: true,
      explains: walk.roots(downstreamOf: stages).union(walk.sites(upstreamOf: oldest.stage)).union([
        site
      ]),
      proof: [
        "\(bound.place) has ended the source",
        "\(row.place) ends when its source and all its inner signals have ended",
        "\(oldest.endless.place), which one of them follows, never ends by itself",
        "no operator between ends it, nor one below",
      ]
    )
  }
}
