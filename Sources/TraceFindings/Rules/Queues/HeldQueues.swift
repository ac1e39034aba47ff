public import TraceModel
import TraceReading

extension FindingKind {
  /// An operator or a handler runs on a serial queue for so long that work of other lines has to
  /// wait for the queue.
  public static let heldQueue = FindingKind(
    "queue-held",
    "long work on a queue that others share",
    needsEvents: true,
    needsAll: true,
    evidence: [.next, .hopBegan, .hopEnded],
    doubt: "How long work may wait for this queue is known only to those who wrote it."
  )
}

/// Closures that repeatedly run on a serial queue, other than the main queue, for a tenth of a
/// second or more, while work of other lines waits for the same queue.
///
/// A queue is there to work, so this is an INFO, unless the closures evidently only wait there for
/// other work that they have sent elsewhere.
enum HeldQueues: FindingRule {
  static let kinds: [FindingKind] = [.heldQueue]

  /// The minimum number of seconds that work of another line must wait for it to count.
  private static let minimumWait = 0.05

  /// The long work of a line on one queue, and what waited behind it.
  private struct Held {
    var scheduler: UInt32
    var line: LongLine
    /// What each delayed delivery has delayed, with the sites of the stages that waited.
    var delays: [Delay] = []
    /// The answers for which deliveries waited, at most one for each delivery.
    var answers: [LongQueueWork.Answer] = []
    /// The kinds of work that its closures have scheduled outside of the library.
    var hops: [HopKind] = []

    /// Whether its closures evidently wait for what they have sent elsewhere.
    var isWaiting: Bool {
      answers.count >= LongDelivery.minimumOccasions
        && answers.count * 2 >= line.deliveries.count
    }
  }

  /// The work that waited longest behind one delivery.
  private struct Delay {
    /// The site of the stage that had scheduled it; nil if the program itself had.
    var site: UInt32?
    var seconds: Double
    var number: UInt64
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.hasEvents, !facts.records.isEmpty else { return [] }
    let byQueue = Dictionary(grouping: LongQueueWork.all(facts), by: \.scheduler).filter {
      $0.value.contains { !$0.waiting.isEmpty }
    }
    guard !byQueue.isEmpty, let histories = context.histories else { return [] }
    // The work of several queues may overlap, and the records during each are read.
    var rowsLeft = 4 * DeliveryScan.limit(facts)
    var drafts: [FindingDraft] = []
    for (scheduler, works) in byQueue.sorted(by: { $0.key < $1.key }) {
      rowsLeft -= works.reduce(0) { $0 + $1.rows.count }
      guard rowsLeft >= 0 else { break }
      for (site, held) in self.held(scheduler, works, histories, facts)
      where !held.line.isExplained(histories, context) {
        drafts.append(draft(site, held, histories, facts))
      }
    }
    return drafts.worstOfEachLine
  }

  // MARK: Search

