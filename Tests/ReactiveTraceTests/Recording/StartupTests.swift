import Glibc
import ReactiveTrace
import Testing
import TraceReading

/// At level `graph`, events are recorded only during startup.
@Suite(.serialized) struct StartupTests {
  private static func start(_ startup: Int?, max: TraceLevel = .events) throws {
    var options = Recording.options(size: 256 << 10, level: .graph)
    options.startupSize = startup
    options.maximumLevel = max
    let chosen = options
    try Recording.reportingErrors { try Trace.start(chosen) }
    atexit { _ = unlink("/tmp/rxtrace-test-\(getpid()).rxtrace") }
  }

  /// Sends until the level is lowered, and returns the number of events; 0 if it never was.
  private static func sendUntilItEnds(_ id: TraceID) -> UInt64 {
    for count in 1...(32 << 10) {
      Tracer.tick()
      Tracer.next(id)
      if Trace.level == .graph { return UInt64(count) }
    }
    return 0
  }

  @Test func eventsAreRecordedDuringTheStartupAndOnlyCountedAfterIt() async {
    await #expect(processExitsWith: .success) {
      try Self.start(nil)
      var header = try Recording.snapshot().header
      #expect(header.startLevel == .events && header.baseLevel == .events)
      let id = Recording.subscription()
      let sent = Self.sendUntilItEnds(id)
      // The startup lasts until a quarter of the ring is full. A record takes 16 bytes, and most of
      // the records are these events.
      #expect((2000...(64 << 10) / 16 + 1024).contains(sent), "\(sent)")
      for _ in 0..<100 { Tracer.next(id) }
      let snapshot = try Recording.snapshot()
      header = snapshot.header
      #expect(header.startLevel == .events)
      #expect(header.baseLevel == .graph && header.level == .graph)
      let events = snapshot.records(.next)
      #expect(UInt64(events.count) == sent)
      let change = try #require(snapshot.records(.levelChanged).first)
      #expect(snapshot.records(.levelChanged).count == 1)
      #expect(change.id == TraceLevel.graph.rawValue && change.argument == 0)
      #expect(events.allSatisfy { $0.number < change.number })
      #expect(snapshot.slot(id)?.eventCount == sent + 100)
    }
  }

  @Test func settingTheLevelEndsTheStartup() async {
    await #expect(processExitsWith: .success) {
      try Self.start(nil)
      #expect(Trace.level == .events)
      Trace.level = .graph
      let id = Recording.subscription()
      Tracer.next(id)
      #expect(try Recording.snapshot().records(.next).isEmpty)
      Trace.level = .events
      let before = Self.sendUntilItEnds(id)
      #expect(before == 0, "what the program asks for later is no startup")
    }
  }

  @Test func aReleasedLeaseDoesNotEndTheStartup() async {
    await #expect(processExitsWith: .success) {
      try Self.start(nil)
      let id = Recording.subscription()
      let lease = try TraceLease.take(path: try #require(Trace.path), level: .events)
      Tracer.next(id)
      lease.release()
      Tracer.next(id)
      #expect(try Recording.snapshot().records(.next).count == 2)
      #expect(Self.sendUntilItEnds(id) > 1000)
    }
  }

  @Test(arguments: [(0, TraceLevel.events), (1 << 20, .graph)])
  func thereIsNoStartupIfItIsNotRequestedOrNotAllowed(_ startup: Int, _ max: TraceLevel) async {
    await #expect(processExitsWith: .success) {
      [startup = startup as Int, max = max.rawValue as UInt32] in
      try Self.start(startup, max: #require(TraceLevel(rawValue: max)))
      #expect(Trace.level == .graph)
      Tracer.next(Recording.subscription())
      let snapshot = try Recording.snapshot()
      #expect(snapshot.header.startLevel == .graph)
      #expect(snapshot.records(.next).isEmpty && snapshot.records(.levelChanged).isEmpty)
    }
  }
}
