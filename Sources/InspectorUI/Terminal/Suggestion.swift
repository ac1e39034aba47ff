/// Suggests a name for a mistyped word.
public enum Suggestion {
  /// The name with the least edit distance from a word, if that distance is at most 2.
  ///
  /// Nil if there is none, if the word is itself a name, or if it has fewer than 3 or more than 20
  /// letters.
  ///
  /// - Complexity: O(letters²) for each name.
  public static func nearest(to word: String, in names: [String]) -> String? {
    guard word.count >= 3, word.count <= 20, !names.contains(word) else { return nil }
    let ranked = names.map { (name: $0, changes: changes(Array(word), Array($0))) }
    return ranked.filter { $0.changes <= 2 }.min { $0.changes < $1.changes }?.name
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
