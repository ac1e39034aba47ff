public import TraceModel
import TraceReading

extension FindingKind {
  /// A signal is written when some work begins and when it ends, but was not written when the work
  /// failed, and no work has begun since.
  public static let stuckFlag = FindingKind(
    "not-reset-by-failure",
    "flag not reset after a failure",
    needsEvents: true,
    needsAll: true,
    evidence: [.subscribed, .turnBegan, .failed, .ended],
    doubt: "Only the author of the code knows whether work is to go on after a failure."
  )
}

/// Work that reports its beginning and its end to a signal, such as a "loading" flag, but not its
/// failure: nothing begins any more, because the flag says that the work is still running.
enum StuckFlags: FindingRule {
  static let kinds: [FindingKind] = [.stuckFlag]

  /// The minimum number of times that the work has ended normally.
  private static let minimumCount = 2
  /// The maximum number of seconds between the beginning or the end of the work and its report.
  private static let apart = 0.005
  /// The same maximum as a share of the usual time between two beginnings, used if that is longer,
  /// because a report may be late on a busy machine.
  private static let maximumShareOfGap = 0.1
  /// Of this many reports, one may be late, because a thread may have been suspended on a busy
  /// machine.
  private static let reportsPerLateOne = 4
  /// The minimum time for which nothing has begun, in multiples of the usual time between two
  /// beginnings.
  private static let gapFactor = 2.5
  /// The minimum of that time in seconds.
  private static let minimumSilence = 0.4

  /// The maximum number of the latest runs that are compared with the writes.
  private static let compared = 64

  /// Work of one line or of one operator, in the order in which it began; the last run has failed.
  private struct Series {
    /// The latest runs.
    var places: [Int]
    var count: Int
    var gap: Double
    var silence: Double
    var failure: Int { places[places.count - 1] }
  }

  /// A write to a signal.
  private struct Write {
    var ticks: UInt64
    var number: UInt64
    /// The entity whose event the thread had delivered before the write.
    var behind: TraceID
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.hasEvents, facts.sites.contains(where: { $0.ended(.failed) > 0 }),
      let histories = context.histories, histories.isWhole
    else { return [] }
    let all = series(histories, facts)
    guard !all.isEmpty else { return [] }
    let writes = writes(facts)
    return all.compactMap { draft($0, writes, histories, facts) }.worstOfEachLine
  }

  private static func series(_ histories: Histories, _ facts: FindingFacts) -> [Series] {
    var lines: [UInt32: [Int]] = [:]
    var candidates: [[Int]] = []
    for (place, one) in histories.all.enumerated() where one.creation != 0 {
      let traits = facts.site(one.site).traits
      if traits.contains(.root), one.downstream < 0 { lines[one.site, default: []].append(place) }
      if traits.contains(.merging), traits.inputs == .source {
        candidates.append(Array(histories.inputs[place].dropFirst()))
      }
    }
    candidates += lines.keys.sorted().compactMap { lines[$0] }
    return candidates.compactMap { places in
      guard places.count > minimumCount, let last = places.last,
        let end = histories.all[last].endedAt, histories.hasFailed(upstreamOf: last),
        places.dropLast().allSatisfy({
          histories.all[$0].reason == .completed && !histories.hasFailed(upstreamOf: $0)
        })
      else { return nil }
      let gaps = zip(places, places.dropFirst()).map {
        facts.seconds(from: histories.all[$0].createdAt, to: histories.all[$1].createdAt)
      }.sorted()
      let gap = gaps[gaps.count / 2]
      let silence = facts.seconds(from: end, to: facts.last)
      guard silence >= minimumSilence, silence >= gap * gapFactor else { return nil }
      return Series(
        places: places.suffix(compared),
        count: places.count,
        gap: gap,
        silence: silence
      )
    }
  }

  private static let evidence = RecordKinds([.next, .completed, .turnBegan, .hopBegan])

  /// - Complexity: O(records).
  private static func writes(_ facts: FindingFacts) -> [TraceID: [Write]] {
    var found: [TraceID: [Write]] = [:]
    var latest: [UInt32: TraceID] = [:]
    facts.records.forEach(
      of: evidence,
      in: facts.records.suffix(DeliveryScan.limit(facts)).indices
    ) { _, record in
      switch record.kind {
      case .turnBegan:
        let write = Write(
          ticks: record.ticks,
          number: record.number,
          behind: latest[record.thread] ?? .none
        )
        found[record.entity, default: []].append(write)
      case .hopBegan: latest[record.thread] = TraceID.none
      default: latest[record.thread] = record.entity
      }
    }
    return found
  }

