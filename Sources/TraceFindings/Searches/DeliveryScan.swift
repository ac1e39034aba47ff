import TraceModel
import TraceReading

/// Deliveries found in one pass through the latest records: on which queue they were, and inside of
/// what.
struct DeliveryScan {
  /// Where code runs: a scheduler by its row, or a thread outside any scheduler's work.
  enum Place: Hashable {
    case main
    case scheduler(UInt32)
    case thread(UInt32)
  }

  struct Deliveries {
    var count = 0
    /// The first records, at most ``Evidence/eventLimit``.
    var numbers: [UInt64] = []

    mutating func add(_ number: UInt64) {
      count += 1
      if numbers.count < Evidence.eventLimit { numbers.append(number) }
    }
  }

  /// Events that came to a gate while it was taken.
  struct Meeting {
    var turns = 0
    /// Those sent from inside the current delivery.
    var nested = Deliveries()
    /// Those sent from other threads.
    var overlapping = Deliveries()
    /// The handlers from inside which others were sent, by the line that subscribed.
    var handlers: [UInt32: Int] = [:]
    let site: UInt32
  }

  /// Values that reached the program, by the line that subscribed and its caller.
  private(set) var deliveries: [UInt64: [Place: Deliveries]] = [:]
  private(set) var meetings: [TraceID: Meeting] = [:]
  /// Stretches in which a thread delivered the events of other senders.
  private(set) var holds = TurnHolds()
  /// Whether the main queue was seen on a thread other than the main one, which may have ended, so
  /// that for code outside any scheduler the trace does not show whether it ran there.
  var mainQueueWanders: Bool { isOnOtherThreads && hasUnknown }
  private var isOnOtherThreads = false
  private var hasUnknown = false
  private var mainQueue = MainQueueTurns()

  /// The maximum number of the latest records that are read: fewer for a running program, which is
  /// examined repeatedly.
  static func limit(_ facts: FindingFacts) -> Int { facts.isRunning ? 1 << 16 : 1 << 20 }

  private let store: EntityStore
  private var hops: [UInt32: [UInt32]] = [:]
  private var turns: [TraceID: [UInt32]] = [:]
  /// The line whose handler each thread called last.
  private var handlers: [UInt32: UInt32] = [:]

  init(_ facts: FindingFacts) {
    let rows = facts.records.suffix(Self.limit(facts)).indices
    // An entity that is not identified within as many earlier records stays unknown: the program
    // may be examined each second.
    store = facts.entities(in: rows, searchLimit: Self.limit(facts))
    facts.records.forEach(of: Self.kinds, in: rows) { process($1, $0, facts) }
    holds.finish()
  }

  /// Whether the pass covers everything that was ever recorded.
  func isWhole(_ facts: FindingFacts) -> Bool {
    facts.isExact(since: facts.start) && facts.records.count <= Self.limit(facts)
  }

  private static let kinds = RecordKinds([
    .next, .depth, .hopBegan, .hopEnded, .turnBegan, .turnEnded, .runsOn,
  ])

  private mutating func process(_ record: TraceRecord, _ row: Int, _ facts: FindingFacts) {
    mainQueue.process(record)
    switch record.kind {
    case .next:
      guard let life = store.life(record.entity, at: row), case let site = life.site,
        facts.site(site).traits.contains(.root)
      else { return }
      handlers[record.thread] = site
      deliveries[Packing.pair(high: site, low: life.chain), default: [:]][
        place(record.thread, facts),
        default: Deliveries()
      ]
      .add(record.number)
    case .hopBegan:
      hops[record.thread, default: []].append(record.argument)
      if facts.scheduler(record.argument)?.kind == .main,
        let thread = facts.thread(record.thread), !thread.isMain
      {
        isOnOtherThreads = true
      }
    case .hopEnded: _ = hops[record.thread]?.popLast()
    case .turnBegan:
      holds.turnBegan(record)
      // Another delivery through a subject's gate waits, so the record of the previous one's end is
      // missing.
      let site = store.life(record.entity, at: row)?.site
      if let site, facts.site(site).traits.contains(.hot) {
        turns[record.entity]?.removeAll { $0 == record.thread }
      }
      // An event sent outside any delivery is not sent from a handler.
      if turns[record.entity]?.contains(record.thread) != true { handlers[record.thread] = nil }
      meet(record)
      meetings[record.entity, default: Meeting(site: site ?? 0)].turns += 1
      turns[record.entity, default: []].append(record.thread)
    case .turnEnded:
      holds.turnEnded(record)
      if let place = turns[record.entity]?.lastIndex(of: record.thread) {
        turns[record.entity]?.remove(at: place)
      }
    case .depth:
      meet(record)
      holds.depth(record)
    default: break
    }
  }

  private mutating func meet(_ record: TraceRecord) {
    guard let open = turns[record.entity], let last = open.last else { return }
    if open.contains(record.thread) {
      meetings[record.entity]?.nested.add(record.number)
      if let handler = handlers[record.thread] {
        meetings[record.entity]?.handlers[handler, default: 0] += 1
      }
    } else if record.argument > 0, last != record.thread {
      meetings[record.entity]?.overlapping.add(record.number)
    }
  }

  private mutating func place(_ thread: UInt32, _ facts: FindingFacts) -> Place {
    let place = Place(hops[thread]?.last ?? 0, thread, mainQueue, facts)
    if case .thread = place, mainQueue.isOnMainQueue(thread) == nil { hasUnknown = true }
    if place == .main, facts.thread(thread)?.isMain != true { isOnOtherThreads = true }
    return place
  }
}

extension DeliveryScan.Place {
  /// The work that a thread is running: of a scheduler, which is 0 for none, or another delivery.
  init(
    _ scheduler: UInt32,
    _ thread: UInt32,
    _ mainQueue: MainQueueTurns,
    _ facts: FindingFacts
  ) {
    if scheduler != 0 {
      self = facts.scheduler(scheduler)?.kind == .main ? .main : .scheduler(scheduler)
    } else {
      let isMain = facts.thread(thread)?.isMain == true || mainQueue.isOnMainQueue(thread) == true
      self = isMain ? .main : .thread(thread)
    }
  }
}
