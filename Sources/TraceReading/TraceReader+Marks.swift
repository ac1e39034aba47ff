extension TraceReader {
  /// The marks, which are instants with the live count of every site, in order of time.
  ///
  /// If the program moves rows of the table meanwhile, some could be missed. The marks are then
  /// read again, up to a few times.
  func readMarks(_ tables: TableReader, _ log: inout ProblemLog) -> [(TraceMark, UInt32)] {
    for _ in 0..<7 {
      var tried = log
      let before = markSequences(tables)
      let rows = readMarksOnce(tables, &tried)
      // Changes of the newest marks are ignored, because these may be replaced all the time.
      if before.dropLast(2).elementsEqual(markSequences(tables).dropLast(2)) {
        log = tried
        return rows
      }
    }
    return readMarksOnce(tables, &log)
  }

  private func markSequences(_ tables: TableReader) -> [UInt64] {
    var sequences: [UInt64] = []
    tables.forEachFilledRow(of: .marks) { _, row in
      sequences.append(Layout.Mark.sequence.load(from: row))
    }
    return sequences
  }

  private func readMarksOnce(
    _ tables: TableReader,
    _ log: inout ProblemLog
  ) -> [(TraceMark, UInt32)] {
    let sites = Int(tables.header.regions[.sites]?.capacity ?? 0)
    // A field that an earlier version does not have is 0.
    let size = min(Int(tables.header.regions[.marks]?.entrySize ?? 0), Layout.Mark.byteCount)
    var rows: [(TraceMark, UInt32)] = []
    tables.forEachFilledRow(of: .marks) { index, first in
      let sequence = Layout.Mark.sequence.load(from: first)
      guard sequence != 0, sequence & 1 == 0, !tables.isLost(.marks, index) else { return }
      let place = tables.place(.marks, index)
      var mark = TraceMark()
      mark.index = index
      let row = file.bytes(at: place, count: size)
      var siteCount = 0
      var name: UInt32 = 0
      row.withUnsafeBytes { row in
        mark.ticks = Layout.Mark.ticks.load(from: row)
        name = Layout.Mark.name.load(from: row)
        mark.kind = MarkKind(rawValue: Layout.Mark.kind.load(from: row)) ?? .program
        siteCount = Int(Layout.Mark.siteCount.load(from: row))
        mark.ordinal = Layout.Mark.ordinal.load(from: row)
        mark.since = Layout.Mark.since.load(from: row)
        mark.liveSignals = Layout.Mark.liveSignals.load(from: row)
        mark.liveSubscriptions = Layout.Mark.liveSubscriptions.load(from: row)
        mark.liveTimers = Layout.Mark.liveTimers.load(from: row)
        mark.heapInUse = memory(Layout.Mark.heapInUse, in: row, index, at: place, &log)
        mark.residentSize = memory(Layout.Mark.residentSize, in: row, index, at: place, &log)
      }
      readCounts(tables, mark: &mark, sites: siteCount, of: sites, &log)
      // If the sequence has changed, the row was reused while it was read.
      let last = file.bytes(at: place, count: 8).withUnsafeBytes {
        Layout.Mark.sequence.load(from: $0)
      }
      guard last == sequence else { return }
      rows.append((mark, name))
    }
    rows.sort { ($0.0.ticks, $0.0.index) < ($1.0.ticks, $1.0.index) }
    // A process that ended while it removed marks may have left some marks in two rows.
    var marks: [(TraceMark, UInt32)] = []
    for row in rows {
      if let last = marks.last, row.0.since != 0, last.0.ticks == row.0.ticks,
        last.0.ordinal == row.0.ordinal, last.1 == row.1
      {
        continue
      }
      marks.append(row)
    }
    return marks
  }

  /// Bytes of memory at a mark; nil if they were not recorded, or if the number is impossibly
  /// large.
  private func memory(
    _ field: Field<UInt64>,
    in row: UnsafeRawBufferPointer,
    _ index: Int,
    at place: Int,
    _ log: inout ProblemLog
  ) -> UInt64? {
    let bytes = field.load(from: row)
    guard bytes < Layout.Mark.memoryLimit else {
      log.note(
        "mark",
        at: place,
        isLoss: false,
        "mark \(index) claims \(bytes) bytes of memory, less than \(Layout.Mark.memoryLimit) were expected; they are not known"
      )
      return nil
    }
    return bytes == 0 ? nil : bytes
  }

  private func readCounts(
    _ tables: TableReader,
    mark: inout TraceMark,
    sites claimed: Int,
    of capacity: Int,
    _ log: inout ProblemLog
  ) {
    let place = tables.place(.marks, mark.index)
    if claimed > capacity {
      log.note(
        "mark",
        at: place,
        "mark \(mark.index) claims counts of \(claimed) sites, there is room for \(capacity); the rest is ignored"
      )
    }
    defer { dropLostCounts(of: &mark, isRecorded: tables.header.isRecorded) }
    guard let region = tables.header.regions[.markCounts], capacity > 0 else { return }
    let first = mark.index.multipliedReportingOverflow(by: capacity)
    guard !first.overflow, first.partialValue < region.readable else { return }
    let count = min(claimed, capacity, region.readable - first.partialValue)
    let stride = Int(region.entrySize)
    let start = region.offset(ofRow: first.partialValue)
    // Sites after the end of the stored counts had no subscriptions.
    let bytes = file.bytes(in: start..<(start + count * stride), longestHole: 1 << 16)
    bytes.withUnsafeBytes { bytes in
      for row in 0..<(bytes.count / stride) {
        mark.live.append(Layout.MarkCount.live.load(from: bytes, at: row * stride))
        mark.minimumLive.append(Layout.MarkCount.minimumLive.load(from: bytes, at: row * stride))
      }
    }
    if tables.lost.touches(start..<(start + count * stride)) { mark.hasLostCounts = true }
  }

  /// Discards the counts of a mark if some were lost.
  ///
  /// Zeros are valid counts, so a loss only shows if the counts of all sites add up to less than
  /// the total of the mark.
  private func dropLostCounts(of mark: inout TraceMark, isRecorded: Bool) {
    let sum = mark.live.reduce(0) { $0 + UInt64($1) }
    if sum < mark.liveSubscriptions, isRecorded { mark.hasLostCounts = true }
    if mark.hasLostCounts { (mark.live, mark.minimumLive) = ([], []) }
  }
}
