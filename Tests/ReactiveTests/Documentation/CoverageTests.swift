import Foundation
import Testing

/// The tables of `Coverage.md` name only existing tests and operators, and have every row.
@Suite struct CoverageTests {
  private struct Row {
    let number: String
    let operators: [String]
    let tests: [String]
    let reason: String?
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The numbers of the expected rows, from `O001` on.
  private static let expected: [String] = {
    let ranges: [(String, [ClosedRange<Int>])] = [
      ("O", [1...115, 122...129]),
      ("F", [1...204]),
    ]
    return ranges.flatMap { letter, ranges in
      ranges.joined().map { letter + String(1_000 + $0).dropFirst() }
    }
  }()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func quoted(_ text: some StringProtocol) -> [String] {
    String(text).matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  private static func rows() throws -> [Row] {
    try text("Documentation/Coverage.md").split(separator: "\n").compactMap { line in
      guard line.contains(/^\| [A-Z]\d/) else { return nil }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4 else {
        Issue.record("not four cells: \(line)")
        return nil
      }
      let prefix = "left out: "
      let isLeftOut = cells[3].hasPrefix(prefix)
      return Row(
        number: cells[0],
        operators: quoted(cells[2]),
        tests: isLeftOut ? [] : quoted(cells[3]),
        reason: isLeftOut ? String(cells[3].dropFirst(prefix.count)) : nil
      )
    }
  }

  /// The texts of all Swift files in a folder and its subfolders.
  private static func sources(_ folder: String) throws -> [String] {
    let url = root.appendingPathComponent(folder).resolvingSymlinksInPath()
    let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
    return try (files?.allObjects as? [URL] ?? [])
      .filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// The names of all tests, in the form `Suite.test`; the suite is the last type that begins
  /// before the function.
  private static func existingTests() throws -> Set<String> {
    let suite = /\b(?:struct|enum|class|actor|extension) (\w+)/
    var names: Set<String> = []
    for text in try sources("Tests") {
      var current = ""
      var isTest = false
      for line in text.split(separator: "\n") {
        let isComment = line.contains(/^\s*\/\//)
        if isComment { continue }
        if line.contains("@Suite") || !line.hasPrefix(" "), let match = line.firstMatch(of: suite) {
          current = String(match.1)
        }
        if line.contains("@Test") { isTest = true }
        if let match = line.firstMatch(of: /\bfunc (\w+)\s*[(<]/) {
          if isTest { names.insert("\(current).\(match.1)") }
          isTest = false
        }
      }
    }
    return names
  }

  @Test func everyRowAppearsOnce() throws {
    let numbers = try Self.rows().map(\.number)
    #expect(numbers.count == Set(numbers).count, "a row stands twice")
    #expect(Set(numbers).subtracting(Self.expected).isEmpty, "a row too many")
    let missing = Set(Self.expected).subtracting(numbers)
    #expect(missing.isEmpty, "without a row: \(missing.sorted())")
  }

  @Test func everyRowHasATestOrAReason() throws {
    for row in try Self.rows() {
      if let reason = row.reason {
        #expect(reason.count > 10, "\(row.number): why?")
        #expect(row.operators.isEmpty, "\(row.number) is left out, and is there")
      } else {
        #expect(!row.tests.isEmpty, "\(row.number) is shown by no test")
        #expect(!row.operators.isEmpty, "\(row.number) does not say what is there")
      }
    }
  }

  @Test func everyTestExists() throws {
    let existing = try Self.existingTests()
    #expect(existing.count > 1_000)
    for row in try Self.rows() {
      let missing = row.tests.filter { !existing.contains($0) }
      #expect(missing.isEmpty, "\(row.number) names \(missing)")
    }
  }

  /// Operators are in the operator index; a name that begins with a capital is a type.
  @Test func everyOperatorExists() throws {
    let index = try Self.text("Sources/Reactive/Reactive.docc/OperatorIndex.md")
    let operators = Set(
      index.split(separator: "\n").compactMap { $0.firstMatch(of: /^\| `([^`]+)` \|/)?.1 }
        .map(String.init)
    )
    let declaration = /public (?:final )?(?:class|struct|enum|protocol) (\w+)/
    let modules = [
      "Reactive", "ReactiveFoundation", "ReactiveTesting", "ReactiveTrace", "TraceReading",
    ]
    let sources = try modules.flatMap { try Self.sources("Sources/\($0)") }
    let types = Set(sources.flatMap { $0.matches(of: declaration).map { String($0.1) } })
    for row in try Self.rows() {
      let unknown = row.operators.filter { !operators.contains($0) && !types.contains($0) }
      #expect(unknown.isEmpty, "\(row.number) names \(unknown)")
    }
  }
}
