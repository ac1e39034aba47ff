import Testing
@testable import TraceModel

@Suite struct LiveHistoryInternalTests {
  @Test func countsAtMarksAreSpreadOverTime() {
    let history = LiveHistory([(0, [0]), (10, [0, 1]), (20, [0, 4]), (40, [0, 7, 0])])
    #expect(history.counts(ofSite: 1, columns: 4) == [1, 4, 4, 7])
    let damaged = LiveHistory([(UInt64.max, [0, 7]), (40, [0, 1]), (1, [0, 4])])
    #expect(damaged.counts(ofSite: 1, columns: 2) == [1, 7])
  }

  @Test func withoutLiveSubscriptionsOrASecondMarkThereAreNoCounts() {
    let history = LiveHistory([(0, [0]), (10, [0, 1]), (40, [0, 7, 0])])
    #expect(history.counts(ofSite: 2, columns: 4) == nil)
    #expect(history.counts(ofSite: 9, columns: 4) == nil)
    #expect(LiveHistory([(0, [0, 1])]).counts(ofSite: 1, columns: 4) == nil)
  }
}
