/// Adds records to an index, and determines the order of all records without decoding them.
///
/// The order is that of ``RecordMerge``: by ticks; at equal ticks, records of the kinds `hopBegan`
/// and `hopCancelled` come after all others; then by position. The records of one sorted segment
/// keep their order, and so do those that one thread wrote into two segments in succession.
/// Segments are processed in the order in which they begin, so that only those written at the same
/// time are in memory at once.
struct RecordIndexer {
  private var index: RecordIndex
  private var waiting: [Piece] = []
  private var heap = RecordHeap<SegmentCursor>()
  private var spare: [SegmentCursor] = []
  private var block: RecordBlock
  private var row: Int
  /// The index of the part of the block that was extended last.
  private var lastPart = 0

  /// A range of the 16-byte slots of a stored segment; the records in it are to be added.
  struct Piece {
    var stored: Int
    var start: Int
    var end: Int
    var thread: UInt32
    /// A time, in ticks, that no record of the piece precedes.
    var earliest: UInt64
    /// Records after this time are left for the next reading.
    var horizon: UInt64 = .max
    /// Whether it contains slots that have not been read before.
    var isNew = false
  }

  init(_ index: RecordIndex) {
    self.index = index
    block = RecordBlock(id: 0, firstRow: 0)
    row = 0
  }

  /// Adds the records of pieces, each of a different stored segment.
  ///
  /// - Parameters:
  ///   - pieces: The new pieces.
  ///   - index: The index that they are added to.
  ///   - visit: Called with each new piece after it was read, before its records are added.
  /// - Complexity: O(n log k) for n records in k interleaved segments, where n includes the part of
  ///   the index that is not earlier than the first new record.
  static func add(
    _ pieces: [Piece],
    to index: inout RecordIndex,
    visit: (inout StoredSegment, Piece, SegmentCursor) -> Void
  ) {
    guard let earliest = pieces.map(\.earliest).min() else { return }
    var indexer = RecordIndexer(index)
    // The indexer becomes the only owner of the arrays, so that changing them does not copy them.
    index.blocks = []
    index.stored = []
    indexer.reopen(from: earliest, pieces)
    indexer.run(visit)
    index = indexer.index
  }

  /// Removes the blocks into which records from `ticks` on may have to be inserted; their records
  /// are merged again.
  private mutating func reopen(from ticks: UInt64, _ new: [Piece]) {
    var pieces: [Int: Piece] = [:]
    let kept = index.blocks.prefixCount { $0.lastTicks < ticks }
    for block in index.blocks[kept...] {
      for part in block.parts {
        let stored = Int(part.stored)
        if pieces[stored] != nil {
          pieces[stored]?.end = Int(part.end)
        } else {
          pieces[stored] = Piece(
            stored: stored,
            start: Int(part.start),
            end: Int(part.end),
            thread: part.thread,
            earliest: block.firstTicks
          )
        }
      }
    }
    row = kept < index.blocks.count ? index.blocks[kept].firstRow : nextRow
    index.blocks.removeSubrange(kept...)
    for piece in new {
      if var old = pieces[piece.stored] {
        // The old and the new records of a segment form one piece, so that their order is kept.
        (old.end, old.horizon, old.isNew) = (piece.end, piece.horizon, true)
        pieces[piece.stored] = old
      } else {
        pieces[piece.stored] = piece
      }
    }
    let stored = index.stored
    waiting = pieces.values.sorted {
      ($1.earliest, stored[$1.stored].epoch) < ($0.earliest, stored[$0.stored].epoch)
    }
    block = RecordBlock(id: index.pages.newID(), firstRow: row)
  }

  private var nextRow: Int { index.blocks.last.map { $0.firstRow + $0.count } ?? row }

  // MARK: Merging

  private mutating func run(_ visit: (inout StoredSegment, Piece, SegmentCursor) -> Void) {
    while true {
      while let next = waiting.last, heap.isEmpty || next.earliest <= heap.first.key.ticks {
        waiting.removeLast()
        open(next, visit)
      }
      if heap.isEmpty { break }
      let cursor = heap.first
      var limit = heap.secondKey
      if let next = waiting.last {
        let earliest = RecordKey(ticks: next.earliest, rank: 0, number: 0)
        if limit.map({ earliest < $0 }) ?? true { limit = earliest }
      }
      let start = cursor.position
      cursor.advance(to: limit)
      emit(cursor, start..<cursor.position)
      if cursor.position < cursor.count {
        heap.settleFirst()
        continue
      }
      spare.append(cursor)
      if let next = cursor.takeContinuation() {
        heap.first = next
        heap.settleFirst()
      } else {
        heap.removeFirst()
      }
    }
    close()
  }

  private mutating func open(
    _ piece: Piece,
    _ visit: (inout StoredSegment, Piece, SegmentCursor) -> Void
  ) {
    let cursor = spare.popLast() ?? SegmentCursor()
    cursor.read(piece, &index)
    if piece.isNew { visit(&index.stored[piece.stored], piece, cursor) }
    guard cursor.count > 0 else {
      spare.append(cursor)
      return
    }
    if let earlier = heap.first(where: { $0.last.isContinued(by: cursor) }) {
      earlier.last.continuation = cursor
    } else {
      heap.insert(cursor)
    }
  }

  // MARK: Blocks

  private mutating func emit(_ cursor: SegmentCursor, _ records: Range<Int>) {
    var start = records.lowerBound
    while start < records.upperBound {
      var end = min(records.upperBound, start + max(1, RecordBlock.capacity - block.count))
      while end < records.upperBound, cursor.continuesBatch(end) { end += 1 }
      append(cursor, start..<end)
      start = end
      if block.count >= RecordBlock.capacity, !cursor.continuesBatch(end) { close() }
    }
  }

  private mutating func append(_ cursor: SegmentCursor, _ records: Range<Int>) {
    let stored = Int32(truncatingIfNeeded: cursor.stored)
    let end = cursor.slot(of: records.upperBound)
    if lastPart < block.parts.count, block.parts[lastPart].stored == stored {
      block.parts[lastPart].end = end
    } else if let part = block.parts.firstIndex(where: { $0.stored == stored }) {
      block.parts[part].end = end
      block.isInterleaved = true
      lastPart = part
    } else {
      lastPart = block.parts.count
      block.parts.append(
        RecordPart(
          stored: stored,
          start: cursor.slot(of: records.lowerBound),
          end: end,
          thread: cursor.thread(of: records.lowerBound)
        )
      )
    }
    block.count += records.count
    block.kinds.formUnion(cursor.kinds(of: records))
    block.firstTicks = min(block.firstTicks, cursor.ticks[records.lowerBound])
    block.lastTicks = max(block.lastTicks, cursor.ticks[records.upperBound - 1])
    block.lowGeneration = min(block.lowGeneration, cursor.generation)
    block.highGeneration = max(block.highGeneration, cursor.generation)
  }

  private mutating func close() {
    lastPart = 0
    guard block.count > 0 else { return }
    index.blocks.append(block)
    block = RecordBlock(id: index.pages.newID(), firstRow: block.firstRow + block.count)
  }
}
