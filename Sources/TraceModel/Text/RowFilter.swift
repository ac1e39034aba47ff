/// The filter of `\`: which rows to show.
///
/// A word stays for the rows of which a text contains it: a name, a place, a state, the number of a signal or subscription; figures
/// are compared by their column. `|` separates alternatives, `&` what must all be so; a
/// leading `!` turns the whole round, and one before a later word that word. `column>value` compares a
/// column by its heading, with `=`, `!=`, `<`, `<=`, `>`, `>=`, and `~` for "contains": `live>10`,
/// `state=active & last>5s`, `events>=1k`. A time without a unit is in seconds. Where no column has that name, it is a word like any other.
/// Letters are compared without case, and an operator and its place are found in both spellings: `map@Feed.swift:81` and
/// `map Feed.swift:81`.
public struct RowFilter: Hashable, Sendable {
  /// As typed; empty lets everything pass.
  public let text: String
  private let alternatives: [[Term]]
  private let isInverse: Bool

  private struct Term: Hashable {
    var word: String
    var isInverse = false
    var comparison: Comparison?

    func holds<Row>(
      _ row: Row,
      _ contains: (String, Row) -> Bool,
      _ text: (String, Row) -> String?,
      _ number: (String, Row) -> Double?,
      _ isTime: (String) -> Bool
    ) -> Bool {
      if let holds = comparison?.holds(row, text, number, isTime) { return holds != isInverse }
      return contains(word, row) != isInverse
    }
  }

  private struct Comparison: Hashable {
    var column: String
    var sign: String
    var value: String
    var number: Double?
    /// Whether ``value`` says of what the number is, so that it is nanoseconds in a column of times.
    var hasUnit = false

    /// Nil where there is no such column.
    func holds<Row>(
      _ row: Row,
      _ text: (String, Row) -> String?,
      _ number: (String, Row) -> Double?,
      _ isTime: (String) -> Bool
    ) -> Bool? {
      let wanted = self.number.map { hasUnit || !isTime(column) ? $0 : $0 * 1e9 }
      switch (sign, wanted, number(column, row)) {
      // Screens round figures: what stands there is meant as well.
      case ("=", let wanted?, let number?) where number == wanted: return true
      case ("!=", let wanted?, let number?) where number == wanted: return false
      case ("<", let wanted?, let number?): return number < wanted
      case ("<=", let wanted?, let number?): return number <= wanted
      case (">", let wanted?, let number?): return number > wanted
      case (">=", let wanted?, let number?): return number >= wanted
      default: break
      }
      guard let text = text(column, row)?.lowercased() else { return nil }
      return switch sign {
      case "~": text.containsText(value)
      case "=": text.trimmingBlanks.isSpelled(value)
      case "!=": !text.trimmingBlanks.isSpelled(value)
      // What is unknown is neither more nor less than anything.
      default: false
      }
    }
  }

  /// Reads a filter.
  ///
  /// Every text is one.
  public init(_ text: String) {
    self.text = text
    isInverse = text.hasPrefix("!")
    alternatives = text.drop { $0 == "!" }.split(separator: "|").map { alternative in
      alternative.split(separator: "&").compactMap(Self.term)
    }.filter { !$0.isEmpty }
  }

  /// Whether everything passes.
  public var isEmpty: Bool { alternatives.isEmpty }

  /// Whether a row stays.
  ///
  /// - Parameters:
  ///   - row: Which one.
  ///   - contains: Whether a text of the row holds a word, which is in lower case.
  ///   - text: What a column of it says; nil if there is no such column.
  ///   - number: The number in a column of it; nil where there is none.
  ///   - isTime: Whether numbers of a column are nanoseconds, so that one without a unit in the filter is seconds.
  /// - Returns: True for every row if the filter is empty.
  public func admits<Row>(
    _ row: Row,
    _ contains: (String, Row) -> Bool,
    text: (String, Row) -> String?,
    number: (String, Row) -> Double?,
    isTime: (String) -> Bool = { _ in false }
  ) -> Bool {
    guard !alternatives.isEmpty else { return true }
    // Rows are large, and there may be a hundred thousand: they are handed on, and not captured.
    return alternatives.contains { $0.allSatisfy { $0.holds(row, contains, text, number, isTime) } }
      != isInverse
  }

  /// Whether a row with this text stays.
  public func admits(_ row: String) -> Bool {
    admits(
      row,
      { $1.lowercased().containsText($0) },
      text: { _, _ in nil },
      number: { _, _ in nil }
    )
  }

  /// Whether it asks for words alone, and for none that a number, an id or a moment could be: these consist of digits or begin with
  /// one, or with `#`.
  package var isOfWords: Bool {
    columns.isEmpty
      && alternatives.joined().allSatisfy { term in
        term.word.utf8.first.map { $0 != 0x23 && !(0x30...0x39).contains($0) } ?? true
      }
  }

  /// The columns that are compared.
  package var columns: [String] { alternatives.joined().compactMap(\.comparison?.column) }

  /// What is compared by size and is neither a number nor a length of time, so that no row is more or less.
  package var unreadFigures: [String] {
    alternatives.joined().compactMap(\.comparison)
      .filter { "<>".contains($0.sign.prefix(1)) && $0.number == nil }.map(\.value)
  }

  // MARK: Reading

  private static func term(_ text: Substring) -> Term? {
    var bare = text.trimmingBlanks
    guard !bare.isEmpty else { return nil }
    var term = Term(word: bare.lowercased())
    if bare.hasPrefix("!"), bare.count > 1 {
      bare = String(bare.dropFirst()).trimmingBlanks
      term = Term(word: bare.lowercased(), isInverse: true)
    }
    for sign in ["!=", "<=", ">=", "=", "<", ">", "~"] {
      guard let place = bare.firstRange(ofText: sign) else { continue }
      let column = bare[..<place.lowerBound].trimmingBlanks
      let value = bare[place.upperBound...].trimmingBlanks
      guard !column.isEmpty, !value.isEmpty else { continue }
      term.comparison = Comparison(
        column: column.lowercased(),
        sign: sign,
        value: value.lowercased(),
        number: Quantity.number(value),
        hasUnit: value.contains(where: \.isLetter)
      )
      break
    }
    return term
  }
}

extension StringProtocol {
  package var trimmingBlanks: String {
    guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " })
    else { return "" }
    return String(self[first...last])
  }

  /// Where `needle` first stands.
  fileprivate func firstRange(ofText needle: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
      formIndex(after: &start)
    }
    return nil
  }
}

extension String {
  /// Whether both are the same, `map Feed.swift:81` being the same as `map@Feed.swift:81`.
  package func isSpelled(_ other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { Self.isSame($0, $1) }
  }

  private static func isSame(_ one: UInt8, _ other: UInt8) -> Bool {
    one == other || (one == UInt8(ascii: "@") && other == UInt8(ascii: " "))
      || (one == UInt8(ascii: " ") && other == UInt8(ascii: "@"))
  }

  /// Whether `needle` stands somewhere in the text, byte by byte; a blank is the same as the `@` between an operator and its
  /// place.
  ///
  /// O(count × needle).
  package func containsText(_ needle: String) -> Bool {
    var (text, needle) = (self, needle)
    return text.withUTF8 { text in
      needle.withUTF8 { needle in
        guard let first = needle.first else { return true }
        guard needle.count <= text.count else { return false }
        for start in 0...(text.count - needle.count) where Self.isSame(text[start], first) {
          if (1..<needle.count).allSatisfy({ Self.isSame(text[start + $0], needle[$0]) }) {
            return true
          }
        }
        return false
      }
    }
  }
}
