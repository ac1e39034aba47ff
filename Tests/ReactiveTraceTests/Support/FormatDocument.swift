import Glibc

/// `TraceFormat.md`, whose generated parts are between `<!-- table NAME -->` and `<!-- end -->`.
struct FormatDocument {
  static let path = Files.root + "/Sources/TraceFormat/TraceFormat.docc/TraceFormat.md"
  private(set) var lines: [Substring]

  init() throws {
    lines = try Files.text(Self.path).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The range of the lines between a part's markers; nil if there is no part of that name.
  func range(of part: String) -> Range<Int>? {
    guard let start = lines.firstIndex(of: "<!-- table \(part) -->") else { return nil }
    guard let end = lines[start...].firstIndex(of: "<!-- end -->") else { return nil }
    return start + 1..<end
  }

  /// The lines of a part that are not empty.
  func part(_ name: String) -> [String]? {
    range(of: name).map { range in lines[range].filter { !$0.isEmpty }.map(String.init) }
  }

  /// The first code block after a marker `<!-- block NAME -->`.
  func block(_ name: String) -> [String]? {
    guard let mark = lines.firstIndex(of: "<!-- block \(name) -->"),
      let start = lines[mark...].firstIndex(where: { $0.hasPrefix("```") }),
      let end = lines[(start + 1)...].firstIndex(of: "```")
    else { return nil }
    return lines[(start + 1)..<end].map(String.init)
  }

  /// Whether the generated parts are to be rewritten instead of compared.
  static var isToBeUpdated: Bool { getenv("UPDATE_GOLDEN").map { String(cString: $0) } == "1" }

  /// Replaces a part and writes the document.
  mutating func replace(_ name: String, with new: [String]) throws {
    guard let range = range(of: name) else { return }
    lines.replaceSubrange(range, with: [""] + new.map { Substring($0) } + [""])
    try write()
  }

  /// Replaces a code block and writes the document.
  mutating func replaceBlock(_ name: String, with new: [String]) throws {
    guard let mark = lines.firstIndex(of: "<!-- block \(name) -->"),
      let start = lines[mark...].firstIndex(where: { $0.hasPrefix("```") }),
      let end = lines[(start + 1)...].firstIndex(of: "```")
    else { return }
    lines.replaceSubrange((start + 1)..<end, with: new.map { Substring($0) })
    try write()
  }

  private func write() throws {
    guard let file = fopen(Self.path, "w") else { throw TemporaryFile.Failure(path: Self.path) }
    defer { fclose(file) }
    let text = Array(lines.joined(separator: "\n").utf8)
    guard fwrite(text, 1, text.count, file) == text.count else {
      throw TemporaryFile.Failure(path: Self.path)
    }
  }
}
