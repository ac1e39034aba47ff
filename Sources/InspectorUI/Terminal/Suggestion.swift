/// Suggests a name for a mistyped word.
public enum Suggestion {
  /// The name with the least edit distance from a word, if that distance is at most 2, and at most
  /// half of the letters.
  ///
  /// Nil if there is none, if the word is itself a name, or if it has fewer than 3 or more than 20
  /// letters.
  ///
  /// - Complexity: O(letters²) for each name.
  public static func nearest(to word: String, in names: [String]) -> String? {
    guard word.count >= 3, word.count <= 20, !names.contains(word) else { return nil }
    let ranked = names.map { (name: $0, changes: changes(Array(word), Array($0))) }
    return ranked.filter { isNear(word, $0.name, changes: $0.changes) }
      .min { $0.changes < $1.changes }?.name
  }

  /// Whether a name is so similar to a word that it may be meant.
  private static func isNear(_ word: String, _ name: String, changes: Int) -> Bool {
    changes <= 2 && changes * 2 <= min(word.count, name.count)
  }

  /// The message of swift-argument-parser about an option that does not exist, without the option
  /// that it suggests if that is not similar.
  package static func withoutFarSuggestion(_ message: String) -> String {
    let parts = message.split(separator: "'", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "Unknown option ", parts[2] == ". Did you mean ",
      parts[4].first == "?"
    else { return message }
    let (word, name) = (parts[1].drop { $0 == "-" }, parts[3].drop { $0 == "-" })
    let changes = changes(Array(word), Array(name))
    guard !isNear(String(word), String(name), changes: changes) else { return message }
    return "\(parts[0])'\(parts[1])'\(parts[4].dropFirst())"
  }

  /// The Levenshtein distance: how many letters must be inserted, removed or replaced to turn the
  /// word into the name.
  private static func changes(_ word: [Character], _ name: [Character]) -> Int {
    var row = Array(0...name.count)
    for (index, letter) in word.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in name.indices {
        let replaced = diagonal + (letter == name[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[name.count]
  }
}
