public import TraceModel
import TraceReading

extension FindingKind {
  /// Inner signals, or actions to be run at the end, waited behind something that never ends, until
  /// all of them were disposed of.
  public static let waitedInVain = FindingKind(
    "waited-in-vain",
    "inner signals that waited in vain",
    needsEvents: true,
    needsAll: true,
    evidence: [.subscribed, .next, .ended],
    doubt:
      "Only the author of the code knows whether what waits is to be given up when the operator "
      + "ends."
  )
}

/// Operators that run one inner signal after the other, and were disposed of, or ended with their
/// owner, while inner signals waited behind one that never ends.
///
/// The waiting inner signals were never begun. A line is accused if this happened to several of the
/// operators made there.
enum AbandonedQueues: FindingRule {
  static let kinds: [FindingKind] = [.waitedInVain]

  /// The minimum number of operators of a line that were abandoned in this way.
  private static let minimumCount = 2
  /// The minimum total number of inner signals that waited.
  private static let minimumWaiting: UInt64 = 3
  /// The minimum number of seconds for which the inner signal in front of the waiting ones had run.
  private static let minimumSeconds = 0.3

  /// An operator that was disposed of while inner signals waited.
  private struct Abandoned {
    var stage: Int
    var running: Int
    /// The source that never ends.
    var source: UInt32
    var waiting: UInt64
    var seconds: Double
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    abandoned(context) + UnendedWork.found(context)
  }

  private static func abandoned(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let mayWait = facts.sites.contains { $0.traits.contains(.queuesInner) && $0.endedCount > 0 }
    guard mayWait, facts.hasEvents, let histories = context.histories else { return [] }
    var found: [UInt32: [Abandoned]] = [:]
    // Lines at which other operators have run several inner signals to their end.
    var inOrder: Set<UInt32> = []
    for place in histories.all.indices {
      let one = histories.all[place]
      // The inputs of an operator like `concat` are not made from values of the first.
      let traits = facts.site(one.site).traits
      guard traits.contains(.queuesInner), traits.inputs == .source, one.creation != 0 else {
        continue
      }
      if let abandoned = abandoned(place, histories, facts) {
        found[one.site, default: []].append(abandoned)
      } else if histories.inputs[place].dropFirst().count(where: {
        histories.all[$0].reason == .completed
      }) > 1 {
        inOrder.insert(one.site)
      }
    }
    return found.keys.sorted().compactMap { site in
      guard let all = found[site], all.count >= minimumCount, !context.isAccused(site),
        all.reduce(0, { $0 + $1.waiting }) >= minimumWaiting
      else { return nil }
      return draft(site, all, isShared: inOrder.contains(site), histories, facts)
    }
  }

  private static func abandoned(_ place: Int, _ histories: Histories, _ facts: FindingFacts)
    -> Abandoned?
  {
    let one = histories.all[place]
    let inners = histories.inputs[place].dropFirst()
    // The operator was disposed of, or ended with its owner or its source.
    let isOver = one.reason != .completed && one.reason != .failed
    guard isOver, let end = one.endedAt,
      let source = histories.inputs[place].first, let running = inners.last,
      histories.all[source].events > UInt64(inners.count),
      histories.all[running].reason != .completed, histories.all[running].reason != .failed,
      let endless = histories.endlessSource(upstreamOf: running, facts)
    else { return nil }
    let seconds = facts.seconds(from: histories.all[running].createdAt, to: end)
    guard seconds >= minimumSeconds else { return nil }
    return Abandoned(
      stage: place,
      running: running,
      source: endless,
      waiting: histories.all[source].events - UInt64(inners.count),
      seconds: seconds
    )
  }

  private static func draft(
    _ site: UInt32,
    _ all: [Abandoned],
    isShared: Bool,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    guard let worst = all.max(by: { $0.waiting < $1.waiting }) else { return nil }
    let (row, source) = (facts.site(site), facts.site(worst.source))
    let waiting = all.reduce(0) { $0 + $1.waiting }
    let time = Duration.seconds(worst.seconds).brief
    let isOfOne = all.allSatisfy { $0.source == worst.source }
    // If other operators of the line have run several inner signals to their end, the source that
    // never ends is to blame.
    let blamed = isShared && isOfOne ? worst.source : site
    return FindingDraft(
      kind: .waitedInVain,
      site: blamed,
      summary: "\(waiting) waited behind what never ends",
      sentence:
        "\(all.count) times \(row.place) ended while inner signals waited in it, \(waiting) in "
        + "all, none of which ever began: the one ahead of them had run "
        + "for up to \(time) and follows \(source.place), which does not end.",
      remedy:
        "End what \(source.place) sends with take or take(until:), subscribe to it outside of "
        + "\(row.place), or let the newest replace it (flatMapLatest) or all run at once "
        + "(flatMap).",
      evidence: Evidence(
        events: all.flatMap { [histories.all[$0.running].creation, histories.all[$0.stage].end] }
          .filter { $0 != 0 }.sorted(),
        counters: ["ended this way \(all.count)", "waited \(waiting)"]
      ),
      accusedStages: all.map { one in
        let stage = histories.all[blamed == site ? one.stage : one.running]
        return AccusedRoot(stage)
      },
      affected: all.map { histories.all[$0.stage].key },
      rank: Rank(live: waiting),
      restsOnRecords: true,
      explains: blamed == site ? [] : [site]
    )
  }
}
