@testable import InspectorUI
import Testing
import TraceModel

@Suite struct ColumnHelpTests {
  /// `Documentation/JSON.md` has the same texts, beginning with a capital letter.
  @Test func helpBeginsInLowerCaseAndHasNoFullStop() {
    for screen in Screen.allCases {
      for entry in screen.table?.columnHelp ?? [] {
        #expect(entry.meaning.first?.isUppercase == false, "\(screen.title): \(entry.titles)")
        #expect(!entry.meaning.hasSuffix("."), "\(screen.title): \(entry.titles)")
      }
    }
  }

  @Test func columnsAreExplainedInTheHelp() {
    let text = HelpView.lines(width: 100).map(\.text).joined(separator: "\n")
    #expect(text.contains("Columns of Queues") && text.contains("  wait p50, p99"))
  }
}
