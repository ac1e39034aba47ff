/// The strings of a trace, each stored once and compared in full.
///
/// `@unchecked Sendable`: all methods except ``bytes(_:)`` require the recorder's table lock; a
/// string is never changed after its number is known.
struct StringTable: @unchecked Sendable {
  let region: MappedRegion
  private let index: InternIndex

  init(region: MappedRegion) throws(TraceError) {
    self.region = region
    index = try InternIndex(capacity: region.capacity / Layout.StringHeap.unit)
    // String 0 is the empty one.
    region.used = Layout.StringHeap.unit
  }

  /// The number of `text`; 0 if it is empty or there is no room.
  func intern(_ text: String, limit: Int = Layout.StringHeap.limit) -> UInt32 {
    var text = text
    return text.withUTF8 { intern(UnsafeRawBufferPointer($0), limit: limit) }
  }

  /// The number of a string given as UTF-8, cut at a character boundary at `limit` bytes.
  func intern(_ bytes: UnsafeRawBufferPointer, limit: Int = Layout.StringHeap.limit) -> UInt32 {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<Self.cut(bytes, at: limit)])
    guard !bytes.isEmpty else { return 0 }
    var hash = UInt64(bytes.count)
    for byte in bytes { hash = InternIndex.mix(hash, UInt64(byte)) }
    let known = index.find(hash) { number in
      let entry = region.base + Int(number) * Layout.StringHeap.unit
      guard Int(Layout.StringHeap.length.load(from: entry)) == bytes.count else { return false }
      let stored = UnsafeRawBufferPointer(
        start: entry + Layout.StringHeap.bytes,
        count: bytes.count
      )
      return stored.elementsEqual(bytes)
    }
    if known != 0 { return known }

    let unit = Layout.StringHeap.unit
    let size = (Layout.StringHeap.bytes + bytes.count + unit - 1) / unit * unit
    let used = region.used
    guard used + size <= region.capacity, region.reserve(used + size) else {
      region.countLost()
      return 0
    }
    let entry = region.base + used
    Layout.StringHeap.length.store(UInt32(bytes.count), to: entry)
    UnsafeMutableRawBufferPointer(start: entry + Layout.StringHeap.bytes, count: bytes.count)
      .copyMemory(from: bytes)
    region.used = used + size
    let number = UInt32(used / unit)
    index.insert(hash, number)
    return number
  }

  /// The bytes of string `number`; empty if there is no such string, which is only possible if
  /// another process has changed the file.
  func bytes(_ number: UInt32) -> UnsafeRawBufferPointer {
    let start = Int(number) * Layout.StringHeap.unit + Layout.StringHeap.bytes
    guard start <= region.used else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let text = region.base + start
    let length = Layout.StringHeap.length.load(from: text - Layout.StringHeap.bytes)
    return UnsafeRawBufferPointer(start: text, count: min(Int(length), region.used - start))
  }

  /// How many of the bytes to keep: no more than `limit`, and no character cut in two.
  private static func cut(_ bytes: UnsafeRawBufferPointer, at limit: Int) -> Int {
    guard bytes.count > limit else { return bytes.count }
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}
