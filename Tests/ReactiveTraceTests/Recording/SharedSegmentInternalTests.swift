import Glibc
import Synchronization
import Testing

@testable import ReactiveTrace
import TracePlatform
import TraceReading

@Suite(.serialized) struct SharedSegmentInternalTests {
  /// A record in the shared segment, which is for threads without a segment of their own, may get a
  /// later time than its thread has read, namely the time of the record before it.
  ///
  /// If the thread then gets its own segment and writes its next record there without reading the
  /// clock again, that record must not get an earlier time.
  @Test func aThreadThatLeavesTheSharedSegmentContinuesInOrder() async {
    await #expect(processExitsWith: .success) {
      // There are four segments, of which threads may own two.
      try Recording.start(size: 256 << 10)
      let pool = try #require(Recorder.current).pointee.pool
      let stage = Stage()
      Recording.onThreads(4) { index in
        switch index {
        case 0:
          // These records take more than one segment, so that all four are in use in the end.
          let id = Recording.subscription()
          for _ in 0..<5000 { Tracer.next(id) }
          stage.next(1)
          stage.wait(for: 5)
        case 1:
          stage.wait(for: 1)
          Tracer.next(Recording.subscription())
          stage.next(2)
          stage.wait(for: 5)
        case 2:
          stage.wait(for: 2)
          let id = Recording.subscription(line: 2)
          Tracer.next(id)
          stage.next(3)
          stage.wait(for: 4)
          Tracer.next(id)
          stage.next(5)
          while pool.lock.withLock({ pool.state.pointee.owned }) > 0 { sched_yield() }
          Tracer.next(id)
          #expect(pool.lock.withLock { pool.state.pointee.owned } == 1, "it has one of its own")
        default:
          stage.wait(for: 3)
          Tracer.next(Recording.subscription())
          Tracer.tick()
          Tracer.next(Recording.subscription())
          stage.next(4)
        }
      }
      let now = try Recording.snapshot()
      let site = now.sites.first { $0.line == 2 }?.index
      let slot = try #require(now.slots.first { $0.kind == .subscription && $0.site == site })
      let sent = now.records(.next).filter { $0.id == slot.id.rawValue }
      #expect(sent.map(\.argument) == [1, 2, 3])
      #expect(now.gaps == [], "\(now.gaps)")
    }
  }
}

/// The stage that the threads have reached.
private final class Stage: Sendable {
  private let number = Atomic<Int>(0)

  func next(_ new: Int) { number.store(new, ordering: .sequentiallyConsistent) }

  func wait(for stage: Int) {
    while number.load(ordering: .sequentiallyConsistent) < stage { sched_yield() }
  }
}
