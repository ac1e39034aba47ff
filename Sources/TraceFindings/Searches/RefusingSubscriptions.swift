import TraceModel
import TraceReading

/// What the records show about a subscription to a source that sent values after the subscription's
/// end.
struct RefusingSubscription {
  var key: EntityKey
  /// The records of its end, and of the call that disposed of it, if that call is known.
  var ends: [UInt64] = []
  /// Refused values whose sender already knew of the end.
  ///
  /// A single value does not count, because it may have been in progress at the end.
  var sentKnowingly: [UInt64] = []
  /// Values refused one after the other, in one piece of work or on one thread.
  ///
  /// They were sent for at least as long as the source's usual gap, or on the thread that had
  /// disposed of the subscription.
  ///
  /// It is unknown whether they had been waiting since before the end.
  var sentContinuously: [UInt64] = []
}

/// All subscriptions that refused values, which means that the source dropped values sent after the
/// end of the subscription; by site.
///
/// A source refuses a value as it is sent, on the sending thread. What that thread knows of the
/// end:
///
/// - It knows of a disposal that it requested itself, with two exceptions. It may have requested
///   the disposal inside a delivery and then returned to the code that caused the delivery; or it
///   may be emptying a queue that had been filled before.
/// - It knows of everything that happened before the work that it runs was scheduled. Work that was
///   scheduled before the end still runs, and each piece of it may send a value.
struct RefusingSubscriptions {
  private var bySite: [UInt32: [RefusingSubscription]] = [:]

  /// The subscriptions of a site, in the order in which they refused their first event.
  func of(_ site: UInt32) -> [RefusingSubscription] { bySite[site] ?? [] }

  init(_ facts: FindingFacts) {
    var walk = RefusalScan(isRecorded: facts.hasEvents)
    for record in facts.records { walk.process(record) }
    var lives = walk.finish(facts).filter { facts.site($0.site).traits.contains(.source) }
    lives.removeAll {
      $0.later.isEmpty && $0.disposed.numbers.isEmpty && $0.sentContinuously.numbers.isEmpty
    }
    lives.sort { ($0.first, $0.key) < ($1.first, $1.key) }
    let pace = SourcePace(lives, facts)
    for (number, one) in lives.enumerated() {
      var life = RefusingSubscription(key: one.key, ends: one.ends, sentKnowingly: one.later)
      if pace.certainlyOutlastsGap(number, one.disposed) {
        life.sentKnowingly = (life.sentKnowingly + one.disposed.numbers).sorted()
      } else {
        life.sentContinuously = one.disposed.numbers
      }
      if pace.outlastsGap(number, one.sentContinuously) {
        life.sentContinuously = one.sentContinuously.numbers
      }
      bySite[one.site, default: []].append(life)
    }
  }

  /// Values that were refused one after the other.
  fileprivate struct Sequence {
    var numbers: [UInt64] = []
    var times: ClosedRange<UInt64>?
  }

  fileprivate struct Found {
    var key: EntityKey
    var ends: [UInt64]
    var site: UInt32
    /// Values sent by work that was scheduled after an event had been refused.
    var later: [UInt64]
    /// Values sent by the thread that disposed of the subscription.
    var disposed: Sequence
    /// The longest sequence from one thread in one piece of work.
    var sentContinuously: Sequence
    /// The number of the record of its first refusal.
    var first: UInt64
    /// The ticks of its beginning, if known, and of its end.
    var createdAt: UInt64?
    var over: UInt64
  }
}

/// The usual gap between two values of a source.
private struct SourcePace {
  /// The number of seconds for which the system may suspend a thread that has work to do.
  private static let pause = 0.05

  /// The gap of each subscription in ticks; nil if it is unknown.
  private let gaps: [UInt64?]
  private let facts: FindingFacts

  /// Whether a sequence of values was sent for at least as long as the usual gap.
  func outlastsGap(_ number: Int, _ sent: RefusingSubscriptions.Sequence) -> Bool {
    guard let times = sent.times, let gap = gaps[number] else { return false }
    return times.upperBound - times.lowerBound >= gap
  }

  /// Whether a sequence lasted so long that it cannot come from a thread that was suspended while
  /// it emptied a queue.
  func certainlyOutlastsGap(_ number: Int, _ sent: RefusingSubscriptions.Sequence) -> Bool {
    guard let times = sent.times, outlastsGap(number, sent) else { return false }
    return facts.seconds(from: times.lowerBound, to: times.upperBound) >= Self.pause
  }

