import Glibc

/// The slab as it was read last, to find out what has changed since.
///
/// A hundred thousand slots are compared within a millisecond or two; decoding them takes much longer.
struct SlabImage: Sendable {
  private var bytes: [UInt8] = []
  private let stride: Int
  private let slotBits: UInt32

  init() { (stride, slotBits) = (0, 0) }

  /// An image of an empty slab.
  init(of tables: TableReader) {
    stride = Int(tables.header.regions[.slab]?.entrySize ?? 0)
    slotBits = tables.header.slotBits
  }

  /// Whether what was read last can be compared with what is there now.
  func isComparable(with tables: TableReader) -> Bool {
    let region = tables.header.regions[.slab]
    return stride == Int(region?.entrySize ?? 0) && slotBits == tables.header.slotBits
      && bytes.count <= stride * (region?.readable ?? 0)
  }

  /// Reads the slab, and calls `body` with each row that is not as it was: nil for one that is free now, or
  /// was being used again while it was read.
  mutating func update(
    _ tables: TableReader,
    _ body: (_ index: Int, _ row: UnsafeRawBufferPointer?) -> Void
  ) {
    guard let region = tables.header.regions[.slab], region.readable > 0, stride > 0 else { return }
    bytes += repeatElement(0, count: region.readable * stride - bytes.count)
    let atOnce = max(1, (1 << 18) / stride)
    withUnsafeTemporaryAllocation(byteCount: 3 * atOnce * stride, alignment: 16) { memory in
      func copy(_ number: Int, _ rows: Range<Int>) -> UnsafeRawBufferPointer {
        let start = number * atOnce * stride
        let place = UnsafeMutableRawBufferPointer(
          rebasing: memory[start..<(start + rows.count * stride)]
        )
        let there = tables.file.read(into: place, at: region.offset(ofRow: rows.lowerBound))
        return UnsafeRawBufferPointer(rebasing: place[..<there])
      }
      var row = 0
      while row < region.readable {
        let rows = row..<min(row + atOnce, region.readable)
        row = rows.upperBound
        let before = copy(0, rows)
        guard !isTheSame(before, rows) else { continue }
        compare(before, copy(1, rows), copy(2, rows), rows, body)
      }
    }
  }

  private func isTheSame(_ now: UnsafeRawBufferPointer, _ rows: Range<Int>) -> Bool {
    guard now.count == rows.count * stride, let now = now.baseAddress else { return false }
    return bytes.withUnsafeBytes { image in
      guard let then = image.baseAddress else { return false }
      return memcmp(then + rows.lowerBound * stride, now, rows.count * stride) == 0
    }
  }

  /// Rows are reused while they are read: one counts if its serial was the same before and after.
  private mutating func compare(
    _ before: UnsafeRawBufferPointer,
    _ now: UnsafeRawBufferPointer,
    _ after: UnsafeRawBufferPointer,
    _ rows: Range<Int>,
    _ body: (_ index: Int, _ row: UnsafeRawBufferPointer?) -> Void
  ) {
    let key = Layout.Slot.serial
    let complete = min(before.count, now.count, after.count) / stride
    for (place, index) in rows.enumerated() {
      let start = place * stride
      let image = index * stride
      let then = bytes.withUnsafeBytes { key.load(from: $0, at: image) }
      var serial: UInt64 = 0
      var isStable = false
      if place < complete {
        serial = key.load(from: now, at: start)
        isStable =
          key.load(from: before, at: start) == serial && key.load(from: after, at: start) == serial
      }
      bytes.withUnsafeMutableBytes { bytes in
        let old = UnsafeMutableRawBufferPointer(rebasing: bytes[image..<(image + stride)])
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
