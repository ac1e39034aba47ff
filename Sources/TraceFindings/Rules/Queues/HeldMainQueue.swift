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
///
/// The trace records when a value is delivered, but not how long each closure runs. It therefore
/// shows only how long all closures of a delivery ran together, until the next record of the thread
/// with a later time. A tenth of a second is about what a user perceives as immediate (R. B.
/// Miller, *Response time in man-computer conversational transactions*, 1968).
enum HeldMainQueue: FindingRule {
  static let kinds: [FindingKind] = [.heldMainQueue]

  /// The minimum number of seconds for which a closure runs.
  private static let minimumDuration = 0.1
  /// The minimum number of times that the closures of a line run for so long.
  private static let minimumOccasions = 3
  /// The minimum share of values that take so long: any thread may be delayed occasionally.
  private static let share = 0.2
  /// The number of seconds within which work begins if it was waiting for the closure to return.
  private static let pause = 0.01
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

  /// A stretch of time in which the closures of one delivery ran for long.
  private struct Stretch {
    /// The stage that sent the last value before the stretch.
    var sender: TraceID
    /// The stage that subscribed to the signal made at the end of the stretch; none if no signal
    /// was made there.
    var subscriber = TraceID.none
    var seconds: Double
    var number: UInt64
    var hasDelayedOthers = false
  }

  /// All such stretches for one caller of a line.
  private struct Held {
    var stages: [Int: Int] = [:]
    var stretches: [Stretch] = []
    var values: UInt64 = 0

    var seconds: Double { stretches.reduce(0) { $0 + $1.seconds } }
    var delayCount: Int { stretches.count { $0.hasDelayedOthers } }
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.hasEvents, !facts.records.isEmpty else { return [] }
    let walk = Walk(facts)
    let all = walk.all
    guard all.count >= minimumOccasions, walk.others >= minimumOthers,
      let histories = context.histories
    else {
      return []
    }
    var senders = Dictionary(all.map { ($0.sender, [Int]()) }) { first, _ in first }
    for (place, one) in histories.all.enumerated() { senders[one.key.id]?.append(place) }
    var byLine: [UInt64: Held] = [:]
    for stretch in all {
      let sender = senders[stretch.sender]?.last {
        histories.all[$0].creation <= stretch.number
      }
      guard let sender else { continue }
      let traits = facts.site(histories.all[sender].site).traits
      // An operator that only forwards values from elsewhere has no closure.
      let isPassedOn = !traits.isDisjoint(with: .withoutClosure)
      let downstream = histories.all[sender].downstream
      // The stage that subscribes to the signal made by a closure is the stage that ran the
      // closure.
      let hasMade = downstream >= 0 && histories.all[downstream].key.id == stretch.subscriber
      let stage = isPassedOn || hasMade ? downstream : sender
      guard stage >= 0, histories.all[stage].creation != 0 else { continue }
      let one = histories.all[stage]
      var held = byLine[Packing.pair(high: one.site, low: one.chain)] ?? Held()
      if held.stages.updateValue(sender, forKey: stage) == nil {
        held.values += histories.all[sender].events
      }
      held.stretches.append(stretch)
      byLine[Packing.pair(high: one.site, low: one.chain)] = held
    }
    return byLine.sorted { $0.key < $1.key }.compactMap { key, held in
      let site = Packing.high(key)
      guard held.stretches.count >= minimumOccasions,
        Double(held.stretches.count) >= Double(held.values) * share,
        !isExplained(held, histories, context)
      else { return nil }
      return draft(site, held, histories, facts)
    }
    .worstOfEachLine
  }

  /// Whether an earlier finding accuses a line of the same subscriptions: a long wait inside one of
  /// them is then part of the fault already found.
  private static func isExplained(
    _ held: Held,
    _ histories: Histories,
    _ context: FindingContext
  ) -> Bool {
    held.stages.keys.contains { stage in
      histories.tree(upstreamOf: histories.root(of: stage), limit: 64).contains {
        context.isAccused(histories.all[$0].site)
      }
    }
  }

  // MARK: Search

  private struct Walk {
    private(set) var all: [Stretch] = []
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
          facts.seconds(from: ended.ticks, to: record.ticks) <= HeldMainQueue.pause,
          ofTimers.contains(id) || hasWaited(since: scheduled, until: ended.ticks)
        {
          for place in ended.stretches { all[place].hasDelayedOthers = true }
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
      return facts.seconds(from: scheduled, to: end) > HeldMainQueue.pause
    }

