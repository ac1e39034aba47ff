import Foundation
import Testing

/// The README and some pages of `Documentation` show the output and the screens of rxtop.
///
/// Their commands are run, their keys are pressed, and the result is compared with the page.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct DocumentedScreensTests {
  /// A command on a page, the keys pressed after it, and the lines that the page shows; a line `…`
  /// stands for any lines.
  struct Example: CustomTestStringConvertible, Sendable {
    let page: String
    let command: String
    /// The keys, by the names that tmux gives them; nil for a command that prints and ends.
    let keys: [String]?
    let lines: [String]
    var testDescription: String { "\(page): \(command) \(keys?.joined(separator: " ") ?? "")" }
  }

  static let pages = ["README.md", "Documentation/Answers.md", "Documentation/FindALeak.md"]

  static let examples: [Example] = pages.flatMap { page -> [Example] in
    let article = try? Article(ExportTests.root.appending(path: page))
    return (article?.blocks ?? []).compactMap { block -> Example? in
      let lines = block.lines.map(String.init)
      guard block.language == "text", let first = lines.first, first.hasPrefix("$ rxtop ") else {
        return nil
      }
      let parts = first.dropFirst("$ rxtop ".count).components(separatedBy: "keys: ")
      return Example(
        page: page,
        command: parts[0].trimmingCharacters(in: .whitespaces),
        keys: parts.count > 1 ? parts[1].components(separatedBy: " ") : nil,
        lines: Array(lines.dropFirst())
      )
    }
  }

  static let printing = examples.filter { $0.keys == nil }
  static let drawing = examples.filter { $0.keys != nil }

  @Test func eachPageShowsItsMainCommands() {
    let commands = Dictionary(grouping: Self.examples, by: \.page).mapValues { $0.map(\.command) }
    for (page, starts) in [
      "README.md": ["--once ", "check "],
      "Documentation/Answers.md": ["--once ", "explain ", "diff "],
      "Documentation/FindALeak.md": ["check ", "diff ", "traces/"],
    ] {
      for start in starts {
        #expect(commands[page]?.contains { $0.hasPrefix(start) } == true, "\(page): \(start)")
      }
    }
  }

  @Test(arguments: printing) func rxtopPrintsWhatThePageShows(example: Example) throws {
    let arguments = Self.words(example.command).map { word in
      word.hasPrefix("traces/") ? ExportTests.root.appending(path: word).path : word
    }
    let outcome = try Programs.run(try #require(Programs.rxtop), arguments)
    #expect(outcome.status == (arguments[0] == "check" ? 1 : 0), "\(outcome.errors)")
    let folder = ExportTests.root.path + "/"
    let output = outcome.output.replacingOccurrences(of: folder, with: "")
    if let difference = Self.difference(example.lines, output) { Issue.record("\(difference)") }
  }

  @Test(.enabled("there is no tmux", { Programs.tmux != nil }), arguments: drawing)
  func rxtopDrawsWhatThePageShows(example: Example) async throws {
    let session = try await TmuxSession(columns: 100, rows: 30)
    let file = ExportTests.root.appending(path: example.command).path
    try session.enter("clear; '\(try #require(Programs.rxtop))' '\(file)'")
    try await eventually("rxtop is open") { session.screen.contains("? help") }
    for key in try #require(example.keys) { try session.press(key) }
    var difference: Comment?
    do {
      try await eventually("the screen shows what the page does") {
        difference = Self.difference(example.lines, session.screen)
        return difference == nil
      }
    } catch {
      if let difference { Issue.record(difference) }
    }
  }

  /// The first line in which a text differs from the lines of a page.
  private static func difference(_ lines: [String], _ text: String) -> Comment? {
    var rest = text.components(separatedBy: "\n")[...]
    var canSkip = false
    for line in lines {
      if line == "…" {
        canSkip = true
        continue
      }
      let place = canSkip ? rest.firstIndex(of: line) : rest.first == line ? rest.startIndex : nil
      guard let place else {
        return "'\(line)' does not follow; what does is\n\(rest.prefix(12).joined(separator: "\n"))"
      }
      rest = rest[(place + 1)...]
      canSkip = false
    }
    return canSkip || rest.allSatisfy(\.isEmpty) ? nil : "more follows: \(rest.first ?? "")"
  }

  /// The words of a command as a shell splits them, with single quotes.
  private static func words(_ command: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in command {
      switch character {
      case "'": isQuoted.toggle()
      case " " where !isQuoted:
        words.append(word)
        word = ""
      default: word.append(character)
      }
    }
    return words + [word]
  }
}
