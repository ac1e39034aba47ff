import TraceModel
import TraceReading

/// A long piece of work on a serial queue other than the main queue, with what waited behind it.
struct LongQueueWork {
  /// Row of the queue in the scheduler table.
  let scheduler: UInt32
  /// The thread on which it ran, which need not be that of the queue's next work.
  let thread: UInt32
  /// The records from its beginning to its end.
  let rows: ClosedRange<Int>
  let began: UInt64
  let ended: UInt64
  /// The stage that scheduled it; none if the program itself did.
  let stage: TraceID
  /// The asynchronous backtrace of where it was scheduled.
  let chain: UInt32
  /// The work that was waiting for the queue when this work ended.
  var waiting: [Waiting] = []

  /// Work that waited for the queue, and began right after the long work.
  struct Waiting {
    /// The stage that scheduled it; none if the program itself did.
    var stage: TraceID
    /// Whether it was scheduled by work of the same queue.
    var isOwn: Bool
    /// When it could have begun: when it was scheduled or, if it is the work of a timer, when the
    /// timer was due.
    var since: UInt64
    var began: UInt64
    /// The number of the record of its beginning.
    var number: UInt64
  }

  /// The long work of all serial queues other than the main queue, in the order of its ends.
  ///
  /// - Complexity: O(records).
  static func all(_ facts: FindingFacts) -> [LongQueueWork] { Walk(facts).all }

  /// Follows the work of each queue from where it was scheduled to its end.
  ///
  /// A serial queue may run each piece of its work on another thread, so what waited for a queue is
  /// found by the queue, not by the thread.
  private struct Walk {
    private(set) var all: [LongQueueWork] = []
    private let facts: FindingFacts
    /// Work that has not begun.
    private var scheduled: [UInt32: Scheduled] = [:]
    /// The work of timers that fire repeatedly.
    private var timers: [UInt32: Timer] = [:]
    private var timerHops = TimerHops()
    /// The work that runs on each thread, the outermost first.
    private var running: [UInt32: [Running]] = [:]
    /// The latest long work of each queue, as an index into ``all``.
    private var latest: [UInt32: Int] = [:]

    private struct Scheduled {
      var ticks: UInt64
      var stage: TraceID
      var chain: UInt32
      var isOwn: Bool
    }

    private struct Timer {
      var period: Double
      var last: UInt64
      var work: Scheduled
    }

    private struct Running {
      var hop: UInt32
      var scheduler: UInt32
      var row: Int
      var ticks: UInt64
      var stage: TraceID
      var chain: UInt32
    }

    private static let kinds = RecordKinds([
      .hopScheduled, .timerArmed, .hopBegan, .hopEnded, .hopCancelled, .levelChanged,
    ])

    init(_ facts: FindingFacts) {
      self.facts = facts
      let rows = facts.records.suffix(DeliveryScan.limit(facts)).indices
      facts.records.forEach(of: Self.kinds, in: rows) { process($1, $0) }
    }

    private mutating func process(_ record: TraceRecord, _ row: Int) {
      switch record.kind {
      case .hopScheduled:
        timerHops.accept(record)
        guard let hop = record.hopScheduling, isSerial(hop.scheduler) else { return }
        scheduled[hop.hop] = Scheduled(
          ticks: record.ticks,
          stage: hop.subscription,
          chain: hop.chain,
          isOwn: running[record.thread]?.contains { $0.scheduler == hop.scheduler } ?? false
        )
      case .timerArmed:
        guard let hop = timerHops.hop(armedBy: record), let timer = record.timerArming,
          let work = scheduled.removeValue(forKey: hop)
        else { return }
        // When a timer that fires once is due is not recorded.
        timers[hop] =
          timer.microseconds == 0
          ? nil
          : Timer(period: Double(timer.microseconds) / 1e6, last: record.ticks, work: work)
      case .hopCancelled: scheduled[record.id] = nil
      case .hopBegan: begin(record, row)
      case .hopEnded: end(record, row)
      case .levelChanged:
        // Work may have been scheduled, begun or ended without a record.
        (scheduled, timers, running, latest) = ([:], [:], [:], [:])
      default: break
      }
    }

    private func isSerial(_ scheduler: UInt32) -> Bool {
      facts.scheduler(scheduler)?.kind == .serialQueue
    }

    private mutating func begin(_ record: TraceRecord, _ row: Int) {
      let timer = timers[record.id]
      let work = scheduled.removeValue(forKey: record.id) ?? timer?.work
      if running[record.thread]?.isEmpty ?? true, let work { wait(record, work, timer) }
      timers[record.id]?.last = record.ticks
      running[record.thread, default: []].append(
        Running(
          hop: record.id,
          scheduler: record.argument,
          row: row,
          ticks: record.ticks,
          stage: work?.stage ?? .none,
          chain: work?.chain ?? 0
        )
      )
    }

