import TraceModel
import TraceReading

/// What one walk through the latest records tells of deliveries: on which queue they were, and inside of what.
struct DeliveryScan {
  /// Where code runs: a scheduler by its row, or a thread that runs none.
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

  /// What came to a gate while it was taken.
  struct Meeting {
    var turns = 0
    /// From inside the delivery under way.
    var nested = Deliveries()
    /// From other threads.
    var overlapping = Deliveries()
    var site: UInt32 = 0
  }

  /// Values that reached the program, by the line that subscribed.
  private(set) var deliveries: [UInt32: [Place: Deliveries]] = [:]
  private(set) var meetings: [TraceID: Meeting] = [:]
  /// Stretches in which a thread delivered what others sent.
  private(set) var holds = TurnHolds()
  /// Whether the main queue was seen on another thread than the main one, which may have ended: then nothing is
  /// known of code that no scheduler runs.
  private(set) var mainQueueWanders = false

  /// How many records are looked at, the latest: fewer of a running program, which is looked at again and again.
  static func limit(_ facts: FindingFacts) -> Int { facts.isRunning ? 1 << 16 : 1 << 20 }

  private var roots: [TraceID: UInt32] = [:]
  private var hops: [UInt32: [UInt32]] = [:]
  private var turns: [TraceID: [UInt32]] = [:]

  init(_ facts: FindingFacts) {
    for slot in facts.slots where slot.kind == .subscription {
      if facts.site(slot.site).traits.contains(.root) { roots[slot.id] = slot.site }
    }
    // What an identifier meant at the beginning of the records is told by a status, not by the slab.
    let records = facts.records.suffix(Self.limit(facts))
    for record in records { take(record, facts) }
    holds.finish()
    for id in meetings.keys {
      if let slot = facts.slot(id) { meetings[id]?.site = slot.site }
    }
  }

  /// Whether it has seen everything there ever was.
  func isWhole(_ facts: FindingFacts) -> Bool {
    facts.isExact(since: facts.start) && facts.records.count <= Self.limit(facts)
  }

  private mutating func take(_ record: TraceRecord, _ facts: FindingFacts) {
    switch record.kind {
    case .next:
      guard let site = roots[record.entity] else { return }
      deliveries[site, default: [:]][place(record.thread, facts), default: Deliveries()]
        .add(record.number)
    case .subscribed: note(record.entity, record.argument, facts)
    case .entityStatus:
      if record.status?.kind == .subscription { note(record.entity, record.argument, facts) }
    case .hopBegan:
      hops[record.thread, default: []].append(record.argument)
      if facts.scheduler(record.argument)?.kind == .main,
        let thread = facts.thread(record.thread), !thread.isMain
      {
        mainQueueWanders = true
      }
    case .hopEnded: _ = hops[record.thread]?.popLast()
    case .turnBegan:
      holds.turnBegan(record)
      // Another delivery through a subject's gate waits, so the end of the one before is not in the trace.
      if let slot = facts.slot(record.entity), facts.site(slot.site).traits.contains(.hot) {
        turns[record.entity]?.removeAll { $0 == record.thread }
      }
      meet(record)
      meetings[record.entity, default: Meeting()].turns += 1
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

  private mutating func note(_ id: TraceID, _ site: UInt32, _ facts: FindingFacts) {
    roots[id] = facts.site(site).traits.contains(.root) ? site : nil
    meetings[id]?.site = site
  }

  private mutating func meet(_ record: TraceRecord) {
    guard let open = turns[record.entity], let last = open.last else { return }
    if open.contains(record.thread) {
      meetings[record.entity]?.nested.add(record.number)
    } else if record.argument > 0, last != record.thread {
      meetings[record.entity]?.overlapping.add(record.number)
    }
  }

  private func place(_ thread: UInt32, _ facts: FindingFacts) -> Place {
    if let row = hops[thread]?.last, row != 0 {
      return facts.scheduler(row)?.kind == .main ? .main : .scheduler(row)
    }
    return facts.thread(thread)?.isMain == true ? .main : .thread(thread)
  }
}
