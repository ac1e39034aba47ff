/// Suggests the word that was meant by a mistyped one.
public enum Suggestion {
  /// The name that differs from a word in at most two letters; nil if there is none, or if the word
  /// is itself a name.
  ///
  /// - Complexity: O(letters²) for each name.
  public static func nearest(to word: String, in names: [String]) -> String? {
    guard word.count >= 3, word.count <= 20, !names.contains(word) else { return nil }
    let ranked = names.map { (name: $0, changes: changes(Array(word), Array($0))) }
    return ranked.filter { $0.changes <= 2 }.min { $0.changes < $1.changes }?.name
  }

  /// The number of letters that must be inserted, removed or replaced to turn one word into the
  /// other.
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
