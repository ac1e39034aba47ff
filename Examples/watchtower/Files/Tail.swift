/// How far a growing file has been read, and the lines that the last reading brought.
///
/// A value: each reading returns the next one, so that a `scan` can carry it along.
struct Tail: Sendable {
  private static let longestReading = 1 << 20
  private static let longestLine = 4096

  let path: String
  /// The whole lines of the last reading.
  private(set) var lines: [String] = []
  /// Bytes the last reading left out because there were too many.
  private(set) var skipped = 0
  private var offset: Int
  /// The beginning of a line whose end has not been written yet.
  private var rest: [UInt8] = []

  /// - Parameters:
  ///   - path: The file; need not exist.
  ///   - fromStart: Whether what the file holds already counts as new.
  init(of path: String, fromStart: Bool) {
    self.path = path
    offset = fromStart ? 0 : Descriptor(reading: path)?.size ?? 0
  }

  /// Reads what was appended since.
  func advanced() -> Tail {
    var next = self
    next.lines = []
    next.skipped = 0
    next.read()
    return next
  }

  private mutating func read() {
    guard let file = Descriptor(reading: path) else { return }
    let size = file.size
    if size < offset {  // Truncated: start again.
      offset = 0
      rest = []
    }
    if size - offset > Self.longestReading {
      skipped = size - offset - Self.longestReading
      offset += skipped
      rest = []
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: size - offset) { buffer, count in
      count = file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset) ?? 0
    }
    offset += bytes.count
    split(bytes)
  }

  private mutating func split(_ bytes: [UInt8]) {
    var parts = (rest + bytes).split(
      separator: UInt8(ascii: "\n"),
      omittingEmptySubsequences: false
    )
    rest = Array(parts.popLast()?.prefix(Self.longestLine) ?? [])
    lines = parts.map { String(decoding: $0.prefix(Self.longestLine), as: UTF8.self) }
  }
}
