import Glibc

/// Reads the rows of the tables (TraceFormat §6 to §9).
struct TableReader {
  let file: TraceFile
  let header: TraceHeader
  /// Bytes that read as zeros although something was written there.
  var lost = LostBytes()

  /// The bytes of one row.
  typealias Row = UnsafeRawBufferPointer

  /// Calls `body`, in order, with each row that is not all zeros, beginning at row `first`.
  ///
  /// The rows are read in large pieces. The cost depends on how much data of the table the file
  /// stores, not on how many rows the table claims to have.
  func forEachFilledRow(
    of kind: RegionKind,
    from first: Int = 0,
    _ body: (_ index: Int, Row) -> Void
  ) {
    guard let region = header.regions[kind], first < region.readable else { return }
    let stride = Int(region.entrySize)
    var next = first
    file.forEachStretch(in: region.bytes(from: first)) { stretch in
      let end = min(region.readable, (stretch.upperBound - region.start + stride - 1) / stride)
      next = max(next, (stretch.lowerBound - region.start) / stride)
      while next < end {
        let count = min(max(1, (1 << 18) / stride), end - next)
        let bytes = file.bytes(at: region.offset(ofRow: next), count: count * stride)
        bytes.withUnsafeBytes { bytes in
          for index in 0..<(bytes.count / stride) {
            let row = Row(rebasing: bytes[(index * stride)..<((index + 1) * stride)])
            if !row.isZero { body(next + index, row) }
          }
        }
        guard bytes.count == count * stride else { return false }
        next += count
      }
      return true
    }
  }

  /// Calls `body` with every row, including those that are all zeros, for a table whose rows are
  /// referred to by number.
  ///
  /// A writer leaves no row all zeros, but a damaged file may consist of holes. To keep such a file
  /// from filling the memory, reading stops, with a note in the log, when the rows of zeros would
  /// outnumber the others by more than `emptyEntryLimit`.
  func forEachRow(
    of kind: RegionKind,
    from first: Int = 0,
    _ log: inout ProblemLog,
    _ body: (inout ProblemLog, _ index: Int, Row) -> Void
  ) {
    guard let region = header.regions[kind], first < region.readable else { return }
    let zeros = [UInt8](repeating: 0, count: Int(region.entrySize))
    var (next, room, isOver) = (first, RegionKind.emptyEntryLimit, false)
    func fill(to end: Int, _ log: inout ProblemLog) {
      guard end - next <= room else {
        isOver = true
        log.note(
          "empty rows",
          at: region.offset(ofRow: next),
          "more than \(RegionKind.emptyEntryLimit) rows of the region '\(kind)' are empty, as in a file of holes; those from row \(next) on are not shown"
        )
        return
      }
      room -= max(0, end - next)
      zeros.withUnsafeBytes { zeros in
        for row in next..<max(next, end) { body(&log, row, zeros) }
      }
      next = max(next, end)
    }
    forEachFilledRow(of: kind, from: first) { index, row in
      if !isOver { fill(to: index, &log) }
      if isOver { return }
      body(&log, index, row)
      next += 1
      room += 1
    }
    if !isOver { fill(to: region.readable, &log) }
  }

  /// The used part of a heap from byte `start` on, without a hole at its end.
  ///
  /// If the heap has a hole of more than 1 MiB, the result ends with the first 1 MiB of zeros of
  /// that hole.
  func heap(_ kind: RegionKind, from start: Int = 0) -> [UInt8] {
    guard let region = header.regions[kind], start < region.readable else { return [] }
    return file.bytes(in: region.bytes(from: start), longestHole: 1 << 20)
  }

  /// Whether any byte of a row is lost.
  func isLost(_ kind: RegionKind, _ row: Int) -> Bool {
    lost.touches(row, of: header.regions[kind])
  }

  /// Where a row begins in the file, for messages.
  func place(_ kind: RegionKind, _ row: Int) -> Int {
    header.regions[kind]?.offset(ofRow: row) ?? 0
  }
}

extension UnsafeRawBufferPointer {
  /// Whether all bytes are zero.
  ///
  /// Compares the first 8 bytes with zero, and then each further byte with the one 8 bytes before
  /// it.
  var isZero: Bool {
    guard let base = baseAddress, count >= 8 else { return allSatisfy { $0 == 0 } }
    return base.loadUnaligned(as: UInt64.self) == 0 && memcmp(base, base + 8, count - 8) == 0
  }
}
