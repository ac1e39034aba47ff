@testable import TraceFindings
import Testing
import TraceModel

@Suite struct RunBoundsInternalTests {
  private let same = RunBounds(before: .seconds(10), after: .seconds(10))
  private let longer = RunBounds(before: .seconds(5), after: .seconds(10))
  private let shorter = RunBounds(before: .seconds(10), after: .seconds(5))

  @Test(arguments: [
    (3, 5), (0, 8), (1, 10), (10, 15), (20, 40), (100, 140), (5, 3), (8, 0), (0, 0), (7, 7),
  ])
  func aSmallDifferenceIsChance(before: UInt64, after: UInt64) {
    #expect(same.direction(before, after) == nil)
  }

  @Test(arguments: [(0, 9), (1, 12), (20, 45), (100, 160), (1, 29)])
  func aLargeDifferenceIsNotChance(before: UInt64, after: UInt64) {
    #expect(same.direction(before, after) == .more)
    #expect(same.direction(after, before) == .less)
  }

  @Test(arguments: [0, 1, 9, 100, 5000])
  func aDifferenceExplainedByTheRunsLengthsIsIgnored(count: UInt64) {
    for once in [0, count / 2, count] {
      let twice = once + 2 * (count - once)
      #expect(longer.direction(count, twice) == nil && longer.rateDirection(count, twice) == nil)
      #expect(shorter.direction(twice, count) == nil && shorter.rateDirection(twice, count) == nil)
    }
  }

  @Test func aDifferenceBeyondTheRunsLengthsIsFoundInEitherRun() {
    #expect(longer.direction(100, 400) == .more)
    #expect(longer.direction(100, 50) == .less)
    #expect(shorter.direction(100, 200) == .more)
    #expect(shorter.direction(400, 100) == .less)
  }

  @Test func eventsInBurstsDifferByChance() {
    // One run has two bursts of fifty events, the other has four: that may be chance.
    #expect(same.eventDirection(100, 200, live: (1, 1)) == nil)
    #expect(same.eventDirection(100, 400, live: (1, 1)) == .more)
    #expect(same.eventDirection(400, 100, live: (1, 1)) == .less)
  }

  /// The program is one that arms one more timer each second, so that a run of twice the length has
  /// twice as many timers, which fire four times as often in total.
  @Test func moreLiveSubscriptionsAreExpectedToSendMore() {
    #expect(longer.eventDirection(1000, 4000, live: (10, 20)) == nil)
    #expect(shorter.eventDirection(4000, 1000, live: (20, 10)) == nil)
    #expect(longer.eventDirection(1000, 4000, live: (10, 10)) == .more)
    #expect(longer.eventDirection(1000, 7000, live: (10, 20)) == .more)
    // The lengths of the runs do not explain so many additional live subscriptions.
    #expect(same.eventDirection(1000, 4000, live: (10, 40)) == .more)
    #expect(longer.eventDirection(1000, 8000, live: (10, 400)) == .more)
  }

  @Test func aNegligibleRateIsIgnored() {
    let day = RunBounds(before: .seconds(86_400), after: .seconds(86_400))
    #expect(day.rateDirection(100, 300) == nil && day.direction(100, 300) == .more)
    #expect(day.rateDirection(10_000, 30_000) == .more)
  }

  @Test func aRunOfNoDurationIsOnlyComparedWithAnotherSuchRun() {
    let none = RunBounds(before: .zero, after: .zero)
    #expect(none.direction(1, 29) == .more && none.rateDirection(1, 29) == nil)
    let one = RunBounds(before: .zero, after: .seconds(5))
    #expect(one.direction(1, 29) == nil && one.rateDirection(1, 29) == nil)
  }

  // MARK: Failures

  private func ended(_ failed: UInt64, of all: UInt64, begun: UInt64? = nil) -> RunFigures {
    var figures = RunFigures()
    figures.endedByReason = [all - failed, failed, 0, 0, 0]
    figures.begun = begun ?? all
    return figures
  }

  @Test func noneOfThreeAndAllOfThreeDiffer() {
    #expect(same.failures(ended(0, of: 3), ended(3, of: 3)) == .more)
    #expect(same.failures(ended(0, of: 10), ended(5, of: 10)) == .more)
    #expect(same.failures(ended(20, of: 50), ended(1, of: 50)) == .less)
    // A subscription that has not ended has not failed, either.
    #expect(same.failures(ended(0, of: 0, begun: 3), ended(3, of: 3)) == .more)
  }

  @Test func fewFailuresAreChance() {
    #expect(same.failures(ended(0, of: 2), ended(2, of: 2)) == nil)
    #expect(same.failures(ended(1, of: 10), ended(3, of: 10)) == nil)
    #expect(same.failures(ended(0, of: 1000), ended(40, of: 1000)) == nil)
    #expect(same.failures(ended(0, of: 0), ended(3, of: 3)) == nil)
    #expect(same.failures(RunFigures(), ended(3, of: 3)) == nil)
  }

  @Test func failuresAtTheStartAreALargerShareOfAShorterRun() {
    #expect(shorter.failures(ended(50, of: 1000), ended(50, of: 500)) == nil)
    #expect(longer.failures(ended(50, of: 500), ended(50, of: 1000)) == nil)
  }

  // MARK: Durations

  @Test func lifetimesDifferByTwoPowersOfTwo() {
    func direction(_ before: Int, _ after: Int, _ count: UInt64 = 50) -> RunBounds.Direction? {
      same.lifetimes(
        .milliseconds(before),
        .milliseconds(after),
        count: (count, count),
        isLong: false
      )
    }
    #expect(direction(16, 32) == nil && direction(16, 64) == .more && direction(64, 16) == .less)
    #expect(direction(1, 8) == nil, "that is next to nothing")
    #expect(direction(16, 64, 19) == nil, "these are few")
  }

  @Test func aShorterRunCannotShowLongLifetimes() {
    func direction(_ bounds: RunBounds, _ before: Int, _ after: Int) -> RunBounds.Direction? {
      bounds.lifetimes(.seconds(before), .seconds(after), count: (50, 50), isLong: false)
    }
    #expect(direction(longer, 1, 9) == nil && direction(shorter, 9, 1) == nil)
    #expect(direction(same, 1, 9) == .more)
    let muchLonger = RunBounds(before: .seconds(50), after: .seconds(100))
    #expect(direction(muchLonger, 1, 9) == .more)
  }

  @Test func waitsAreComparedIfTheyAreLongAndNumerous() {
    func direction(_ before: Int, _ after: Int, _ count: UInt64, long: Bool) -> RunBounds.Direction?
    {
      same.waits(.milliseconds(before), .milliseconds(after), count: (count, 1000), isLong: long)
    }
    #expect(direction(1, 11, 20, long: false) == .more)
    #expect(direction(1, 10, 20, long: false) == nil && direction(1, 11, 19, long: false) == nil)
    #expect(direction(20, 35, 20, long: false) == nil)
    #expect(direction(1, 101, 300, long: true) == .more)
    #expect(direction(1, 11, 300, long: true) == nil && direction(1, 101, 299, long: true) == nil)
  }
}
