import Glibc
import ReactiveTrace
import Testing
import TraceReading

@Suite struct StopTests {
  private static func contents() throws -> [UInt8] {
    let path = try #require(Trace.path)
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8 << 20)
    let count = read(file, &bytes, bytes.count)
    return Array(bytes[..<max(0, count)])
  }

  @Test func leavesTheFileAloneWhenStopped() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let id = Recording.subscription()
      let queue = Tracer.scheduler(named: "q", kind: .main)
      let hop = Tracer.hopScheduled(scheduler: queue, subscription: id)
      let timer = Tracer.timerArmed(
        site: Recording.site("interval"),
        subscription: id,
        microseconds: 1,
        scheduler: queue
      )
      Trace.stop()
      #expect(!Tracer.isOn)
      #expect(Trace.level == .off)
      let header = try Recording.snapshot().header
      #expect(header.state == .stopped)
      #expect(header.stopTicks.map { $0 > header.start.ticks } == true)
      let before = try StopTests.contents()
      #expect(!before.isEmpty)
      let outer = Tracer.hopBegan(hop)
      Tracer.turnBegan(id)
      Tracer.next(id)
      Tracer.turnEnded(id)
      Tracer.depth(id, 8)
      Tracer.refused(id, .next)
      Tracer.hopEnded(hop, outer)
      Tracer.timerReturned(timer, Tracer.timerFired(timer))
      Tracer.timerEnded(timer, .cancelled)
      #expect(Recording.subscription() == .none)
      Tracer.disposeRequested(id)
      Tracer.ended(id, .cancelled)
      Tracer.subscriptionReleased(id)
      Trace.mark("unheard")
      Trace.level = .graph
      Trace.stop()
      let isUnchanged = try StopTests.contents() == before
      #expect(isUnchanged)
    }
  }

  @Test func entitiesThatEndWhileStoppedHaveEndedWhenRecordingResumes() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      var options = TraceOptions()
      options.size = 1 << 20
      options.path = Trace.path
      let ended = Recording.subscription()
      let released = Recording.subscription()
      let kept = Recording.subscription()
      let signal = Tracer.signalCreated(site: Recording.site("create"))
      let timer = Tracer.timerArmed(
        site: Recording.site("interval"),
        subscription: .none,
        microseconds: 1,
        scheduler: 0
      )
      Trace.stop()
      Tracer.ended(ended, .failed)
      Tracer.ended(released, .completed)
      Tracer.subscriptionReleased(released)
      Tracer.signalReleased(signal)
      Tracer.timerEnded(timer, .completed)
      try Trace.start(options)
      #expect(Tracer.isOn)
      let now = try Recording.snapshot()
      #expect(now.header.state == .recording)
      #expect(now.header.stopTicks == nil)
      #expect(now.slot(ended)?.state == .ended)
      #expect(now.slot(released) == nil)
      #expect(now.slot(kept)?.state == .active)
      #expect(now.slot(signal) == nil)
      #expect(now.slot(timer) == nil)
      let row = try #require(now.site("map"))
      #expect(row.live == 1)
      #expect(row.ended[Int(EndReason.failed.rawValue)] == 1)
      #expect(row.ended[Int(EndReason.completed.rawValue)] == 1)
      #expect(now.site("interval")?.timersEnded == 1)
      Tracer.next(kept)
      #expect(try Recording.snapshot().record(.next)?.id == kept.rawValue)
    }
  }

  @Test func noEndIsLostWhileRecordingResumes() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(level: .graph)
      let isOver = Counter()
      Recording.onThreads(3) { index in
        if index == 0 {
          for _ in 0..<200 {
            Trace.stop()
            sched_yield()
            do { try Trace.start(Recording.options(level: .graph)) } catch { Issue.record(error) }
          }
          return isOver.add()
        }
        while isOver.value == 0 {
          let ids = (0..<50).map { _ in Recording.subscription() }
          for id in ids { Tracer.ended(id, .cancelled) }
          for id in ids { Tracer.subscriptionReleased(id) }
        }
      }
      let now = try Recording.snapshot()
      #expect(!now.slots.contains { $0.kind == .subscription })
    }
  }

  @Test func doesNotStartWithOtherOptions() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let error = #expect(throws: TraceError.self) { try Trace.start() }
      #expect(error?.code == .alreadyStarted)
      #expect(error?.path == Trace.path)
      Trace.stop()
      #expect(throws: TraceError.self) { try Trace.start() }
    }
  }

  @Test func changesTheLevelWhileItRuns() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let id = Recording.subscription()
      Trace.level = .graph
      #expect(Trace.level == .graph)
      Tracer.next(id)
      Trace.level = .off
      #expect(!Tracer.isOn)
      Tracer.next(id)
      #expect(Recording.subscription() == .none)
      Tracer.ended(id, .completed)
      Trace.level = .events
      let other = Recording.subscription()
      Tracer.next(other)
      let now = try Recording.snapshot()
      #expect(now.records(.levelChanged).map(\.id) == [1, 0, 2])
      #expect(now.records(.next).map(\.id) == [other.rawValue])
      // The slot shows the end of the subscription, although nothing was recorded at that time.
      #expect(now.slot(id)?.state == .ended)
      #expect(now.slot(id)?.eventCount == 1)
      #expect(now.site("map")?.live == 1)
    }
  }

  @Test func staysBelowTheHighestLevel() async {
    await #expect(processExitsWith: .success) {
      var options = TraceOptions()
      options.size = 256 << 10
      options.level = .graph
      options.maximumLevel = .graph
      options.path = "/tmp/rxtrace-test-\(getpid()).rxtrace"
      try Trace.start(options)
      Trace.level = .events
      #expect(Trace.level == .graph)
      unlink("/tmp/rxtrace-test-\(getpid()).rxtrace")
    }
  }

  @Test func stopsWhenTheProgramEnds() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/ended.rxtrace"
    await #expect(processExitsWith: .success) { [path = path as String] in
      try Recording.start(path: path)
      Tracer.next(Recording.subscription())
    }
    let trace = try TraceReader(path: path).snapshot()
    #expect(trace.processStatus == .stopped)
    #expect(trace.header.stopTicks != nil)
    #expect(trace.record(.next) != nil)
  }
}
