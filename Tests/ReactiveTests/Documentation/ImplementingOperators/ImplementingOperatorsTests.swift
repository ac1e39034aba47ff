import Foundation
import Testing

/// The code that the guide quotes is compiled.
@Suite struct ImplementingOperatorsTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let root = folder.appending(path: "../../../..").standardizedFileURL

  private static func guide() throws -> String {
    try String(
      contentsOf: root.appending(path: "Sources/Reactive/Reactive.docc/ImplementingOperators.md"),
      encoding: .utf8
    )
  }

  @Test func theExampleIsTheOneThatIsCompiled() throws {
    let example = try String(
      contentsOf: Self.folder.appending(path: "HoldWhile.swift"),
      encoding: .utf8
    )
    #expect(try Self.guide().contains("```swift\n\(example)```\n"))
  }

  /// Each block after the words "From `File.swift`" appears in that file, whatever its indentation.
  @Test func excerptsOccurInTheFilesTheyName() throws {
    let excerpt = /From\s+`([^`]+)`[^\n]*\n\n```swift\n((?:(?!```)[^\n]*\n)+)```/
    let excerpts = try Self.guide().matches(of: excerpt)
    #expect(excerpts.count >= 8)
    for match in excerpts {
      let file = String(match.1)
      let text = Self.trimmed(String(match.2))
      let isThere = try Self.files(named: file).contains { Self.trimmed($0).contains(text) }
      #expect(isThere, "\(file) does not contain:\n\(text)")
    }
  }

  @Test func namedFilesExist() throws {
    for match in try Self.guide().matches(of: /`([A-Za-z]+\.swift)`/) {
      #expect(try !Self.files(named: String(match.1)).isEmpty, "no file \(match.1)")
    }
  }

  private static func files(named name: String) throws -> [String] {
    try ["Sources/Reactive", "Sources/ReactiveTesting", "Tests/ReactiveTests"].flatMap { part in
      let all = FileManager.default.enumerator(
        at: root.appending(path: part),
        includingPropertiesForKeys: nil
      )
      return try (all?.allObjects as? [URL] ?? [])
        .filter { $0.lastPathComponent == name }
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }
  }

  private static func trimmed(_ text: String) -> String {
    text.split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }
}
