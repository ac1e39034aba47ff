import TraceModel
import TraceReading

/// Retries that no failure can reach, because an operator directly in front of them replaces each
/// one by a value and an end (`replaceFailure(with:)` in front of `retry`).
extension EndedByFailure {
  /// The maximum number of seconds within which a failure is replaced.
  private static let atOnce = 0.05

  private struct IdleRetry {
    /// The stage that retries, and has made one attempt.
    var retry: Int
    /// The stage that replaced the failure.
    var handler: Int
    /// The stage where the failure first occurred.
    var origin: Int
  }

  /// The findings about such retries, one for each line that keeps the failures from them.
  ///
  /// Nothing is said about a line that has retried, or has itself failed, in any of its
  /// subscriptions, or that retries signals of several lines: a helper may retry signals of which
  /// only some can fail.
  static func replacedBeforeRetry(_ histories: Histories, _ facts: FindingFacts) -> [FindingDraft] {
    let lines = facts.sites.map { $0.traits.contains(.retries) && $0.ended(.completed) > 0 }
    guard lines.contains(true), facts.hasEvents, histories.isWhole else { return [] }
    var active: Set<UInt32> = []
    var retried: [UInt32: Set<UInt32>] = [:]
    var found: [IdleRetry] = []
    for (place, one) in histories.all.enumerated()
    where Int(one.site) < lines.count && lines[Int(one.site)] {
      if let input = histories.inputs[place].first {
        retried[one.site, default: []].insert(histories.all[input].site)
      }
      if one.creation == 0 || one.hasFailed || histories.inputs[place].count > 1 {
        active.insert(one.site)
      } else if let idle = idleRetry(place, histories, facts) {
        found.append(idle)
      }
    }
    found.removeAll {
      let site = histories.all[$0.retry].site
      return active.contains(site) || retried[site]?.count != 1
    }
    let byHandler = Dictionary(grouping: found) { histories.all[$0.handler].site }
    return byHandler.sorted { $0.key < $1.key }.compactMap { site, all in
      Dictionary(grouping: all) { histories.all[$0.retry].site }
        .max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        .map { draft(site, $0.value, histories, facts) }
    }
  }

  private static func idleRetry(_ retry: Int, _ histories: Histories, _ facts: FindingFacts)
    -> IdleRetry?
  {
    guard histories.all[retry].reason == .completed, histories.inputs[retry].count == 1 else {
      return nil
    }
    // An operator that only passes values on later cannot fail.
    var handler = histories.inputs[retry][0]
    while facts.site(histories.all[handler].site).traits.fate == .queues,
      histories.inputs[handler].count == 1
    {
      handler = histories.inputs[handler][0]
    }
    let one = histories.all[handler]
    let site = facts.site(one.site)
    // If the operator continues with another signal, that may fail in turn; and if it sends nothing
    // in place of the failure, it may let other failures pass.
    guard !one.hasFailed, one.reason == .completed, site.ended(.failed) == 0, !site.isLost,
      site.traits.isDisjoint(with: [.retries, .merging]), histories.inputs[handler].count == 1
    else { return nil }
    var origin = histories.inputs[handler][0]
    guard histories.all[origin].hasFailed, let failure = histories.all[origin].endedAt,
      let end = one.endedAt, one.lastEvent >= failure, one.lastEvent <= end,
      facts.seconds(from: failure, to: end) < atOnce
    else { return nil }
    while let next = histories.inputs[origin].last(where: { histories.all[$0].hasFailed }) {
      origin = next
    }
    return IdleRetry(retry: retry, handler: handler, origin: origin)
  }

  private static func draft(
    _ site: UInt32,
    _ all: [IdleRetry],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft {
    func place(_ stage: Int) -> String { facts.site(histories.all[stage].site).place }
    let last = all[all.count - 1]
    let retry = facts.site(histories.all[last.retry].site)
    let handler = facts.site(site).place
    let type = facts.failureName(histories.all[last.origin].failureType)
    let what = type.isEmpty ? "A failure" : "The failure \(type)"
    let age = facts.age(all.compactMap { histories.all[$0.retry].endedAt }.max() ?? facts.now)
    let time = Duration.seconds(age).brief
    let roots = all.map { histories.all[histories.root(of: $0.retry)] }
    return FindingDraft(
      kind: .endedByFailure,
      site: site,
      subject: all.count == 1 ? roots[0].key : nil,
      summary: "\(all.count) ended, none was retried",
      sentence:
        "\(what) from \(place(last.origin)) was replaced by a value at \(handler), and never "
        + "reached \(retry.place), which is there to try again: \(all.count) of "
        + "\(Words.count(retry.subscribed, "subscription")) made there ended this way, at the "
        + "first attempt\(all.count == 1 ? "," : ", the last") \(time) ago.",
      remedy:
        "Move \(handler) behind \(retry.place), so that each failure reaches it, or remove "
        + "\(retry.place) if the first failure is to end the stream.",
      evidence: Evidence(
        events: all.flatMap { [$0.origin, $0.handler, $0.retry].map { histories.all[$0] } }
          .flatMap { [$0.failure, $0.end] }.filter { $0 != 0 }.sorted(),
        counters: ["subscriptions ended this way \(all.count)", "further attempts 0"]
      ),
      accusedStages: all.map { AccusedRoot(histories.all[$0.handler]) },
      affected: all.map { histories.all[$0.retry].key } + roots.map(\.key)
        + subscribers(of: roots, histories, facts),
      rank: Rank(live: UInt64(all.count), age: age),
      restsOnRecords: true,
      ruledOut: [
        "a retry that gave up: \(retry.place) has made one attempt each time, and has never failed",
        "another signal in place of the failed one: \(handler) sent a value, and ended",
      ]
    )
  }

  /// The subscribers that ended with one of the given shared subscriptions.
  private static func subscribers(
    of roots: [History],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [EntityKey] {
    let shared = roots.filter { facts.site($0.site).traits.contains(.shares) }
    let ends = Dictionary(grouping: shared, by: \.signal).mapValues { $0.compactMap(\.endedAt) }
    guard !ends.isEmpty else { return [] }
    return histories.all.filter { one in
      guard one.downstream >= 0, one.reason == .completed, let end = one.endedAt else {
        return false
      }
      return ends[one.signal]?.contains { $0 <= end && facts.seconds(from: $0, to: end) < atOnce }
        ?? false
    }.map(\.key)
  }
}
