/// The form in which the toolchain's `Runtime` module reads backtraces and image maps: its compact
/// formats in base 64, inside JSON.
///
/// The `Codable` representation of these types is not a documented contract, so a test compares it
/// with what the module itself writes.
package enum CompactBacktrace {
  /// The first byte of both formats: bits 0 and 1 say that addresses have 64 bits; the bits above
  /// are the version, 0.
  private static let header: UInt8 = 0x02
  private static let absoluteReturnAddress: UInt8 = 0x28

  /// A backtrace of return addresses.
  static func backtrace(_ addresses: [UInt64]) -> [UInt8] {
    var bytes = [header]
    for address in addresses {
      let digits = significant(address)
      bytes.append(absoluteReturnAddress | UInt8(digits.count - 1))
      bytes += digits
    }
    return bytes + [0]
  }

  struct Image: Codable {
    var path: String
    var base: UInt64
    var endOfText: UInt64
    var buildID: [UInt8]
  }

  /// An image map of images in the order of their addresses.
  static func imageMap(_ images: [Image], platform: String = "Linux") -> [UInt8] {
    var bytes = [header]
    bytes += count(platform.utf8.count) + Array(platform.utf8)
    bytes += count(images.count)
    for image in images {
      let base = significant(image.base)
      let length = significant(image.endOfText > image.base ? image.endOfText - image.base : 0)
      bytes.append(UInt8(base.count - 1) << 3 | UInt8(length.count - 1))
      bytes += base + length
      bytes += count(image.buildID.count) + image.buildID
      bytes += path(image.path)
    }
    return bytes
  }

  /// The bytes of a number, the most significant first, without leading zeros.
  ///
  /// A first byte of 128 or more would be read as a negative number, so a zero byte is kept before
  /// it.
  private static func significant(_ value: UInt64) -> [UInt8] {
    var bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    while bytes.count > 1, bytes[0] == 0, bytes[1] < 0x80 { bytes.removeFirst() }
    return bytes
  }

  /// A count in groups of seven bits, the most significant first; all but the last have the high
  /// bit set.
  private static func count(_ value: Int) -> [UInt8] {
    var groups = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return groups
  }

  /// A path in pieces of at most 63 bytes, each preceded by its length; a 0 follows the last.
  private static func path(_ path: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while !rest.isEmpty {
      let piece = rest.prefix(63)
      bytes.append(UInt8(piece.count))
      bytes += piece
      rest = rest.dropFirst(piece.count)
    }
    return bytes + [0]
  }

  /// Base 64 with padding.
  package static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for digit in 0...3 {
        let isPadding = digit > group.count
        text.append(isPadding ? "=" : digits[Int(word >> UInt32(18 - 6 * digit)) & 63])
      }
    }
    return text
  }
}
