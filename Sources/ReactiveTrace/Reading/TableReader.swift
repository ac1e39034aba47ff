/// Reads the rows of the tables (TraceFormat §6 to §9).
struct TableReader {
  let file: TraceFile
  let header: TraceHeader

  /// The bytes of one row.
  typealias Row = UnsafeRawBufferPointer

  /// Calls `body` with each row of a table from `first` on, read in large pieces.
  func forEachRow(of kind: RegionKind, from first: Int = 0, _ body: (_ index: Int, Row) -> Void) {
    guard let region = header.regions[kind], region.readable > 0 else { return }
    let stride = Int(region.entrySize)
    let rowsAtOnce = max(1, (1 << 18) / stride)
    var row = first
    while row < region.readable {
      let count = min(rowsAtOnce, region.readable - row)
      let bytes = file.bytes(at: region.offset(ofRow: row), count: count * stride)
      bytes.withUnsafeBytes { bytes in
        for index in 0..<(bytes.count / stride) {
          body(row + index, Row(rebasing: bytes[(index * stride)..<((index + 1) * stride)]))
        }
      }
      guard bytes.count == count * stride else { return }
      row += count
    }
  }

  /// The used part of a heap from byte `start` on.
  func heap(_ kind: RegionKind, from start: Int = 0) -> [UInt8] {
    guard let region = header.regions[kind], start < region.readable else { return [] }
    return file.bytes(at: region.start + start, count: region.readable - start)
  }

  /// Where a row begins in the file, for messages.
  func place(_ kind: RegionKind, _ row: Int) -> Int {
    header.regions[kind]?.offset(ofRow: row) ?? 0
  }
}
