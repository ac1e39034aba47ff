/// The filter of `\`: a row stays if it contains one of the words between `|`; with a leading `!`,
/// if it contains none of them.
///
/// Letters are compared without case.
public struct RowFilter: Hashable, Sendable {
  /// As typed; empty lets everything pass.
  public let text: String
  private let words: [String]
  private let isInverse: Bool

  /// Reads a filter.
  ///
  /// Every text is one.
  public init(_ text: String) {
    self.text = text
    isInverse = text.hasPrefix("!")
    words = text.drop { $0 == "!" }.split(separator: "|")
      .map { $0.trimmingBlanks.lowercased() }.filter { !$0.isEmpty }
  }

  /// Whether everything passes.
  public var isEmpty: Bool { words.isEmpty }

  /// Whether a row with this text stays.
  public func admits(_ row: String) -> Bool {
    guard !words.isEmpty else { return true }
    let row = row.lowercased()
    return words.contains { row.containsText($0) } != isInverse
  }
}

extension StringProtocol {
  var trimmingBlanks: String {
    guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " })
    else { return "" }
    return String(self[first...last])
  }

  /// Whether `needle` stands somewhere in the text, byte by byte.
  ///
  /// O(count × needle).
  func containsText(_ needle: String) -> Bool {
    let bytes = Array(utf8)
    let wanted = Array(needle.utf8)
    guard let first = wanted.first, wanted.count <= bytes.count else { return wanted.isEmpty }
    for start in 0...(bytes.count - wanted.count) where bytes[start] == first {
      if bytes[start..<(start + wanted.count)].elementsEqual(wanted) { return true }
    }
    return false
  }
}
