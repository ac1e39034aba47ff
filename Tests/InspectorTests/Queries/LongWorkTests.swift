import Testing
import TraceFindings
import TraceModel

/// Work that was scheduled or began before the stretch that the screen Queues examines.
@Suite struct LongWorkTests {
  /// Work of the main queue that begins after five seconds, and work that waits behind it.
  private func text(endsAfter seconds: Int?) -> String {
    let end = seconds.map {
      """
          +\($0)000000000 hop-ended hop=1
          +\($0)000000000 hop-began hop=2 scheduler=1
          +\($0)500000000 hop-ended hop=2
      """
    }
    return """
      header state=stopped clock=monotonic slotBits=8 generation=1 startLevel=events processID=4711
      header programName="long" lastSerial=1 stopTicks=31000000000
      header startTicks=1000000000 startMonotonic=1000000000 startRealtime=1700000000000000000
      header latestTicks=31000000000 latestMonotonic=31000000000 latestRealtime=1700000030000000000
      site 1 name="subscribe" file="Long/Work.swift" line=8 column=5 subscribed=1
      thread 1 systemID=4711 isMain=1 name="main"
      scheduler 1 name="main" kind=main scheduled=2 begun=2
      slot 1 serial=1 kind=subscription state=active site=1 scheduler=1 createdAt=1000000000
      segment 0 epoch=1 generation=1 baseTicks=1000000000 thread=1
        +0 subscribed subscription=257 site=1 downstream=0 serial=1 schedulerAndChain=4294967296
        +4900000000 hop-scheduled hop=1 chain=0 scheduler=1 subscription=257
        +5000000000 hop-began hop=1 scheduler=1
        +6000000000 hop-scheduled hop=2 chain=0 scheduler=1 subscription=257
      \(end ?? "")
      """
  }

  private func main(_ text: String, at seconds: Int) throws -> (QueueRow, QueueAccount) {
    let file = try WrittenTrace(text)
    defer { withExtendedLifetime(file) {} }
    var source = try TraceSource(path: file.path)
    let end = Duration.seconds(seconds)
    _ = try source.inspection(at: .end)
    guard case .queues(let report) = try source.query(.queues(upTo: end)),
      case .account(let account) = try source.query(.account(.queue(1), upTo: end)),
      let queue = account.queue
    else { throw CancellationError() }
    return (try #require(report.queues.first { $0.name == "main" }), queue)
  }

  @Test func aQueueThatHasBeenBlockedForLongIsBusy() throws {
    let (row, account) = try main(text(endsAfter: nil), at: 30)
    #expect(row.occupancy == 1)
    #expect(row.begun == 0 && row.waiting == 1 && !row.isWaitingLeast)
    #expect(row.runs?.longest == .seconds(25))
    #expect(account.running.map(\.number) == [1])
    #expect(account.waiting.map(\.number) == [2] && account.recent.isEmpty)
  }

  @Test func onlyThePartOfALongRunInTheStretchCounts() throws {
    let (row, account) = try main(text(endsAfter: 18), at: 20)
    #expect(try #require(row.occupancy) == 0.85)
    #expect(row.begun == 1 && row.waiting == 0 && row.mostWaiting == 1)
    #expect(row.waits?.longest == .seconds(12))
    #expect(row.runs?.longest == .seconds(13))
    #expect(account.running.isEmpty)
    #expect(account.recent.map(\.number) == [2, 1])
  }
}
