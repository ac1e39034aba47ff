package import TraceReading

/// Counts of lengths of time, grouped by powers of two.
public struct Histogram: Sendable, Equatable {
  /// The quantity that was measured, as a heading.
  public var title: String
  /// The counts of lengths, the shortest first, without empty buckets at either end.
  public var buckets: [Bucket]
  /// The maximum number of records from which a histogram is made, which are the latest ones.
  static let recordLimit = 1 << 18

  /// The number of measurements.
  public var count: UInt64 { buckets.reduce(0) { $0.saturatingAdding($1.count) } }

  /// The lengths below a limit, but not below the limit of the previous bucket.
  public struct Bucket: Sendable, Equatable {
    /// The length that every length in the bucket is below.
    public var limit: Duration
    /// The number of measurements in the bucket.
    public var count: UInt64
  }

  /// A histogram of counts: `powers[n]` is the number of lengths from 2ⁿ to 2ⁿ⁺¹ nanoseconds.
  init(_ title: String, powers: [UInt64]) {
    self.title = title
    let first = powers.firstIndex { $0 > 0 } ?? 0
    let last = powers.lastIndex { $0 > 0 } ?? -1
    buckets =
      first > last
      ? []
      : (first...last).map { power in
        Bucket(limit: .nanoseconds(Int64(1) << Int64(min(power + 1, 62))), count: powers[power])
      }
  }

  /// A histogram of lengths.
  init(_ title: String, _ lengths: [Duration]) {
    self.init(title, powers: Self.powers(of: lengths))
  }

  /// The number of lengths by power of two: the number at index n counts those from 2ⁿ to 2ⁿ⁺¹
  /// nanoseconds.
  package static func powers(of lengths: some Sequence<Duration>) -> [UInt64] {
    var powers = [UInt64](repeating: 0, count: 64)
    for length in lengths {
      let nanoseconds = UInt64(max(1, length.wholeNanoseconds))
      powers[63 - nanoseconds.leadingZeroBitCount] += 1
    }
    return powers
  }
}

/// Makes histograms of lengths of time for a line of code, a subscription or a timer.
package enum HistogramScan {
  package static func histograms(_ scope: Scope, upTo end: Duration, _ snapshot: TraceSnapshot)
    -> [Histogram]
  {
    let walk = RecordWalk(snapshot)
    // If records are missing, durations cannot be measured across the gap.
    let exact = walk.exactFrom.map(walk.time) ?? end
    let rows = walk.latestRows(upTo: end, from: min(exact, end), limit: Histogram.recordLimit)
    let store = EntityStore(snapshot, in: rows)
    var last: [EntityKey: UInt64] = [:]
    var gaps: [Duration] = []
    var waits: [Duration] = []
    var hops = HopWaits<EntityKey>()
    func concerns(_ id: TraceID, _ row: Int) -> EntityKey? {
      guard id != .none, let entry = store.life(id, at: row) else { return nil }
      switch scope {
      case .site(let site): return entry.site == site && entry.kind != .signal ? entry.key : nil
      case .subscription(let key), .timer(let key): return entry.key == key ? key : nil
      case .signal, .all, .chain, .queue, .owner, .owners, .record: return nil
      }
    }
    walk.forEach(in: rows) { row, record in
      switch record.kind {
      case .next, .timerFired:
        guard let key = concerns(record.entity, row) else { return }
        if let before = last[key] {
          gaps.append(snapshot.duration(from: before, to: record.ticks))
        }
        last[key] = record.ticks
      case .hopScheduled, .timerArmed, .hopBegan:
        if let found = hops.process(record, snapshot, tag: { concerns($0, row) }) {
          waits.append(found.wait)
        }
      default: break
      }
    }
    // If the histogram does not reach back to the beginning, its title says how far back it
    // reaches.
    var since = ""
    let reachesBack = rows.lowerBound == 0 && exact <= .zero
    if !reachesBack, !rows.isEmpty {
      let span = max(.zero, end - walk.time(walk[rows.lowerBound].ticks))
      since = ", in the last \(Quantity.duration(span))"
    }
    let histograms = [
      Histogram("From one event to the next" + since, gaps),
      Histogram("Waiting on a queue" + since, waits),
    ]
    return histograms.filter { !$0.buckets.isEmpty }
  }
}
