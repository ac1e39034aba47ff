import Glibc

/// Reads the rows of the tables (TraceFormat §6 to §9).
struct TableReader {
  let file: TraceFile
  let header: TraceHeader
  /// What reads as zeros, and was something else.
  var lost = LostBytes()

  /// The bytes of one row.
  typealias Row = UnsafeRawBufferPointer

  /// Calls `body` with each row of a table from `first` on that is not all zeros, in order, read in large pieces.
  ///
  /// Costs as much as the file holds of the table, however many rows that claims.
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

  /// The same for a table that lists what goes by its row: with the rows that are all zeros, which a writer does not
  /// make.
  ///
  /// Of these there are not many more than of others, so that a file of holes does not fill the memory with nothing.
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

  /// The used part of a heap from byte `start` on, up to its first hole that is longer than what is read of it.
  func heap(_ kind: RegionKind, from start: Int = 0) -> [UInt8] {
    guard let region = header.regions[kind], start < region.readable else { return [] }
    return file.bytes(in: region.bytes(from: start), longestHole: 1 << 20)
  }

  /// Whether some of a row, or all of it, is lost.
  func isLost(_ kind: RegionKind, _ row: Int) -> Bool {
    lost.touches(row, of: header.regions[kind])
  }

  /// Where a row begins in the file, for messages.
  func place(_ kind: RegionKind, _ row: Int) -> Int {
    header.regions[kind]?.offset(ofRow: row) ?? 0
  }
}

extension UnsafeRawBufferPointer {
  /// Whether all of it is zeros: the first word is, and each byte is as the one a word before it.
  var isZero: Bool {
    guard let base = baseAddress, count >= 8 else { return allSatisfy { $0 == 0 } }
    return base.loadUnaligned(as: UInt64.self) == 0 && memcmp(base, base + 8, count - 8) == 0
  }
}
