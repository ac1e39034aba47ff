/// The bytes of records of one segment, which are decoded each time they are read.
///
/// A *slot* is the 16 bytes of a record or of a continuation.
struct StoredSegment: Sendable {
  let epoch: UInt64
  let baseTicks: UInt64
  let generation: UInt64
  /// The index of the first stored slot in the segment.
  ///
  /// It is not 0 if earlier records of the segment are stored separately, or not at all.
  let firstSlot: Int
  /// The thread of its first record, unless that record switches threads.
  let firstThread: UInt32
  /// The signal created by the record before the first stored slot; 0 if that record created none.
  let firstSignal: UInt32
  /// The numbers from which the serials of entities in short records are computed.
  let serials: SerialBase
  /// Whether a later minor version wrote the file, so that it may contain unknown kinds.
  let hasLaterKinds: Bool
  var source: Source
  /// The number of stored slots.
  var slotCount: Int
  /// Whether times never decrease in it; otherwise it is decoded as a whole and sorted.
  var isSorted = true
  /// The time of its last record, in ticks.
  var lastTicks: UInt64 = 0

  enum Source: Sendable {
    /// A copy, because the ring will overwrite the original.
    case held([UInt8])
    /// The offset of the records in the file, where they stay: in the tail of a stream, or in a
    /// finished file.
    case file(offset: Int)
  }

  var isHeld: Bool {
    if case .held = source { true } else { false }
  }

  /// Removes everything after the first `slots` slots.
  mutating func keep(slots: Int) {
    slotCount = slots
    guard case .held(var bytes) = source, bytes.count > slots * Layout.Record.byteCount else {
      return
    }
    source = .held([])
    bytes.removeSubrange((slots * Layout.Record.byteCount)...)
    source = .held(bytes)
  }

  /// Appends slots to a copy.
  mutating func append(_ more: [UInt8]) {
    guard case .held(var bytes) = source else { return }
    source = .held([])
    // A segment that has grown once is expected to fill up.
    bytes.reserveCapacity(Layout.Segment.size - Layout.Segment.headerByteCount)
    bytes += more
    source = .held(bytes)
    slotCount = bytes.count / Layout.Record.byteCount
  }
}

/// A range of the records of one segment.
struct RecordPart: Sendable {
  /// The index of the stored segment.
  var stored: Int32
  /// The range of slots, counted from the first stored one.
  ///
  /// If the segment is not sorted, it is instead the range of indexes into its records in order of
  /// time.
  var start: UInt16
  var end: UInt16
  /// The thread of the first record.
  var thread: UInt32
}

/// A block of at most about ``capacity`` records that are consecutive in the order of all records,
/// and are decoded together.
struct RecordBlock: Sendable {
  /// A number that no other block of the same file has ever had.
  var id: UInt64
  /// The number of records in all blocks that ever preceded it, including dropped ones.
  var firstRow: Int
  var count = 0
  var kinds = RecordKinds()
  var firstTicks: UInt64 = .max
  var lastTicks: UInt64 = 0
  var lowGeneration: UInt64 = .max
  var highGeneration: UInt64 = 0
  /// The parts of segments of which it consists, at most one of each segment.
  var parts: [RecordPart] = []
  /// Whether the records of its parts are interleaved in time, rather than one part following the
  /// other.
  var isInterleaved = false

  /// The number of records in a full block.
  ///
  /// A block has more only if they belong to a batch, which is a record whose continuations stand
  /// for further records.
  static let capacity = 4096
}

/// An index of where the records are, in order of time.
///
/// It takes only a few bytes for a thousand records.
///
/// It is a value type, except that copies share the cache.
struct RecordIndex: Sendable {
  let pages: RecordPages
  var stored: [StoredSegment] = []
  /// By epoch, the stored segment to which the next records of that segment may be appended.
  var latest: [UInt64: Int] = [:]
  var blocks: [RecordBlock] = []
  /// The number of records of the first block that have been dropped.
  var hidden = 0

  init(_ file: TraceFile) { pages = RecordPages(file) }

  var count: Int {
    guard let first = blocks.first, let last = blocks.last else { return 0 }
    return last.firstRow + last.count - first.firstRow - hidden
  }

  /// The number to add to a row to compare it with the `firstRow` of blocks.
  var base: Int { (blocks.first?.firstRow ?? 0) + hidden }

  /// The index of the block that contains a row.
  ///
  /// O(log n).
  func block(ofRow row: Int) -> Int {
    let row = row + base
    return blocks.prefixCount { $0.firstRow + $0.count <= row }
  }

  /// The rows of a block that have not been dropped.
  func rows(ofBlock block: Int) -> Range<Int> {
    let first = blocks[block].firstRow - base
    return max(0, first)..<(first + blocks[block].count)
  }

  func record(at row: Int) -> TraceRecord {
    let block = block(ofRow: row)
    return pages.records(of: blocks[block], stored)[row + base - blocks[block].firstRow]
  }

  /// The number of slots whose bytes are in memory, those of continuations included.
  var heldSlots: Int {
    stored.reduce(0) { $0 + ($1.isHeld ? $1.slotCount : 0) }
  }

  /// Drops the oldest records.
  mutating func drop(first rows: Int) {
    hidden += min(max(0, rows), count)
    var gone = 0
    while gone < blocks.count, hidden >= blocks[gone].count {
      hidden -= blocks[gone].count
      gone += 1
    }
    guard gone > 0 else { return }
    blocks.removeFirst(gone)
    var isNeeded = [Bool](repeating: false, count: stored.count)
    for block in blocks { for part in block.parts { isNeeded[Int(part.stored)] = true } }
    for index in stored.indices where !isNeeded[index] && stored[index].isHeld {
      stored[index].source = .held([])
      stored[index].slotCount = 0
    }
    for (epoch, index) in latest where !isNeeded[index] { latest[epoch] = nil }
  }
}

extension RandomAccessCollection {
  /// The number of leading elements for which `isBefore` is true; it must be false for all elements
  /// after them.
  ///
  /// O(log n).
  package func prefixCount(where isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[index(startIndex, offsetBy: middle)]) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
