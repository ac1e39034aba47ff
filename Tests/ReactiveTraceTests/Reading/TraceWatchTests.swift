import Glibc
import Testing
import TracePlatform
import TraceReading

/// Tests `TraceWatch`, which repeatedly scans the directories of recordings.
@Suite struct TraceWatchTests {
  @Test func runningProgramsComeFirstThenTheLatestThenFilesThatAreNotTraces() throws {
    let folder = try TraceFolder()
    let start = try #require(SystemProcess.startTime(of: getpid()))
    try folder.add("a.rxtrace", [1, 2, 3])
    for (name, other, time) in [("b", 100, 10), ("c", 0, 20), ("d", 100, 30)] {
      let text = try TraceFolder.header(
        process: getpid(),
        start: start &+ UInt64(other),
        at: UInt64(time)
      )
      try folder.add("\(name).rxtrace", text: text)
    }
    try folder.add("e.txt", [1])
    var watch = TraceWatch([folder.path, "/nowhere", folder.path])
    let files = watch.refresh()
    #expect(
      files.map { $0.path.suffix(9) } == ["c.rxtrace", "d.rxtrace", "b.rxtrace", "a.rxtrace"]
    )
    #expect(files.map(\.status) == [.running, .died, .died, .elsewhere])
    guard case .failure(let error) = files[3].header else {
      Issue.record("three bytes are no trace")
      return
    }
    #expect(!error.message.isEmpty)
  }

  @Test func changesAreSeenAtTheNextScan() throws {
    let folder = try TraceFolder()
    var watch = TraceWatch([folder.path])
    #expect(watch.refresh().isEmpty)
    try folder.add("a.rxtrace", text: try TraceFolder.ownHeader(at: 10))
    #expect(watch.refresh().map(\.status) == [.running])
    // The same program has stopped recording.
    try folder.add("a.rxtrace", text: try TraceFolder.ownHeader(at: 10) + "\nheader state=stopped")
    #expect(watch.refresh().map(\.status) == [.stopped])
    folder.remove("a.rxtrace")
    #expect(watch.refresh().isEmpty)
  }

  @Test func countersAreThoseOfTheSnapshot() throws {
    let trace = try TemporaryFile(
      TraceText.assemble(
        """
        header state=stopped slotBits=8
        site 1 name="a" subscribed=7 ended.0=2 ended.2=1 eventsOfReleased=100
        site 2 name="b" subscribed=1 ended.1=5 eventsOfReleased=20
        slot 1 serial=1 kind=signal state=active site=1 eventCount=1000
        slot 2 serial=2 kind=subscription state=active site=1 eventCount=3
        slot 3 serial=3 kind=subscription state=active site=2 eventCount=4
        slot 4 serial=4 kind=owner state=active site=2 eventCount=1000
        mark 0 sequence=2 ticks=5 liveSubscriptions=2
        mark 1 sequence=2 ticks=9 liveSubscriptions=3
        mark 2 sequence=3 ticks=10 liveSubscriptions=50
        mark 3 sequence=2 ticks=11 kind=automatic liveSubscriptions=60
        """
      )
    )
    let reader = try TraceReader(path: trace.path)
    let counters = try reader.counters()
    #expect(counters.live == 4)
    #expect(counters.live == (try reader.snapshot()).sites.reduce(0) { $0 + $1.live })
    #expect(counters.events == 127)
    #expect(counters.liveAtMark == 3)
    #expect(counters.bytesRead > 0)
  }

  @Test func countersOfADamagedTraceDoNotCrash() throws {
    let trace = try TemporaryFile(
      TraceText.assemble(
        """
        header state=stopped slotBits=8
        site 1 subscribed=0xFFFFFFFFFFFFFFFF eventsOfReleased=0xFFFFFFFFFFFFFFFF
        site 2 subscribed=0xFFFFFFFFFFFFFFFF eventsOfReleased=0xFFFFFFFFFFFFFFFF ended.0=0xFFFFFFFFFFFFFFFF ended.1=2
        slot 1 serial=1 kind=subscription eventCount=0xFFFFFFFFFFFFFFFF
        """
      )
    )
    let reader = try TraceReader(path: trace.path)
    #expect(try reader.counters().liveAtMark == nil)
  }

  @Test func aRecordingIsReadOnceUnlessItChanges() throws {
    let folder = try TraceFolder()
    let text = try TraceFolder.ownHeader(at: 10) + "\nheader state=stopped"
    try folder.add("a.rxtrace", text: text + "\nsite 1 name=\"a\" subscribed=2")
    var watch = TraceWatch([folder.path])
    let first = ContinuousClock.now
    #expect(watch.refresh(at: first).first?.countedAt == first)
    #expect(watch.refresh(at: first + .seconds(5)).first?.countedAt == first)
    try folder.add("a.rxtrace", text: text + "\nsite 1 name=\"a\" subscribed=3")
    let changed = try #require(watch.refresh(at: first + .seconds(6)).first)
    #expect(changed.countedAt == first + .seconds(6))
    #expect(changed.counters?.live == 3)
  }

  @Test func countersOfARunningProgramAreReadAtEachScan() throws {
    let folder = try TraceFolder()
    try folder.add("a.rxtrace", text: try TraceFolder.ownHeader(at: 10) + "\nsite 1 subscribed=2")
    var watch = TraceWatch([folder.path])
    let first = ContinuousClock.now
    #expect(watch.refresh(at: first).first?.countedAt == first)
    #expect(watch.refresh(at: first + .seconds(1)).first?.countedAt == first + .seconds(1))
    // How soon the counters are read again depends on how many bytes a reading takes.
    #expect(watch.refresh(at: first + .seconds(1)).first?.countedAt == first + .seconds(1))
  }
}
