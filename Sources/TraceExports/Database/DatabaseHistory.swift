import TraceModel
import TraceReading

/// The tables that correspond to no screen: `lives` for every entity that ever existed, `hops` for
/// all scheduled work, and `frames` for the functions of backtraces.
struct DatabaseHistory {
  private let snapshot: TraceSnapshot
  private let store: EntityStore

  init(_ snapshot: TraceSnapshot) {
    self.snapshot = snapshot
    store = EntityStore(snapshot)
  }

  func write(to database: Database) throws {
    try lives(database)
    try hops(database)
    try frames(database)
  }

  private func nanoseconds(_ ticks: UInt64?) -> Database.Value {
    .number(ticks.map { snapshot.time($0).wholeNanoseconds })
  }

  // MARK: Lives

  private func lives(_ database: Database) throws {
    var ends: [EntityKey: (reason: String?, cause: String?, by: UInt64?)] = [:]
    RecordWalk(snapshot).forEach(in: snapshot.records.indices) { row, record in
      guard case .ended(let reason) = record.event, let life = store.life(record.entity, at: row)
      else { return }
      let cause = EndedBy(ofEndIn: row, snapshot.records)
      let by = cause.flatMap { store.life($0.by, at: $0.row)?.key.serial }
      ends[life.key] = (reason?.schemaName, cause?.cause.schemaName, by)
    }
    try database.table(
      "lives",
      [
        "serial INTEGER", "kind TEXT", "site INTEGER", "began INTEGER", "ended INTEGER",
        "reason TEXT", "endCause TEXT", "endedBy INTEGER", "downstream INTEGER", "chain INTEGER",
      ]
    ) { add in
      for life in store.all where life.key.serial != 0 {
        let end = ends[life.key]
        let downstream =
          life.kind == .subscription && life.link != .none
          ? store.subscription(life.link, at: life.firstRow)?.key.serial : nil
        try add([
          .number(life.key.serial), .text("\(life.kind)"), .number(life.site),
          nanoseconds(life.createdAt), nanoseconds(store.endedAt(life)), .text(end?.reason),
          .text(end?.cause), .number(end?.by), .number(downstream),
          .number(life.chain == 0 ? nil : life.chain),
        ])
      }
    }
  }

  // MARK: Work

  private func hops(_ database: Database) throws {
    struct Hop {
      var row: Int
      var scheduling: TraceRecord.HopScheduling
      var scheduled: UInt64
      var began: UInt64?
      /// Whether it has ended before: a timer is scheduled once, and runs at each fire.
      var hasEnded = false
    }
    try database.table(
      "hops",
      [
        "hop INTEGER", "queue TEXT", "subscription INTEGER", "chain INTEGER", "scheduled INTEGER",
        "began INTEGER", "ended INTEGER", "wait INTEGER", "run INTEGER",
      ]
    ) { add in
      var waits = HopWaits<UInt32>()
      var open: [UInt32: Hop] = [:]
      var waited: [UInt32: Int64] = [:]
      var repeating = RepeatingHops()
      func put(_ hop: Hop, _ ended: UInt64?) throws {
        let run = ended.flatMap { end in
          hop.began.map { snapshot.duration(from: $0, to: end).wholeNanoseconds }
        }
        let subscription = store.life(hop.scheduling.subscription, at: hop.row)?.key.serial
        try add([
          .number(hop.scheduling.hop),
          .text(snapshot.schedulerName(hop.scheduling.scheduler).map { displayName($0) }),
          .number(subscription), .number(hop.scheduling.chain == 0 ? nil : hop.scheduling.chain),
          nanoseconds(hop.scheduled), nanoseconds(hop.began), nanoseconds(ended),
          .number(waited.removeValue(forKey: hop.scheduling.hop)), .number(run),
        ])
      }
      for row in snapshot.records.indices {
        let record = snapshot.records[row]
        if let scheduling = record.hopScheduling {
          open[scheduling.hop] = Hop(row: row, scheduling: scheduling, scheduled: record.ticks)
        }
        let wait = waits.process(record, snapshot) { _ in record.id }?.wait
        if let wait { waited[record.id] = wait.wholeNanoseconds }
        if let ended = repeating.process(record), let last = open[ended], last.hasEnded,
          last.began == nil
        {
          open[ended] = nil
        }
        switch record.kind {
        case .hopBegan: open[record.id]?.began = record.ticks
        case .hopEnded:
          guard let hop = open[record.id] else { break }
          try put(hop, record.ticks)
          guard repeating.contains(record.id) else {
            open[record.id] = nil
            break
          }
          open[record.id]?.began = nil
          open[record.id]?.hasEnded = true
        case .hopCancelled:
          guard let hop = open.removeValue(forKey: record.id), !hop.hasEnded else { break }
          try put(hop, nil)
        default: break
        }
      }
      let unfinished = open.values.filter { !$0.hasEnded || $0.began != nil }
      for hop in unfinished.sorted(by: { $0.row < $1.row }) { try put(hop, nil) }
    }
  }

  // MARK: Backtraces

  private func frames(_ database: Database) throws {
    let symbolizer = Symbolizer(snapshot).knowing(snapshot.chains.lazy.flatMap(\.frames))
    try database.table(
      "frames",
      [
        "chain INTEGER", "parent INTEGER", "depth INTEGER", "function TEXT", "file TEXT",
        "line INTEGER", "owner TEXT",
      ]
    ) { add in
      for (row, chain) in snapshot.chains.enumerated().dropFirst() {
        let symbols = symbolizer.frames(chain.frames)
        let owners = AsyncBacktraceText.owners(of: symbols.map(\.shortText))
        for (depth, frame) in symbols.enumerated() {
          let place = frame.sourcePlace
          try add([
            .number(row), .number(chain.parent == 0 ? nil : chain.parent), .number(depth),
            .text(displayName(frame.function ?? frame.shortText)),
            .text(place.file.isEmpty ? nil : displayName(place.file)),
            .number(place.line == 0 ? nil : place.line), .text(owners[depth]?.schemaName),
          ])
        }
      }
    }
  }
}
