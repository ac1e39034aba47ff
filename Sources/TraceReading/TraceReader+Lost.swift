extension TraceReader {
  /// The parts of the tables that are lost.
  ///
  /// None are looked for in a trace that was written by hand, because any of its rows may be zeros.
  func lostBytes(_ header: TraceHeader) -> LostBytes {
    header.isRecorded ? LostBytes(TableReader(file: file, header: header)) : LostBytes()
  }

  /// Logs the lost parts of the tables, and counts them.
  func noteLost(_ tables: TableReader, in snapshot: inout TraceSnapshot, _ log: inout ProblemLog) {
    var counts: [RegionKind: UInt64] = [:]
    for kind in RegionKind.allCases where kind != .segments && kind != .tail {
      guard let region = tables.header.regions[kind] else { continue }
      let used = region.usedBytes
      for stretch in tables.lost.stretches where stretch.overlaps(used) && kind != .markCounts {
        let lost = stretch.clamped(to: used)
        let entry = Int(region.entrySize)
        let first = (lost.lowerBound - region.start) / entry
        let end = (lost.upperBound - region.start + entry - 1) / entry
        counts[kind, default: 0] += UInt64(end - first)
        log.note(
          "lost",
          at: lost.lowerBound,
          isLoss: false,
          "\(lost.count) bytes of the region '\(kind)' read as zeros, which no recorder leaves there; what stood there is lost"
        )
      }
    }
    let marks = snapshot.marks.filter(\.hasLostCounts)
    if let first = marks.first {
      counts[.markCounts] = UInt64(marks.count)
      log.note(
        "lost",
        at: tables.place(.marks, first.index),
        isLoss: false,
        "counts of lines are missing in marks: \(marks.count); they sum to less than the marks say"
      )
    }
    snapshot.lostEntries = counts
  }
}

extension TraceHeader {
  /// Whether a recorder wrote the file: a trace that was written by hand does not identify a
  /// process.
  var isRecorded: Bool { bootID.high != 0 && processNamespace != 0 }
}

extension TraceRegion {
  /// The range of the file with the rows in use, without a row 0 that means "none".
  fileprivate var usedBytes: Range<Int> {
    let first = kind.beginsWithNothing && entrySize > 1 ? 1 : 0
    let end = max(first, min(readable, Int(clamping: used)))
    return (start + first * Int(entrySize))..<(start + end * Int(entrySize))
  }
}
