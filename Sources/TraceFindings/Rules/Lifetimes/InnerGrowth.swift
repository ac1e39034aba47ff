public import TraceModel
import TraceReading

extension FindingKind {
  /// The number of inner signals of one operator keeps growing.
  public static let innerGrowth = FindingKind(
    "inner-signals-pile-up",
    "inner signals pile up",
    evidence: [.subscribed],
    doubt: "Only the author of the code knows whether so many are meant to run at once.",
    settledBy: [.marks, .time]
  )
}

/// Operators such as `flatMap` or `merge` whose inner signals keep growing in number, because they
/// do not end.
enum InnerGrowth: FindingRule {
  static let kinds: [FindingKind] = [.innerGrowth]

  /// The number of inner signals that may run at once without being examined.
  static let concurrency = 32
  /// An operator is not reported if at least this share of its inner signals have ended.
  private static let endedShare = 0.9

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let (facts, walk) = (context.facts, context.walk)
    var outers: [UInt32: [(outer: TraceSlot, inners: [TraceSlot])]] = [:]
    // A count is enough to exclude most subscriptions.
    var merging: [TraceID: Int] = [:]
    for slot in facts.slots where slot.isLiveSubscription {
      if facts.site(slot.site).traits.contains(.merging) { merging[slot.id] = 0 }
    }
    guard !merging.isEmpty else { return [] }
    for slot in facts.slots where slot.isLiveSubscription && slot.link != .none {
      if let count = merging[slot.link] { merging[slot.link] = count + 1 }
    }
    for slot in facts.slots where slot.isLiveSubscription {
      guard merging[slot.id] ?? 0 > concurrency else { continue }
      // The signal to which the operator was applied is not one of its inner signals.
      let inners = walk.inputs(of: slot).filter { $0.role != .source }.map(\.slot)
      guard inners.count > concurrency,
        Survivors(inners, since: slot.createdAt, facts).rise(atLeast: concurrency + 1)
      else { continue }
      let sites = Set(inners.map(\.site)).map { facts.site($0) }
      let begun = sites.reduce(UInt64(0)) { $0.saturatingAdding($1.subscribed) }
      let ended = sites.reduce(UInt64(0)) { $0.saturatingAdding($1.endedCount) }
      guard Double(ended) < Double(begun) * endedShare else { continue }
      outers[slot.site, default: []].append((slot, inners))
    }
    return outers.keys.sorted().compactMap { site in
      let all = outers[site] ?? []
      let worst = all.max {
        ($0.inners.count, $1.outer.serial) < ($1.inners.count, $0.outer.serial)
      }
      return worst.map { draft(site, $0.outer, $0.inners, others: all.count - 1, walk, facts) }
    }
  }

  private static func draft(
    _ site: UInt32,
    _ outer: TraceSlot,
    _ inners: [TraceSlot],
    others: Int,
    _ walk: UpstreamWalk,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let windows = Survivors(inners, since: outer.createdAt, facts)
    let sources = Set(inners.map(\.site))
    let begun = sources.reduce(UInt64(0)) { $0.saturatingAdding(facts.site($1).subscribed) }
    let ended = sources.reduce(UInt64(0)) { $0.saturatingAdding(facts.site($1).endedCount) }
    let age = inners.map { facts.age($0.createdAt) }.max() ?? 0
    let more = others > 0 ? ", as in \(Words.count(others, "more subscription")) made here" : ""
    return FindingDraft(
      kind: .innerGrowth,
      site: site,
      subject: others == 0 ? outer.key : nil,
      summary: "\(inners.count) inner signals at once, \(windows.counts.last ?? 0) of them new",
      sentence:
        "\(inners.count) inner signals run here at once\(more), and some from each quarter of the "
        + "last "
        + "\(Duration.seconds(windows.span).brief) remain: \(windows.text). Of the \(begun) that "
        + "began, \(ended) have ended.",
      remedy:
        "Let the newest replace the one before with flatMapLatest, end each with take(until:), or bound "
        + "them with flatMap(limit:) instead of \(row.place).",
      evidence: Evidence(
        events: facts.creations(of: inners),
        counters: [
          "inner signals live \(inners.count)", "of each quarter \(windows.text)",
          "begun \(begun)", "ended \(ended)",
        ]
      ),
      members: [outer] + inners,
      rank: Rank(growth: Double(windows.counts.last ?? 0), live: UInt64(inners.count), age: age),
      upstreamChain: walk.chain(upstreamOf: site),
      explains: walk.sites(upstreamOf: outer).union([site])
    )
  }
}
