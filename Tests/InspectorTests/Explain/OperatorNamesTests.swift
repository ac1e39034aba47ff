import Foundation
import Testing

/// What operators do is known by their names, and a name that no operator has is a rule that never holds.
@Suite struct OperatorNamesTests {
  private static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  /// The first group of each match in the Swift files below a folder, with the file it is in.
  private func matches(_ pattern: String, in folder: String) throws -> [(
    text: String, file: String
  )] {
    let expression = try NSRegularExpression(
      pattern: pattern,
      options: [.dotMatchesLineSeparators]
    )
    let root = Self.sources.appending(path: folder)
    let files = try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    )
    var found: [(String, String)] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      let all = NSRange(text.startIndex..., in: text)
      for match in expression.matches(in: text, range: all) {
        guard let range = Range(match.range(at: 1), in: text) else { continue }
        found.append((String(text[range]), file.lastPathComponent))
      }
    }
    return found
  }

  @Test func everyOperatorThatRxtopNamesExists() throws {
    let names = Set(try matches(#"Site\(\s*"([^"]+)""#, in: "Reactive").map(\.text))
    #expect(names.contains("flatMap") && names.count > 100)
    var used = try matches(#"\.name == "([^"]+)""#, in: "TraceFindings")
    for list in try matches(#"Set<String> = \[([^\]]*)\]"#, in: "TraceFindings") {
      used += list.text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }
        .map { (String($0.element), list.file) }
    }
    #expect(used.count > 40)
    let unknown = used.filter { !names.contains($0.text) }.map { "\($0.text) in \($0.file)" }
    #expect(unknown == [])
  }
}
