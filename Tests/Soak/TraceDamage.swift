/// How a recording was damaged on its way: not at all, by a missing end, or by changed bytes.
enum TraceDamage: String, CaseIterable {
  case none, cut, mutated

  /// A copy with this damage, which is the same for the same generator.
  func applied(to file: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    guard !file.isEmpty else { return file }
    switch self {
    case .none: return file
    case .cut: return Array(file.prefix(generator.below(file.count)))
    case .mutated:
      var file = file
      for _ in 0...generator.below(12) { Self.mutate(&file, &generator) }
      return file
    }
  }

  private static let interesting: [UInt64] = [
    0, 1, 2, 3, 7, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 32, 1 << 62,
    .max >> 1, .max,
  ]

  private static func mutate(_ file: inout [UInt8], _ generator: inout SeededGenerator) {
    let place = usedPlace(file, &generator)
    switch generator.below(6) {
    case 0: file[place] ^= 1 << UInt8(generator.below(8))
    case 1: file[place] = UInt8(truncatingIfNeeded: generator.next())
    case 2, 3:
      // Changes a field to a value that does not fit its neighbours.
      let size = generator.one(of: [2, 4, 8])
      store(generator.one(of: interesting), size, at: place / size * size, in: &file)
    case 4:
      // Copies bytes from elsewhere, as if a record were there twice.
      let count = min(generator.one(of: [8, 16, 64, 256]), file.count)
      let source = usedPlace(file, &generator) / 16 * 16
      let bytes = file[source..<min(source + count, file.count)]
      let target = place / 16 * 16
      for (offset, byte) in bytes.enumerated() where target + offset < file.count {
        file[target + offset] = byte
      }
    default:
      let count = generator.one(of: [1, 8, 16, 64, 4096])
      for index in place..<min(place + count, file.count) { file[index] = 0 }
    }
  }

  private static func store(_ value: UInt64, _ size: Int, at place: Int, in file: inout [UInt8]) {
    for byte in 0..<size where place + byte < file.count {
      file[place + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))
    }
  }

  /// A position of a byte that is not zero: most of a file was never written to.
  private static func usedPlace(_ file: [UInt8], _ generator: inout SeededGenerator) -> Int {
    // The header and the table of regions are hit more often, because all else depends on them.
    let limit = generator.below(4) == 0 ? min(4096, file.count) : file.count
    let start = generator.below(limit)
    for place in start..<min(start + 65536, limit) where file[place] != 0 { return place }
    return start
  }
}
