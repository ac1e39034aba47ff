import Glibc

/// The slab, which is the table of live entities, as it was last read; used to determine which rows
/// have changed since.
///
/// Comparing a hundred thousand slots takes a millisecond or two; decoding them takes much longer.
struct SlabImage: Sendable {
  /// The bytes of the slab, in the pieces in which they are read.
  ///
  /// A piece that consists of zeros is empty, so that a file of holes takes no memory.
  private var pieces: [[UInt8]] = []
  private var rowCount = 0
  private let stride: Int
  private let slotBits: UInt32

  init() { (stride, slotBits) = (0, 0) }

  /// Creates the image of an empty slab.
  init(of tables: TableReader) {
    stride = Int(tables.header.regions[.slab]?.entrySize ?? 0)
    slotBits = tables.header.slotBits
  }

  /// The number of rows in a piece: small enough that a sparse file does not take many times its
  /// size in memory.
  private var atOnce: Int { max(1, (1 << 15) / max(1, stride)) }

  /// Whether the image can be compared with the slab as it is now.
  func isComparable(with tables: TableReader) -> Bool {
    let region = tables.header.regions[.slab]
    return stride == Int(region?.entrySize ?? 0) && slotBits == tables.header.slotBits
      && rowCount <= region?.readable ?? 0
  }

  /// Reads the slab, and calls `body` with each row that has changed; the bytes are nil if the row
  /// is free now, or was being reused while it was read.
  mutating func update(
    _ tables: TableReader,
    _ body: (_ index: Int, _ row: UnsafeRawBufferPointer?) -> Void
  ) {
    guard let region = tables.header.regions[.slab], region.readable > 0, stride > 0 else { return }
    let (stride, atOnce) = (stride, atOnce)
    rowCount = region.readable
    pieces += repeatElement([], count: max(0, (rowCount + atOnce - 1) / atOnce - pieces.count))
    withUnsafeTemporaryAllocation(byteCount: 3 * atOnce * stride, alignment: 16) { memory in
      func copy(_ number: Int, _ rows: Range<Int>) -> UnsafeRawBufferPointer {
        let start = number * atOnce * stride
        let place = UnsafeMutableRawBufferPointer(
          rebasing: memory[start..<(start + rows.count * stride)]
        )
        let there = tables.file.read(into: place, at: region.offset(ofRow: rows.lowerBound))
        return UnsafeRawBufferPointer(rebasing: place[..<there])
      }
      func updatePiece(_ piece: Int) {
        let first = piece * atOnce
        let rows = first..<min(first + atOnce, region.readable)
        let before = copy(0, rows)
        guard !isUnchanged(before, piece, rows) else { return }
        if pieces[piece].isEmpty {
          pieces[piece] = [UInt8](repeating: 0, count: atOnce * stride)
        }
        compare(before, copy(1, rows), copy(2, rows), piece, rows, body)
      }
      // Slots that were never used are holes of the file.
      var next = 0
      tables.file.forEachStretch(in: region.bytes()) { stretch in
        let end = min(pieces.count, (stretch.upperBound - region.start - 1) / (atOnce * stride) + 1)
        let first = max(next, (stretch.lowerBound - region.start) / (atOnce * stride))
        for piece in next..<max(next, first) where !pieces[piece].isEmpty { updatePiece(piece) }
        for piece in first..<max(first, end) { updatePiece(piece) }
        next = max(next, end)
        return true
      }
      for piece in next..<max(next, pieces.count) where !pieces[piece].isEmpty {
        updatePiece(piece)
      }
    }
  }

  private func isUnchanged(
    _ now: UnsafeRawBufferPointer,
    _ piece: Int,
    _ rows: Range<Int>
  ) -> Bool {
    let count = rows.count * stride
    guard now.count == count, let first = now.baseAddress else { return false }
    return pieces[piece].withUnsafeBytes { image in
      guard let then = image.baseAddress, !image.isEmpty else { return now.isZero }
      return memcmp(then, first, count) == 0
    }
  }

  /// Compares the copy `now` of rows with the image.
  ///
  /// Rows may be reused while they are read, so a row of `now` is only valid if its serial is the
  /// same in the copies made before and after it.
  private mutating func compare(
    _ before: UnsafeRawBufferPointer,
    _ now: UnsafeRawBufferPointer,
    _ after: UnsafeRawBufferPointer,
    _ piece: Int,
    _ rows: Range<Int>,
    _ body: (_ index: Int, _ row: UnsafeRawBufferPointer?) -> Void
  ) {
    let key = Layout.Slot.serial
    let complete = min(before.count, now.count, after.count) / stride
    for (place, index) in rows.enumerated() {
      let start = place * stride
      let then = pieces[piece].withUnsafeBytes { key.load(from: $0, at: start) }
      var serial: UInt64 = 0
      var isStable = false
      if place < complete {
        serial = key.load(from: now, at: start)
        isStable =
          key.load(from: before, at: start) == serial && key.load(from: after, at: start) == serial
      }
      pieces[piece].withUnsafeMutableBytes { bytes in
        let old = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + stride)])
        guard isStable else {
          old.initializeMemory(as: UInt8.self, repeating: 0)
          if then != 0 { body(index, nil) }
          return
        }
        let new = UnsafeRawBufferPointer(rebasing: now[start..<(start + stride)])
        guard let left = old.baseAddress, let right = new.baseAddress,
          memcmp(left, right, stride) != 0
        else { return }
        old.copyMemory(from: new)
        if serial != 0 { body(index, new) } else if then != 0 { body(index, nil) }
      }
    }
  }
}
