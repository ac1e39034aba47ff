@testable import InspectorUI
import Testing

@Suite struct ColumnHelpTests {
  @Test func explainsEveryColumnOfEveryTableAndNoOther() {
    let tables = Screen.allCases.filter { $0.table != nil }
    #expect(Set(ColumnHelp.entries.map(\.screen)) == Set(tables))
    for (screen, columns) in ColumnHelp.entries {
      let explained = columns.flatMap(\.titles)
      #expect(explained == screen.table?.titles(.utf8), "\(screen.title)")
      #expect(columns.allSatisfy { !$0.meaning.isEmpty })
    }
  }

  @Test func standsInTheHelp() {
    let text = HelpView.lines(width: 100).map(\.text).joined(separator: "\n")
    #expect(text.contains("Columns of Queues") && text.contains("  wait p50, p99"))
  }
}
