import Foundation
import Testing

/// The README shows what rxtop prints: its commands are run, and what they print is compared.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct ReadmeScreensTests {
  /// A command and what is to come of it; a line `…` stands for any lines.
  struct Example: CustomTestStringConvertible, Sendable {
    let command: String
    let lines: [String]
    var testDescription: String { command }
  }

  static let examples: [Example] = {
    let file = ExportTests.root.appending(path: "README.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "```text\n").dropFirst().compactMap { part in
      var lines = part.components(separatedBy: "\n```").first?.components(separatedBy: "\n") ?? []
      guard let first = lines.first, first.hasPrefix("$ rxtop ") else { return nil }
      lines.removeFirst()
      return Example(command: String(first.dropFirst(8)), lines: lines)
    }
  }()

  @Test func theReadmeAnswersFourQuestions() {
    let commands = Self.examples.map(\.command)
    for start in ["--once ", "explain ", "diff "] {
      #expect(commands.contains { $0.hasPrefix(start) }, "\(start)")
    }
    #expect(commands.contains { $0.hasSuffix("error") })
    #expect(commands.allSatisfy { $0.contains("traces/") })
  }

  @Test(arguments: examples) func rxtopPrintsWhatTheReadmeShows(example: Example) throws {
    let arguments = Self.words(example.command).map { word in
      word.hasPrefix("traces/") ? ExportTests.root.appending(path: word).path : word
    }
    let outcome = try Programs.run(try #require(Programs.rxtop), arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let folder = ExportTests.root.path + "/"
    let output = outcome.output.replacingOccurrences(of: folder, with: "")
    var rest = output.components(separatedBy: "\n")[...]
    var mayskip = false
    for line in example.lines {
      if line == "…" {
        mayskip = true
        continue
      }
      let place = mayskip ? rest.firstIndex(of: line) : rest.first == line ? rest.startIndex : nil
      guard let place else {
        Issue.record(
          "'\(line)' does not follow; what does is\n\(rest.prefix(12).joined(separator: "\n"))"
        )
        return
      }
      rest = rest[(place + 1)...]
      mayskip = false
    }
    #expect(mayskip || rest.allSatisfy(\.isEmpty), "more follows: \(rest.first ?? "")")
  }

  /// Words as a shell has them, with single quotes.
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
