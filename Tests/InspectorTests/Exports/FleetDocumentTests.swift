import Foundation
import Testing
import TraceExports

/// Compares `Documentation/Fleet/clickhouse.sql` and the tables of `Documentation/Fleet.md` with
/// the columns that they are made from.
///
/// `UPDATE_GOLDEN=1` regenerates them.
@Suite struct FleetDocumentTests {
  private static let root = #filePath.components(separatedBy: "/Tests/")[0]
  private static let updatesGolden = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  private func compare(_ path: String, _ expected: String) throws {
    let path = "\(Self.root)/\(path)"
    if Self.updatesGolden { try expected.write(toFile: path, atomically: true, encoding: .utf8) }
    let document = try String(contentsOfFile: path, encoding: .utf8)
    #expect(document == expected, "UPDATE_GOLDEN=1 writes it anew")
  }

  @Test func theFileHasTheStatementsThatRxtopPrints() throws {
    try compare("Documentation/Fleet/clickhouse.sql", FleetTable.statements)
  }

  @Test func theDocumentHasTheTablesAsTheyAreDeclared() throws {
    let path = "\(Self.root)/Documentation/Fleet.md"
    var written: [String] = []
    var rows: [String]?
    for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
      if line.hasPrefix("#") {
        rows = Self.tables.first { line == "### \($0.heading)" }?.rows
      }
      guard line.hasPrefix("| `"), let new = rows else {
        written.append(line)
        continue
      }
      written += new
      rows = []
    }
    try compare("Documentation/Fleet.md", written.joined(separator: "\n"))
    let text = written.joined(separator: "\n")
    for table in Self.tables { #expect(text.contains("### \(table.heading)\n")) }
  }

  @Test func noTableHasTwoColumnsWithTheSameName() {
    for table in FleetTable.allCases {
      #expect(Set(table.columns.map(\.name)).count == table.columns.count)
    }
  }

  /// The columns with which every table begins are listed once.
  private static var tables: [(heading: String, rows: [String])] {
    let first = FleetTable.allCases[0].columns
    let common = first.indices.prefix { index in
      FleetTable.allCases.allSatisfy { $0.columns[index].name == first[index].name }
    }.count
    func lines(_ columns: some Sequence<(name: String, type: String, help: String)>) -> [String] {
      columns.map { column in
        "| `\(column.name)` | `\(column.type)` | \(column.help.prefix(1).uppercased() + column.help.dropFirst()) |"
      }
    }
    return [("Every table", lines(first.prefix(common)))]
      + FleetTable.allCases.map { ("`\($0.rawValue)`", lines($0.columns.dropFirst(common))) }
  }
}
