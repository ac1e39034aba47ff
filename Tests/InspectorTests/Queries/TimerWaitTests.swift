import ReactiveTrace
import Testing
import TraceFindings
import TraceModel

/// An armed timer is not pending work: neither its queue nor its subscription is stuck.
@Suite struct TimerWaitTests {
  /// A debounce of half a second, work that waits 300 ms for the queue, and work that still waits
  /// at the end.
  private static let text = """
    header state=stopped clock=monotonic slotBits=8 generation=1 startLevel=events processID=4711
    header programName="timers" lastSerial=4 stopTicks=3000000000
    header startTicks=1000000000 startMonotonic=1000000000 startRealtime=1700000000000000000
    header latestTicks=3000000000 latestMonotonic=3000000000 latestRealtime=1700000002000000000
    site 1 name="debounce" file="Timers/Field.swift" line=8 column=5 subscribed=1 \(timers)
    thread 1 systemID=4711 isMain=1 name="main"
    scheduler 1 name="main" kind=main scheduled=4 begun=4
    slot 2 serial=2 kind=subscription state=active site=1 scheduler=1 createdAt=1000000000
    segment 0 epoch=1 generation=1 baseTicks=1000000000 thread=1
      +0 subscribed subscription=514 site=1 downstream=0 serial=2 schedulerAndChain=4294967296
      +100000000 hop-scheduled hop=1 chain=0 scheduler=1 subscription=514
    \(armed)
      +100000000 hop-scheduled hop=2 chain=0 scheduler=1 subscription=514
      +400000000 hop-began hop=2 scheduler=1
      +401000000 hop-ended hop=2
      +600000000 hop-began hop=1 scheduler=1
      +601000000 hop-ended hop=1
      +1500000000 hop-scheduled hop=3 chain=0 scheduler=1 subscription=514
    """
  private static let timers = "timersArmed=1 timersEnded=1 timerFires=1"
  private static let armed =
    "  +100000000 timer-armed timer=771 site=1 subscription=514 serial=3 period=0 schedulerAndChain=4294967296"

  private func source(_ text: String = Self.text) throws -> StorySource {
    let file = try WrittenTrace(text)
    return StorySource(file: file, source: try TraceSource(path: file.path))
  }

  private func main(_ text: String = Self.text) throws -> QueueRow {
    var source = try source(text)
    _ = try source.inspection(at: .end)
    guard case .queues(let report) = try source.query(.queues(upTo: .seconds(2))) else {
      throw CancellationError()
    }
    return try #require(report.queues.first { $0.name == "main" })
  }

  @Test func anArmedTimerIsNotPendingWork() throws {
    let row = try main()
    #expect(row.waits?.count == 1 && row.waits?.longest == .milliseconds(300))
    #expect(row.waiting == 1 && row.mostWaiting == 1 && !row.isWaitingLeast)
    // Without the record of the timer, the work of the debounce counts as waiting, too.
    let other = try main(Self.text.replacingLine(Self.armed))
    #expect(other.mostWaiting == 2 && other.waits?.longest == .milliseconds(500))
  }

  @Test func countersShowPendingWorkOnlyWithoutTimers() throws {
    var source = try source()
    #expect(try source.inspection(at: .end).schedulers.first?.waiting == nil)
    var other = try self.source(
      Self.text.replacingLine(Self.armed).replacing(Self.timers, with: "")
    )
    #expect(try other.inspection(at: .end).schedulers.first?.waiting == 0)
  }

  @Test func anArmedTimerIsNotAStall() throws {
    var source = try source()
    let stall = try #require(try source.step(.stall, forward: true, from: .time(.zero)))
    #expect(stall.inspection.instant.time == .milliseconds(400))
    #expect(try source.step(.stall, forward: true, from: stall.position) == nil)
    var other = try self.source(Self.text.replacingLine(Self.armed))
    let last = try #require(try other.step(.stall, forward: false, from: .end))
    #expect(last.inspection.instant.time == .milliseconds(600))
  }

  @Test func theLaneOfAnArmedTimerDoesNotWait() throws {
    var source = try source()
    _ = try source.inspection(at: .end)
    let lane = MarbleLane.subscription(EntityKey(id: TraceID(rawValue: 514), serial: 2))
    let query = MarbleQuery(lanes: [lane], from: .zero, span: .seconds(1), columns: 10)
    guard case .marbles(let chart) = try source.query(.marbles(query)) else {
      throw CancellationError()
    }
    let waiting = chart.tracks[0].cells.map { $0.marks.contains(.waiting) }
    #expect(waiting.firstIndex(of: true) == 1 && waiting.lastIndex(of: true) == 4, "\(waiting)")
  }
}

extension String {
  fileprivate func replacingLine(_ line: String) -> String { replacing(line + "\n", with: "") }
}
