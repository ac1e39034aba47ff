import Glibc

/// Splits the bytes of a file into pieces, independently of the portions in which they are read.
package protocol StreamParser: Sendable {
  associatedtype Piece: Sendable

  /// Appends the pieces that these bytes complete; if it throws, it has appended the pieces before
  /// the error.
  mutating func parse(_ bytes: [UInt8], into pieces: inout [Piece]) throws(SystemFailure)
  /// The pieces that are left at the end of the file.
  mutating func finish() -> [Piece]
  /// Whether no more pieces can come, although the file has not ended.
  var isOver: Bool { get }
}

extension StreamParser {
  package var isOver: Bool { false }
  package mutating func finish() -> [Piece] { [] }
}

/// Passes the bytes on as they were read.
package struct ByteChunkParser: StreamParser {
  package init() {}
  package mutating func parse(_ bytes: [UInt8], into pieces: inout [[UInt8]]) {
    pieces.append(bytes)
  }
}

/// Splits bytes into lines of UTF-8, without the line ends; invalid UTF-8 becomes U+FFFD.
package struct LineParser: StreamParser {
  private var rest: [UInt8] = []
  private let longest: Int
  private let subject: String

  package init(longest: Int, of subject: String) {
    self.longest = longest
    self.subject = subject
  }

  package mutating func parse(_ bytes: [UInt8], into lines: inout [String]) throws(SystemFailure) {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 10) {
      rest += bytes[start..<end]
      try check()
      lines.append(take())
      start = end + 1
    }
    rest += bytes[start...]
    try check()
  }

  package mutating func finish() -> [String] { rest.isEmpty ? [] : [take(isWhole: false)] }

  /// Takes what has come of a line; a carriage return belongs to the end of a whole line.
  private mutating func take(isWhole: Bool = true) -> String {
    if isWhole, rest.last == 13 { rest.removeLast() }
    defer { rest.removeAll(keepingCapacity: true) }
    return String(decoding: rest, as: UTF8.self)
  }

  private func check() throws(SystemFailure) {
    // A carriage return at the end may belong to the end of the line.
    if rest.count - (rest.last == 13 ? 1 : 0) <= longest { return }
    throw SystemFailure(
      "splitting into lines",
      of: subject,
      code: EMSGSIZE,
      advice: "a line has more than \(longest) bytes; read it in pieces, or allow for longer lines"
    )
  }
}
