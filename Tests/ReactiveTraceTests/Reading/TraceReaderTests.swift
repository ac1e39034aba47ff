import Testing
import TraceReading

@Suite struct TraceReaderTests {
  // MARK: Contents

  @Test func decodesEveryTable() throws {
    let snapshot = try read(try Fixture.named("whole").bytes())
    let header = snapshot.header
    #expect(header.state == .stopped && header.stopTicks == 3_001_000)
    #expect(header.programName == "watchtower" && header.executablePath == "/usr/bin/watchtower")
    #expect(header.processID == 4242 && header.architecture == .x86_64)
    #expect(header.startLevel == .events && header.level == .events && header.stackMode == .hops)

    let map = snapshot.sites[2]
    #expect(map.name == "map" && map.file == "App/Main.swift" && map.line == 11 && map.column == 8)
    #expect(map.subscribed == 2 && map.ended == [0, 0, 1, 0, 0] && map.live == 1)
    #expect(map.lifetimes.count == 48 && map.lifetimes[20] == 1)
    #expect(snapshot.sites[1].traits == .hot && snapshot.sites[3].traits == .timer)

    let subscription = try #require(snapshot.slots.first { $0.kind == .subscription })
    #expect(subscription.id == TraceID(rawValue: 9 << 8 | 3) && subscription.serial == 9)
    #expect(subscription.state == .active && subscription.scheduler == 1)
    #expect(subscription.signal == 514 && subscription.eventCount == 3 && subscription.chain == 1)

    #expect(snapshot.chains[2].frames == [0x403000] && snapshot.chains[2].parent == 1)
    #expect(snapshot.chains[1].frames == [0x401000, 0x402000] && !snapshot.chains[1].isCut)
    #expect(snapshot.schedulers[1].name == "main" && snapshot.schedulers[1].kind == .main)
    #expect(snapshot.threads[1].isMain && snapshot.threads[2].name == "worker")
    #expect(snapshot.images[0].buildID == [0xDE, 0xAD, 0xBE, 0xEF])
    #expect(snapshot.marks[0].name == "start" && snapshot.marks[0].live == [0, 0, 1])
    #expect(snapshot.string(0) == "" && snapshot.string(1) != "" && snapshot.string(9999) == "?")
  }

