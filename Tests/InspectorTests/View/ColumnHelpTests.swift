@testable import InspectorUI
import Testing
import TraceModel

@Suite struct ColumnHelpTests {
  @Test func everyColumnOfATableHasAnEntry() {
    for screen in Screen.allCases {
      guard let table = screen.table else { continue }
      #expect(table.columnHelp.flatMap(\.titles).count >= 3, "\(screen.title)")
      #expect(table.columnHelp.allSatisfy { !$0.meaning.isEmpty })
    }
  }

  @Test func standsInTheHelp() {
    let text = HelpView.lines(width: 100).map(\.text).joined(separator: "\n")
    #expect(text.contains("Columns of Queues") && text.contains("  wait p50, p99"))
  }
}
