import Testing
import TraceReading

/// Where a recorder never leaves zeros, zeros mean that bytes were lost, not that they are unused.
@Suite struct LostTablesTests {
  private static let rows = 1...40

  /// Forty rows of every table, with a boot identifier and a generation for each slot's status, as
  /// a recorder writes them.
  private static func text(boot: Int = 1) -> String {
    var text =
      "header generation=1 bootIDHigh=\(boot) processNamespace=1 state=stopped programName=\"demo\"\n"
    for row in rows {
      text += "site \(row) name=\"map\" file=\"Demo/main.swift\" line=\(row) subscribed=3 ended.0=2"
      text += " released=2 signalsCreated=1 signalsReleased=1 ownersEnded=0\n"
      text +=
        "slot \(row) serial=\(row) kind=subscription state=active site=\(41 - row) createdAt=10"
      text += " statusGeneration=1\n"
      text += "scheduler \(row) name=\"queue \(row)\" kind=serialQueue scheduled=3 begun=2\n"
      text += "thread \(row) systemID=\(row) firstSeen=1 name=\"thread\"\n"
    }
    for mark in 0..<8 {
      text += "mark \(mark) sequence=2 ticks=\(mark + 1) kind=automatic siteCount=41"
      text += " liveSubscriptions=40 since=\(mark) residentSize=4096\n"
      for row in rows { text += "count \(mark) \(row) live=1 minimumLive=1\n" }
    }
    return text
  }

  /// Reads a recording in which some rows of a table are zeros.
  private func read(
    _ kind: RegionKind? = nil,
    _ rows: Range<Int> = 10..<20,
    boot: Int = 1
  ) throws -> TraceSnapshot {
    let file = try TemporaryFile(try TraceText.assemble(Self.text(boot: boot)))
    let whole = try TraceReader(path: file.path).snapshot()
    #expect(whole.lostEntries.isEmpty && whole.problems.isEmpty, "\(whole.problems)")
    guard let kind else { return whole }
    let region = try #require(whole.header.regions[kind])
    let size = Int(region.entrySize)
    let zeros = [UInt8](repeating: 0, count: rows.count * size)
    try file.overwrite(zeros, at: Int(region.offset) + rows.lowerBound * size)
    return try TraceReader(path: file.path).snapshot()
  }

  @Test func aWholeRecordingHasLostNothing() throws {
    let whole = try read()
    #expect(whole.slots.count == 40 && whole.marks.allSatisfy { !$0.hasLostCounts })
  }

  @Test func zeroedSitesAreLostRatherThanUnused() throws {
    let less = try read(.sites)
    let lost = less.sites.filter(\.isLost).map(\.index)
    // The end of the previous row may be lost, too, because it consists of zeros.
    #expect(lost == Array(9..<20) && less.lostEntries[.sites] == 11)
    #expect(less.sites[15].name == "?" && less.sites[20].name == "map")
    #expect(less.problems.contains { $0.message.contains("region 'sites' read as zeros") })
    #expect(less.firstLoss == nil)
  }

  @Test func zeroedSlotsAreLostRatherThanFree() throws {
    let less = try read(.slab)
    #expect(less.slots.count == 30 && less.lostEntries == [.slab: 10])
  }

  @Test(arguments: [RegionKind.schedulers, .threads])
  func lostSchedulersAndThreadsAreUnknown(kind: RegionKind) throws {
    let less = try read(kind)
    #expect(less.lostEntries[kind] ?? 0 >= 10)
    #expect(kind == .threads ? less.threads[15].name == "?" : less.schedulers[15].isLost)
    #expect(kind == .threads ? less.threads[20].name == "thread" : !less.schedulers[20].isLost)
  }

  @Test func zeroedMarksAreLost() throws {
    let less = try read(.marks, 2..<5)
    #expect(less.marks.map(\.index) == [0, 1, 5, 6, 7] && less.lostEntries[.marks] == 3)
  }

  /// Zeros are valid counts; the counts of all sites have to add up to the total of the mark.
  @Test func countsOfMarksAreLostIfTheirSumIsTooSmall() throws {
    let less = try read(.markCounts, 50..<60)
    #expect(less.marks.filter(\.hasLostCounts).map(\.index) == [1])
    #expect(less.marks[1].live.isEmpty && less.marks[2].live.count == 41)
    #expect(less.lostEntries == [.markCounts: 1])
  }

  /// The reader finds the strings that follow lost ones.
  @Test func stringsAfterLostStringsAreStillRead() throws {
    let long = (0..<8).map { "string \"\($0)\(String(repeating: "x", count: 900))\"\n" }.joined()
    let bytes = try TraceText.assemble(
      "header bootIDHigh=1 processNamespace=1 generation=1\n\(long)site name=\"last\" file=\"Demo/main.swift\" line=1\n"
    )
    let file = try TemporaryFile(bytes)
    let whole = try TraceReader(path: file.path).snapshot()
    let region = try #require(whole.header.regions[.strings])
    try file.overwrite([UInt8](repeating: 0, count: 4000), at: Int(region.offset) + 1000)
    let less = try TraceReader(path: file.path).snapshot()
    #expect(less.lostEntries[.strings] ?? 0 >= 3990)
    #expect(less.sites[1].name == "last")
    #expect(less.strings.allSatisfy { whole.strings[$0.key] == $0.value })
    #expect(less.strings.count == whole.strings.count - 5)
  }

  /// The last slot of a recording that was not stopped may have been about to be filled.
  @Test func aSlotThatWasNotFilledYetIsNotLost() throws {
    let text = Self.text().replacing(
      "state=stopped programName",
      with: "state=recording programName"
    )
    let file = try TemporaryFile(try TraceText.assemble(text))
    let whole = try TraceReader(path: file.path).snapshot()
    let region = try #require(whole.header.regions[.slab])
    try file.overwrite([UInt8](repeating: 0, count: 64), at: Int(region.offset) + 40 * 64)
    #expect(try TraceReader(path: file.path).snapshot().lostEntries.isEmpty)
    #expect(try read(.slab, 40..<41).lostEntries == [.slab: 1])
  }

  /// A trace that no recorder wrote is not checked for lost rows.
  @Test func aTraceThatNoRecorderWroteHasNoLostRows() throws {
    #expect(try read(.sites, boot: 0).lostEntries.isEmpty)
  }

  @Test func aTableOfRegionsThatLacksRowsIsALoss() throws {
    let file = try TemporaryFile(try TraceText.assemble(Self.text()))
    try file.overwrite([UInt8](repeating: 0, count: 14 * 64), at: 1024 + 2 * 64)
    #expect(try TraceReader(path: file.path).snapshot().firstLoss != nil)
  }
}
