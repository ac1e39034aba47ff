public import TraceModel
import TraceReading

extension FindingKind {
  /// An operator or a handler runs on the main queue for so long that all other work there has to
  /// wait.
  public static let heldMainQueue = FindingKind(
    "main-queue-held",
    "long work on the main queue",
    needsEvents: true,
    needsAll: true,
    evidence: [.next, .hopBegan, .hopEnded],
    doubt: "The time is wall-clock time, which includes any wait of the thread for others."
  )
}

/// Closures that repeatedly run on the main queue for a tenth of a second or more, while other work
/// of the queue waits for them, or would wait.
enum HeldMainQueue: FindingRule {
  static let kinds: [FindingKind] = [.heldMainQueue]

  /// The minimum number of other pieces of work on the main queue: with fewer, nothing needs the
  /// main queue to be free.
  private static let minimumOthers = 5

  /// The work of one thread, from the beginning of the outermost piece of work or delivery.
  private struct Work {
    var row = 0
    var ticks: UInt64 = 0
    var isMain = false
    /// The open pieces of work and deliveries, the innermost last.
    var open: [UInt32] = []
    /// When the latest long piece of work ended, and which stretches of ``Walk/all`` were in it.
    var ended: (ticks: UInt64, stretches: Range<Int>)?
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.hasEvents, !facts.records.isEmpty else { return [] }
    let walk = Walk(facts)
    guard walk.all.count >= LongDelivery.minimumOccasions, walk.others >= minimumOthers,
      let histories = context.histories
    else {
      return []
    }
    return LongLine.all(walk.all, histories, facts).compactMap { site, line in
      guard line.isUsual, !line.isExplained(histories, context) else { return nil }
      let delays = line.places.count { walk.delayed.contains($0) }
      return draft(site, line, delays, histories, facts)
    }
    .worstOfEachLine
  }

  // MARK: Search

  private struct Walk {
    private(set) var all: [LongDelivery] = []
    /// The indices of those that have delayed other work.
    private(set) var delayed: Set<Int> = []
    /// The number of pieces of work of the main queue in which no closure ran for long.
    private(set) var others = 0
    private let facts: FindingFacts
    private var works: [UInt32: Work] = [:]
    private var mainQueue = MainQueueTurns()

    /// When work that has not begun was scheduled.
    private var scheduledAt: [UInt32: UInt64] = [:]
    /// The work of timers, which is scheduled once and begins when it is due.
    private var ofTimers: Set<UInt32> = []
    private var timerHops = TimerHops()

    private static let kinds = RecordKinds([
      .hopScheduled, .timerArmed, .hopBegan, .hopEnded, .hopCancelled, .turnBegan, .turnEnded,
      .runsOn,
    ])

    /// - Complexity: O(records).
    init(_ facts: FindingFacts) {
      self.facts = facts
      let rows = facts.records.suffix(DeliveryScan.limit(facts)).indices
      facts.records.forEach(of: Self.kinds, in: rows) { process($1, $0) }
    }

    private mutating func process(_ record: TraceRecord, _ row: Int) {
      mainQueue.process(record)
      switch record.kind {
      case .hopScheduled:
        if let hop = record.hopScheduling { scheduledAt[hop.hop] = record.ticks }
        timerHops.accept(record)
      case .timerArmed:
        guard let hop = timerHops.hop(armedBy: record) else { return }
        scheduledAt[hop] = nil
        ofTimers.insert(hop)
      case .hopCancelled: scheduledAt[record.id] = nil
      case .hopBegan:
        begin(record, record.id, row, facts.scheduler(record.argument)?.kind == .main)
      case .turnBegan:
        let isMain =
          facts.thread(record.thread)?.isMain == true
          || mainQueue.isOnMainQueue(record.thread) == true
        begin(record, record.entity.rawValue, row, isMain)
      case .hopEnded: end(record, record.id, row)
      case .turnEnded: end(record, record.entity.rawValue, row)
      default: break
      }
    }

    private mutating func begin(_ record: TraceRecord, _ id: UInt32, _ row: Int, _ isMain: Bool) {
      var work = works[record.thread] ?? Work()
      let scheduled = record.kind == .hopBegan ? scheduledAt.removeValue(forKey: id) : nil
      if work.open.isEmpty {
        if let ended = work.ended, record.kind == .hopBegan,
          facts.seconds(from: ended.ticks, to: record.ticks) <= LongDelivery.pause,
          ofTimers.contains(id) || hasWaited(since: scheduled, until: ended.ticks)
        {
          delayed.formUnion(ended.stretches)
        }
        work.ended = nil
        (work.row, work.ticks, work.isMain) = (row, record.ticks, isMain)
      }
      work.open.append(id)
      works[record.thread] = work
    }

    /// Whether work was scheduled well before a stretch ended, and not by what ran in its last
    /// moment.
    private func hasWaited(since scheduled: UInt64?, until end: UInt64) -> Bool {
      guard let scheduled, scheduled < end else { return false }
      return facts.seconds(from: scheduled, to: end) > LongDelivery.pause
    }

    private mutating func end(_ record: TraceRecord, _ id: UInt32, _ row: Int) {
      guard var work = works[record.thread], let last = work.open.lastIndex(of: id) else { return }
      work.open.removeSubrange(last...)
      if work.open.isEmpty, work.isMain {
        let first = all.count
        if facts.seconds(from: work.ticks, to: record.ticks) >= LongDelivery.minimumDuration {
          let rows = work.row...row
          all += LongDelivery.all(in: rows, of: record.thread, isAfterTurns: false, facts)
        }
        if all.count > first {
          work.ended = (record.ticks, first..<all.count)
        } else if record.kind == .hopEnded {
          others += 1
        }
      }
      works[record.thread] = work
    }
  }

  // MARK: Texts

  private static func draft(
    _ site: UInt32,
    _ line: LongLine,
    _ delays: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let times = line.deliveries.map(\.seconds).sorted()
    let (middle, most) = (times[times.count / 2], times[times.count - 1])
    let total = facts.seconds(from: facts.start, to: facts.last)
    let what = line.closures(of: site, histories, facts)
    let waiting =
      delays > 0
      ? ": other work was waiting behind it \(Words.count(delays, "time"))" : ""
    return FindingDraft(
      kind: .heldMainQueue,
      site: site,
      subject: line.stages.count == 1 ? line.stages.keys.first.map { histories.all[$0].key } : nil,
      summary:
        "\(line.deliveries.count) times \(Duration.seconds(middle).brief) on the main queue",
      sentence:
        "\(what) ran on the main queue for \(Duration.seconds(middle).brief) at the median and \(Duration.seconds(most).brief) at most, "
        + "\(line.deliveries.count) times for \(line.values) values, \(Duration.seconds(line.seconds).brief) of \(Duration.seconds(total).brief) in all\(waiting).",
      remedy: row.traits.contains(.root)
        ? "Do the work before the main queue is reached: in map, behind deliver(on:) of another queue, and deliver(on: .main) only its result."
        : "Put deliver(on:) of another queue in front of \(row.place), and deliver(on: .main) behind it.",
      evidence: Evidence(
        events: line.deliveries.prefix(8).map(\.number),
        counters: [
          "long \(line.deliveries.count)", "values \(line.values)",
          "others waited \(delays)",
        ]
      ),
      accusedStages: line.accusedStages(histories),
      cap: histories.isWhole
        ? nil : "what happened before the records that are left is not counted.",
      rank: Rank(live: UInt64(line.deliveries.count)),
      restsOnRecords: true
    )
  }
}
