@testable import InspectorUI
import Testing

@Suite struct TableLayoutTests {
  private let preferences: [(width: Int, weight: Int, priority: Int)] = [
    (1, 0, 0), (20, 3, 0), (6, 0, 2), (6, 0, 5), (8, 1, 4),
  ]

  @Test(arguments: 30...200) func aTableIsNeverWiderThanTheScreen(width: Int) {
    let layout = TableLayout(preferences, width: width)
    #expect(layout.widths.reduce(0, +) + layout.widths.count - 1 <= width)
    for (column, given) in zip(layout.shown, layout.widths) {
      #expect(given >= preferences[column].width)
    }
  }

  @Test func theLeastImportantColumnIsDroppedFirst() {
    #expect(TableLayout(preferences, width: 45).shown == [0, 1, 2, 3, 4])
    #expect(TableLayout(preferences, width: 44).shown == [0, 1, 2, 4])
    #expect(TableLayout(preferences, width: 30).shown == [0, 1, 2])
    #expect(TableLayout(preferences, width: 10).shown == [0, 1])
  }

  @Test func spaceLeftByLimitedColumnsGoesToOthers() {
    #expect(TableLayout(preferences, limits: [1: 30], width: 85).widths == [1, 30, 6, 6, 38])
    #expect(TableLayout([(20, 3, 0)], limits: [0: 30], width: 85).widths == [30])
  }

  /// The operator and the line are the most informative parts of a place.
  @Test(arguments: [
    (27, "publish@Watchtower.swift:34"), (20, "publish@Watchtow…:34"), (13, "publish@W…:34"),
    (12, "publish@…:34"), (11, "publish…:34"), (8, "publ…:34"),
  ])
  func theFileIsShortenedBeforeTheOperator(width: Int, expected: String) {
    #expect(Fitting.middle("publish@Watchtower.swift:34", width, .utf8) == expected)
  }

  @Test func theFileIsShortenedBeforeTheNumberOfASubscription() {
    #expect(Fitting.middle("map@Watchtower.swift:34 #128", 20, .utf8) == "map@Watchto…:34 #128")
  }

  @Test(arguments: [
    (80, "62 lines of code, 12 live subscriptions; new and gone since a mark"),
    (50, "62 lines of code, 12 live subscriptions …"),
    (45, "62 lines of code, 12 live subscriptions …"), (30, "62 lines of code …"),
    (12, "62 lines …"), (4, "62 …"),
  ])
  func aSentenceIsCutBehindAPartOrAWord(width: Int, expected: String) {
    let text = "62 lines of code, 12 live subscriptions; new and gone since a mark"
    #expect(Fitting.parts(text, width, .utf8) == expected)
  }

  @Test func aTextWithoutBlanksIsCutAnywhere() {
    #expect(Fitting.parts("abcdefgh", 4, .utf8) == "abc…")
    #expect(Fitting.parts("abcdefgh", 1, .utf8) == "a")
  }

  @Test func theRemainingWidthIsDistributedByWeight() {
    let layout = TableLayout(preferences, width: 85)
    #expect(layout.widths == [1, 50, 6, 6, 18])
  }
}
