import TraceReading

/// The creation times of what is live now, counted in four windows of equal length up to the last
/// sign of life.
///
/// Entities that come and go leave survivors in the last window only, and entities made at the
/// start of a program in the first only. If some remain from each window, they accumulate. The
/// slab, which is the trace's table of live entities, is enough to show this, so that it does not
/// matter how far back records reach.
struct Survivors {
  /// The number of live entities that were created in each window, the oldest window first.
  let counts: [Int]
  /// The length in seconds of all four windows together.
  let span: Double

  static let windows = 4
  /// A program that has run for fewer seconds is only starting.
  static let minimumSpan = 0.2

  /// - Parameters:
  ///   - slots: The live entities.
  ///   - start: The beginning of the first window; nil for the creation of the oldest entity.
  ///   - end: The end of the last window; nil for the last sign of life.
  ///   - facts: The facts of the same trace.
  init(
    _ slots: [TraceSlot],
    since start: UInt64? = nil,
    until end: UInt64? = nil,
    _ facts: FindingFacts
  ) {
    let first = start ?? slots.map(\.createdAt).min() ?? 0
    let last = max(end ?? facts.last, first)
    span = facts.seconds(from: first, to: last)
    var counts = [Int](repeating: 0, count: Self.windows)
    let width = Double(last - first) / Double(Self.windows)
    for slot in slots where slot.createdAt >= first {
      let place = width > 0 ? Int(Double(slot.createdAt - first) / width) : 0
      counts[min(place, Self.windows - 1)] += 1
    }
    self.counts = counts
  }

  /// Whether there are at least `minimum` entities, some of them from each window, and the windows
  /// span at least ``minimumSpan``.
  func rise(atLeast minimum: Int) -> Bool {
    counts.reduce(0, +) >= minimum && span >= Self.minimumSpan && counts.allSatisfy { $0 > 0 }
  }

  /// The counts as text: `9, 8, 8, 9`.
  var text: String { Words.list(counts) }
}

/// When a count reached each power of two since it was last zero, according to `depth` records.
struct Doublings {
  private let records: [TraceRecord]

  /// - Parameter records: The `depth` records of one entity, in order.
  init(_ records: [TraceRecord]) {
    let start = records.lastIndex { $0.argument == 0 }.map { $0 + 1 } ?? 0
    var rising: [TraceRecord] = []
    for record in records[start...] where record.argument > rising.last?.argument ?? 0 {
      rising.append(record)
    }
    self.records = rising
  }

  /// The last power of two that was reached.
  var highest: UInt32 { records.last?.argument ?? 0 }
  var numbers: [UInt64] { records.map(\.number) }

  /// Whether the count still grows.
  ///
  /// A count that grows steadily doubles for the last time in roughly the second half of the time
  /// since `start`. The function accepts a last doubling after at least 40 % of that time. A count
  /// that came in one burst has stopped doubling long before.
  func keepsGrowing(since start: UInt64, _ facts: FindingFacts) -> Bool {
    guard let last = records.last, records.count >= 4 else { return false }
    let span = facts.seconds(from: start, to: facts.last)
    return span >= Survivors.minimumSpan
      && facts.seconds(from: start, to: last.ticks) >= span * 0.4
  }
}
