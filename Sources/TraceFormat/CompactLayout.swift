/// The positions of the regions, which are the tables and heaps of a trace, in a compact copy of
/// the trace.
///
/// The regions follow one another, and each is only as long as its contents.
package struct CompactLayout {
  /// The length of the file up to the last placed region, in bytes.
  package private(set) var byteCount = Layout.FileHeader.byteCount
  package init() {}

  private var rows: [(kind: RegionKind, offset: Int, count: Int, entrySize: Int)] = []

  /// Assigns a position to a region of `count` entries (bytes, for heaps), after those already
  /// placed, and returns it.
  package mutating func place(_ kind: RegionKind, _ count: Int, entrySize: Int) -> Int {
    let offset = (byteCount + 7) / 8 * 8
    rows.append((kind, offset, count, entrySize))
    byteCount = offset + count * entrySize
    return offset
  }

  /// The number of entries of a placed region.
  package func count(_ kind: RegionKind) -> Int { rows.last { $0.kind == kind }?.count ?? 0 }

  /// Writes the positions of the regions into the header of the copy; the counts of lost entries
  /// stay as they are.
  package func write(into header: inout [UInt8]) {
    header.withUnsafeMutableBytes { header in
      guard let header = header.baseAddress else { return }
      var fixedByteCount = byteCount
      for (kind, offset, count, entrySize) in rows {
        let row = header + Layout.FileHeader.regions + kind.rawValue * Layout.Region.byteCount
        let isTail = kind == .tail
        if isTail { fixedByteCount = offset }
        Layout.Region.offset.store(UInt64(offset), to: row)
        Layout.Region.size.store(isTail ? 0 : UInt64(count * entrySize), to: row)
        Layout.Region.entrySize.store(UInt32(entrySize), to: row)
        Layout.Region.capacity.store(isTail ? 0 : UInt32(clamping: count), to: row)
        Layout.Region.used.store(UInt64(count), to: row)
      }
      Layout.FileHeader.fixedByteCount.store(UInt64(fixedByteCount), to: header)
    }
  }
}
