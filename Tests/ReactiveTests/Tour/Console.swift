import Reactive

/// Where the samples of the tour print, so that a test can read it.
final class Console: Sendable {
  private let list = Locked<[String]>([])

  func print(_ line: String) { list.withLock { $0.append(line) } }

  /// What was printed, a line for each call.
  var lines: [String] { list.withLock { $0 } }
  /// All in one line, as the documents state short outputs.
  var output: String { lines.joined(separator: " ") }
}

/// `words("A B C")` is what the samples split a text for.
func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
