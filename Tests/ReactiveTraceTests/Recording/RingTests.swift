import CReactiveTraceShims
import Glibc
import Testing

@testable import ReactiveTrace
import TraceReading

@Suite struct RingTests {
  @Test func staysGaplessWhenItWraps() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let ids = (0..<10).map { _ in Recording.subscription() }
      for round in 0..<12_000 {
        Tracer.tick()
        for id in ids { Tracer.next(id) }
        // The depth of one subscription (the number of values that it holds) is recorded only in
        // some of the generations, the stretches of a trace that can be read separately.
        if round % 3000 == 0 { Tracer.depth(ids[3], round) }
      }
      let now = try Recording.snapshot()
      #expect(now.header.recycledGeneration > 3)
      #expect(now.header.generation > now.header.recycledGeneration)
      #expect(now.header.lostRecords == 0)
      #expect(now.problems == [])
      #expect(now.missingSegments == 0)
      #expect(now.gaps == [])
      #expect(now.records.count > Layout.Segment.recordCapacity * 2)
      for id in ids {
        let last = now.records(.next).last { $0.id == id.rawValue }
        #expect(last?.argument == 12_000)
        #expect(now.slot(id)?.eventCount == 12_000)
      }
    }
  }

  @Test func beginsEachGenerationWithTheStatus() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let ids = (0..<5).map { _ in Recording.subscription() }
      for _ in 0..<20_000 { for id in ids { Tracer.next(id) } }
      Tracer.ended(ids[0], .completed)
      let now = try Recording.snapshot()
      var known: Set<[UInt64]> = []
      for record in now.records where record.entity != .none && now.isExact(record) {
        let key = [record.generation, UInt64(record.id)]
        if known.insert(key).inserted { #expect(record.kind == .entityStatus) }
      }
      #expect(known.count > ids.count)
      let status = try #require(
        now.records(.entityStatus).last { $0.id == ids[1].rawValue }?.status
      )
      let slot = try #require(now.slot(ids[1]))
      #expect(status.serial == slot.serial && status.createdAt == slot.createdAt)
      #expect(status.kind == .subscription && status.state == .active && status.site == slot.site)
      #expect(status.signal.rawValue == slot.signal)
      #expect(status.eventCount <= slot.eventCount && status.eventCount > 0)
    }
  }

  @Test func sealsASegmentThatIsTooOldForItsDeltas() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let id = Recording.subscription()
      Tracer.next(id)
      // This pretends that the segment was begun so long ago that the time since then no longer
      // fits into a record.
      let (_, thread) = try #require(Recorder.enter())
      thread.pointee.time_limit = thread.pointee.time
      Recorder.leave(thread)
      Tracer.tick()
      Tracer.next(id)
      let now = try Recording.snapshot()
      #expect(now.segments.count == 2)
      #expect(now.segments.map(\.state) == [.sealed, .current])
      #expect(now.gaps == [])
      #expect(now.records.map(\.ticks) == now.records.map(\.ticks).sorted())
    }
  }

  @Test func countsDroppedRecords() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let id = Recording.subscription()
      // These calls behave as if a signal handler that interrupts the recorder made them.
      let (_, thread) = try #require(Recorder.enter())
      for _ in 0..<3 { Tracer.completed(id) }
      Tracer.subscriptionReleased(id)
      Recorder.leave(thread)
      #expect(try Recording.snapshot().header.lostRecords == 4)
      Tracer.completed(id)
      Tracer.completed(id)
      let now = try Recording.snapshot()
      #expect(now.record(.recordsLost)?.id == 4)
      #expect(now.records.suffix(3).map(\.kind) == [.recordsLost, .completed, .completed])
      #expect(now.header.lost[.segments] == 4)
      #expect(now.threads[1].lost == 4)
      #expect(now.segments.map(\.lost) == [4])
      #expect(now.slot(id) != nil)
    }
  }

  @Test func keepsTheLatestClockReadings() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let id = Recording.subscription()
      let first = try Recording.snapshot().header.latest
      for _ in 0..<(2 * Layout.Segment.recordCapacity) { Tracer.next(id) }
      let header = try Recording.snapshot().header
      #expect(header.latest.ticks > first.ticks)
      #expect(header.latest.monotonic > first.monotonic)
      #expect(header.latest.realtime >= first.realtime)
      #expect(header.start.ticks <= first.ticks)
    }
  }
}
