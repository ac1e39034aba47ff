package import TraceReading

/// The schedulers, queues and threads on which values passed, according to the records.
package struct RunPlaces: Sendable, Equatable {
  /// A scheduler, queue or thread.
  package struct Place: Sendable, Equatable {
    /// The name of the scheduler or thread, as recorded.
    package var name: String
    /// The row of the scheduler; 0 for a thread that ran no scheduler's work.
    package var scheduler: UInt32
    /// The number of values that passed there.
    package var count: Int
  }

  /// The places, the one with the most values first.
  package private(set) var places: [Place] = []
  /// The number of values for which the place is not known.
  package private(set) var unknownCount = 0

  /// The places of the latest values of a line of code or of a subscription up to a moment.
  ///
  /// - Complexity: O(records), and at most the latest ``limit`` are read.
  package static func find(
    _ scope: Scope,
    before row: Int,
    _ store: EntityStore,
    _ snapshot: TraceSnapshot
  ) -> RunPlaces {
    let rows = max(0, row - limit)..<row
    let mainScheduler = snapshot.schedulers.first { $0.kind == .main }?.index
    var walk = Walk()
    let kinds = RecordKinds(MainQueueTurns.kinds + [.hopBegan, .hopEnded, .next, .recordsLost])
    snapshot.records.forEach(of: kinds, in: rows) { place, record in
      walk.mainQueue.process(record)
      switch record.kind {
      case .hopBegan: walk.hops[record.thread, default: []].append(record.argument)
      case .hopEnded: walk.hopEnded(on: record.thread)
      case .recordsLost: walk.hops[record.thread] = nil
      case .next:
        guard let life = store.life(record.entity, at: place),
          scope == .site(life.site) || scope == .subscription(life.key)
        else { return }
        walk.add(record.thread, snapshot, mainScheduler)
      default: break
      }
    }
    return walk.finish(snapshot)
  }

  private enum Key: Hashable {
    case scheduler(UInt32)
    case thread(UInt32)
  }

  /// The state while the records are read.
  private struct Walk {
    var mainQueue = MainQueueTurns()
    /// The schedulers whose work runs on each thread, the innermost last.
    var hops: [UInt32: [UInt32]] = [:]
    private var counts: [Key: Int] = [:]
    /// Values on a thread before the first record of work there: they may have passed in work that
    /// began earlier.
    private var early: [UInt32: [Key: Int]] = [:]
    private var unknownCount = 0

    mutating func add(_ thread: UInt32, _ snapshot: TraceSnapshot, _ main: UInt32?) {
      if let scheduler = hops[thread]?.last {
        counts[.scheduler(scheduler), default: 0] += 1
        return
      }
      let row = snapshot.threads.indices.contains(Int(thread)) ? snapshot.threads[Int(thread)] : nil
      // If the row of the thread is lost, it is unknown whether it is the main thread.
      guard let row, row.systemID != 0 else {
        unknownCount += 1
        return
      }
      let isMain = row.isMain || mainQueue.isOnMainQueue(thread) == true
      let key = isMain ? main.map(Key.scheduler) ?? .thread(thread) : .thread(thread)
      if hops[thread] == nil {
        early[thread, default: [:]][key, default: 0] += 1
      } else {
        counts[key, default: 0] += 1
      }
    }

    mutating func hopEnded(on thread: UInt32) {
      guard hops[thread]?.popLast() == nil else { return }
      // The beginning of this work is not among the records, so it is unknown on which scheduler
      // the earlier values passed.
      unknownCount += early.removeValue(forKey: thread)?.values.reduce(0, +) ?? 0
      hops[thread] = []
    }

    func finish(_ snapshot: TraceSnapshot) -> RunPlaces {
      let all = early.values.reduce(into: counts) { $0.merge($1) { $0 + $1 } }
      let places = all.map { key, count in
        switch key {
        case .scheduler(let row):
          let name = snapshot.schedulerName(row) ?? ""
          return Place(name: name.isEmpty ? "scheduler \(row)" : name, scheduler: row, count: count)
        case .thread(let row):
          return Place(name: "thread \(snapshot.threadName(row))", scheduler: 0, count: count)
        }
      }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
      return RunPlaces(places: places, unknownCount: unknownCount)
    }
  }

  private static let limit = 1 << 16
}
