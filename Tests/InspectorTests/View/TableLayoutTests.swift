@testable import InspectorUI
import Testing

@Suite struct TableLayoutTests {
  private let wishes: [(width: Int, weight: Int, priority: Int)] = [
    (1, 0, 0), (20, 3, 0), (6, 0, 2), (6, 0, 5), (8, 1, 4),
  ]

  @Test(arguments: 30...200) func neverIsWiderThanTheScreen(width: Int) {
    let layout = TableLayout(wishes, width: width)
    #expect(layout.widths.reduce(0, +) + layout.widths.count - 1 <= width)
    for (column, given) in zip(layout.shown, layout.widths) {
      #expect(given >= wishes[column].width)
    }
  }

  @Test func dropsTheLeastImportantColumnFirst() {
    #expect(TableLayout(wishes, width: 45).shown == [0, 1, 2, 3, 4])
    #expect(TableLayout(wishes, width: 44).shown == [0, 1, 2, 4])
    #expect(TableLayout(wishes, width: 30).shown == [0, 1, 2])
    #expect(TableLayout(wishes, width: 10).shown == [0, 1])
  }

  @Test func handsOutAllThatIsLeftByWeight() {
    let layout = TableLayout(wishes, width: 85)
    #expect(layout.widths == [1, 50, 6, 6, 18])
  }
}
