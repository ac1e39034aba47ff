import TraceModel
import TraceReading

/// Values that were lost because the operator that held them was ended.
extension LostValues {
  /// The minimum number of subscriptions of one line that held a value when they were ended.
  private static let minimumHeld = 2
  /// The maximum number of seconds after such an end in which other work of the same lines counts
  /// as work on the value that was held.
  private static let afterwards = 1.0

  /// A subscription that held a value when it was ended.
  private struct Held {
    /// The subscription that held the value.
    var stage: Int
    /// The subscription whose trigger ended it.
    var bound: Int
    /// The subscription that begins work for each value.
    var worker: Int
  }

  /// The last values that an operator such as `debounce` held when a trigger downstream ended it,
  /// in front of work that is done for each value.
  ///
  /// A search, of which only the latest answer counts, needs no value any more when its screen
  /// closes. So nothing is reported unless the operator that begins the work (`concatMap`) lets
  /// each piece of it finish, even after the trigger has come.
  static func held(_ histories: Histories, _ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard let values = context.heldValues, values.stages.count >= minimumHeld else { return [] }
    // The subscriptions of the sources that may work for their subscribers, by line.
    var sources: [UInt32: [Int]] = [:]
    for (place, one) in histories.all.enumerated()
    where facts.site(one.site).traits.contains(.source) {
      sources[one.site, default: []].append(place)
    }
    var found: [UInt32: [Held]] = [:]
    for stage in values.stages {
      guard let one = held(stage, sources, histories, facts) else { continue }
      found[histories.all[stage].site, default: []].append(one)
    }
    return found.filter { $0.value.count >= minimumHeld }.sorted { $0.key < $1.key }.compactMap {
      draft(held: $0.value, at: $0.key, histories, facts)
    }
  }

  private static func held(
    _ stage: Int,
    _ sources: [UInt32: [Int]],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Held? {
    let end = histories.all[stage].endedAt ?? 0
    var bound: Int?
    for place in histories.downstreamPath(from: stage).dropFirst() {
      let one = histories.all[place]
      let traits = facts.site(one.site).traits
      guard let bound else {
        // Only operators that forward single values may be between the two.
        if traits.fate == .flattens || traits.contains(.merging) { return nil }
        if traits.contains(.bounding) {
          guard traits.inputs == .triggers, one.reason == .completed,
            facts.seconds(from: end, to: one.endedAt ?? 0) < 0.001
          else { return nil }
          bound = place
        } else if one.reason != .cancelled {
          return nil
        }
        continue
      }
      guard traits.fate == .flattens || traits.contains(.merging) else { continue }
      // The work that has begun must not be given up when the trigger comes.
      guard traits.fate == .flattens, traits.contains(.queuesInner), one.reason != .cancelled,
        isWork(place, since: histories.all[stage].arrivedFrom, end, sources, histories, facts)
      else { return nil }
      return Held(stage: stage, bound: bound, worker: place)
    }
    return nil
  }

  /// Whether a subscription has begun work for earlier values, and no other line has begun the same
  /// work since the value that was held came, or soon after it was lost.
  private static func isWork(
    _ worker: Int,
    since start: UInt64,
    _ end: UInt64,
    _ sources: [UInt32: [Int]],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Bool {
    // The operator subscribes to its own source first.
    let inners = histories.inputs[worker].dropFirst()
    guard !inners.isEmpty, !inners.contains(where: { histories.all[$0].reason == .cancelled })
    else { return false }
    let work = Set(
      inners.flatMap { histories.tree(upstreamOf: $0, limit: 64) }.map { histories.all[$0].site }
        .filter { sources[$0] != nil }
    )
    guard !work.isEmpty else { return false }
    let site = histories.all[worker].site
    func isOther(_ place: Int) -> Bool {
      let one = histories.all[place]
      return one.createdAt >= start && facts.seconds(from: end, to: one.createdAt) < afterwards
        && histories.stage(downstreamOf: place, at: site) == nil
    }
    return !work.contains { sources[$0]?.contains(where: isOther) ?? false }
  }

  private static func draft(
    held all: [Held],
    at site: UInt32,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    guard let first = all.first else { return nil }
    let row = facts.site(site)
    let bound = facts.site(histories.all[first.bound].site)
    let worker = facts.site(histories.all[first.worker].site)
    let stages = all.map { histories.all[$0.stage] }
    return FindingDraft(
      kind: .lostValues,
      // The end may be there to discard the value, or the program may have used it elsewhere.
      level: .info,
      site: site,
      summary: "\(all.count) of \(row.endedCount) held a value when they were ended",
      sentence:
        "\(all.count) of \(Words.count(row.endedCount, "subscription")) made here that have ended still held a value when \(bound.place) ended "
        + "them: the timer for the value was cancelled, and the value never reached \(worker.place), which lets the work for each value finish.",
      remedy:
        "Put \(bound.name) in front of \(row.place), which then sees that its source has completed, and can send the value that it holds.",
      evidence: Evidence(
        events: stages.flatMap { [$0.creation, $0.end] }.filter { $0 != 0 }.sorted(),
        counters: ["held when ended \(all.count)", "ended \(row.endedCount)"]
      ),
      accusedStages: stages.map { AccusedRoot($0) },
      affected: stages.map(\.key),
      rank: Rank(live: UInt64(all.count)),
      restsOnRecords: true,
      ruledOut: [
        "a search whose answer nobody needs any more: \(worker.place) does not replace its work by newer work, and the end did not cancel it",
        "a value that was worked on in another way: no other line began the same work between that value and one second after the end",
      ]
    )
  }
}
