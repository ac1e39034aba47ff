/// `<program>-<pid>-<start>.rxtrace`: the name of a trace file.
struct TraceFileName: Equatable {
  /// The program's name, with unsafe characters replaced.
  var program: String
  var process: Int32
  /// The start of the process, as in ``ProcessIdentity/start``.
  var start: UInt64

  static let suffix = ".rxtrace"

  /// The name of the trace of a process.
  ///
  /// Whatever the program is called, the name has no separator, no space or control character, and
  /// a bounded length, and does not begin with a dot or a dash.
  init(program: String, process: Int32, start: UInt64) {
    var name = ""
    for byte in program.utf8.prefix(64) {
      let character = Character(UnicodeScalar(byte))
      let isHarmless =
        byte < 0x80 && (character.isLetter || character.isNumber || "._+-".contains(character))
      name.append(isHarmless ? character : "_")
    }
    if name.isEmpty { name = "program" }
    if name.hasPrefix(".") || name.hasPrefix("-") { name = "_" + name.dropFirst() }
    self.program = name
    self.process = process
    self.start = start
  }

  /// Parses a file's name; nil if it is not the name of a trace.
  init?(parsing name: String) {
    guard name.hasSuffix(Self.suffix) else { return nil }
    // The name is split from the end, because the program's name may contain dashes.
    let parts = name.dropLast(Self.suffix.count).split(
      separator: "-",
      omittingEmptySubsequences: false
    )
    guard parts.count >= 3, let start = UInt64(parts[parts.count - 1]),
      let process = Int32(parts[parts.count - 2]), process > 0
    else { return nil }
    self.init(program: parts.dropLast(2).joined(separator: "-"), process: process, start: start)
    guard text == name else { return nil }
  }

  /// The whole name.
  var text: String { "\(program)-\(process)-\(start)" + Self.suffix }
}
