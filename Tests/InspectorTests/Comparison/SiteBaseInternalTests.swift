import Testing

@testable import TraceModel

/// Which line of another run a line is compared with.
@Suite struct SiteBaseInternalTests {
  /// Lines of one operator in a file, whose live counts are 1, 2, 3 and so on.
  private static func lines(_ numbers: [UInt32]) -> Inspection {
    var inspection = Inspection()
    inspection.sites = numbers.enumerated().map { place, line in
      var row = SiteRow()
      (row.id, row.name, row.file, row.line) = (UInt32(place) + 1, "map", "Feed.swift", line)
      row.live = UInt64(place) + 1
      return row
    }
    return inspection
  }

  @Test(
    arguments: [
      ([6, 7], [7, 8], [1, 2]), ([6, 7, 20], [6, 9, 22], [1, 2, 3]), ([5, 10], [5, 10], [1, 2]),
      ([5], [9], [1]), ([5, 10, 20], [10, 20, 30], [2, 3, nil]), ([5, 10], [10], [2]),
    ] as [([UInt32], [UInt32], [UInt64?])]
  )
  func linesThatHaveMovedTogetherAreComparedInTheirOrder(
    before: [UInt32],
    after: [UInt32],
    expected: [UInt64?]
  ) {
    let base = SiteBase(Self.lines(before), of: Self.lines(after), name: "A")
    #expect(after.indices.map { base.live[UInt32($0) + 1] ?? nil } == expected)
  }
}
