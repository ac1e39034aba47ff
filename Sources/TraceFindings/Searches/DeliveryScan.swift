import TraceModel
import TraceReading

/// Deliveries found in one pass through the latest records: on which queue each took place, and
/// inside which other delivery.
struct DeliveryScan {
  /// Where code runs: on the main queue, on a scheduler, given by its row, or on a thread without
  /// any scheduler's work.
  enum Place: Hashable {
    case main
    case scheduler(UInt32)
    case thread(UInt32)
  }

  struct Deliveries {
    var count = 0
    /// The first records, at most as many as ``Evidence/eventLimit``.
    var numbers: [UInt64] = []

    mutating func add(_ number: UInt64) {
      count += 1
      if numbers.count < Evidence.eventLimit { numbers.append(number) }
    }
  }

  /// Events that came to a gate, which lets one thread at a time deliver events, while another
  /// delivery was in progress there.
  struct Meeting {
    var turns = 0
    /// Events sent from inside the current delivery.
    var nested = Deliveries()
    /// Events sent from other threads.
    var overlapping = Deliveries()
    /// The handlers that sent the nested events, by the line that subscribed.
    var handlers: [UInt32: Int] = [:]
    let site: UInt32
  }

  /// Values that reached handlers of the program, by the line that subscribed and its caller.
  private(set) var deliveries: [UInt64: [Place: Deliveries]] = [:]
  private(set) var meetings: [TraceID: Meeting] = [:]
  /// Stretches of time in which a thread delivered events that other threads had sent.
  private(set) var holds = TurnHolds()
  /// Whether the main queue was seen on a thread other than the main one, and code ran on a thread
  /// that may have served the main queue, too.
  var mainQueueChangesThreads: Bool { isOnOtherThreads && hasUnknown }
  private var isOnOtherThreads = false
  private var hasUnknown = false
  private var mainQueue = MainQueueTurns()

  /// The maximum number of the latest records to read: fewer for a running program, which is
  /// examined again and again.
  static func limit(_ facts: FindingFacts) -> Int { facts.isRunning ? 1 << 16 : 1 << 20 }

  private let store: EntityStore
  private var hops: [UInt32: [UInt32]] = [:]
  private var turns: [TraceID: [UInt32]] = [:]
  /// The line whose handler each thread called last.
  private var handlers: [UInt32: UInt32] = [:]

  init(_ facts: FindingFacts) {
    let rows = facts.records.suffix(Self.limit(facts)).indices
    // How far back entities are searched for is limited as well, because a running program may be
    // examined each second: an entity that is not found stays unknown.
    store = facts.entities(in: rows, searchLimit: Self.limit(facts))
    facts.records.forEach(of: Self.kinds, in: rows) { process($1, $0, facts) }
    holds.finish()
  }

  /// Whether the scan covers everything that was ever recorded.
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
      // A subject's gate runs one delivery at a time, so if a new one begins on this thread, the
      // record that ended the previous one is missing.
      let site = store.life(record.entity, at: row)?.site
      if let site, facts.site(site).traits.contains(.hot) {
        turns[record.entity]?.removeAll { $0 == record.thread }
      }
      // A delivery that begins outside any other delivery at the same gate does not come from a
      // handler.
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
  /// Where a thread runs its current work; the scheduler is given by its row, 0 for none.
  init(_ scheduler: UInt32, _ thread: UInt32, _ mainQueue: MainQueueTurns, _ facts: FindingFacts) {
    if scheduler != 0 {
      self = facts.scheduler(scheduler)?.kind == .main ? .main : .scheduler(scheduler)
    } else {
      let isMain = facts.thread(thread)?.isMain == true || mainQueue.isOnMainQueue(thread) == true
      self = isMain ? .main : .thread(thread)
    }
  }
}
