import Glibc
import Testing

@testable import ReactiveTrace
import TraceReading

/// A recording takes only the space of its contents on the disk, and so do its copies, which have
/// the same contents.
@Suite(.serialized) struct CompactCopyTests {
  /// Records something for every table: several pages of sites, stacks, threads and marks.
  private static func record() {
    let scheduler = Tracer.scheduler(named: "queue", kind: .serialQueue)
    for round in 0..<6 {
      let ids = (0..<40).map {
        Recording.subscription("map", line: UInt32(round * 40 + $0 + 1))
      }
      for id in ids {
        Tracer.next(id)
        let hop = Tracer.hopScheduled(scheduler: scheduler, subscription: id)
        Tracer.hopEnded(hop, Tracer.hopBegan(hop))
      }
      let many = ids.indices.map { index in
        Tracer.signalCreated(
          site: Recording.site("just"),
          argument: index % 2 == 0 ? .integer(round * 40 + index) : .text("\(round), \(index)")
        )
      }
      _ = Tracer.signalCreated(
        site: Recording.site("merge"),
        upstream: many[0],
        others: Array(many.dropFirst())
      )
      for id in ids.dropFirst(round * 6) { Tracer.ended(id, .completed) }
      Recording.onThreads(3) { _ in Tracer.next(ids[0]) }
      Trace.mark("round \(round)")
    }
  }

  private static func size(_ path: String) -> (length: Int, onDisk: Int) {
    var status = stat()
    guard stat(path, &status) == 0 else { return (0, 0) }
    return (Int(status.st_size), Int(status.st_blocks) * 512)
  }

  private static func expectSame(_ copy: TraceSnapshot, _ whole: TraceSnapshot) {
    #expect(copy.problems == [] && copy.missingSegments == 0)
    #expect(copy.records.map(\.number) == whole.records.map(\.number))
    #expect(copy.records.map(\.ticks) == whole.records.map(\.ticks))
    #expect(copy.records.map(\.argument) == whole.records.map(\.argument))
    #expect(copy.strings.filter { whole.strings[$0.key] != nil } == whole.strings)
    #expect(copy.slots.map(\.id) == whole.slots.map(\.id))
    #expect(copy.slots.map(\.moreUpstreams) == whole.slots.map(\.moreUpstreams))
    #expect(copy.slots.map(\.argument) == whole.slots.map(\.argument))
    #expect(copy.arguments == whole.arguments && whole.arguments.count > 240)
    #expect(copy.sites.map(\.name) == whole.sites.map(\.name))
    #expect(copy.sites.map(\.subscribed) == whole.sites.map(\.subscribed))
    #expect(copy.chains.map(\.frames) == whole.chains.map(\.frames))
    #expect(copy.schedulers.map(\.name) == whole.schedulers.map(\.name))
    #expect(copy.threads.map(\.systemID) == whole.threads.map(\.systemID))
    #expect(copy.images.map(\.path) == whole.images.map(\.path))
    #expect(copy.marks.map(\.name) == whole.marks.map(\.name))
    #expect(copy.marks.map(\.live) == whole.marks.map(\.live))
    #expect(copy.marks.map(\.minimumLive) == whole.marks.map(\.minimumLive))
    #expect(whole.marks.contains { $0.live.contains { $0 > 0 } })
  }

  @Test func aRecordingTakesOnlyTheSpaceOfItsContents() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 64 << 20)
      Self.record()
      let (length, onDisk) = Self.size(try #require(Trace.path))
      #expect(length > 90 << 20)
      #expect(onDisk < 1 << 20, "\(onDisk)")
      #expect(try Recording.snapshot().problems == [])
    }
  }

  @Test func aSnapshotHasTheSameContentsAndIsShort() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 64 << 20)
      Self.record()
      let path = "/tmp/rxtrace-test-\(getpid())-copy.rxtrace"
      defer { unlink(path) }
      try Trace.snapshot(to: path)
      Self.expectSame(try TraceReader(path: path).snapshot(), try Recording.snapshot())
      #expect(Self.size(path).length < 1 << 20)
    }
  }

  @Test(arguments: [RecordingMode.ring, .stream])
  func aPackedTraceHasTheSameContentsAndIsShort(mode: RecordingMode) async {
    await #expect(processExitsWith: .success) { [mode = mode.rawValue as UInt32] in
      let mode = try #require(RecordingMode(rawValue: mode))
      var options = TraceOptions()
      options.size = mode == .ring ? 64 << 20 : 512 << 10
      options.mode = mode
      options.path = "/tmp/rxtrace-test-\(getpid()).rxtrace"
      let path = "/tmp/rxtrace-test-\(getpid())-copy.rxtrace"
      try Trace.start(options)
      defer { for path in [path, options.path ?? ""] { unlink(path) } }
      let id = Recording.subscription()
      for _ in 0..<(mode == .stream ? 100_000 : 0) { Tracer.next(id) }
      Self.record()
      Trace.stop()
      let whole = try TraceReader(path: try #require(options.path))
      try SymbolEmbedding.write([], of: whole, to: path)
      let snapshot = try whole.snapshot()
      #expect((snapshot.header.regions[.tail]?.used ?? 0 > 0) == (mode == .stream))
      Self.expectSame(try TraceReader(path: path).snapshot(), snapshot)
      #expect(Self.size(path).length < (mode == .ring ? 1 << 20 : 4 << 20))
      // The packed trace is packed once more.
      try SymbolEmbedding.write([], of: try TraceReader(path: path), to: path)
      Self.expectSame(try TraceReader(path: path).snapshot(), snapshot)
    }
  }

  @Test func aNormalExitShortensTheFile() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/ended.rxtrace"
    await #expect(processExitsWith: .success) { [path = path as String] in
      try Recording.start(size: 64 << 20, path: path)
      Self.record()
    }
    let ended = try TraceReader(path: path).snapshot()
    #expect(ended.problems == [] && ended.header.state == .stopped)
    #expect(ended.header.stopTicks != nil)
    #expect(ended.marks.filter { $0.kind == .program }.count == 6)
    #expect(ended.sites.count > 240)
    #expect(Self.size(path).length < 1 << 20)
    #expect(Files.names(in: directory.path) == ["ended.rxtrace"])
  }

  /// The file was moved away, and another one was put in its place.
  @Test func aNormalExitDoesNotTouchAFileThatReplacedTheRecording() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/ended.rxtrace"
    await #expect(processExitsWith: .success) { [path = path as String] in
      try Recording.start(path: path)
      Self.record()
      rename(path, path + ".moved")
      close(open(path, O_CREAT | O_WRONLY, 0o600))
    }
    #expect(Self.size(path).length == 0)
    #expect(try TraceReader(path: path + ".moved").snapshot().header.state == .stopped)
  }

  /// A recording that is too large to be copied while the program ends is cut off after its last
  /// segment.
  @Test func aNormalExitCutsOffTheUnusedEndOfALongRecording() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/ended.rxtrace"
    await #expect(processExitsWith: .success) { [path = path as String] in
      try Recording.start(size: 64 << 20, path: path)
      let id = Recording.subscription()
      for _ in 0..<1_300_000 { Tracer.next(id) }
    }
    let ended = try TraceReader(path: path).snapshot()
    #expect(ended.problems == [] && ended.records(.next).count == 1_300_000)
    let length = Self.size(path).length
    #expect(length > 20 << 20 && length < 60 << 20, "\(length)")
  }
}
