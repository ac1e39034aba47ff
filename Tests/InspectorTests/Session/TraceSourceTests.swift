import Foundation
import Glibc
import Testing

@testable import ReactiveTrace
import TraceFindings
import TraceModel
import TracePlatform

@Suite struct TraceSourceTests {
  /// A program with one live subscription to `map` that has received `events` events after `second`
  /// seconds.
  private func text(
    process: Int32 = 4711,
    level: Int = 2,
    events: Int = 3,
    second: Int = 1,
    extra: String = ""
  ) -> String {
    let boot = SystemProcess.bootID() ?? (0, 0)
    let ticks = 1000 + second * 1_000_000_000
    return """
      header state=recording clock=monotonic startTicks=1000 startMonotonic=1000 startRealtime=1700000000000000000
      header latestTicks=\(ticks) latestMonotonic=\(ticks) latestRealtime=1700000000000000000 latestSequence=2
      header processID=\(process) processStart=\(SystemProcess.startTime(of: process) ?? 1) programName="app"
      header processNamespace=\(SystemProcess.namespace() ?? 0) bootIDHigh=\(boot.high) bootIDLow=\(boot.low)
      header control=\(level) startLevel=\(level) lastSerial=2
      region slab capacity=8
      string "map"
      string "App/Main.swift"
      site name="map" file="App/Main.swift" line=11 column=8 signalsCreated=1 subscribed=1
      slot 1 serial=1 kind=signal state=active site=1 createdAt=1100 depth=1
      slot 2 serial=2 kind=subscription state=active site=1 signal=257 createdAt=1200 lastEventAt=1600 eventCount=\(events)
      segment baseTicks=1000 baseMonotonic=1000
        +100 signal-created signal=257 site=1 upstream=0 serial=1
        +200 subscribed subscription=514 site=1 downstream=0 serial=2 signal=257
        +300 next subscription=514 sequence=1
      \(extra)

      """
  }

  // MARK: The process

