/// A filter, as typed after the `\` key, which decides which rows a table shows.
///
/// A word matches the rows whose text contains it: a name, a place, a state, the number of a signal
/// or subscription. Other figures are not searched for words. `|` separates alternatives, `&`
/// separates conditions that must all hold; a `!` at the beginning negates the whole filter, and
/// one before a later word negates that word. `column>value` compares a column, named by its
/// heading, with a value; the other signs are `=`, `!=`, `<`, `<=`, `>=`, and `~` for "contains":
/// `live>10`, `state=active & last>5s`, `events>=1k`. A time without a unit is in seconds. If no
/// column has that name, the text is an ordinary word. Case is ignored, and an operator and its
/// place match in both spellings: `map@Feed.swift:81` and `map Feed.swift:81`.
public struct RowFilter: Hashable, Sendable {
  /// The filter as typed; an empty one matches every row.
  public let text: String
  private let alternatives: [[Term]]
  private let isInverse: Bool

  private struct Term: Hashable {
    var word: String
    var isInverse = false
    var comparison: Comparison?
    /// The text before a sign at the end, as `live` in `live>`, which may be a column.
    var unfinishedColumn: String?

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
    /// Whether ``value`` has a unit of time, so that the number is in nanoseconds in a column of
    /// times.
    var hasUnit = false

    /// Whether a row satisfies the comparison; nil if there is no such column.
    func holds<Row>(
      _ row: Row,
      _ text: (String, Row) -> String?,
      _ number: (String, Row) -> Double?,
      _ isTime: (String) -> Bool
    ) -> Bool? {
      let wanted = self.number.map { hasUnit || !isTime(column) ? $0 : $0 * 1e9 }
      switch (sign, wanted, number(column, row)) {
      // Screens round figures, so a value also matches the text shown.
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
      // An unknown value is neither more nor less than anything.
      default: false
      }
    }
  }

  /// Reads a filter.
  ///
  /// Every text is a valid filter.
  public init(_ text: String) {
    self.text = text
    isInverse = text.hasPrefix("!")
    alternatives = text.drop { $0 == "!" }.split(separator: "|").map { alternative in
      alternative.split(separator: "&").compactMap(Self.term)
    }.filter { !$0.isEmpty }
  }

  /// Whether every row passes.
  public var isEmpty: Bool { alternatives.isEmpty }

  /// Whether a row passes.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - contains: Whether a text of the row contains a word, which is in lower case.
  ///   - text: The text in one of its columns; nil if there is no such column.
  ///   - number: The number in one of its columns; nil if there is none.
  ///   - isTime: Whether numbers of a column are nanoseconds, so that a number without a unit in
  ///     the filter is in seconds.
  /// - Returns: True for every row if the filter is empty.
  public func admits<Row>(
    _ row: Row,
    _ contains: (String, Row) -> Bool,
    text: (String, Row) -> String?,
    number: (String, Row) -> Double?,
    isTime: (String) -> Bool = { _ in false }
  ) -> Bool {
    guard !alternatives.isEmpty else { return true }
    // Rows are large, and there may be a hundred thousand: they are passed as arguments rather than
    // captured.
    return alternatives.contains { $0.allSatisfy { $0.holds(row, contains, text, number, isTime) } }
      != isInverse
  }

  /// Whether a row with this text passes.
  public func admits(_ row: String) -> Bool {
    admits(
      row,
      { $1.lowercased().containsText($0) },
      text: { _, _ in nil },
      number: { _, _ in nil }
    )
  }

  /// Whether the filter consists of words alone, and none of them begins with a digit or with `#`,
  /// so that none can match a number, an id or a moment.
  package var isOfWords: Bool {
    columns.isEmpty
      && alternatives.joined().allSatisfy { term in
        term.word.utf8.first.map { $0 != 0x23 && !(0x30...0x39).contains($0) } ?? true
      }
  }

  /// The columns that are compared.
  package var columns: [String] { alternatives.joined().compactMap(\.comparison?.column) }

  /// The values of conditions with `<`, `<=`, `>` or `>=` that are neither a number nor a length of
  /// time, so that no row can match.
  package var unreadFigures: [String] {
    alternatives.joined().compactMap(\.comparison)
      .filter { "<>".contains($0.sign.prefix(1)) && $0.number == nil }.map(\.value)
  }

  /// The conditions that end with their sign, each with the text before it, which may be a column;
  /// without a value, they are ordinary words.
  package var unfinished: [(column: String, condition: String)] {
    alternatives.joined().compactMap { term in term.unfinishedColumn.map { ($0, term.word) } }
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
      guard !column.isEmpty else { continue }
      guard !value.isEmpty else {
        term.unfinishedColumn = column.lowercased()
        if sign.utf8.count == 2 { break }
        continue
      }
      term.unfinishedColumn = nil
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

  /// The first occurrence of `needle`.
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
  /// Whether both texts are equal.
  ///
  /// A blank equals an `@`, so that `map Feed.swift:81` equals `map@Feed.swift:81`.
  package func isSpelled(_ other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { Self.isSame($0, $1) }
  }

  private static func isSame(_ one: UInt8, _ other: UInt8) -> Bool {
    one == other || (one == UInt8(ascii: "@") && other == UInt8(ascii: " "))
      || (one == UInt8(ascii: " ") && other == UInt8(ascii: "@"))
  }

  /// Whether the text contains `needle`, byte by byte; a blank equals the `@` between an operator
  /// and its place.
  ///
  /// - Complexity: O(count × needle).
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
