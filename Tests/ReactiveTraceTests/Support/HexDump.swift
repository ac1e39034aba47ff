/// A hexadecimal dump of bytes: sixteen in a line, without lines of zeros.
enum HexDump {
  static func lines(_ bytes: [UInt8]) -> [String] {
    stride(from: 0, to: bytes.count, by: 16).compactMap { start in
      let row = bytes[start..<min(start + 16, bytes.count)]
      guard row.contains(where: { $0 != 0 }) else { return nil }
      let halves = [row.prefix(8), row.dropFirst(8)].map { half in
        half.map { hex(UInt64($0), 2) }.joined(separator: " ")
      }
      return "\(hex(UInt64(start), 8))  \(halves[0])  \(halves[1])"
    }
  }

  /// The bytes from which `lines` were made; everything else is zero.
  static func bytes(_ lines: [String], count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    for line in lines {
      let words = line.split(separator: " ")
      guard let first = words.first, let start = Int(first, radix: 16) else { return nil }
      for (index, word) in words.dropFirst().prefix(16).enumerated() {
        guard let byte = UInt8(word, radix: 16), start + index < count else { return nil }
        bytes[start + index] = byte
      }
    }
    return bytes
  }

  private static func hex(_ value: UInt64, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
