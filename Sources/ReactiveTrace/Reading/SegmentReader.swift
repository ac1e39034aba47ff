/// Reads segments and decodes their records (TraceFormat §4 and §5).
struct SegmentReader {
  let file: TraceFile
  /// The ring or the tail.
  let region: TraceRegion
  /// Ticks behind which nothing is read for now.
  var horizon: UInt64 = .max

  /// How far a segment has been read.
  ///
  /// The thread is the one the last record belongs to.
  struct Cursor: Sendable {
    var committed: UInt32
    var thread: UInt32
  }

  /// The header of the segment at `index`, or nil if it is free, being recycled, or not in the file.
  func header(at index: Int, _ log: inout ProblemLog) -> TraceSegment? {
    guard index < region.readable else { return nil }
    let start = region.offset(ofRow: index)
    let bytes = file.bytes(at: start, count: Layout.Segment.headerByteCount)
    guard bytes.count == Layout.Segment.headerByteCount else { return nil }
    var segment = TraceSegment()
    segment.index = index
    segment.isInTail = region.kind == .tail
    var rawState: UInt32 = 0
    bytes.withUnsafeBytes { bytes in
      segment.epoch = Layout.Segment.epoch.load(from: bytes)
      segment.committed = Layout.Segment.committed.load(from: bytes)
      rawState = Layout.Segment.state.load(from: bytes)
      segment.baseTicks = Layout.Segment.baseTicks.load(from: bytes)
      segment.baseMonotonic = Layout.Segment.baseMonotonic.load(from: bytes)
      segment.generation = Layout.Segment.generation.load(from: bytes)
      segment.thread = Layout.Segment.thread.load(from: bytes)
      segment.lost = Layout.Segment.lost.load(from: bytes)
    }
    guard segment.epoch != 0 else { return nil }
    guard segment.epoch >> (64 - Packing.recordIndexBits) == 0 else {
      log.note(
        "segment",
        at: start,
        "segment \(index) claims epoch \(segment.epoch), less than 2^52 was expected; it is skipped"
      )
      return nil
    }
    let committed = Int(segment.committed)
    guard committed >= Layout.Segment.headerByteCount, committed <= Layout.Segment.size,
      committed % Layout.Record.byteCount == 0
    else {
      log.note(
        "segment",
        at: start + Layout.Segment.committed.offset,
        "segment \(index) claims \(committed) bytes in use, a multiple of 16 from 64 to 65536 was expected; it is skipped"
      )
      return nil
    }
    if let state = SegmentState(rawValue: rawState) {
      segment.state = state
    } else {
      log.note(
        "segment",
        at: start + Layout.Segment.state.offset,
        "segment \(index) claims state \(rawState), 0 to 2 were expected; it is read as sealed"
      )
      segment.state = .sealed
    }
    return segment
  }

  /// Appends the records of `segment` behind `cursor` to `records` and moves the cursor.
  ///
  /// Returns false, and appends nothing, if the segment was recycled meanwhile.
  func appendRecords(
    of segment: inout TraceSegment,
    after cursor: inout Cursor,
    to records: inout [TraceRecord],
    _ log: inout ProblemLog
  ) -> Bool {
    let start = region.offset(ofRow: segment.index)
    let first = Int(cursor.committed)
    guard Int(segment.committed) > first else { return true }
    let bytes = file.bytes(at: start + first, count: Int(segment.committed) - first)
    let epoch = file.bytes(at: start + Layout.Segment.epoch.offset, count: 8)
      .withUnsafeBytes { Field<UInt64>(at: 0).load(from: $0) }
    guard epoch == segment.epoch else { return false }
    if bytes.count < Int(segment.committed) - first {
      segment.isTruncated = true
      log.note(
        "truncated",
        at: start + first + bytes.count,
        "the file ends within segment \(segment.index); the records behind are missing"
      )
    }
    bytes.withUnsafeBytes { bytes in
      decode(bytes, segment, start: start, after: &cursor, to: &records, &log)
    }
    return true
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer,
    _ segment: TraceSegment,
    start: Int,
    after cursor: inout Cursor,
    to records: inout [TraceRecord],
    _ log: inout ProblemLog
  ) {
    let size = Layout.Record.byteCount
    let count = bytes.count / size
    let firstIndex = (Int(cursor.committed) - Layout.Segment.headerByteCount) / size
    let firstRecord = records.count
    var isSorted = true
    var lastTicks: UInt64 = 0
    var row = 0
    // Behind a record of an unknown kind, whose continuations are its own affair.
    var isSkipping = false
    let table = RecordSpec.continuationTable
    while row < count {
      let head = Layout.Record.head.load(from: bytes, at: row * size)
      let body = Layout.Record.body.load(from: bytes, at: row * size)
      let index = firstIndex + row
      row += 1
      let rawKind = Packing.kind(ofHead: head)
      let kindIsKnown = Int(rawKind) < table.count && table[Int(rawKind)] >= 0
      guard kindIsKnown, let kind = RecordKind(rawValue: rawKind), kind != .continuation else {
        if !kindIsKnown {
          isSkipping = true
        } else if !isSkipping {
          log.note(
            "continuation",
            at: start + Layout.Segment.headerByteCount + index * size,
            "a continuation stands alone; it is skipped"
          )
        }
        continue
      }
      isSkipping = false
      var record = TraceRecord()
      record.number = Packing.recordNumber(epoch: segment.epoch, index: index)
      let (ticks, overflow) = segment.baseTicks.addingReportingOverflow(Packing.delta(ofHead: head))
      record.ticks = overflow ? .max : ticks
      guard record.ticks <= horizon else {
        // Ticks never fall within a segment: the next reading goes on here.
        row -= 1
        break
      }
      record.kind = kind
      record.id = Packing.low(body)
      record.argument = Packing.high(body)
      record.generation = segment.generation
      let continuations = Int(table[Int(rawKind)])
      if continuations > 0 {
        let found = readMore(bytes, from: row, count: min(continuations, count - row), &record.more)
        row += found
        guard found == continuations else {
          log.note(
            "continuation",
            at: start + Layout.Segment.headerByteCount + index * size,
            "a record '\(RecordSpec.of(kind).name)' has \(found) of its \(continuations) continuations; it is skipped"
          )
          continue
        }
      }
      if kind == .threadSwitched { cursor.thread = record.id }
      record.thread = cursor.thread
      if record.ticks < lastTicks { isSorted = false }
      lastTicks = record.ticks
      records.append(record)
    }
    cursor.committed += UInt32(row * size)
    if !isSorted {
      log.note(
        "order",
        at: start,
        "the records of segment \(segment.index) are not in the order of time; they are sorted"
      )
      records[firstRecord...].sort { ($0.ticks, $0.number) < ($1.ticks, $1.number) }
    }
  }

  /// Reads continuations from `row` on and returns how many there were.
  private func readMore(
    _ bytes: UnsafeRawBufferPointer,
    from row: Int,
    count: Int,
    _ more: inout (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
  ) -> Int {
    var found = 0
    while found < count {
      let head = Layout.Record.head.load(from: bytes, at: (row + found) * Layout.Record.byteCount)
      let body = Layout.Record.body.load(from: bytes, at: (row + found) * Layout.Record.byteCount)
      guard Packing.kind(ofHead: head) == RecordKind.continuation.rawValue else { break }
      switch found {
      case 0: (more.0, more.1) = (Packing.delta(ofHead: head), body)
      case 1: (more.2, more.3) = (Packing.delta(ofHead: head), body)
      default: (more.4, more.5) = (Packing.delta(ofHead: head), body)
      }
      found += 1
    }
    return found
  }
}