    /// Notes that work which begins was waiting for long work that has just ended.
    private mutating func wait(_ record: TraceRecord, _ work: Scheduled, _ timer: Timer?) {
      guard let place = latest[record.argument], record.ticks >= all[place].ended,
        facts.seconds(from: all[place].ended, to: record.ticks) <= LongDelivery.pause
      else { return }
      var since = work.ticks
      if let timer {
        let passed = facts.seconds(from: timer.last, to: record.ticks)
        guard passed > timer.period, record.ticks > timer.last else { return }
        let ticks = Double(record.ticks - timer.last) * (timer.period / passed)
        since = timer.last + UInt64(ticks)
      }
      guard since < all[place].ended else { return }
      all[place].waiting.append(
        Waiting(
          stage: work.stage,
          isOwn: work.isOwn,
          since: since,
          began: record.ticks,
          number: record.number
        )
      )
    }

    private mutating func end(_ record: TraceRecord, _ row: Int) {
      guard let place = running[record.thread]?.lastIndex(where: { $0.hop == record.id }) else {
        return
      }
      let work = running[record.thread]?[place]
      running[record.thread]?.removeSubrange(place...)
      guard place == 0, let work, isSerial(work.scheduler), row >= work.row,
        facts.seconds(from: work.ticks, to: record.ticks) >= LongDelivery.minimumDuration
      else { return }
      latest[work.scheduler] = all.count
      all.append(
        LongQueueWork(
          scheduler: work.scheduler,
          thread: record.thread,
          rows: work.row...row,
          began: work.ticks,
          ended: record.ticks,
          stage: work.stage,
          chain: work.chain
        )
      )
    }
  }
}

extension LongQueueWork {
  /// Something that the long work has sent elsewhere and that came to its end: work on another
  /// scheduler, or the first value of a subscription.
  struct Answer {
    /// When the long work sent it, or subscribed.
    var sent: UInt64
    var began: UInt64
    var ended: UInt64
    /// Row of the scheduler on which it ran; 0 if it is a value.
    var scheduler: UInt32
    /// Row of the site of the subscription; 0 if it is work.
    var site: UInt32
    /// The number of the record of its end.
    var number: UInt64

    /// The maximum number of seconds between the end of an answer and that of the stretch that
    /// waited for it.
    ///
    /// The answer may be recorded later: a handler signals a semaphore before it returns.
    static let margin = 0.005
    /// The maximum number of records that are read after the end of the work.
    static let rowLimit = 4096

    /// Whether the closures of a delivery evidently went on because the answer had come.
    ///
    /// Work that runs for most of the stretch may as well be the other half of a task that is done in
    /// parallel.
    func ends(_ delivery: LongDelivery, _ facts: FindingFacts) -> Bool {
      sent <= delivery.began && began <= delivery.ended
        && facts.seconds(from: ended, to: delivery.ended) <= Self.margin
        && facts.seconds(from: delivery.ended, to: ended) <= Self.margin
        && facts.seconds(from: began, to: ended) * 2 <= delivery.seconds
    }
  }

  /// What other threads did for this work, until shortly after its end.
  ///
  /// Only the first run of each piece of work and the first value of each subscription count,
  /// because something that happens again and again is always near.
  ///
  /// - Complexity: O(records during the work).
  func answers(_ facts: FindingFacts) -> [Answer] {
    var all: [Answer] = []
    var sent: [UInt32: UInt64] = [:]
    var subscriptions: [TraceID: (sent: UInt64, site: UInt32)] = [:]
    // The work that runs on other threads, the innermost last.
    var running: [UInt32: [(hop: UInt32, answer: Answer?)]] = [:]
    let last = min(facts.records.count, rows.upperBound + Answer.rowLimit)
    for row in rows.lowerBound..<last {
      let record = facts.records[row]
      guard facts.seconds(from: ended, to: record.ticks) <= Answer.margin else { break }
      let isOwn = record.thread == thread
      switch record.kind {
      case .hopScheduled:
        guard let hop = record.hopScheduling, hop.scheduler != scheduler else { continue }
        if isOwn {
          sent[hop.hop] = record.ticks
        } else if let answer = running[record.thread]?.last?.answer {
          sent[hop.hop] = answer.sent
        }
      case .subscribed where isOwn:
        guard let creation = record.subscribing, creation.downstream == .none else { continue }
        subscriptions[record.entity] = (record.ticks, creation.site)
      case .hopBegan where !isOwn:
        let answer = sent.removeValue(forKey: record.id).map {
          Answer(
            sent: $0,
            began: record.ticks,
            ended: record.ticks,
            scheduler: record.argument,
            site: 0,
            number: 0
          )
        }
        running[record.thread, default: []].append((record.id, answer))
      case .hopEnded where !isOwn:
        guard let place = running[record.thread]?.lastIndex(where: { $0.hop == record.id }) else {
          continue
        }
        if var answer = running[record.thread]?[place].answer {
          (answer.ended, answer.number) = (record.ticks, record.number)
          all.append(answer)
        }
        running[record.thread]?.removeSubrange(place...)
      case .next where !isOwn:
        guard let made = subscriptions.removeValue(forKey: record.entity) else { continue }
        all.append(
          Answer(
            sent: made.sent,
            began: record.ticks,
            ended: record.ticks,
            scheduler: 0,
            site: made.site,
            number: record.number
          )
        )
      default: break
      }
    }
    return all
  }
}