    private mutating func end(_ record: TraceRecord, _ id: UInt32, _ row: Int) {
      guard var work = works[record.thread], let last = work.open.lastIndex(of: id) else { return }
      work.open.removeSubrange(last...)
      if work.open.isEmpty, work.isMain {
        let first = all.count
        if facts.seconds(from: work.ticks, to: record.ticks) >= HeldMainQueue.minimumDuration {
          look(in: work.row...row, of: record.thread)
        }
        if all.count > first {
          work.ended = (record.ticks, first..<all.count)
        } else if record.kind == .hopEnded {
          others += 1
        }
      }
      works[record.thread] = work
    }

    /// Finds the closures in which a long piece of work spent its time.
    private mutating func look(in rows: ClosedRange<Int>, of thread: UInt32) {
      var sent: TraceRecord?
      var before: UInt64?
      // Whether a long stretch has just ended, and all records since then are of signals that were
      // made.
      var isOver = false
      for row in rows {
        let record = facts.records[row]
        guard record.thread == thread else { continue }
        if let sent, let before {
          let seconds = facts.seconds(from: before, to: record.ticks)
          if seconds >= HeldMainQueue.minimumDuration {
            all.append(Stretch(sender: sent.entity, seconds: seconds, number: sent.number))
            isOver = true
          }
        }
        if isOver, record.kind != .signalCreated, record.kind != .signalMade {
          all[all.count - 1].subscriber = record.subscribing?.downstream ?? .none
          isOver = false
        }
        if record.kind == .next { sent = record }
        before = record.ticks
      }
    }
  }

  // MARK: Texts

  private static func draft(
    _ site: UInt32,
    _ held: Held,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let times = held.stretches.map(\.seconds).sorted()
    let (middle, most) = (times[times.count / 2], times[times.count - 1])
    let total = facts.seconds(from: facts.start, to: facts.last)
    let upstream = held.stages.keys.min().flatMap { histories.inputs[$0].first }.map {
      facts.site(histories.all[$0].site)
    }
    let isOther = upstream.map {
      $0.place != row.place && $0.traits.isDisjoint(with: .withoutClosure)
    }
    let what =
      row.traits.contains(.root)
      ? "The handler of \(row.place)"
        + (isOther == true ? ", or \(upstream?.place ?? "") above it," : "")
      : "The closure of \(row.place), or one above it,"
    let waiting =
      held.delayCount > 0
      ? ": other work was waiting behind it \(Words.count(held.delayCount, "time"))" : ""
    return FindingDraft(
      kind: .heldMainQueue,
      site: site,
      subject: held.stages.count == 1 ? held.stages.keys.first.map { histories.all[$0].key } : nil,
      summary:
        "\(held.stretches.count) times \(Duration.seconds(middle).brief) on the main queue",
      sentence:
        "\(what) ran on the main queue for \(Duration.seconds(middle).brief) at the median and \(Duration.seconds(most).brief) at most, "
        + "\(held.stretches.count) times for \(held.values) values, \(Duration.seconds(held.seconds).brief) of \(Duration.seconds(total).brief) in all\(waiting).",
      remedy: row.traits.contains(.root)
        ? "Do the work before the main queue is reached: in map, behind deliver(on:) of another queue, and deliver(on: .main) only its result."
        : "Put deliver(on:) of another queue in front of \(row.place), and deliver(on: .main) behind it.",
      evidence: Evidence(
        events: held.stretches.prefix(8).map(\.number),
        counters: [
          "long \(held.stretches.count)", "values \(held.values)",
          "others waited \(held.delayCount)",
        ]
      ),
      accusedStages: held.stages.keys.sorted().prefix(64).map {
        let stage = histories.all[$0]
        return AccusedRoot(stage)
      },
      cap: histories.isWhole
        ? nil : "what happened before the records that are left is not counted.",
      rank: Rank(live: UInt64(held.stretches.count)),
      restsOnRecords: true
    )
  }
}

extension SiteTraits {
  /// The traits of operators that forward values without a closure that works on them.
  fileprivate static var withoutClosure: SiteTraits {
    [.hot, .switchesQueue, .timer, .source, .shares]
  }
}
