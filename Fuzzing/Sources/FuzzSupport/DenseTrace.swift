/// A trace file without the ranges that are usually zero, so that each mutation hits bytes that
/// have a meaning.
///
/// | Bytes | Content | Position in the trace file |
/// |---|---|---|
/// | 1 | what to do with the file | nowhere |
/// | 256 | the header | 0 |
/// | 12 × 40 | the rows of the region table | 1024 + 64 × row |
/// | 3 × (2 + n) | segments, each with its length before it | 4096 + 65536 × index |
/// | the rest | tables and heaps | 200704 |
public enum DenseTrace {
  static let headerCount = 256
  static let regionCount = 12
  static let regionBytes = 40
  static let segmentCount = 3
  static let segmentBytes = 65536
  static let segments = 4096
  static let tables = segments + segmentCount * segmentBytes

  /// The pieces of the trace file that an input represents, and the size of the file.
  public static func pieces(
    of input: [UInt8]
  ) -> (pieces: [(offset: Int, bytes: ArraySlice<UInt8>)], count: Int) {
    var rest = input.dropFirst()
    func take(_ count: Int) -> ArraySlice<UInt8> {
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    var pieces = [(0, take(headerCount))]
    for row in 0..<regionCount { pieces.append((1024 + 64 * row, take(regionBytes))) }
    for index in 0..<segmentCount {
      let length = take(2).reversed().reduce(0) { $0 << 8 | Int($1) }
      pieces.append((segments + index * segmentBytes, take(min(length, segmentBytes))))
    }
    // An input that ends early makes a file that ends within its header or a segment.
    let end = pieces.last { !$0.1.isEmpty }.map { $0.0 + $0.1.count } ?? 0
    pieces.append((tables, rest))
    return (pieces, rest.isEmpty ? end : tables + rest.count)
  }

  /// The input that represents a trace file in which the segments come first, as in the files that
  /// `TraceText.assemble` makes.
  public static func pack(_ file: [UInt8]) -> [UInt8] {
    func load(_ offset: Int, _ count: Int) -> UInt64 {
      file.dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    let hasSegments = load(1024, 8) == UInt64(segments)
    let found = hasSegments ? Int(min(load(1024 + 20, 4), UInt64(segmentCount))) : 0
    let oldTables = segments + found * segmentBytes
    var input: [UInt8] = [0] + padded(file.prefix(headerCount), headerCount)
    for row in 0..<regionCount {
      var bytes = padded(file.dropFirst(1024 + 64 * row).prefix(regionBytes), regionBytes)
      let offset = load(1024 + 64 * row, 8)
      if row > 0, offset != 0 {
        let moved = offset &+ UInt64(tables - oldTables)
        for byte in 0..<8 { bytes[byte] = UInt8(truncatingIfNeeded: moved >> UInt64(8 * byte)) }
      }
      input += bytes
    }
    for index in 0..<segmentCount {
      let segment = file.dropFirst(segments + index * segmentBytes).prefix(segmentBytes)
      let used = index < found ? segment.reversed().drop { $0 == 0 }.count : 0
      input += [UInt8(truncatingIfNeeded: used), UInt8(truncatingIfNeeded: used >> 8)]
      input += segment.prefix(min(used, 0xFFFF))
    }
    return input + file.dropFirst(oldTables)
  }

  private static func padded(_ bytes: some Collection<UInt8>, _ count: Int) -> [UInt8] {
    Array(bytes) + [UInt8](repeating: 0, count: count - bytes.count)
  }
}
