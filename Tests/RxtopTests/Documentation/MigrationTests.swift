import Foundation
import Testing

/// Every declaration that a migration article names in the last column of a table is public in this
/// package.
///
/// `Scripts/docs` checks the links; this test checks the names that are not links.
@Suite struct MigrationTests {
  private static let articles = [
    "MigratingFromReactiveCocoa", "MigratingFromRxSwift", "MigratingFromCombine",
  ]

  /// Public declarations of all modules, by name.
  private static let declared: Set<String> = {
    let declaration =
      #/(?:func|var|let|class|struct|enum|protocol|typealias|case) `?([A-Za-z]\w*)/#
    let files = FileManager.default.enumerator(
      at: Article.root.appending(path: "Sources"),
      includingPropertiesForKeys: nil
    )
    var names: Set<String> = []
    for case let file as URL in files ?? FileManager.DirectoryEnumerator()
    where file.pathExtension == "swift" {
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      for line in text.split(separator: "\n") where line.contains("public ") {
        for match in line.matches(of: declaration) { names.insert(String(match.1)) }
      }
    }
    return names
  }()

  @Test(arguments: articles)
  func namedDeclarationsExist(article name: String) throws {
    #expect(Self.declared.count > 500)
    var count = 0
    for row in try Article.named(name).text.split(separator: "\n") where row.hasPrefix("| ") {
      let cell = row.split(separator: "|").last(where: { !$0.allSatisfy(\.isWhitespace) }) ?? ""
      // Links are removed first: they are enclosed in two backticks.
      let text = cell.replacing(#/``[^`]+``/#, with: "")
      for span in text.matches(of: #/`([^`]+)`/#) {
        for word in Self.words(of: String(span.1)) {
          count += 1
          #expect(Self.declared.contains(word), "\(name): '\(word)' in \(row)")
        }
      }
    }
    #expect(count > 30)
  }

  /// The names that are called, looked up or stand alone, such as `flatten` and `merge` in
  /// `a.flatten(merge(b))`.
  private static func words(of span: String) -> [String] {
    let foreign: Set = ["Never", "URLSession", "Void", "any", "observer", "result"]
    let code = span.replacing(#/\{.*\}/#, with: "")
    return code.matches(of: #/(?:^|[.( ])([A-Za-z]\w*)(?=[(.<]|$)/#).map { String($0.1) }
      .filter { !foreign.contains($0) }
  }
}
