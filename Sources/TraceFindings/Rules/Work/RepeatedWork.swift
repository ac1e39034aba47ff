public import TraceModel
import TraceReading

extension FindingKind {
  /// Work that was done before a failure is done again, because everything is retried although only
  /// one part failed.
  public static let repeatedWork = FindingKind(
    "work-repeated",
    "work done again after a later failure",
    needsEvents: true,
    needsAll: true,
    evidence: [.subscribed, .next, .failed],
    doubt: "Only the author of the code knows whether all of it is to be done or none."
  )
  /// A failure is kept and handed to every later attempt.
  public static let keptFailure = FindingKind(
    "failure-kept",
    "tried again, but the old failure is kept",
    needsAll: true,
    evidence: [.subscribed, .failed],
    doubt: "A second subscriber may want no more than the failure.",
    settledBy: [.callers]
  )
}

/// Retries in the wrong place: around a whole sequence of which only one part failed, or downstream
/// of an operator that keeps the failure.
enum RepeatedWork: FindingRule {
  static let kinds: [FindingKind] = [.repeatedWork, .keptFailure]

  /// The minimum number of failed attempts that had made progress.
  private static let minimumAttempts = 2
  /// The minimum number of values that count as progress.
  private static let minimumProgress: UInt64 = 2
  /// The minimum total number of values that were sent again.
  private static let minimumRepeatedValues: UInt64 = 5
  /// The minimum number of attempts that received an earlier failure.
  private static let minimumReplayedFailures = 3
  /// The maximum number of seconds between the start and the end of an attempt that received an
  /// earlier failure.
  private static let atOnce = 0.002
  /// Without a retry, subscribers count as new attempts only if they come at least this number of
  /// seconds after the failure, and the last of them at least as long after the first.
  private static let later = 0.02

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let mayKeep = facts.sites.contains {
      $0.subscribed > 0
        && ($0.traits.contains(.retries)
          || !$0.traits.isDisjoint(with: [.shares, .subject]) && $0.ended(.failed) > 0)
    }
    guard mayKeep, let histories = context.histories else { return [] }
    let stages = histories.all.indices.filter {
      facts.site(histories.all[$0].site).traits.contains(.retries)
        && histories.inputs[$0].count > 1
    }
    let byValues = stages.compactMap { again($0, histories, facts) }
    let found = Set(byValues.map(\.site))
    let parts = RepeatedParts(histories, facts).found(
      in: stages.filter { !found.contains(histories.all[$0].site) }
    )
    return byValues.worstOfEachLine + parts + kept(stages, histories, facts)
  }

  // MARK: Repeated work

  private static func again(
    _ place: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let attempts = histories.inputs[place]
    var junction: Int?
    var lost: [Int] = []
    // The largest number of values that any later attempt sent. If it is at least the number that
    // an earlier attempt sent, the work of the earlier attempt was done again.
    var furthest: UInt64 = 0
    for attempt in attempts.reversed() {
      let one = histories.all[attempt]
      defer { furthest = max(furthest, one.events) }
      guard one.hasFailed, one.events >= minimumProgress, furthest >= one.events,
        let found = self.junction(of: attempt, histories, facts)
      else { continue }
      junction = found
      lost.append(attempt)
    }
    let values = lost.reduce(UInt64(0)) { $0.saturatingAdding(histories.all[$1].events) }
    guard lost.count >= minimumAttempts, values >= minimumRepeatedValues, let junction else {
      return nil
    }
    let stage = histories.all[place]
    let name = facts.site(histories.all[junction].site).place
    let steps = Words.list(attempts.map { histories.all[$0].events })
    return FindingDraft(
      kind: .repeatedWork,
      site: stage.site,
      subject: stage.key,
      summary: "\(values) of \(stage.events) values handled again after \(lost.count) failures",
      sentence:
        "\(Words.count(attempts.count, "attempt")) made here came to \(steps) values. \(values) of \(stage.events) had been handled when a later value of the "
        + "same attempt failed at \(name), and were handled again, because each attempt begins with the first value.",
      remedy:
        "Put the retry into the closure of \(name), so that only what has failed is tried again. If either all of it or none must be done, nothing is wrong.",
      evidence: Evidence(
        events: lost.flatMap { [histories.all[$0].creation, histories.all[$0].failure] }
          .filter { $0 != 0 }.sorted(),
        counters: ["values done again \(values)", "attempts \(attempts.count)"]
      ),
      accusedStages: [AccusedRoot(stage)],
      rank: Rank(live: values),
      restsOnRecords: true
    )
  }

  /// The subscription to a flattening operator whose inner signal made an attempt fail.
  ///
  /// Nil if there is no such subscription, or if the signal to which the operator is applied may be
  /// endless.
  private static func junction(
    of attempt: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Int? {
    var here = attempt
    for _ in 0..<64 {
      guard let failed = histories.inputs[here].last(where: { histories.all[$0].hasFailed })
      else { return nil }
      let traits = facts.site(histories.all[here].site).traits
      if traits.contains(.merging), traits.fate == .flattens,
        let source = histories.inputs[here].first, source != failed
      {
        return isFinite(source, histories, facts) ? here : nil
      }
      here = failed
    }
    return nil
  }

  private static func isFinite(
    _ source: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Bool {
    if histories.all[source].reason == .completed { return true }
    let unknown: [SiteTraits] = [.hot, .endless, .source, .shares]
    return histories.tree(upstreamOf: source, limit: 64).allSatisfy { place in
      let traits = facts.site(histories.all[place].site).traits
      return unknown.allSatisfy { !traits.contains($0) }
    }
  }

  // MARK: Kept failures

  /// Attempts that ended at once with the failure that a subject or a shared signal had kept, while
  /// the shared signal did not subscribe to its source again.
  private static func kept(
    _ stages: [Int],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [FindingDraft] {
    // For each signal, the shared subscriptions to its source, in the order in which they began.
    var begun: [TraceID: [Int]] = [:]
    for (place, one) in histories.all.enumerated()
    where one.downstream < 0 && !facts.site(one.site).traits.contains(.root) {
      begun[one.signal, default: []].append(place)
    }
    var attempts: Set<Int> = []
    for stage in stages {
      for attempt in histories.inputs[stage].dropFirst() {
        var leaf = attempt
        while histories.inputs[leaf].count == 1 { leaf = histories.inputs[leaf][0] }
        attempts.insert(leaf)
      }
    }
    var found: [UInt32: [Int]] = [:]
    // When each signal first failed.
    var failed: [TraceID: UInt64] = [:]
    for (leaf, one) in histories.all.enumerated() where one.hasFailed && one.creation != 0 {
      let traits = facts.site(one.site).traits
      guard histories.inputs[leaf].isEmpty, let end = one.endedAt,
        !traits.isDisjoint(with: [.shares, .subject]), one.downstream >= 0
      else { continue }
      // Subscribers that were present when the signal failed received the failure itself, rather
      // than one that was kept for later subscribers.
      let first = failed[one.signal] ?? end
      failed[one.signal] = min(first, end)
      guard facts.seconds(from: one.createdAt, to: end) <= atOnce,
        attempts.contains(leaf) || facts.seconds(from: first, to: one.createdAt) >= later,
        !isBegun(begun[one.signal] ?? [], from: one.createdAt, to: end, histories)
      else { continue }
      found[one.site, default: []].append(leaf)
    }
    return found.keys.sorted().compactMap { site -> FindingDraft? in
      guard let all = found[site], all.count >= minimumReplayedFailures else { return nil }
      let row = facts.site(site)
      let tries = all.map { histories.all[$0] }
      let isRetried = all.contains(where: attempts.contains)
      // Without a retry, subscribers that come at almost the same time count as one attempt.
      guard
        isRetried
          || facts.seconds(from: tries[0].createdAt, to: tries[all.count - 1].createdAt) >= later
      else { return nil }
      let types = Set(tries.map { facts.failureName($0.failureType) }).filter { !$0.isEmpty }
        .sorted()
      return FindingDraft(
        kind: .keptFailure,
        site: site,
        summary: "\(all.count) attempts, each with the failure that was kept",
        sentence:
          "\(all.count) further \(isRetried ? "attempts" : "subscriptions") made here ended at "
          + "once with a failure that had been "
          + "kept\(types.isEmpty ? "" : " (\(types.joined(separator: ", ")))"): no work was begun "
          + "anew, so that trying again is in vain.",
        remedy: isRetried
          ? "Put the retry in front of \(row.place), so that what fails is asked again and only what comes of it is kept."
          : row.traits.contains(.subject)
            ? "Send what went wrong as a value, or make a new one of \(row.place): once it has "
              + "failed, every later subscriber gets the failure."
            : "Release what \(row.place) has made when it fails, so that the next subscriber "
              + "begins the work anew, or handle the failure in front of it.",
        evidence: Evidence(
          events: tries.flatMap { [$0.creation, $0.failure] }.filter { $0 != 0 }.sorted(),
          counters: ["attempts in vain \(all.count)"]
        ),
        accusedStages: tries.map { AccusedRoot($0) },
        rank: Rank(live: UInt64(all.count)),
        restsOnRecords: true
      )
    }
  }

  /// Whether one of the given subscriptions, which are in the order in which they began, began
  /// between two instants.
  private static func isBegun(
    _ places: [Int],
    from start: UInt64,
    to end: UInt64,
    _ histories: Histories
  ) -> Bool {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if histories.all[places[middle]].createdAt < start { low = middle + 1 } else { high = middle }
    }
    return low < places.count && histories.all[places[low]].createdAt <= end
  }
}
