/// The text form of a trace: for inspection, for tests, and for writing one by hand.
///
/// A line is a statement; `#` begins a comment.
///
/// ```
/// header clock=cycles slotBits=8        # any field of TraceFormat §2
/// region slab capacity=16               # any field of §3
/// string 1 "map"                        # numbers may be left out, as may rows below
/// stack 1 0x401000 0x402000
/// site 1 name="map" file="App/Main.swift" line=12
/// slot 3 serial=7 kind=subscription state=active site=1
/// mark 0 ticks=500 name="start"
/// count 0 1 live=4                      # mark, site
/// segment 0 epoch=1 baseTicks=1000 thread=1
///   4096: +5 subscribed subscription=1795 site=1 downstream=0 serial=7
///   +6 next subscription=1795 sequence=1
///   +7 kind 99 id=1 argument=2          # a kind by its number, without continuations
/// set header.magic 0                    # applied last, to damage a valid file
/// set segment.0.committed 70000
/// raw strings offset 16 FF FF FF FF
/// truncate 5000
/// ```
///
/// Anything left out has the value that a recorder would have written: regions that are just large
/// enough, the latest epoch, the bytes in use. Everything from a line `expect` on is ignored, and
/// can be used for other purposes.
public enum TraceText {
  /// Writes a trace as text, line by line, without holding it in memory.
  ///
  /// - Parameters:
  ///   - reader: The trace. A process may still be writing it; records of segments that are
  ///     recycled meanwhile are left out.
  ///   - write: Called with each line, without a line feed.
  /// - Throws: ``/TraceFormat/TraceError`` if the header cannot be read.
  public static func dump(_ reader: TraceReader, line write: (String) -> Void) throws(TraceError) {
    let header = try reader.header()
    withoutActuallyEscaping(write) { write in
      TraceDumper(reader: reader, header: header, write: write).dump()
    }
  }

  /// The whole trace as text; empty if its header can no longer be read.
  public static func dump(_ reader: TraceReader) -> String {
    var text = ""
    try? dump(reader) { line in
      text += line
      text += "\n"
    }
    return text
  }

  /// Makes a trace file from text.
  ///
  /// - Parameters:
  ///   - text: The statements, line by line.
  ///   - byteLimit: The maximum size of the file, because a single line of text can request any
  ///     size.
  /// - Returns: The bytes of the file.
  /// - Throws: ``/TraceFormat/TraceError`` that names the line which is not valid.
  public static func assemble(
    _ text: String,
    byteLimit: Int = 1 << 30
  ) throws(TraceError) -> [UInt8] {
    var assembler = TraceAssembler(byteLimit: byteLimit)
    var lines: [(number: Int, words: [TextWord])] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = try TextWord.words(of: line, number: lines.count + 1)
      if words.first?.bare == "expect" { break }
      lines.append((lines.count + 1, words))
    }
    // Strings with a given number come first: otherwise a name in an earlier line could take their
    // number.
    func isPlaced(_ words: [TextWord]) -> Bool {
      words.first?.bare == "string" && words.count == 3
    }
    for line in lines where isPlaced(line.words) {
      try assembler.add(line.words, line: line.number)
    }
    for line in lines where !isPlaced(line.words) {
      try assembler.add(line.words, line: line.number)
    }
    return try assembler.file()
  }

  /// An error about a line of text.
  static func error(_ line: Int, _ message: String) -> TraceError {
    TraceError(.malformedText, "line \(line): \(message)")
  }
}

extension TraceError.Code {
  /// A line of a trace in text form is not valid.
  public static let malformedText = TraceError.Code(rawValue: "malformed-text")
}
