import Foundation
import InspectorUI
import Testing
import TraceModel
import TraceReading

/// Compares the tables of `Documentation/JSON.md` with the columns that they are made from.
///
/// `UPDATE_GOLDEN=1` regenerates them.
@Suite struct ColumnDocumentTests {
  private static let path =
    #filePath.components(separatedBy: "/Tests/")[0] + "/Documentation/JSON.md"

  private static let tables: [(heading: String, rows: [String])] = [
    ("sites[]", lines(SiteRow.columns)),
    ("signals[]", lines(SignalRow.columns)),
    ("subscriptions[]", lines(SubscriptionRow.columns)),
    ("timers[]", lines(TimerRow.columns)),
    ("schedulers[]", lines(SchedulerRow.columns)),
    ("marks[]", lines(MarkRow.columns)),
    ("events[]", lines(EventRow.columns)),
    (
      "findings[]",
      lines(Finding.columns) + [
        "| `ruledOut` | array of strings | What it might have been and is not, each with how that is known |",
        "| `evidence` | object | What the finding rests on |",
        "| `callers` | object or null | For whom the accused subscriptions were made, as far as stacks and symbols tell |",
      ]
    ),
    ("Rows of two traces", lines(DiffRow.runColumns)),
    ("What differs between two traces", lines(RunChange.columns)),
  ]

  @Test func theDocumentHasTheColumnsAsTheyAreDeclared() throws {
    let document = try String(contentsOfFile: Self.path, encoding: .utf8)
    var written: [String] = []
    var replacing: [String]?
    for line in document.components(separatedBy: "\n") {
      if line.hasPrefix("## ") { replacing = nil }
      if let table = Self.tables.first(where: {
        ["## `\($0.heading)`", "## \($0.heading)"].contains(line)
      }) {
        replacing = table.rows
      }
      guard line.hasPrefix("| `"), let rows = replacing else {
        written.append(line)
        continue
      }
      written += rows
      replacing = []
    }
    let expected = written.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      return try expected.write(toFile: Self.path, atomically: true, encoding: .utf8)
    }
    // The comparison is not inside #expect, which would print both documents of a thousand lines
    // and hide the message.
    let isSame = expected == document
    #expect(isSame, "UPDATE_GOLDEN=1 writes the tables of Documentation/JSON.md anew")
  }

  @Test func noTwoColumnsOfATableHaveTheSameKeyOrHeading() {
    func check<Row>(_ columns: [Column<Row>]) {
      #expect(Set(columns.map(\.id)).count == columns.count, "\(Row.self)")
      let titles = columns.compactMap(\.heading?.title)
      #expect(Set(titles).count == titles.count, "\(Row.self)")
    }
    check(SiteRow.columns)
    check(SignalRow.columns)
    check(SubscriptionRow.columns)
    check(TimerRow.columns)
    check(SchedulerRow.columns)
    check(QueueRow.columns)
    check(MarkRow.columns)
    check(EventRow.columns)
    check(Finding.columns)
    check(DiffRow.columns)
    check(DiffRow.runColumns)
    check(RunChange.columns)
  }

  /// The fate `folds`, which says what an operator does with a value, has the bits of both `passes`
  /// and `drops`, but must have only one name.
  @Test func eachFateOfAValueHasOneName() {
    #expect(SiteTraits([.folds, .sampled, .hot]).schemaNames == ["hot", "folds", "sampled"])
    #expect(SiteTraits.drops.schemaNames == ["drops"])
  }

  private static func lines<Row>(_ columns: [Column<Row>]) -> [String] {
    columns.filter { !$0.isOnScreenOnly }.map { column in
      let type = name(of: column.kind) + (column.isNeverNull ? "" : " or null")
      let meaning = column.help.prefix(1).uppercased() + column.help.dropFirst()
      return "| `\(column.id)` | \(type) | \(meaning) |"
    }
  }

  private static func name(of kind: ColumnKind) -> String {
    switch kind {
    case .text: "string"
    case .count, .change, .duration, .moment, .number: "integer"
    case .rate, .share: "number"
    case .flag: "boolean"
    case .entity, .counts: "object"
    case .entities: "array of objects"
    case .words: "array of strings"
    case .series: "array of numbers"
    }
  }
}
