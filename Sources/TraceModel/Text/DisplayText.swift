/// Makes a text from a trace safe to show anywhere: on the screen, in a file, in a title.
///
/// The text comes from the traced program, or from anybody who could write to its trace. It may
/// contain escape sequences, line breaks or right-to-left text, and may be megabytes long. Control
/// characters (C0, DEL, C1), line and paragraph separators, bidirectional controls, and zero-width
/// and other invisible characters, including the joiners of emoji sequences, become `<U+XXXX>`.
///
/// - Parameters:
///   - text: The text as recorded.
///   - columns: The maximum width in terminal columns; a wider text ends in `…`.
/// - Returns: The text to show; never wider than `columns`.
/// - Complexity: O(columns) for a long text, unless a single grapheme cluster is long.
public func displayName(_ text: String, columns: Int = 200) -> String {
  guard columns > 0 else { return "" }
  if text.utf8.count <= columns, DisplayText.isPlain(text) { return text }
  var shown = ""
  var used = 0
  /// The part of the text that fits if an ellipsis follows it.
  var fitting = ""
  for cluster in text {
    let piece = DisplayText.visible(cluster)
    let width = DisplayText.columns(piece)
    if used + width > columns { return fitting + "…" }
    shown += piece
    used += width
    if used <= columns - 1 { fitting = shown }
  }
  return shown
}

/// Makes a signal's name safe to show, and drops operators from its beginning if it is too wide.
///
/// An ellipsis replaces them, as in `…take(3).map(…)`. If even the last operator is too wide, its
/// end is cut off.
///
/// - Parameters:
///   - text: The text as recorded.
///   - columns: The maximum width in terminal columns.
/// - Returns: The text to show; never wider than `columns`.
/// - Complexity: O(count).
public func displayName(endOf text: String, columns: Int = 200) -> String {
  guard columns > 0 else { return "" }
  if text.utf8.count <= columns, DisplayText.isPlain(text) { return text }
  let shown = displayName(text, columns: .max)
  return DisplayText.columns(shown) <= columns ? shown : DisplayText.end(of: shown, columns)
}

/// The width and visibility of text on a terminal.
public enum DisplayText {
  /// The width on a terminal of a text returned by ``displayName(_:columns:)``.
  public static func columns(_ text: String) -> Int {
    isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
  }

  /// The last operators of a name that is too wide, after an ellipsis.
  fileprivate static func end(of name: String, _ columns: Int) -> String {
    var depth = 0
    var last = name.startIndex
    for place in name.indices {
      switch name[place] {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "." where depth == 0 && place > name.startIndex:
        last = name.index(after: place)
        let end = "…" + name[last...]
        if DisplayText.columns(end) <= columns { return end }
      default: break
      }
    }
    return displayName((last > name.startIndex ? "…" : "") + name[last...], columns: columns)
  }

  /// Whether a text is entirely printable ASCII, as nearly every name is: one column for each byte,
  /// and nothing to escape.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// The width of one grapheme cluster: 0, 1 or 2.
  ///
  /// Terminals differ in how wide they draw emoji sequences. This follows the common terminals,
  /// which draw every emoji sequence two columns wide.
  public static func columns(_ cluster: Character) -> Int {
    if let ascii = cluster.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    var widest = 0
    var isEmoji = false
    for scalar in cluster.unicodeScalars {
      if scalar.value == 0xFE0F { isEmoji = true }
      if isZeroWidth(scalar) { continue }
      widest = max(widest, isWide(scalar) ? 2 : 1)
    }
    return isEmoji ? max(widest, 2) : widest
  }

  /// Replaces the middle of a text that is wider than `columns` by an ellipsis.
  ///
  /// - Parameters:
  ///   - text: A text returned by ``displayName(_:columns:)``.
  ///   - columns: The maximum width.
  /// - Returns: The shortened text; the text itself if it fits.
  public static func shortened(_ text: String, to columns: Int) -> String {
    guard self.columns(text) > columns else { return text }
    guard columns > 1 else { return columns == 1 ? "…" : "" }
    let tail = (columns - 1) / 2
    let end = suffix(of: text, within: tail)
    return prefix(of: text, within: columns - 1 - self.columns(end)) + "…" + end
  }

  /// The longest prefix of a text that is no wider than `columns`.
  public static func prefix(of text: String, within columns: Int) -> String {
    var used = 0
    var end = text.startIndex
    while end < text.endIndex {
      used += self.columns(text[end])
      guard used <= columns else { break }
      text.formIndex(after: &end)
    }
    return String(text[..<end])
  }

  private static func suffix(of text: String, within columns: Int) -> String {
    var used = 0
    var start = text.endIndex
    while start > text.startIndex {
      let before = text.index(before: start)
      used += self.columns(text[before])
      guard used <= columns else { break }
      start = before
    }
    return String(text[start...])
  }

  /// Escapes everything in a cluster that must not reach a terminal.
  static func visible(_ cluster: Character) -> String {
    if let ascii = cluster.asciiValue, ascii >= 0x20, ascii != 0x7F, cluster != "\r\n" {
      return String(cluster)
    }
    let scalars = cluster.unicodeScalars
    let isEmoji = scalars.contains { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }
    // A few combining marks on a character are normal; dozens of them overlap the lines around it.
    let limit = 12
    var text = ""
    var marks = 0
    for scalar in scalars {
      if mustSpell(scalar, inEmoji: isEmoji) || marks >= limit {
        text += spelled(scalar)
        if marks >= limit { return text + "…" }
      } else {
        text.unicodeScalars.append(scalar)
        if isZeroWidth(scalar) { marks += 1 }
      }
    }
    return columns(text) == 0 ? scalars.reduce(into: "") { $0 += spelled($1) } : text
  }

  private static func mustSpell(_ scalar: Unicode.Scalar, inEmoji: Bool) -> Bool {
    switch scalar.value {
    case 0xFE0F: return !inEmoji
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      return true
    default:
      return scalar.properties.isDefaultIgnorableCodePoint && !isVariation(scalar)
    }
  }

  private static func isVariation(_ scalar: Unicode.Scalar) -> Bool {
    (0xFE00...0xFE0F).contains(scalar.value)
  }

  private static func spelled(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "<U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)>"
  }

  private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: true
    // Vowels and trailing consonants of decomposed Korean syllables.
    default: (0x1160...0x11FF).contains(scalar.value)
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmojiPresentation { return true }
    switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
      0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD:
      return true
    default: return false
    }
  }
}
