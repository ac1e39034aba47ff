import Glibc
@testable import ReactiveTrace
import Testing
import TracePlatform
import TraceReading

/// Tests the recorder while the thread that appends to the file is blocked.
@Suite(.serialized) struct StreamTailInternalTests {
  private static func send(_ count: Int, _ id: TraceID) {
    for index in 0..<count {
      if index % 8 == 0 { Tracer.tick() }
      Tracer.next(id)
    }
  }

  /// The recorder finds the flags by their order rather than by key paths, whose offsets Swift
  /// computes when they are first used.
  ///
  /// If another thread is computing them when the process forks, the child, which does not have
  /// that thread, would wait for them forever.
  @Test func theFlagsAreAtTheOffsetsOfTheirOrder() {
    let offsets = [
      MemoryLayout<StreamTail.State>.offset(of: \.isOn),
      MemoryLayout<StreamTail.State>.offset(of: \.hasNews),
      MemoryLayout<StreamTail.State>.offset(of: \.waiting),
      MemoryLayout<StreamTail.State>.offset(of: \.isStalled),
      MemoryLayout<StreamTail.State>.offset(of: \.count),
    ]
    #expect(StreamTail.Flag.allCases == [.isOn, .hasNews, .waiting, .isStalled, .count])
    #expect(offsets == StreamTail.Flag.allCases.map { $0.rawValue * 4 })
  }

  /// A disk that does not respond is simulated by holding the lock, as the writer would.
  @Test func aFileThatDoesNotRespondBlocksNoThread() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      let tail = try #require(Recorder.current).pointee.tail
      let ids = (0..<4).map { _ in Recording.subscription() }
      tail.lock.lock()
      Recording.onThreads(4) { Self.send(20_000, ids[$0]) }
      let stalled = try Recording.snapshot()
      #expect(stalled.problems == [], "\(stalled.problems)")
      #expect(stalled.header.tailState == .growing)
      #expect(stalled.header.recycledSegments > 0, "what had to be overwritten is counted")
      #expect((stalled.firstExactGeneration ?? 0) > 1)
      let slots = stalled.slots.filter { $0.kind == .subscription }
      #expect(slots.allSatisfy { $0.eventCount == 20_000 })

      // The disk responds again: from here on, nothing more is lost.
      tail.lock.unlock()
      Self.send(20_000, ids[0])
      let before = try Recording.snapshot().header.recycledSegments
      Recording.onThreads(4) { Self.send(20_000, ids[$0]) }
      let now = try Recording.snapshot()
      #expect(now.header.recycledSegments == before)
      #expect(now.problems == [], "\(now.problems)")
    }
  }

  /// Forking takes the recorder's locks, but not the lock of a thread that waits for a disk.
  @Test func aForkDoesNotWaitForTheFile() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      let id = Recording.subscription()
      let tail = try #require(Recorder.current).pointee.tail
      tail.lock.lock()
      let status = try inChild { tail.isOn ? 1 : 0 }
      #expect(status == 0, "the child leaves the file to its parent")
      #expect(tail.isOn)
      tail.lock.unlock()
      Self.send(60_000, id)
      let now = try Recording.snapshot()
      #expect(now.header.recycledSegments == 0)
      #expect(now.records(.next).map(\.argument) == Array(1...60_000))
    }
  }

  /// A thread that is cancelled while it writes would never release the lock.
  @Test func aThreadCannotBeCancelledWhileItWritesToTheFile() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      let tail = try #require(Recorder.current).pointee.tail
      var wasEnabled = CInt(-1)
      tail.uninterrupted {
        var state = CInt(-1)
        pthread_setcancelstate(CInt(PTHREAD_CANCEL_DISABLE), &state)
        wasEnabled = state
      }
      #expect(wasEnabled == CInt(PTHREAD_CANCEL_DISABLE), "it cannot be cancelled there")
      var after = CInt(-1)
      pthread_setcancelstate(CInt(PTHREAD_CANCEL_ENABLE), &after)
      #expect(after == CInt(PTHREAD_CANCEL_ENABLE), "and can be afterwards")
    }
  }
}