  private static func draft(
    _ series: Series,
    _ writes: [TraceID: [Write]],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let failure = histories.all[series.failure]
    let apart = max(Self.apart, series.gap * maximumShareOfGap)
    func near(_ writes: [Write], _ ticks: UInt64, after earlier: UInt64 = 0) -> Write? {
      writes.first {
        $0.ticks > earlier
          && facts.seconds(from: min($0.ticks, ticks), to: max($0.ticks, ticks)) <= apart
      }
    }
    /// The write at the end of a run, if there is one at its beginning, too.
    func endWrite(_ place: Int, _ writes: [Write]) -> Write? {
      let one = histories.all[place]
      guard let end = one.endedAt, let raising = near(writes, one.createdAt) else { return nil }
      return near(writes, end, after: raising.ticks)
    }
    let flag = writes.sorted { $0.key.rawValue < $1.key.rawValue }.first { _, writes in
      // A signal that is written much more often than the work runs is not a flag of that work.
      guard writes.count <= 3 * series.count, let last = writes.last,
        facts.seconds(
          from: min(failure.createdAt, last.ticks),
          to: max(failure.createdAt, last.ticks)
        )
          <= apart,
        near(writes, failure.createdAt) != nil
      else { return false }
      let done = series.places.dropLast()
      return done.count { endWrite($0, writes) == nil } * reportsPerLateOne <= done.count
    }
    guard let (signal, all) = flag, let slot = facts.slot(signal), slot.kind == .signal,
      let first = series.places.first(where: { endWrite($0, all) != nil }),
      let lowering = endWrite(first, all)
    else { return nil }
    let accused = stage(behind: lowering.behind, in: first, histories, facts)
    let stage = histories.all[accused]
    let row = facts.site(stage.site)
    let name = facts.site(slot.site).place
    let count = series.places.count - 1
    let type = facts.failureName(
      histories.tree(upstreamOf: series.failure, limit: 32).lazy.map {
        histories.all[$0].failureType
      }
      .first { $0 != 0 } ?? 0
    )
    let silence = Duration.seconds(series.silence).brief
    let what =
      failure.downstream >= 0
      ? "inner signals of \(facts.site(histories.all[failure.downstream].site).place)"
      : "subscriptions of \(facts.site(failure.site).place)"
    return FindingDraft(
      kind: .stuckFlag,
      site: stage.site,
      summary: "\(name) not written after a failure, nothing begun for \(silence)",
      sentence:
        "\(name) was written when each of \(count) \(what) began and, by \(row.place), when it "
        + "ended; when the next one failed\(type.isEmpty ? "" : " (\(type))"), it was not written. "
        + "None has begun in the \(silence) since; before, one began every "
        + "\(Duration.seconds(series.gap).brief).",
      remedy:
        "Reset \(name) in every case: with finally, which runs however the work ends, or in the "
        + "handler of the failure, too.",
      evidence: Evidence(
        events: ([failure.creation, failure.end] + all.suffix(4).map(\.number)).filter { $0 != 0 }
          .sorted(),
        counters: ["ended and recorded \(count)", "written \(all.count)"]
      ),
      accusedStages: series.places.map {
        AccusedRoot(histories.all[Self.stage(at: stage.site, in: $0, histories)])
      },
      affected: [failure.key],
      rank: Rank(live: UInt64(count), age: series.silence),
      restsOnRecords: true,
      ruledOut: [
        "a program that has come to rest: one began every \(Duration.seconds(series.gap).brief) "
          + "before, and none in the \(silence) since",
        "a signal that is written for other reasons: it was written whenever one began or ended, "
          + "and not when one failed",
      ]
    )
  }

  /// The stage whose closure wrote something after the delivery of a value: the stage that receives
  /// the value, or the root.
  private static func stage(
    behind delivered: TraceID,
    in place: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Int {
    let tree = histories.tree(upstreamOf: place, limit: 64)
    guard let stage = tree.first(where: { histories.all[$0].key.id == delivered }) else {
      return place
    }
    if facts.site(histories.all[stage].site).traits.contains(.root) { return stage }
    let downstream = histories.all[stage].downstream
    return downstream >= 0 ? downstream : stage
  }

  /// The stage of a line among a subscription and its upstreams; the subscription itself if there
  /// is none.
  private static func stage(at site: UInt32, in place: Int, _ histories: Histories) -> Int {
    histories.tree(upstreamOf: place, limit: 64).first { histories.all[$0].site == site } ?? place
  }
}
