import Reactive
import Synchronization

/// Prints the long words of its input, without a loop and without reading more than it needs.
///
///     words LENGTH COUNT <TEXT
///
/// Like a signal, a list is a description: each element is evaluated once, on first access. So the
/// input may be endless: `yes reactive | words 5 3` ends.
@main
enum Words {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map { Int($0) }
    guard arguments.count == 2, let length = arguments[0], let count = arguments[1], count >= 0
    else {
      return print("usage: words LENGTH COUNT <TEXT, for example: yes reactive | words 5 3")
    }

    let input = Input()
    let words = input.lines
      .flatMap { line in line.split(separator: " ").map(String.init) }
      .filter { word in word.count >= length }
      .map { word in word.prefix(1).uppercased() + word.dropFirst() }
      .take(count)
    print("nothing asked for yet: \(input.lineCount) lines read")

    print("the first: \(words.head ?? "none"), \(input.lineCount) lines read")
    print("all: \(words.joined(separator: " ")), \(input.lineCount) lines read")

    let longest = words.foldLeft("") { longest, word in word.count > longest.count ? word : longest
    }
    print("the longest: \(longest), still \(input.lineCount) lines read")

    // The same list as a signal, which sends its values on the given scheduler.
    words.signal(on: .immediate)
      .enumerated()
      .map { index, word in "\(index + 1). \(word)" }
      .subscribe(next: { print($0) }, completed: { print("done") })
  }
}

/// Standard input as a list, with a counter of the lines read.
final class Input: Sendable {
  private let count = Atomic(0)

  var lineCount: Int { count.load(ordering: .relaxed) }

  /// Must be used only once: a second list would begin where the first has stopped reading.
  var lines: LazyList<String> {
    .unfold(()) { [self] _ in
      guard let line = readLine() else { return nil }
      count.add(1, ordering: .relaxed)
      return line
    }
  }
}
