import Foundation
import Testing

/// The program in the README compiles, and prints the output in the README.
@Suite struct ReadmeExampleTests {
  @Test func programIsTheOneThatIsCompiled() throws {
    let program = try block("swift", after: "ten lines")
    #expect(program.prefix(2) == ["import Reactive", ""])
    #expect(Array(program.dropFirst(2)) == (try compiledLines()))
  }

  @Test func theOutputOfTheProgramIsTheOneInTheReadme() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      runReadmeProgram()
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    // The logger writes the time, the level and its label before each message.
    let messages = output.split(separator: "\n").compactMap { line in
      line.range(of: " [Reactive] ").map { String(line[$0.upperBound...]) }
    }
    let shown = try block("text", after: "ten lines")
    #expect(!shown.isEmpty)
    #expect(messages == shown)
  }

  /// The lines of the first fenced code block in a language after the text `marker`.
  private func block(_ language: String, after marker: String) throws -> [String] {
    let readme = try String(
      contentsOf: folder.appending(path: "../../../README.md"),
      encoding: .utf8
    )
    let start = try #require(readme.range(of: marker)).upperBound
    let lines = readme[start...].split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex(of: "```\(language)")) + 1
    let last = try #require(lines[first...].firstIndex(of: "```"))
    return lines[first..<last].map(String.init)
  }

  /// The unindented lines between the two `#sourceLocation` lines of `ReadmeProgram.swift`.
  private func compiledLines() throws -> [String] {
    let file = folder.appending(path: "ReadmeProgram.swift")
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    let marks = lines.indices.filter { lines[$0].hasPrefix("  #sourceLocation") }
    try #require(marks.count == 2)
    return lines[marks[0] + 1..<marks[1]].map { String($0.dropFirst(2)) }
  }

  private var folder: URL { URL(filePath: #filePath).deletingLastPathComponent() }
}