  @Test func ordersRecordsByTimeAndCause() throws {
    let snapshot = try read(try Fixture.named("whole").bytes())
    #expect(
      snapshot.records.map(\.kind) == [
        .signalCreated, .signalCreated, .subscribed, .timerArmed, .hopScheduled, .hopBegan, .mark,
        .next, .next, .next, .hopEnded,
      ]
    )
    #expect(snapshot.records.map(\.thread) == [1, 1, 1, 1, 1, 2, 1, 2, 2, 2, 2])
  }

  @Test func decodesRecords() throws {
    let records = try read(try Fixture.named("whole").bytes()).records
    let signal = TraceID(rawValue: 514)
    let subscription = TraceID(rawValue: 2307)
    let creation = try #require(records[1].signalCreation)
    #expect(
      creation.upstream == TraceID(rawValue: 257) && creation.serial == 2 && creation.site == 2
    )
    let subscribing = try #require(records[2].subscribing)
    #expect(subscribing.signal == signal && subscribing.serial == 9 && subscribing.site == 2)
    #expect(subscribing.downstream == .none && subscribing.scheduler == 1 && subscribing.chain == 1)
    let timer = try #require(records[3].timerArming)
    #expect(timer.subscription == subscription && timer.microseconds == 1000 && timer.serial == 5)
    let hop = try #require(records[4].hopScheduling)
    #expect(
      hop.hop == 7 && hop.chain == 2 && hop.scheduler == 1 && hop.subscription == subscription
    )
    #expect(records[4].entity == .none && records[2].entity == subscription)
    #expect(records[2].signalCreation == nil && records[2].site == 2 && records[4].site == nil)
  }

  @Test func decodesAStatus() throws {
    let text = """
      segment
        +1 status entity=259 site=4 kindAndState=0x30102 serial=1 link=7 createdAt=99 signalOrDepth=514 eventCount=12
        +2 status entity=260 site=4 kindAndState=0x101 serial=1 link=7 createdAt=99 signalOrDepth=3 eventCount=0
        +3 status entity=261 site=4 kindAndState=0x1FF serial=1 link=7 createdAt=99 signalOrDepth=3 eventCount=0
      """
    let records = try read(try TraceText.assemble(text)).records
    let status = try #require(records[0].status)
    #expect(status.kind == .subscription && status.state == .active && status.scheduler == 3)
    #expect(status.signal == TraceID(rawValue: 514) && status.number == 0 && status.site == 4)
    #expect(
      status.link == TraceID(rawValue: 7) && status.createdAt == 99 && status.eventCount == 12
    )
    let other = try #require(records[1].status)
    #expect(other.kind == .signal && other.signal == .none && other.number == 3)
    #expect(records[2].status == nil)
  }

  @Test func measuresTimeBetweenTwoReadings() throws {
    let snapshot = try read(try Fixture.named("whole").bytes())
    // The clock readings of this trace are only a millisecond apart, too short a time for the
    // reader to compute a rate, so the rate is set here.
    var measured = snapshot
    measured.nanosecondsPerTick = 0.5
    #expect(measured.nanoseconds(from: 3000) == 1000)
    #expect(measured.nanoseconds(from: 500) == -250)
    #expect(measured.realtime(of: 3000) == 1_700_000_000_000_001_000)
    #expect(measured.realtime(of: 500) == 1_699_999_999_999_999_750)
  }

  @Test func findsTheRateOfTheCycleCounter() throws {
    let text = """
      header clock=cycles startTicks=1000 startMonotonic=5000000000
      header latestTicks=2250001000 latestMonotonic=6000000000 latestSequence=4
      segment
      """
    let snapshot = try read(try TraceText.assemble(text))
    #expect(abs(snapshot.nanosecondsPerTick - 1 / 2.25) < 1e-9)
    #expect(abs(snapshot.nanoseconds(from: 2_250_001_000) - 1e9) < 1)
  }

  @Test func recordsOfASharedSegmentHaveTheirThreads() throws {
    let text = """
      segment thread=0
        +1 thread thread=3
        +2 completed subscription=5
        +3 thread thread=4
        +4 completed subscription=6
      """
    #expect(try read(try TraceText.assemble(text)).records.map(\.thread) == [3, 3, 4, 4])
  }

  @Test func readsTheRecordsOfOneSegment() throws {
    let file = try TemporaryFile(try Fixture.named("whole").bytes())
    let reader = try TraceReader(path: file.path)
    let segments = try reader.segments()
    #expect(segments.map(\.epoch) == [1, 2])
    #expect(reader.records(of: segments[1])?.count == 5)
    #expect(reader.records(of: segments[0])?.map(\.number).first == 1 << 12)
    #expect(reader.record(1 << 12 | 4)?.kind == .subscribed)
    #expect(reader.record(1 << 12 | 1) == nil)
    #expect(reader.record(3 << 12) == nil && reader.record(.max) == nil)
    // Another epoch means that the segment has been recycled since.
    var stale = segments[1]
    stale.epoch = 77
    #expect(reader.records(of: stale) == nil)
  }

  @Test func refusesPathsThatAreNotRegularFiles() {
    let missing = #expect(throws: TraceError.self) { try TraceReader(path: "/nowhere/at/all") }
    #expect(missing?.code == .system && missing?.description.contains("'/nowhere/at/all'") == true)
    let folder = #expect(throws: TraceError.self) { try TraceReader(path: "/tmp") }
    #expect(folder?.code == .notATrace)
    let device = #expect(throws: TraceError.self) { try TraceReader(path: "/dev/null") }
    #expect(device?.code == .notATrace)
  }

  private func read(_ bytes: [UInt8]) throws -> TraceSnapshot {
    let file = try TemporaryFile(bytes)
    return try TraceReader(path: file.path).snapshot()
  }
}
