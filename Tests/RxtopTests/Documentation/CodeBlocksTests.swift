import Foundation
import Testing

/// Every Swift block of the README and of the articles compiles.
///
/// A block may use the names of earlier blocks of its article, and those of `StandIns`. A block
/// after the words "From `File.swift`" occurs in that file. A block with `@main` is a program,
/// which is built and run: see `ArticlePrograms`.
@Suite(.enabled("there is no swiftc, or no modules beside the tests", { Compiler.isAvailable }))
struct CodeBlocksTests {
  @Test func thereAreArticlesAndBlocks() {
    #expect(Article.all.count >= 16)
    #expect(Article.all.flatMap(\.swiftBlocks).count >= 45)
  }

  @Test func everyBlockCompiles() throws {
    let scratch = try Scratch()
    var files = [
      Article.root.appending(path: "Tests/RxtopTests/Documentation/StandIns/StandIns.swift").path
    ]
    for (number, article) in Article.all.enumerated() {
      let blocks = try article.swiftBlocks.filter { block in
        let isProgram = block.isProgram || block.isManifest
        return try !isProgram && excerptSource(of: block, in: article) == nil
      }
      let file = scratch.path("\(article.name).swift")
      try Self.source(of: blocks, article.name, number)
        .write(toFile: file, atomically: true, encoding: .utf8)
      files.append(file)
    }
    let outcome = try Compiler.check(files)
    #expect(
      outcome.status == 0,
      "\(outcome.errors.split(separator: "\n").filter { $0.contains("error:") }.joined(separator: "\n"))"
    )
  }

  @Test func everyManifestCompiles() throws {
    let scratch = try Scratch()
    let manifests = Article.all.flatMap(\.swiftBlocks).filter(\.isManifest)
    #expect(manifests.count >= 2)
    for (number, manifest) in manifests.enumerated() {
      let file = scratch.path("Package\(number).swift")
      try manifest.text.write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Compiler.check(manifest: file)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  /// Indentation may differ.
  @Test func excerptsOccurInTheFilesThatAreNamed() throws {
    for article in Article.all {
      for block in article.swiftBlocks {
        guard let name = try excerptSource(of: block, in: article) else { continue }
        let isThere = try Self.files(named: name).contains {
          Self.trimmed($0).contains(Self.trimmed(block.text))
        }
        #expect(isThere, "\(article.name), line \(block.line): \(name) has no such lines")
      }
    }
  }

  @Test func aMistakeInABlockIsReportedAtItsLine() throws {
    let scratch = try Scratch()
    let file = scratch.path("Wrong.swift")
    let block = Article.Block(
      language: "swift",
      text: "let one = 1\nlet two: String = one",
      line: 41
    )
    try Self.source(of: [block], "Wrong", 0).write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try Compiler.check([file])
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("Wrong.md:42:"))
  }

  // MARK: Sources

  private static let imports = [
    "Dispatch", "Foundation", "FoundationNetworking", "Reactive",
    "ReactiveFoundation", "ReactiveTesting", "ReactiveTrace", "Synchronization", "Testing",
    "TraceExports", "TraceFindings", "TraceModel", "TraceReading",
  ]

  /// The source of an article: first the declarations that are not allowed in a function, then a
  /// function with all other blocks, each in the scope of those before it.
  private static func source(of blocks: [Article.Block], _ name: String, _ number: Int) -> String {
    var file = imports.map { "import \($0)\n" }.joined()
    var body = ""
    for block in blocks {
      let text =
        "#sourceLocation(file: \"\(name).md\", line: \(block.line))\n\(block.withoutImports)\n#sourceLocation()\n"
      if block.isDeclaration {
        file += text
      } else {
        body += "do {\n" + text
      }
    }
    let depth = blocks.filter { !$0.isDeclaration }.count
    file += "@MainActor func article\(number)() async throws {\n\(body)"
    return file + String(repeating: "}\n", count: depth + 1)
  }

  private func excerptSource(of block: Article.Block, in article: Article) throws -> String? {
    let before = article.text.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix(block.line - 2).suffix(4).joined(separator: "\n")
    return try /From\s+`([^`]+\.swift)`[^\n]*\n\s*$/.firstMatch(in: before).map { String($0.1) }
  }

  private static func files(named name: String) throws -> [String] {
    try ["Sources", "Tests", "Examples"].flatMap { part in
      let all = FileManager.default.enumerator(
        at: Article.root.appending(path: part),
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

extension Article.Block {
  var isProgram: Bool { lines.contains { $0.hasPrefix("@main") } }
  var isManifest: Bool { lines.contains("import PackageDescription") }

  /// Whether the block has a declaration that is not allowed in a function.
  var isDeclaration: Bool {
    lines.contains { line in
      ["extension ", "@Test", "@Suite", "protocol "].contains { line.hasPrefix($0) }
    }
  }

  /// The block with empty lines in the place of imports, so that all other lines keep their
  /// numbers.
  var withoutImports: String {
    lines.map { $0.hasPrefix("import ") ? "" : $0 }.joined(separator: "\n")
  }
}
