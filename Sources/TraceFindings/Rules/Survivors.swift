import TraceReading

/// When what lives now was made, in four equal windows up to the last sign of life.
///
/// Things that come and go leave survivors in the last window only, things that were made at the start of a
/// program in the first only. Where each window has left some, they pile up. The slab alone tells this, so that
/// it does not matter how far back records go.
struct Survivors {
  /// How many of each window live, the oldest first.
  let counts: [Int]
  /// Seconds of all four windows.
  let span: Double

  static let windows = 4
  /// Seconds below which a program is only starting.
  static let shortestSpan = 0.2

  /// - Parameters:
  ///   - slots: What lives.
  ///   - start: Where the first window begins; at the oldest if it is not given.
  ///   - end: Where the last window ends; at the last sign of life if it is not given.
  ///   - facts: Says when that was.
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

  /// Whether there are so many and each window has left some.
  func rise(atLeast fewest: Int) -> Bool {
    counts.reduce(0, +) >= fewest && span >= Self.shortestSpan && counts.allSatisfy { $0 > 0 }
  }

  /// `9, 8, 8, 9`.
  var text: String { Words.list(counts) }
}

/// When a count reached each power of two since it was zero last, as depth records tell.
struct Doublings {
  private let records: [TraceRecord]

  /// - Parameter records: The depth records of one entity, in order.
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

  /// Whether it still grows: what grows evenly doubles for the last time in the second half.
  ///
  /// What came in one burst has doubled long before.
  func goOn(since start: UInt64, _ facts: FindingFacts) -> Bool {
    guard let last = records.last, records.count >= 4 else { return false }
    let span = facts.seconds(from: start, to: facts.last)
    return span >= Survivors.shortestSpan
      && facts.seconds(from: start, to: last.ticks) >= span * 0.4
  }
}
