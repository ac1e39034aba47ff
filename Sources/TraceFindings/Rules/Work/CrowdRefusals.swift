public import TraceModel
import TraceReading

extension FindingKind {
  /// Work that an operator starts is refused while much other work is running, and only then.
  public static let crowdRefusal = FindingKind(
    "refused-in-a-crowd",
    "refused where many run at once",
    needsAll: true,
    evidence: [.subscribed, .failed, .ended],
    doubt: "Only the author of the code knows whether what is refused is tried again elsewhere."
  )
}

/// Operators that do not limit concurrent inner signals, although there seems to be a limit to how
/// much work is accepted at a time, for example by a server.
///
/// Inner signals that begin while many others are running fail, or complete almost immediately;
/// inner signals that begin while few are running do neither.
enum CrowdRefusals: FindingRule {
  static let kinds: [FindingKind] = [.crowdRefusal]

  /// The minimum number of refused inner signals, and of other inner signals.
  private static let minimumCount = 5
  /// The minimum share of inner signals whose refusal is predicted correctly by the number of
  /// others that were running when they began.
  private static let share = 0.95
  /// The minimum number of occasions on which inner signals were refused, unless all refused ones
  /// failed.
  private static let minimumOccasions = 2
  /// The minimum duration, in seconds, of the inner signals from which the typical duration is
  /// determined.
  private static let work = 0.005
  /// An inner signal that does not fail counts as refused if it lasts less than this share of the
  /// typical (median) duration.
  private static let maximumShareOfRefusedTime = 0.1

  private struct Inner {
    var place: Int
    /// The number of other inner signals that were running when it began, and that did not fail.
    var running: Int
    var seconds: Double
    var hasFailed: Bool
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    func mayRunManyInners(_ traits: SiteTraits) -> Bool {
      traits.contains(.merging) && traits.fate == .flattens && !traits.contains(.queuesInner)
    }
    guard facts.sites.contains(where: { mayRunManyInners($0.traits) }),
      let histories = context.histories
    else { return [] }
    var worst: [UInt32: FindingDraft] = [:]
    for (place, one) in histories.all.enumerated()
    where mayRunManyInners(facts.site(one.site).traits)
      && histories.inputs[place].count > 2 * minimumCount
    {
      guard let draft = draft(place, inners(of: place, histories, facts), histories, facts) else {
        continue
      }
      if worst[one.site].map({ $0.rank.live < draft.rank.live }) ?? true {
        worst[one.site] = draft
      }
    }
    return worst.keys.sorted().compactMap { worst[$0] }
  }

  /// The inner signals that have completed or failed, in the order in which they began.
  ///
  /// - Complexity: O(*n* log *n*).
  private static func inners(
    of stage: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [Inner] {
    let all = histories.inputs[stage].dropFirst()
    // An inner signal that hangs until it fails takes nobody's place: whatever works for the others
    // does not work for it.
    let hasFailed = all.map { histories.hasFailed(upstreamOf: $0) }
    let ends = zip(all, hasFailed)
      .compactMap { $1 ? nil : histories.all[$0].endedAt }.sorted()
    var (begun, ended) = (0, 0)
    return zip(all, hasFailed).compactMap { place, hasFailed in
      let one = histories.all[place]
      while ended < ends.count, ends[ended] <= one.createdAt { ended += 1 }
      let running = max(0, begun - ended)
      if !hasFailed { begun += 1 }
      guard one.reason == .completed || one.reason == .failed, let end = one.endedAt else {
        return nil
      }
      return Inner(
        place: place,
        running: running,
        seconds: facts.seconds(from: one.createdAt, to: end),
        hasFailed: hasFailed
      )
    }
  }

  private static func draft(
    _ stage: Int,
    _ inners: [Inner],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let times = inners.filter { !$0.hasFailed && $0.seconds >= work }.map(\.seconds).sorted()
    guard times.count >= minimumCount else { return nil }
    let atOnce = times[times.count / 2] * maximumShareOfRefusedTime
    func isRefused(_ inner: Inner) -> Bool { inner.hasFailed || inner.seconds < atOnce }
    let refused = inners.filter(isRefused)
    let served = inners.filter { !isRefused($0) }
    guard refused.count >= minimumCount, served.count >= minimumCount else { return nil }
    // Finds the limit that best separates refused inner signals from served ones. The prediction is
    // that an inner signal is refused if at least `limit` others are running when it begins;
    // `right` says how many of the predictions are correct.
    var (limit, right, before) = (0, 0, refused.count)
    let inOrder = inners.sorted { $0.running < $1.running }
    for (place, inner) in inOrder.enumerated() {
      if before > right, place == 0 || inOrder[place - 1].running < inner.running {
        (limit, right) = (inner.running, before)
      }
      before += isRefused(inner) ? -1 : 1
    }
    guard limit >= 2, Double(right) >= Double(inners.count) * share else { return nil }
    // Inner signals that complete almost immediately may have been answered by a cache. But whether
    // a cache answers depends on the number of others only by coincidence, which several occasions
    // exclude. An occasion lasts until an inner signal begins while no other is running.
    var occasions = 0
    var isRefusing = false
    for inner in inners {
      if inner.running == 0 { isRefusing = false }
      if isRefused(inner), !isRefusing {
        occasions += 1
        isRefusing = true
      }
    }
    let failed = refused.count(where: \.hasFailed)
    guard occasions >= minimumOccasions || failed == refused.count else { return nil }
    let first = inners.firstIndex(where: isRefused) ?? 0
    let last = inners.lastIndex(where: isRefused) ?? 0
    let servedBetween = inners[first...last].count { !isRefused($0) }
    let one = histories.all[stage]
    let row = facts.site(one.site)
    let atOnceText = "came to their end at once, without any work"
    let how =
      failed == refused.count
      ? "failed" : failed == 0 ? atOnceText : "failed or \(atOnceText)"
    let share = right == inners.count ? "all" : "nearly all"
    return FindingDraft(
      kind: .crowdRefusal,
      site: one.site,
      summary: "\(refused.count) of \(inners.count) refused, while \(limit) or more ran",
      sentence:
        "\(refused.count) of \(inners.count) inner signals \(how), \(share) of them begun here "
        + "while \(limit) or more others ran; the \(served.count) others were served, \(share) of "
        + "them begun while fewer ran: whatever does the work takes only so many at "
        + "a time.",
      remedy:
        "Let fewer run at a time, with flatMap(limit: \(limit)) or concatMap in place of \(row.place), so that the others wait for their turn.",
      evidence: Evidence(
        events: refused.map { histories.all[$0.place].creation }.filter { $0 != 0 }.sorted(),
        counters: [
          "turned away \(refused.count)", "served \(served.count)",
          "distinguished by how many ran \(right)",
        ]
      ),
      accusedStages: [AccusedRoot(one)],
      affected: refused.map { histories.all[$0.place].key },
      rank: Rank(live: UInt64(refused.count)),
      restsOnRecords: true,
      ruledOut: [
        "unrelated failures: the number of others that ran explains \(right) of \(inners.count)"
      ]
        + (servedBetween > 0
          ? ["a source that is out of order: \(servedBetween) were served between refused ones"]
          : [])
    )
  }
}
