/// Writes the wire format of protocol buffers.
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  mutating func varint(_ field: Int, _ value: UInt64) {
    raw(UInt64(field) << 3)
    raw(value)
  }

  mutating func fixed64(_ field: Int, _ value: UInt64) {
    raw(UInt64(field) << 3 | 1)
    for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))) }
  }

  mutating func text(_ field: Int, _ value: String) { lengthDelimited(field, Array(value.utf8)) }

  mutating func message(_ field: Int, _ fields: (inout Self) -> Void) {
    var inner = Self()
    fields(&inner)
    lengthDelimited(field, inner.bytes)
  }

  /// Writes the numbers of a repeated field in packed form: one key and one length for all of them.
  mutating func packed(_ field: Int, _ values: [UInt64]) {
    var inner = Self()
    for value in values { inner.raw(value) }
    lengthDelimited(field, inner.bytes)
  }

  private mutating func lengthDelimited(_ field: Int, _ value: [UInt8]) {
    raw(UInt64(field) << 3 | 2)
    raw(UInt64(value.count))
    bytes += value
  }

  private mutating func raw(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }
}
