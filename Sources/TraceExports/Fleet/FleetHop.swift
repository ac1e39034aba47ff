import TraceModel
import TraceReading

/// A row of the table `hop_histograms`.
struct FleetHop: Sendable {
  let queue: UInt32
  let name: String
  let kind: String
  /// What is measured: `wait` or `run`.
  let measure: String
  /// The number n of a bucket that counts durations of at least 2ⁿ but less than 2ⁿ⁺¹ nanoseconds.
  let bucket: UInt8
  let count: UInt64

  /// The rows for the last part of the trace, of which no record has been overwritten.
  ///
  /// Work that was waiting or running when the level of the recording changed is left out. The work
  /// of timers counts only as `run`, not as `wait`.
  static func rows(_ snapshot: TraceSnapshot) -> [FleetHop] {
    guard let exact = snapshot.exactFrom else { return [] }
    struct Work {
      let queue: UInt32
      let since: UInt64
    }
    var hops = HopWaits<Void>()
    var running: [UInt32: Work] = [:]
    var waits: [UInt32: [UInt64]] = [:]
    var runs: [UInt32: [UInt64]] = [:]
    func count(_ length: Duration, _ queue: UInt32, in powers: inout [UInt32: [UInt64]]) {
      let nanoseconds = UInt64(max(1, length.wholeNanoseconds))
      powers[queue, default: [UInt64](repeating: 0, count: 64)][
        63 - nanoseconds.leadingZeroBitCount
      ] += 1
    }
    let records = snapshot.records
    for row in records.count(before: exact)..<records.count {
      let record = records[row]
      // At the previous level, hops may not have been recorded.
      if record.kind == .levelChanged { (hops, running) = (HopWaits(), [:]) }
      // Only work after the last gap counts: what began before it may have ended within it.
      if record.kind == .recordsLost { (hops, running, waits, runs) = (HopWaits(), [:], [:], [:]) }
      if let found = hops.process(record, snapshot, tag: { _ in () }) {
        count(found.wait, record.argument, in: &waits)
      }
      if record.kind == .hopBegan {
        running[record.id] = Work(queue: record.argument, since: record.ticks)
      } else if record.kind == .hopEnded, let work = running.removeValue(forKey: record.id) {
        count(snapshot.duration(from: work.since, to: record.ticks), work.queue, in: &runs)
      }
    }
    return rows("wait", waits, snapshot) + rows("run", runs, snapshot)
  }

  private static func rows(
    _ measure: String,
    _ powers: [UInt32: [UInt64]],
    _ snapshot: TraceSnapshot
  ) -> [FleetHop] {
    powers.sorted { $0.key < $1.key }.flatMap { queue, counts in
      let scheduler = snapshot.schedulers.first { $0.index == queue && queue != 0 }
      return counts.enumerated().filter { $0.element > 0 }.map { power, count in
        FleetHop(
          queue: queue,
          name: scheduler?.name ?? "",
          kind: scheduler?.kind.schemaName ?? "other",
          measure: measure,
          bucket: UInt8(power),
          count: count
        )
      }
    }
  }

  static let columns: [FleetColumn<FleetHop>] = [
    .number("queue", "its number in the recording") { $0.queue },
    .name("queue_name", "as the program has named it") { fleetText($0.name) },
    .name("queue_kind", "immediate, main, serialQueue, concurrentQueue, virtualTime or other") {
      $0.kind
    },
    .name("measure", "wait: from being accepted to beginning; run: from beginning to end") {
      $0.measure
    },
    .number("bucket", "times of at least 2 to the power of bucket nanoseconds") { $0.bucket },
    .number("longest_ns", "times of less than this many nanoseconds") {
      UInt64(2) << UInt64(min($0.bucket, 62))
    },
    .number("count", "how often") { $0.count },
  ]
}
