import Reactive

/// The console to which the samples in this folder print, so that a test can read the output.
final class Console: Sendable {
  private let list = Locked<[String]>([])

  func print(_ line: String) { list.withLock { $0.append(line) } }

  /// The printed lines, one for each call.
  var lines: [String] { list.withLock { $0 } }
  /// The whole output in one line, the form in which the documents show short outputs.
  var output: String { lines.joined(separator: " ") }
}

/// Splits a text as the samples do: `words("A B C")`.
func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
