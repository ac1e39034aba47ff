public import TraceModel
import TraceReading

extension FindingKind {
  /// A signal that fails is immediately subscribed to again, over and over.
  public static let retryStorm = FindingKind(
    "retry-storm",
    "subscribed again and again without delay",
    needsAll: true,
    evidence: [.subscribed, .failed],
    doubt: "Only the author of the code knows what an attempt costs."
  )
}

/// Signals that fail and are immediately subscribed to again without success, either by an operator
/// that retries or by the program itself.
enum RetryStorms: FindingRule {
  static let kinds: [FindingKind] = [.retryStorm]

  /// The minimum number of consecutive failures without progress that count as a storm.
  private static let few = 12
  /// The maximum number of values of an attempt without progress: a source may send one value, such
  /// as a greeting, before it fails.
  private static let maximumValues: UInt64 = 1
  /// The maximum number of seconds between two attempts of a storm.
  private static let pause = 0.05

  private struct Storm {
    var attempts: [Int] = []
    var seconds = 0.0
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let failing = facts.sites.contains {
      $0.ended(.failed) >= UInt64(few)
    }
    guard failing, let histories = context.histories else { return [] }
    var bySite: [UInt32: [[Int]]] = [:]
    // By an operator: the same stage subscribes each time.
    for (place, one) in histories.all.enumerated() where histories.inputs[place].count >= few {
      guard facts.site(one.site).traits.contains(.retries) else { continue }
      bySite[one.site, default: []].append(histories.inputs[place])
    }
    // By the program: the same line subscribes each time. A program may ask an action for an
    // execution, for example once a frame, whether or not the action is enabled.
    let refused = histories.rootsOfRefused(facts)
    var roots: [UInt32: [Int]] = [:]
    for (place, one) in histories.all.enumerated()
    where one.downstream < 0 && one.creation != 0 && facts.site(one.site).traits.contains(.root)
      && !refused.contains(place)
    {
      roots[one.site, default: []].append(place)
    }
    for (site, places) in roots where places.count >= few {
      bySite[site, default: []].append(places)
    }
    return bySite.keys.sorted().compactMap { site in
      let storms = (bySite[site] ?? []).map { storm($0, histories, facts) }
      guard let worst = storms.max(by: { $0.attempts.count < $1.attempts.count }),
        worst.attempts.count >= few
      else { return nil }
      return draft(site, worst, histories, context)
    }
  }

  /// The longest series of failed attempts, each made soon after the previous one.
  private static func storm(_ places: [Int], _ histories: Histories, _ facts: FindingFacts) -> Storm
  {
    var best = Storm()
    var now = Storm()
    var last: History?
    for place in places {
      let one = histories.all[place]
      guard one.hasFailed || one.reason == .failed, one.events <= maximumValues,
        let end = one.endedAt
      else {
        (now, last) = (Storm(), nil)
        continue
      }
      // An attempt that began before the previous one failed is not a reaction to its failure.
      if let last,
        one.creation < last.failure
          || facts.seconds(from: last.endedAt ?? last.createdAt, to: one.createdAt) > pause
      {
        now = Storm()
      }
      now.attempts.append(place)
      now.seconds = facts.seconds(from: histories.all[now.attempts[0]].createdAt, to: end)
      last = one
      if now.attempts.count > best.attempts.count { best = now }
    }
    return best
  }

  private static func draft(
    _ site: UInt32,
    _ storm: Storm,
    _ histories: Histories,
    _ context: FindingContext
  ) -> FindingDraft {
    let facts = context.facts
    let row = facts.site(site)
    let tries = storm.attempts.map { histories.all[$0] }
    let types = Set(tries.map { facts.failureName($0.failureType) }).filter { !$0.isEmpty }.sorted()
    let time = Duration.seconds(storm.seconds).brief
    let rate = Double(tries.count) / max(storm.seconds, 0.001)
    return FindingDraft(
      kind: .retryStorm,
      site: site,
      summary: "\(tries.count) attempts in \(time), each failed",
      sentence:
        "\(tries.count) attempts in a row failed here within \(time), each begun at once after the one before"
        + (types.isEmpty ? "." : ": \(types.joined(separator: ", "))."),
      remedy: row.traits.contains(.retries)
        ? "Wait between two attempts, longer each time (retry(delay:), retry(when:)), or let \(row.place) give up after a few."
        : "Do not subscribe again from the handler of a failure at \(row.place): use retry(delay:) with a bound.",
      evidence: Evidence(
        events: tries.flatMap { [$0.creation, $0.failure] }.filter { $0 != 0 }.sorted(),
        counters: ["attempts in a row \(tries.count)"]
      ),
      rank: Rank(live: UInt64(tries.count), rate: rate),
      restsOnRecords: true,
      ruledOut: [
        "a retry that waits: each began within \(Duration.seconds(pause).brief) after the failure of the one before",
        "a stream that works and breaks off: none got further than "
          + "\(Words.count(maximumValues, "value"))",
      ]
    )
  }
}
