/// The position up to which a growing file has been read, and the lines of the last read.
///
/// A value type: each read returns a new `Tail`, so that `scan` can accumulate it.
struct Tail: Sendable {
  private static let longestReading = 1 << 20
  private static let longestLine = 4096

  let path: String
  /// The complete lines of the last read.
  private(set) var lines: [String] = []
  /// The number of bytes that the last read skipped because there were too many.
  private(set) var skipped = 0
  private var offset: Int
  /// The beginning of a line whose end has not been written yet.
  private var rest: [UInt8] = []

  /// - Parameters:
  ///   - path: The file, which need not exist.
  ///   - fromStart: Whether the existing contents of the file count as new.
  init(of path: String, fromStart: Bool) {
    self.path = path
    offset = fromStart ? 0 : Descriptor(reading: path)?.size ?? 0
  }

  /// Reads what was appended since the last read.
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
    if size < offset {  // The file was truncated.
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