  init(_ lives: [RefusingSubscriptions.Found], _ facts: FindingFacts) {
    var places: [TraceID: [Int]] = [:]
    for (place, one) in lives.enumerated() { places[one.key.id, default: []].append(place) }
    var passed = lives.map { one -> UInt64 in
      guard let slot = facts.slot(one.key.id), slot.serial == one.key.serial else {
        return 1
      }
      return max(1, slot.eventCount)
    }
    if !lives.isEmpty {
      for record in facts.records where record.kind == .next {
        for place in places[record.entity] ?? []
        where record.ticks <= lives[place].over && record.ticks >= lives[place].createdAt ?? 0 {
          passed[place] = max(passed[place], UInt64(record.argument))
        }
      }
    }
    self.facts = facts
    gaps = lives.indices.map { place in
      guard let createdAt = lives[place].createdAt, lives[place].over >= createdAt else {
        return nil
      }
      return (lives[place].over - createdAt) / passed[place]
    }
  }
}

/// One pass through the records, which collects the refused values.
private struct RefusalScan {
  /// The sender of values: a thread, either in one run of a piece of work or outside of any.
  private struct Sender: Hashable {
    var thread: UInt32
    var run = Run()
  }

  private struct Run: Hashable {
    var hop: UInt32 = 0
    /// The number of records before the beginning of the run, which distinguishes the runs of a
    /// timer.
    var place = 0
  }

  private struct Sent {
    var numbers: [UInt64] = []
    var ticks: [UInt64] = []
    /// The number of records before the first of these values.
    var place: Int
    /// When the piece of work was scheduled, and by what; nil if it is unknown.
    var scheduled: Scheduling?
  }

  private struct Scheduling {
    var ticks: UInt64
    var by: Scheduler
  }

  /// What has scheduled work: a thread, or a timer, which schedules each run when the previous run
  /// ends.
  private enum Scheduler: Hashable {
    case thread(UInt32)
    case timer(UInt32)
  }

  private struct Life {
    var key: EntityKey
    var site: UInt32?
    var downstream = TraceID.none
    var createdAt: UInt64?
    var ends: [(number: UInt64, ticks: UInt64)] = []
    /// The sender that requested the end.
    var disposer: Sender?
    var firstRefusal: (number: UInt64, ticks: UInt64)?
    var sent: [Sender: Sent] = [:]
  }

  /// A call to dispose.
  private struct Request {
    var root: EntityKey
    var number: UInt64
    var sender: Sender
    /// The deliveries inside which the call was made.
    var turns: [TraceID]
  }

  private var open: [TraceID: Life] = [:]
  private var closed: [Life] = []
  private var requests: [UInt32: Request] = [:]
  private var hops: [UInt32: [Run]] = [:]
  private var turns: [UInt32: [TraceID]] = [:]
  private var scheduled: [UInt32: Scheduling] = [:]
  /// The numbers of the hops (scheduled pieces of work) of timers that have fired.
  private var timers: Set<UInt32> = []
  /// For each thread, the number of records up to the last end of work whose beginning is not
  /// recorded; all earlier records of the thread may belong to that work.
  private var unseenWork: [UInt32: Int] = [:]
  private var place = 0
  /// Whether work and deliveries are recorded; without them it is unknown in which work a value was
  /// sent.
  private var isRecorded: Bool

  init(isRecorded: Bool) { self.isRecorded = isRecorded }

  mutating func process(_ record: TraceRecord) {
    place += 1
    let id = record.entity
    switch record.kind {
    case .subscribed:
      close(id)
      var life = Life(key: EntityKey(id: id, serial: record.more.1), site: record.site)
      life.downstream = record.subscribing?.downstream ?? .none
      life.createdAt = record.ticks
      open[id] = life
    case .entityStatus:
      guard let status = record.status, status.kind == .subscription else { return }
      var life = open[id] ?? Life(key: EntityKey(id: id, serial: status.serial))
      (life.site, life.key.serial, life.downstream) = (status.site, status.serial, status.link)
      life.createdAt = status.createdAt
      open[id] = life
    case .disposeRequested, .ended: end(id, record)
    case .refused: refuse(id, record)
    case .subscriptionReleased: close(id)
    case .turnBegan: if isRecorded { turns[record.thread, default: []].append(id) }
    case .turnEnded:
      if let last = turns[record.thread]?.lastIndex(of: id) {
        turns[record.thread]?.remove(at: last)
      } else if open[id]?.disposer?.thread == record.thread {
        // The disposal was requested inside a delivery whose beginning is not recorded.
        open[id]?.disposer = nil
      }
    case .hopScheduled:
      scheduled[record.id] = Scheduling(ticks: record.ticks, by: .thread(record.thread))
    case .hopBegan:
      if isRecorded { hops[record.thread, default: []].append(Run(hop: record.id, place: place)) }
    case .timerFired: if let run = hops[record.thread]?.last { timers.insert(run.hop) }
    case .hopEnded:
      if let last = hops[record.thread]?.lastIndex(where: { $0.hop == record.id }) {
        hops[record.thread]?.removeSubrange(last...)
      } else {
        unseenWork[record.thread] = place
      }
      scheduled[record.id] =
        timers.contains(record.id)
        ? Scheduling(ticks: record.ticks, by: .timer(record.id)) : nil
    case .hopCancelled:
      scheduled[record.id] = nil
      timers.remove(record.id)
    case .levelChanged:
      isRecorded = record.id >= TraceLevel.events.rawValue
      hops = [:]
      turns = [:]
    default: break
    }
  }

