import Foundation
import Testing

/// The changes that CONTRIBUTING.md shows as diffs.
@Suite(.serialized) struct ContributingTests {
  private static let article = try? Article(Article.root.appending(path: "CONTRIBUTING.md"))

  private static let changes = (article?.blocks ?? []).filter { $0.language == "diff" }

  @Test func contributingShowsFourChangesAsDiffs() {
    #expect(Self.changes.count == 4)
  }

  /// The text above a change says how many files it touches.
  @Test func eachChangeTouchesAsManyFilesAsThePageSays() throws {
    let lines = try #require(Self.article).text.components(separatedBy: "\n")
    for change in Self.changes {
      let sentence = lines[max(0, change.line - 4)..<change.line].joined(separator: " ")
      let said = try #require(sentence.firstMatch(of: /\(([0-9]+) places?;/)?.1)
      #expect(change.lines.count { $0.hasPrefix("+++ ") } == Int(said), "line \(change.line)")
    }
  }

  @Test func eachChangeAppliesToTheSources() throws {
    for change in Self.changes {
      let patch = Process()
      patch.executableURL = URL(filePath: "/usr/bin/env")
      patch.arguments = ["git", "apply", "--check", "-"]
      patch.currentDirectoryURL = Article.root
      let (input, output) = (Pipe(), Pipe())
      (patch.standardInput, patch.standardError) = (input, output)
      try patch.run()
      input.fileHandleForWriting.write(Data((change.text + "\n").utf8))
      try input.fileHandleForWriting.close()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      patch.waitUntilExit()
      #expect(patch.terminationStatus == 0, "line \(change.line): \(text)")
    }
  }
}