  @Test func theEndOfAProcessIsNoticedAndItsTraceIsKept() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/cat")
    let input = Pipe()
    process.standardInput = input
    try process.run()
    let trace = try WrittenTrace(text(process: process.processIdentifier))
    var source = try TraceSource(path: trace.path)
    #expect(try source.inspection(at: .end).program.status == .running)

    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    let program = source.program()
    guard case .died(let ago) = program.status else {
      Issue.record("\(program.status), not gone")
      return
    }
    #expect(try #require(ago) >= .zero)
    let text = program.statusText
    #expect(text.hasPrefix("process \(process.processIdentifier) crashed or was killed, "))
    #expect(text.contains(" ago; rxtop explain FILE crash"))
    let inspection = try source.inspection(at: .end)
    #expect(inspection.subscriptions.count == 1)
    #expect(inspection.program.statusText.contains(" ago; rxtop explain FILE crash"))
    guard case .died(let later) = inspection.program.status else {
      Issue.record("\(inspection.program.status), not gone")
      return
    }
    #expect(try #require(later) >= (try #require(ago)))
  }

  @Test func aProcessNeverSeenRunningEndedAtAnUnknownTime() throws {
    // The kernel numbers processes up to 2^22, so this number belongs to none.
    let trace = try WrittenTrace(text(process: 1 << 23))
    var source = try TraceSource(path: trace.path)
    let program = try source.inspection(at: .end).program
    #expect(program.status == .died(ago: nil))
    #expect(program.statusText.contains("crashed or was killed"))
  }

  // MARK: The file

  @Test func dataIsKeptWhenTheFileIsDeletedOrEmptied() throws {
    let trace = try WrittenTrace(text())
    var source = try TraceSource(path: trace.path)
    let before = try source.inspection(at: .end)
    #expect(before.program.problems.isEmpty)
    try trace.truncate()
    unlink(trace.path)
    for position in [Position.end, .time(.nanoseconds(250)), .end] {
      let inspection = try source.inspection(at: position)
      #expect(inspection.subscriptions.map(\.key) == before.subscriptions.map(\.key))
      #expect(inspection.program.name == "app")
      let problem = try #require(inspection.program.problems.last)
      #expect(problem.hasPrefix("'\(trace.path)'"))
      #expect(problem.hasSuffix("; what was read before is kept"))
    }
    #expect(source.program().problems.last?.hasSuffix("; what was read before is kept") == true)
    #expect(try source.step(.event, forward: false, from: .end) != nil)
  }

  @Test func aFileThatBecomesReadableAgainIsRead() throws {
    let trace = try WrittenTrace(text())
    var source = try TraceSource(path: trace.path)
    try trace.truncate()
    #expect(try source.inspection(at: .end).program.problems.count == 1)
    try trace.write(text())
    #expect(try source.inspection(at: .end).program.problems.isEmpty)
  }

  /// A stream is truncated after it was read.
  ///
  /// Its records were not copied from the file, so the records that are cut off become unknown.
  @Test func aTruncatedStreamShowsLessButNothingDifferent() throws {
    let trace = try WrittenTrace(
      """
      header state=stopped clock=monotonic mode=stream tailState=growing lastEpoch=3 lastSerial=1
      site 1 name="subject" file="App/Main.swift" line=10
      slot 1 serial=1 kind=subscription state=active site=1 createdAt=1001 eventCount=3
      segment 0 epoch=3 baseTicks=3000 generation=2
        +2 next subscription=257 sequence=3
      tail 0 epoch=1 baseTicks=1000 generation=1
        +1 subscribed subscription=257 site=1 downstream=0 serial=1
        +2 next subscription=257 sequence=1
      tail 1 epoch=2 baseTicks=2000 generation=1
        +1 next subscription=257 sequence=2

      """
    )
    var source = try TraceSource(path: trace.path)
    let whole = try source.inspection(at: .time(.nanoseconds(2500)))
    #expect(whole.instant.isExact && whole.instant.event != nil)
    try trace.cut(by: 65_536)
    let cut = try source.inspection(at: .time(.nanoseconds(2500)))
    #expect(!cut.instant.isExact)
    #expect(!cut.program.problems.isEmpty)
  }

  @Test func aFileThatIsNotATraceIsRefusedWithASentence() throws {
    for path in ["/nowhere.rxtrace", "/dev/null", "/etc/hostname"] {
      let error = #expect(throws: TraceError.self) { try TraceSource(path: path) }
      #expect(error?.description.hasPrefix("'\(path)'") == true)
    }
  }

  // MARK: Positions

  @Test func theEndOfARunningProgramMovesAndItsPastStays() throws {
    let trace = try WrittenTrace(text())
    var source = try TraceSource(path: trace.path)
    let end = try source.inspection(at: .end)
    let event = try #require(end.events.last?.number)
    try trace.write(text(events: 4, extra: "  +900 next subscription=514 sequence=2"))
    let past = try source.inspection(at: .event(event))
    #expect(past.instant.event == event && !past.instant.isEnd)
    let next = try #require(try source.step(.event, forward: true, from: .event(event)))
    #expect(next.inspection.instant.event != event)
    let now = try source.inspection(at: .end)
    #expect(now.subscriptions.first?.events == 4)
    #expect(now.instant.isEnd)
  }

  @Test func aTimeAfterTheRecordsReadSoFarIsReadFromARunningProgram() throws {
    let trace = try WrittenTrace(text(process: getpid()))
    var source = try TraceSource(path: trace.path)
    let early = try source.inspection(at: .time(.nanoseconds(250)))
    #expect(early.program.status == .running)
    try trace.write(
      text(
        process: getpid(),
        events: 4,
        second: 3,
        extra: "  +900 next subscription=514 sequence=2"
      )
    )
    let late = try source.inspection(at: .time(.seconds(2)))
    #expect(late.subscriptions.first?.events == 2)
    #expect(late.program.duration == .seconds(3))
  }

  @Test func aMissingEventOrMarkIsReported() throws {
    let trace = try WrittenTrace(text())
    var source = try TraceSource(path: trace.path)
    let event = #expect(throws: TraceError.self) { try source.inspection(at: .event(99_999_999)) }
    #expect(event?.message.hasPrefix("event #99999999 is not in the trace") == true)
    let mark = #expect(throws: TraceError.self) { try source.inspection(at: .mark(7)) }
    #expect(mark?.message.hasPrefix("mark 7 is not in the trace") == true)
  }

  @Test func countersProvideRatesIfRecordsDoNot() throws {
    let trace = try WrittenTrace(text(process: 1 << 23, level: 1, events: 3, second: 1))
    var source = try TraceSource(path: trace.path)
    let first = try source.inspection(at: .end)
    #expect(first.subscriptions.first?.rate == nil)
    try trace.write(text(process: 1 << 23, level: 1, events: 43, second: 3))
    let second = try source.inspection(at: .end)
    #expect(second.subscriptions.first?.rate == 20)
    #expect(second.site(1)?.rate == 20)
  }

  @Test func aMissingChainHasNoLines() throws {
    let trace = try WrittenTrace(text())
    var source = try TraceSource(path: trace.path)
    #expect(source.backtrace(of: 0).isEmpty)
    #expect(source.backtrace(of: .max).isEmpty)
  }
}
