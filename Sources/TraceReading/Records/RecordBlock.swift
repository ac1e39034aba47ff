/// The bytes of records of one segment, to be decoded whenever they are looked at.
struct StoredSegment: Sendable {
  let epoch: UInt64
  let baseTicks: UInt64
  let generation: UInt64
  /// The first slot that is stored: not 0 where what follows did not fit what was there.
  let firstSlot: Int
  /// Whom its first record belongs to, unless that says otherwise.
  let firstThread: UInt32
  /// Whether a later minor version wrote it.
  let hasLaterKinds: Bool
  var source: Source
  /// Slots that are stored.
  var slotCount: Int
  /// Whether time never falls in it; otherwise it is decoded as a whole and sorted.
  var isSorted = true
  /// Ticks of its last record.
  var lastTicks: UInt64 = 0

  enum Source: Sendable {
    /// A copy, because the ring will overwrite what it was made of.
    case held([UInt8])
    /// Where they stand in the file, in the tail of a stream for good.
    case file(offset: Int)
  }

  var isHeld: Bool {
    if case .held = source { true } else { false }
  }

  /// Forgets what is behind so many slots.
  mutating func keep(slots: Int) {
    slotCount = slots
    guard case .held(var bytes) = source, bytes.count > slots * Layout.Record.byteCount else {
      return
    }
    source = .held([])
    bytes.removeSubrange((slots * Layout.Record.byteCount)...)
    source = .held(bytes)
  }

  /// Adds slots behind those that are there.
  mutating func append(_ more: [UInt8]) {
    guard case .held(var bytes) = source else { return }
    source = .held([])
    // A segment that grew once will be filled.
    bytes.reserveCapacity(Layout.Segment.size - Layout.Segment.headerByteCount)
    bytes += more
    source = .held(bytes)
    slotCount = bytes.count / Layout.Record.byteCount
  }
}

/// A stretch of one segment.
struct RecordPart: Sendable {
  /// Which of the stored segments.
  var stored: Int32
  /// Slots of it, from its first stored one on; records in the order of time where it is not sorted.
  var start: UInt16
  var end: UInt16
  /// Whom the first record belongs to.
  var thread: UInt32
}

/// Some thousand records that follow each other: what is decoded at once.
struct RecordBlock: Sendable {
  /// Tells it from all others that were ever made of the same file.
  var id: UInt64
  /// Records in all blocks before it that there ever were.
  var firstRow: Int
  var count = 0
  var kinds = RecordKinds()
  var firstTicks: UInt64 = .max
  var lastTicks: UInt64 = 0
  var lowGeneration: UInt64 = .max
  var highGeneration: UInt64 = 0
  /// What it is made of, each segment once.
  var parts: [RecordPart] = []
  /// Whether the records of its parts are in turn, rather than one part behind the other.
  var isInterleaved = false

  /// Records after which a block is full.
  static let capacity = 4096
}

/// Where each record is, in the order of time: some bytes for thousands of records.
///
/// A value, but for the cache that copies share.
struct RecordIndex: Sendable {
  let pages: RecordPages
  var stored: [StoredSegment] = []
  /// The stored segment that the next records of an epoch may be added to.
  var latest: [UInt64: Int] = [:]
  var blocks: [RecordBlock] = []
  /// Records of the first block that do not count any more.
  var hidden = 0

  init(_ file: TraceFile) { pages = RecordPages(file) }

  var count: Int {
    guard let first = blocks.first, let last = blocks.last else { return 0 }
    return last.firstRow + last.count - first.firstRow - hidden
  }

  /// What has to be added to a row to get the number of blocks' rows.
  var base: Int { (blocks.first?.firstRow ?? 0) + hidden }

  /// The block that a row is in.
  ///
  /// O(log n).
  func block(ofRow row: Int) -> Int {
    let row = row + base
    return blocks.prefixCount { $0.firstRow + $0.count <= row }
  }

  /// The rows of a block that count.
  func rows(ofBlock block: Int) -> Range<Int> {
    let first = blocks[block].firstRow - base
    return max(0, first)..<(first + blocks[block].count)
  }

  func record(at row: Int) -> TraceRecord {
    let block = block(ofRow: row)
    return pages.records(of: blocks[block], stored)[row + base - blocks[block].firstRow]
  }

  /// Records whose bytes are in memory.
  var heldRecords: Int {
    stored.reduce(0) { $0 + ($1.isHeld ? $1.slotCount : 0) }
  }

  /// Forgets the oldest records.
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
  /// The number of elements at the front for which `isBefore` holds; it holds for none behind them.
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
