import Glibc
@testable import ReactiveTrace
import Testing
import TracePlatform
import TraceReading

@Suite(.serialized) struct SnapshotTests {
  private static func read(_ path: String) throws -> TraceSnapshot {
    defer { unlink(path) }
    return try TraceReader(path: path).snapshot()
  }

  private static var path: String { "/tmp/rxtrace-test-\(getpid())-copy.rxtrace" }

  @Test func aSnapshotIsTheTraceAtThatTime() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let ids = (0..<50).map { Recording.subscription("map", line: UInt32($0)) }
      for id in ids { Tracer.next(id) }
      Trace.mark("half")
      let before = try Recording.snapshot()
      try Trace.snapshot(to: Self.path)
      for id in ids { Tracer.ended(id, .completed) }
      let copy = try Self.read(Self.path)
      #expect(copy.problems == [])
      #expect(copy.header.state == .stopped && copy.header.stopTicks != nil)
      #expect(copy.records.map(\.number) == before.records.map(\.number))
      #expect(copy.slots.map(\.serial) == before.slots.map(\.serial))
      #expect(copy.slots.allSatisfy { $0.state != .ended })
      #expect(copy.marks.last?.name == "half")
      #expect(copy.strings == before.strings)
    }
  }

  @Test func aSnapshotIsWholeWhileOthersRecord() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 512 << 10)
      let ids = (0..<3).map { _ in Recording.subscription() }
      let isEnough = Counter()
      Recording.onThreads(4) { index in
        if index == 3 {
          defer { isEnough.add() }
          for _ in 0..<20 {
            do {
              try Trace.snapshot(to: Self.path)
              let copy = try Self.read(Self.path)
              #expect(copy.problems == [], "\(copy.problems)")
              #expect(copy.missingSegments == 0)
              #expect(copy.gaps == [] || copy.gaps == ["no values"], "\(copy.gaps)")
            } catch {
              Issue.record("\(error)")
            }
          }
        } else {
          while isEnough.value == 0 {
            Tracer.tick()
            for _ in 0..<8 { Tracer.next(ids[index]) }
            let signal = Tracer.signalCreated(site: Recording.site("of"))
            Tracer.signalReleased(signal)
          }
        }
      }
    }
  }

  /// A segment that was just handed out counts, although it is still empty.
  @Test func countsASegmentWithoutRecords() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      Tracer.next(Recording.subscription())
      let given = try #require(Recorder.enter())
      let cursor = given.recorder.pointee.pool.lock.withLock {
        given.recorder.pointee.pool.take(thread: 0, base: given.recorder.pointee.clock.now)
      }
      Recorder.leave(given.thread)
      #expect(cursor != nil)
      try Trace.snapshot(to: Self.path)
      let copy = try Self.read(Self.path)
      #expect(copy.problems == [] && copy.missingSegments == 0)
    }
  }

  @Test func aStreamIsCopiedWithItsTail() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      let id = Recording.subscription()
      for _ in 0..<50_000 { Tracer.next(id) }
      try Trace.snapshot(to: Self.path)
      let copy = try Self.read(Self.path)
      #expect(copy.problems == [])
      #expect(copy.records(.next).count == 50_000)
    }
  }

  @Test func saysWhyItCannotBeMade() async {
    await #expect(processExitsWith: .success) {
      #expect(throws: TraceError.self) { try Trace.snapshot(to: Self.path) }
      try Recording.start()
      let file = try TemporaryFile([1, 2, 3])
      let error = #expect(throws: TraceError.self) { try Trace.snapshot(to: file.path) }
      #expect(error?.description.contains("File exists") == true)
      #expect(error?.path == file.path)
      var status = stat()
      #expect(stat(file.path, &status) == 0 && status.st_size == 3, "the file is left alone")
    }
  }

  @Test func aUnixSignalMakesASnapshot() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      var options = TraceOptions()
      options.size = 256 << 10
      options.snapshotsOnSignal = true
      options.path = directory.path + "/live.rxtrace"
      try Trace.start(options)
      Tracer.next(Recording.subscription())
      let copy = directory.path + "/live-1.rxtrace"
      kill(getpid(), SIGUSR2)
      var found: TraceSnapshot?
      // Another thread writes the copy, which is not a trace until it has its magic number.
      let deadline = time(nil) + 60
      while found == nil, time(nil) < deadline {
        found = try? TraceReader(path: copy).snapshot()
        if found == nil { sched_yield() }
      }
      #expect(found?.records(.next).count == 1)
      #expect(found?.header.state == .stopped)
    }
  }

  @Test func aUnixSignalThatTheProgramHandlesMakesNoSnapshot() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      signal(SIGUSR2) { _ in }
      let directory = try TemporaryDirectory()
      var options = TraceOptions()
      options.size = 256 << 10
      options.snapshotsOnSignal = true
      options.path = directory.path + "/live.rxtrace"
      try Trace.start(options)
      kill(getpid(), SIGUSR2)
      #expect(Files.names(in: directory.path) == ["live.rxtrace"])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("'snapshot=usr2' is ignored"))
  }
}