  /// The lines whose closures hold a queue.
  private static func held(
    _ scheduler: UInt32,
    _ works: [LongQueueWork],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [(UInt32, Held)] {
    var deliveries: [LongDelivery] = []
    // For each delivery, the work in which it was.
    var workOf: [Int] = []
    for (number, work) in works.enumerated() {
      let found = LongDelivery.all(in: work.rows, of: work.thread, isAfterTurns: true, facts)
      deliveries += found
      workOf += found.map { _ in number }
    }
    guard deliveries.count >= LongDelivery.minimumOccasions else { return [] }
    let ids = works.flatMap { $0.waiting.map(\.stage) + [$0.stage] }
    let stages = StagesByID(ids, histories)
    var answers: [Int: [LongQueueWork.Answer]] = [:]
    return LongLine.all(deliveries, histories, facts).compactMap { site, line in
      guard line.isUsual else { return nil }
      var held = Held(scheduler: scheduler, line: line)
      let roots = Set(line.stages.keys.map { histories.all[histories.root(of: $0)].site })
      for (delivery, place) in zip(line.deliveries, line.places) {
        let others = Others(works[workOf[place]], delivery, roots, stages, histories)
        if let delay = others.longest(facts) { held.delays.append(delay) }
      }
      guard held.delays.count >= LongDelivery.minimumOccasions else { return nil }
      for (delivery, place) in zip(line.deliveries, line.places) {
        let work = workOf[place]
        let all = answers[work] ?? works[work].answers(facts)
        answers[work] = all
        // The work that began last is the one for which the delivery waited; it says more than a
        // value that it brought.
        let ending = all.filter { $0.ends(delivery, facts) }
        let answer =
          ending.filter { $0.scheduler != 0 }.max { $0.began < $1.began }
          ?? ending.max { $0.began < $1.began }
        guard let answer else { continue }
        held.answers.append(answer)
      }
      held.hops = facts.hops(from: Set(line.places.map { works[workOf[$0]].chain }))
      return (site, held)
    }
  }

  /// The work of other lines that waited behind a delivery.
  private struct Others {
    private let work: LongQueueWork
    private let delivery: LongDelivery
    /// The sites of the subscriptions to which the delivery and its work belong.
    private var roots: Set<UInt32>
    /// The site of the stage that scheduled the long work; nil if the program itself did.
    private var scheduledBy: UInt32?
    private let stages: StagesByID
    private let histories: Histories

    init(
      _ work: LongQueueWork,
      _ delivery: LongDelivery,
      _ roots: Set<UInt32>,
      _ stages: StagesByID,
      _ histories: Histories
    ) {
      (self.work, self.delivery, self.roots) = (work, delivery, roots)
      (self.stages, self.histories) = (stages, histories)
      guard let place = stages.place(of: work.stage, at: delivery.number) else { return }
      scheduledBy = histories.all[place].site
      self.roots.insert(histories.all[histories.root(of: place)].site)
    }

    /// The work that waited longest; nil if none waited long enough.
    func longest(_ facts: FindingFacts) -> Delay? {
      var longest: Delay?
      for one in work.waiting {
        let since = max(one.since, delivery.began)
        guard facts.seconds(from: since, to: delivery.ended) >= HeldQueues.minimumWait else {
          continue
        }
        let site: UInt32?
        if one.stage == .none {
          // Work of the program itself is known to be of another line only if the long work is not.
          guard scheduledBy != nil, !one.isOwn else { continue }
          site = nil
        } else {
          guard let place = stages.place(of: one.stage, at: one.number),
            case let stage = histories.all[place].site, stage != scheduledBy,
            !roots.contains(histories.all[histories.root(of: place)].site)
          else { continue }
          site = stage
        }
        let seconds = facts.seconds(from: max(one.since, work.began), to: one.began)
        if seconds > longest?.seconds ?? 0 {
          longest = Delay(site: site, seconds: seconds, number: one.number)
        }
      }
      return longest
    }
  }

  // MARK: Texts

  private static func draft(
    _ site: UInt32,
    _ held: Held,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let (row, line) = (facts.site(site), held.line)
    let times = line.deliveries.map(\.seconds).sorted()
    let (middle, most) = (times[times.count / 2], times[times.count - 1])
    let total = facts.seconds(from: facts.start, to: facts.last)
    let queue = WrongQueue.name(.scheduler(held.scheduler), facts)
    let place = row.place
    return FindingDraft(
      kind: .heldQueue,
      level: held.isWaiting ? .suspect : .info,
      site: site,
      subject: line.stages.count == 1 ? line.stages.keys.first.map { histories.all[$0].key } : nil,
      summary:
        "\(line.deliveries.count) times \(Duration.seconds(middle).brief) on \(queue)",
      sentence:
        "\(line.closures(of: site, histories, facts)) ran on \(queue) for \(Duration.seconds(middle).brief) at the median and \(Duration.seconds(most).brief) at most, "
        + "\(line.deliveries.count) times for \(line.values) values, \(Duration.seconds(line.seconds).brief) of \(Duration.seconds(total).brief) in all. "
        + waiters(held, facts) + answers(held, facts),
      remedy: held.isWaiting
        ? "Do not block \(queue) to wait: return a signal for the answer, with flatMap, or put deliver(on:) of a queue of its own in front of \(place)."
        : "If \(place) waits for something, return a signal for it instead, with flatMap. If it takes that long to work, put deliver(on:) of a queue of its own in front of it.",
      evidence: Evidence(
        events: (line.deliveries.prefix(8).map(\.number) + held.delays.prefix(8).map(\.number)
          + (held.isWaiting ? held.answers.prefix(8).map(\.number) : []))
          .sorted(),
        counters: [
          "long \(line.deliveries.count)", "values \(line.values)",
          "others waited \(held.delays.count)", "answered \(held.answers.count)",
        ]
      ),
      accusedStages: line.accusedStages(histories),
      cap: histories.isWhole
        ? nil : "what happened before the records that are left is not counted.",
      rank: Rank(live: UInt64(held.delays.count)),
      restsOnRecords: true
    )
  }

  /// Says whose work waited.
  private static func waiters(_ held: Held, _ facts: FindingFacts) -> String {
    let most = held.delays.max { $0.seconds < $1.seconds }
    let who = most?.site.map { facts.site($0).place } ?? "the program itself"
    let others = Set(held.delays.map(\.site)).count - 1
    let more = others > 0 ? ", or of \(Words.count(others, "other line"))," : ""
    return
      "\(Words.count(held.delays.count, "time")) work of \(who)\(more) had to wait for the queue until then, for \(Duration.seconds(most?.seconds ?? 0).brief) at most."
  }

  /// Says for what the closures waited, or may have waited.
  private static func answers(_ held: Held, _ facts: FindingFacts) -> String {
    guard held.isWaiting else {
      let words = held.hops.compactMap(\.words)
      guard !words.isEmpty else { return "" }
      return
        " Code that ran there has used \(words.joined(separator: " and ")): whether it waited for that is not recorded."
    }
    let byPlace = Dictionary(grouping: held.answers) {
      Packing.pair(high: $0.scheduler, low: $0.site)
    }
    let usual = byPlace.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value.first
    let what: String
    if let usual, usual.scheduler == 0 {
      what = "a value had come to \(facts.site(usual.site).place), which it had itself made"
    } else {
      let place: DeliveryScan.Place =
        facts.scheduler(usual?.scheduler ?? 0)?.kind == .main
        ? .main : .scheduler(usual?.scheduler ?? 0)
      what = "work had ended that it had itself sent to \(WrongQueue.name(place, facts))"
    }
    return
      " What ran there waits for other work: \(Words.count(held.answers.count, "time")) it went on just when \(what)."
  }
}

extension FindingFacts {
  /// The kinds of hops, outside of the library's schedulers, by which work that had one of the given
  /// asynchronous backtraces has sent other work elsewhere.
  fileprivate func hops(from chains: Set<UInt32>) -> [HopKind] {
    Self.elsewhere.filter { kind in
      hasChain { $0.kind == kind && $0.parent != 0 && chains.contains($0.parent) }
    }
  }

  private static let elsewhere: [HopKind] = [
    .async, .after, .group, .barrier, .workItem, .operation, .thread, .task, .detachedTask,
  ]
}
