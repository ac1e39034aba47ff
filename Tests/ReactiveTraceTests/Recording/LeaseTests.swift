import CReactiveTraceShims
import Glibc
import ReactiveTrace
import Testing
import TraceReading

/// Tests leases, by which another process raises the level of a recording for a time.
@Suite(.serialized) struct LeaseTests {
  private static func start(_ level: TraceLevel, max: TraceLevel = .events) throws -> String {
    var options = TraceOptions()
    options.size = 256 << 10
    options.level = level
    options.startupSize = 0
    options.maximumLevel = max
    options.path = "/tmp/rxtrace-test-\(getpid()).rxtrace"
    try Recording.reportingErrors { try Trace.start(options) }
    atexit { _ = unlink("/tmp/rxtrace-test-\(getpid()).rxtrace") }
    return try #require(Trace.path)
  }

  @Test func raisesTheLevelAndRestoresIt() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.start(.graph)
      let id = Recording.subscription()
      Tracer.next(id)
      #expect(try Recording.snapshot().records(.next).isEmpty)
      let lease = try TraceLease.take(path: path, level: .events)
      Tracer.tick()
      Tracer.next(id)
      #expect(Trace.level == .events)
      var now = try Recording.snapshot()
      #expect(now.records(.next).count == 1)
      #expect(now.header.baseLevel == .graph && now.header.level == .events)
      lease.release()
      Tracer.tick()
      Tracer.next(id)
      now = try Recording.snapshot()
      #expect(now.records(.next).count == 1)
      #expect(Trace.level == .graph)
      #expect(now.records(.levelChanged).map(\.id) == [2, 1])
      #expect(now.records(.levelChanged).map(\.argument) == [UInt32(getpid()), 0])
    }
  }

  @Test func expiresByItself() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.start(.graph)
      let id = Recording.subscription()
      let start = rxt_monotonic_ns()
      let lease = try TraceLease.take(path: path, level: .events, seconds: 0.1)
      Tracer.next(id)
      // The calls of the recorder notice the expiry themselves, by the time that they read anyway.
      while Trace.level == .events, rxt_monotonic_ns() - start < 60_000_000_000 {
        Tracer.tick()
        Tracer.next(id)
      }
      #expect(Trace.level == .graph)
      #expect(rxt_monotonic_ns() - start > 90_000_000)
      let count = try Recording.snapshot().slot(id)?.eventCount
      let before = try Recording.snapshot().records.count
      Tracer.next(id)
      #expect(try Recording.snapshot().records.count == before, "no event any more")
      #expect(try Recording.snapshot().slot(id)?.eventCount == count.map { $0 + 1 })
      withExtendedLifetime(lease) {}
    }
  }

  @Test func aLeaseThatExpiresBeforeAnyTracedCallRaisesNothing() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.start(.graph)
      let lease = try TraceLease.take(path: path, level: .events)
      #expect(Trace.level == .events)
      // This gives the lease a time of expiry that has passed.
      let file = open(path, O_WRONLY)
      var expiry: UInt64 = 2
      let place = Layout.FileHeader.leases + Layout.Lease.expiry.offset
      try #require(pwrite(file, &expiry, 8, off_t(place)) == 8)
      close(file)
      // The first call of any thread reads a time at which the lease has expired.
      let id = Recording.subscription()
      Tracer.next(id)
      #expect(Trace.level == .graph)
      #expect(try Recording.snapshot().records(.next).isEmpty)
      withExtendedLifetime(lease) {}
    }
  }

  @Test func lastsWhileItIsRenewed() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.start(.graph)
      let id = Recording.subscription()
      let lease = try TraceLease.take(path: path, level: .events, seconds: 0.2)
      let start = rxt_monotonic_ns()
      while rxt_monotonic_ns() - start < 500_000_000 {
        try lease.renew()
        Tracer.tick()
        Tracer.next(id)
        #expect(Trace.level == .events)
      }
    }
  }

  @Test func theHighestOfSeveralLeasesApplies() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.start(.graph, max: .values)
      let id = Recording.subscription()
      let low = try TraceLease.take(path: path, level: .events)
      let high = try TraceLease.take(path: path, level: .values)
      Tracer.next(id)
      #expect(Trace.level == .values)
      high.release()
      Tracer.next(id)
      #expect(Trace.level == .events)
      // The program's own level stays lower, and applies again when the leases are released.
      Trace.level = .graph
      #expect(Trace.level == .events)
      low.release()
      Tracer.next(id)
      #expect(Trace.level == .graph)
    }
  }

  @Test func isRefusedIfItIsNotAllowed() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.start(.graph, max: .events)
      let tooHigh = #expect(throws: TraceError.self) {
        try TraceLease.take(path: path, level: .values)
      }
      #expect(tooHigh?.description.contains("max=values") == true)
      var leases: [TraceLease] = []
      for _ in 0..<4 { leases.append(try TraceLease.take(path: path, level: .events)) }
      let tooMany = #expect(throws: TraceError.self) {
        try TraceLease.take(path: path, level: .events)
      }
      #expect(tooMany?.description.contains("four others") == true)
      leases.removeLast()
      _ = try TraceLease.take(path: path, level: .events)
      Trace.level = .off
      let off = #expect(throws: TraceError.self) {
        try TraceLease.take(path: path, level: .events)
      }
      #expect(off?.description.contains("switched recording off") == true)
      Trace.stop()
      let stopped = #expect(throws: TraceError.self) {
        try TraceLease.take(path: path, level: .events)
      }
      #expect(stopped?.description.contains("process that runs") == true)
    }
  }

  @Test(arguments: ["processStart=1", "bootIDLow=1", "processNamespace=1", "processID=1"])
  func isRefusedForAnotherProcess(field: String) async throws {
    await #expect(processExitsWith: .success) { [field = field as String] in
      let path = try Self.start(.graph)
      Trace.stop()
      var text = TraceText.dump(try TraceReader(path: path))
      text += "set header.state 1\nset header.\(field.replacing("=", with: " "))\n"
      let other = try TemporaryFile(try TraceText.assemble(text))
      #expect(throws: TraceError.self) { try TraceLease.take(path: other.path, level: .events) }
    }
  }
}
