import Testing
@testable import TraceModel

@Suite struct LiveHistoryInternalTests {
  @Test func livesAtMarksAreHeights() {
    let history = LiveHistory([(0, [0]), (10, [0, 1]), (20, [0, 4]), (40, [0, 7, 0])])
    #expect(history.sparkline(ofSite: 1, columns: 4) == "▂▅▅█")
    #expect(history.sparkline(ofSite: 2, columns: 4) == nil)
    #expect(history.sparkline(ofSite: 9, columns: 4) == nil)
    let damaged = LiveHistory([(UInt64.max, [0, 7]), (40, [0, 1]), (1, [0, 4])])
    #expect(damaged.counts(ofSite: 1, columns: 2) == [1, 7])
    #expect(LiveHistory([(0, [0, 1])]).sparkline(ofSite: 1, columns: 4) == nil)
  }
}
