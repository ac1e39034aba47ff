import TraceModel

/// The width of text in a frame, by the rules of ``DisplayText``, except that every character
/// occupies at least one column.
enum CellWidth {
  /// The width of a character: 2 for East Asian wide characters and emoji, otherwise 1.
  static func of(_ character: Character) -> Int {
    character.isASCII ? 1 : max(1, DisplayText.columns(character))
  }

  /// The width of a line of text.
  static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  /// The character itself if a terminal can safely print it, and otherwise `?`.
  ///
  /// `displayName` has already escaped control characters in names; this is the last check.
  static func printable(_ character: Character) -> Character {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, !isUnsafe(first) else { return "?" }
    guard scalars.count > 1 else { return isCombining(first) ? "?" : character }
    guard scalars.count <= 8, !scalars.contains(where: isUnsafe) else { return "?" }
    return character
  }

  /// Appends a typed character to a text.
  ///
  /// A terminal sends a combining mark as a key of its own.
  static func append(_ character: Character, to text: inout String) {
    let scalars = character.unicodeScalars
    let isMark = scalars.count == 1 && scalars.first.map(isCombining) == true
    text.append(isMark && !text.isEmpty ? character : printable(character))
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }
}