  private mutating func close(_ id: TraceID) {
    guard let life = open.removeValue(forKey: id), !life.sent.isEmpty else { return }
    closed.append(life)
  }

  private mutating func end(_ id: TraceID, _ record: TraceRecord) {
    var life = open[id] ?? Life(key: EntityKey(id: id, serial: 0))
    let thread = record.thread
    if record.kind == .disposeRequested, thread != 0 {
      requests[thread] = Request(
        root: life.key,
        number: record.number,
        sender: Sender(thread: thread, run: hops[thread]?.last ?? Run()),
        turns: turns[thread] ?? []
      )
    } else if isRecorded, thread != 0, let request = requests[thread],
      !request.turns.contains(id), leads(id, to: request.root)
    {
      life.disposer = request.sender
      if request.root.id != id { life.ends.append((request.number, record.ticks)) }
    }
    life.ends.append((record.number, record.ticks))
    open[id] = life
  }

  /// Whether the events of one subscription lead to another.
  private func leads(_ id: TraceID, to root: EntityKey) -> Bool {
    guard open[root.id]?.key == root else { return false }
    var next = id
    // A damaged file may contain a cycle, so the number of steps is limited.
    for _ in 0..<1000 {
      if next == root.id { return true }
      guard let life = open[next], life.downstream != .none else { return false }
      next = life.downstream
    }
    return false
  }

  private mutating func refuse(_ id: TraceID, _ record: TraceRecord) {
    var life = open[id] ?? Life(key: EntityKey(id: id, serial: 0))
    defer { open[id] = life }
    if life.firstRefusal == nil { life.firstRefusal = (record.number, record.ticks) }
    guard isRecorded, record.refusedEvent == .next, record.thread != 0 else { return }
    let sender = Sender(thread: record.thread, run: hops[record.thread]?.last ?? Run())
    var sent = life.sent[sender] ?? Sent(place: place, scheduled: scheduled[sender.run.hop])
    sent.numbers.append(record.number)
    sent.ticks.append(record.ticks)
    life.sent[sender] = sent
  }

  // MARK: Results

  mutating func finish(_ facts: FindingFacts) -> [RefusingSubscriptions.Found] {
    for (id, life) in open {
      if let slot = facts.slot(id), slot.kind == .subscription {
        open[id]?.site = slot.site
        open[id]?.key.serial = slot.serial
        if life.createdAt == nil { open[id]?.createdAt = slot.createdAt }
      }
      close(id)
    }
    return closed.compactMap(summary)
  }

  private func summary(_ life: Life) -> RefusingSubscriptions.Found? {
    guard let site = life.site, let first = life.firstRefusal else { return nil }
    var disposed = Sent(place: 0)
    var longest = Sent(place: 0)
    /// The values sent by work that was scheduled after the first refusal, by the thread or timer
    /// that scheduled it. A single piece of work of one thread or timer does not count, because the
    /// thread or timer may already have been about to schedule it.
    var later: [Scheduler: [Sent]] = [:]
    for (sender, sent) in life.sent where !ranInUnrecordedWork(sender, sent) {
      if sender.run.hop == 0 || sender == life.disposer {
        if sender.thread == life.disposer?.thread {
          disposed.numbers += sent.numbers
          disposed.ticks += sent.ticks
        }
      } else if let scheduled = sent.scheduled {
        if scheduled.ticks > first.ticks { later[scheduled.by, default: []].append(sent) }
      } else {
        continue
      }
      let (count, number) = (sent.numbers.count, sent.numbers[0])
      if (count, longest.numbers.first ?? 0) > (longest.numbers.count, number) { longest = sent }
    }
    let isProven = !life.ends.isEmpty
    return RefusingSubscriptions.Found(
      key: life.key,
      ends: life.ends.map(\.number).sorted(),
      site: site,
      later: isProven
        ? later.values.filter { $0.count >= 2 }.flatMap { $0.flatMap(\.numbers) }.sorted() : [],
      disposed: isProven ? Self.sequence(disposed) : .init(),
      sentContinuously: Self.sequence(longest),
      first: first.number,
      createdAt: life.createdAt,
      over: life.ends.map(\.ticks).min() ?? first.ticks
    )
  }

  /// The values as a sequence; empty if there is only one value, which may have been in progress.
  private static func sequence(_ sent: Sent) -> RefusingSubscriptions.Sequence {
    guard sent.numbers.count >= 2, let first = sent.ticks.min(), let last = sent.ticks.max() else {
      return .init()
    }
    return .init(numbers: sent.numbers.sorted(), times: first...last)
  }

  private func ranInUnrecordedWork(_ sender: Sender, _ sent: Sent) -> Bool {
    sender.run.hop == 0 && unseenWork[sender.thread].map { $0 > sent.place } == true
  }
}
