import CReactiveTraceShims

/// The first bytes of a text, as a record contains them, and the length of the whole text in bytes.
struct ClippedText: TextOutputStream {
  private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// The number of bytes that were written, including those that are not kept.
  private(set) var byteCount = 0
  /// Whether writing stopped before the end of the text, because a record has no space for more.
  private(set) var isStopped = false
  /// The first bytes, in their order.
  private var words: Words = (0, 0, 0, 0, 0, 0)

  init() {}

  /// Generates the description of a value, perhaps by code of the program; nil if this thread is
  /// already generating a description.
  init?<Value>(describing value: Value) {
    let thread = rxt_thread_state()
    guard thread.pointee.describing == 0 else { return nil }
    thread.pointee.describing = 1
    if let redact = Trace.redact {
      if let redacted = redact(String(describing: value)) { write(redacted) }
    } else {
      withUnsafePointer(to: value) { ValueWriter.write($0, .top, &self) }
    }
    thread.pointee.describing = 0
  }

  /// Whether a record has no space for more bytes.
  @inline(__always)
  var isFull: Bool { byteCount >= Layout.Record.valueByteCount }

  /// Marks the length of the text as unknown, because the rest is not written.
  ///
  /// Call this only if ``isFull`` is true and more text is certain to follow.
  mutating func stop() { isStopped = true }

  /// The record that contains the text.
  func record(_ kind: RecordKind, _ id: UInt32) -> PendingRecord {
    let count = isStopped ? Layout.Record.unknownByteCount : UInt32(clamping: byteCount)
    var record = PendingRecord(kind, id, count)
    record.continuations = 3
    record.more = recordWords
    return record
  }

  /// The bytes as the values of continuations, the units that follow a record: one value of six
  /// bytes and one of eight in each.
  private var recordWords: Words {
    withUnsafeBytes(of: words) { bytes in
      func pair(_ index: Int) -> (UInt64, UInt64) {
        let low = bytes.loadUnaligned(fromByteOffset: 14 * index, as: UInt64.self)
        let high = bytes.loadUnaligned(fromByteOffset: 14 * index + 6, as: UInt64.self)
        return (UInt64(littleEndian: low) & 0xFFFF_FFFF_FFFF, UInt64(littleEndian: high))
      }
      let (first, second, third) = (pair(0), pair(1), pair(2))
      return (first.0, first.1, second.0, second.1, third.0, third.1)
    }
  }

  @inline(__always)
  mutating func write(_ byte: UInt8) {
    if !isFull {
      let place = byteCount
      withUnsafeMutableBytes(of: &words) { $0[place] = byte }
    }
    byteCount += 1
  }

  @inline(__always)
  mutating func write(_ bytes: UnsafeRawBufferPointer) {
    let kept = min(bytes.count, Layout.Record.valueByteCount - byteCount)
    if kept > 0, let start = bytes.baseAddress {
      let place = byteCount
      withUnsafeMutableBytes(of: &words) {
        $0.baseAddress?.advanced(by: place).copyMemory(from: start, byteCount: kept)
      }
    }
    byteCount += bytes.count
  }

  @inline(__always)
  mutating func write(_ text: StaticString) {
    write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func write(_ text: String) {
    guard !isFull else {
      byteCount += text.utf8.count
      return
    }
    if text.utf8.withContiguousStorageIfAvailable({ write(UnsafeRawBufferPointer($0)) }) == nil {
      for byte in text.utf8 { write(byte) }
    }
  }

  /// Writes a number in decimal digits.
  mutating func write(_ magnitude: UInt64, isNegative: Bool) {
    if isNegative { write(UInt8(ascii: "-")) }
    if magnitude < 10 { return write(UInt8(ascii: "0") + UInt8(magnitude)) }
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { room in
      var (rest, place) = (magnitude, room.count)
      repeat {
        place -= 1
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        room[place] = UInt8(ascii: "0") + UInt8(digit)
        rest = quotient
      } while rest != 0
      write(UnsafeRawBufferPointer(rebasing: room[place...]))
    }
  }
}
