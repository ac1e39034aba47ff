import TraceModel

/// Shortens or wraps text to a number of columns.
enum Fitting {
  /// The beginning of a text, followed by an ellipsis if something is cut off.
  static func head(_ text: String, _ width: Int, _ glyphs: Glyphs) -> String {
    let text = glyphs.text(text)
    guard CellWidth.of(text) > width else { return text }
    guard width > 1 else { return prefix(text, width) }
    return prefix(text, width - 1) + glyphs.ellipsis
  }

  /// The beginning of a sentence or a list, cut behind a part of it or else behind a word, and
  /// followed by an ellipsis if something is cut off.
  static func parts(_ text: String, _ width: Int, _ glyphs: Glyphs) -> String {
    let text = glyphs.text(text)
    guard CellWidth.of(text) > width else { return text }
    guard width > 2 else { return head(text, width, glyphs) }
    // The blank and the ellipsis need two columns.
    let room = prefix(text, width - 2)
    let next = text.dropFirst(room.count).first
    let whole = next == " " ? room[...] : room[..<(room.lastIndex(of: " ") ?? room.startIndex)]
    let part = whole.last.map(ends) == true ? whole : upToEnd(of: whole)
    for piece in [part, whole] where CellWidth.of(String(piece)) * 2 >= width {
      let shown = piece.last.map(ends) == true ? piece.dropLast() : piece
      return shown + " " + glyphs.ellipsis
    }
    return head(text, width, glyphs)
  }

  /// Whether a character ends a part of a sentence.
  private static func ends(_ character: Character) -> Bool { ";:,.".contains(character) }

  /// The beginning of a text up to the last end of a part before a blank.
  private static func upToEnd(of text: Substring) -> Substring {
    var rest = text
    while let blank = rest.lastIndex(of: " ") {
      rest = rest[..<blank]
      if rest.last.map(ends) == true { return rest }
    }
    return ""
  }

  /// The end of a text, with an ellipsis before it if something is cut off.
  static func end(_ text: String, _ width: Int, _ glyphs: Glyphs) -> String {
    let text = glyphs.text(text)
    guard CellWidth.of(text) > width else { return text }
    var rest = text[...]
    while !rest.isEmpty, CellWidth.of(String(rest)) > width - 1 { rest.removeFirst() }
    return width > 0 ? glyphs.ellipsis + rest : ""
  }

  /// The end of the name of a signal, which contains the last operators, with an ellipsis if
  /// something is cut off.
  static func tail(_ text: String, _ width: Int, _ glyphs: Glyphs) -> String {
    head(displayName(endOf: text, columns: width), width, glyphs)
  }

  /// Both ends of a text, with an ellipsis between them if something is cut off.
  ///
  /// Of `operator@File.swift:line #12`, the operator, the line and the number are kept if possible.
  static func middle(_ text: String, _ width: Int, _ glyphs: Glyphs) -> String {
    let text = glyphs.text(text)
    guard CellWidth.of(text) > width else { return text }
    if let at = text.lastIndex(of: "@"), let colon = text[at...].lastIndex(of: ":") {
      let name = String(text[..<at])
      let line = String(text[colon...])
      let rest = width - 2 - CellWidth.of(line)
      let room = rest - CellWidth.of(name)
      if room >= 0 {
        let file = String(text[text.index(after: at)..<colon])
        return name + "@" + prefix(file, room) + glyphs.ellipsis + line
      }
      if rest >= 2 { return prefix(name, rest + 1) + glyphs.ellipsis + line }
    }
    guard width > 4 else { return head(text, width, glyphs) }
    let tail = (width - 1) * 3 / 5
    return prefix(text, width - 1 - tail) + glyphs.ellipsis + suffix(text, tail)
  }

  /// Lines of at most `width` columns, broken at blanks; a word that is longer than a line is
  /// broken anywhere.
  static func wrap(_ text: String, _ width: Int) -> [String] {
    guard width > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      var word = String(word)
      var length = CellWidth.of(word)
      if used > 0, used + 1 + length > width {
        lines.append(line)
        (line, used) = ("", 0)
      }
      while length > width {
        let piece = prefix(word, width)
        guard !piece.isEmpty else { return lines }
        lines.append(piece)
        word.removeFirst(piece.count)
        length = CellWidth.of(word)
      }
      line += (used > 0 ? " " : "") + word
      used += length + (used > 0 ? 1 : 0)
    }
    if used > 0 { lines.append(line) }
    return lines.isEmpty ? [""] : lines
  }

  private static func prefix(_ text: String, _ width: Int) -> String {
    var used = 0
    return String(
      text.prefix { character in
        used += CellWidth.of(character)
        return used <= width
      }
    )
  }

  private static func suffix(_ text: String, _ width: Int) -> String {
    var used = 0
    var start = text.endIndex
    while start > text.startIndex {
      let before = text.index(before: start)
      used += CellWidth.of(text[before])
      guard used <= width else { break }
      start = before
    }
    return String(text[start...])
  }
}
