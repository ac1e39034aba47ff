import Glibc
import ReactiveTrace
import Testing
import TraceReading

@Suite(.serialized) struct StreamTests {
  /// Records values of one subscription, numbered from 1.
  private static func send(_ count: Int, _ id: TraceID) {
    for index in 0..<count {
      if index % 8 == 0 { Tracer.tick() }
      Tracer.next(id)
    }
  }

  @Test func keepsRecordsThatTheRingHasOverwritten() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      let id = Recording.subscription()
      Self.send(60_000, id)
      let now = try Recording.snapshot()
      #expect(now.header.mode == .stream && now.header.tailState == .growing)
      #expect(now.header.recycledSegments == 0)
      #expect(now.problems == [])
      #expect(now.firstExactGeneration == 1)
      #expect(now.records(.next).map(\.argument) == Array(1...60_000), "whole and in order")
      #expect(now.segments.count(where: \.isInTail) > 8, "the ring has four segments")
      #expect(now.segments.contains { !$0.isInTail }, "the last ones are in the ring only")
      #expect(now.records.first?.kind == .signalCreated)
    }
  }

  @Test func isFollowedWhileItGrows() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      let id = Recording.subscription()
      let reader = try TraceReader(path: try #require(Trace.path))
      Recording.onThreads(2) { index in
        guard index == 1 else { return Self.send(200_000, id) }
        do {
          var followed = try reader.snapshot()
          while followed.records(.next).count < 200_000 {
            try reader.update(&followed)
            #expect(followed.problems == [], "\(followed.problems)")
            #expect(followed.missingSegments == 0)
            let sent = followed.records(.next).map(\.argument)
            #expect(sent.isEmpty || sent == Array(1...UInt32(sent.count)))
            if followed.problems != [] { return }
          }
        } catch {
          Issue.record("\(error)")
        }
      }
    }
  }

  /// Nothing is lost even if threads record faster than the file can be written, because a thread
  /// that finds no free segment appends one.
  @Test(arguments: [256 << 10, 1 << 20])
  func severalThreadsLoseNothing(size: Int) async {
    await #expect(processExitsWith: .success) { [size = size as Int] in
      try Recording.stream(size: size)
      let ids = (0..<8).map { _ in Recording.subscription() }
      Recording.onThreads(8) { Self.send(20_000, ids[$0]) }
      let now = try Recording.snapshot()
      #expect(now.header.lostRecords == 0)
      #expect(now.header.recycledSegments == 0)
      #expect(now.firstExactGeneration == 1)
      #expect(now.problems == [], "\(now.problems)")
      #expect(now.gaps == [], "\(now.gaps)")
      for id in ids {
        let sent = now.records(.next).filter { $0.id == id.rawValue }.map(\.argument)
        #expect(sent == Array(1...20_000), "\(id) whole and in order")
      }
    }
  }

  /// Segments that ended threads leave partly filled are appended, too, before they are reused.
  @Test func threadsThatComeAndGoLoseNothing() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      let ids = (0..<6).map { _ in Recording.subscription() }
      for round in 0..<60 {
        Recording.onThreads(6) { Self.send(200 * (1 + round % 7), ids[$0]) }
      }
      let now = try Recording.snapshot()
      #expect(now.header.lostRecords == 0)
      #expect(now.header.recycledSegments == 0)
      #expect(now.problems == [], "\(now.problems)")
      #expect(now.gaps == [], "\(now.gaps)")
      for id in ids {
        let sent = now.records(.next).filter { $0.id == id.rawValue }.map(\.argument)
        #expect(sent == Array(1...46_800), "\(id) whole and in order")
      }
    }
  }

  @Test func aFileAtItsLimitContinuesAsARing() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream(limit: 2 << 20)
      let id = Recording.subscription()
      Self.send(200_000, id)
      Self.expectEnded(try Recording.snapshot(), .limitReached, 0, after: 200_000)
      var status = stat()
      #expect(stat(try #require(Trace.path), &status) == 0)
      #expect(status.st_size <= 2 << 20)
    }
  }

  /// Even a thread that is waiting for the file when the limit is reached continues.
  @Test func severalThreadsContinueWhenTheFileReachesItsLimit() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream(limit: 2 << 20)
      let ids = (0..<8).map { _ in Recording.subscription() }
      Recording.onThreads(8) { Self.send(30_000, ids[$0]) }
      let now = try Recording.snapshot()
      #expect(now.header.tailState == .limitReached && now.header.tailError == 0)
      #expect(now.header.lostRecords == 0)
      #expect(now.header.recycledSegments > 0, "the loss is counted")
      #expect((now.firstExactGeneration ?? 0) > 1)
      #expect(now.problems == [], "\(now.problems)")
      for id in ids { #expect(now.slot(id)?.eventCount == 30_000) }
      let last = try #require(now.records(.next).last)
      #expect(now.isExact(last))
    }
  }

  /// Unless the recorder prevents it, the kernel ends a program with a signal when it writes beyond
  /// this limit.
  @Test func aFileThatMayNotGrowContinuesAsARing() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      var limit = rlimit(rlim_cur: 2 << 20, rlim_max: 2 << 20)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let id = Recording.subscription()
      Self.send(200_000, id)
      Self.expectEnded(try Recording.snapshot(), .failed, EFBIG, after: 200_000)
    }
  }

  @Test func aFullDiskHurtsNeitherTheProgramNorTheTrace() async throws {
    let directory = try TemporaryDirectory()
    guard mount("tmpfs", directory.path, "tmpfs", 0, "size=4m") == 0 else {
      // Only root may mount file systems; the size limit in the previous test covers the same code.
      return
    }
    defer { umount2(directory.path, Int32(MNT_DETACH)) }
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try Recording.stream(path: path + "/full.rxtrace")
      let id = Recording.subscription()
      Self.send(400_000, id)
      Self.expectEnded(try Recording.snapshot(), .failed, ENOSPC, after: 400_000)
    }
  }

  private static func expectEnded(
    _ now: TraceSnapshot,
    _ state: TailState,
    _ error: Int32,
    after count: UInt32
  ) {
    #expect(now.header.tailState == state)
    #expect(now.header.tailError == error)
    #expect(now.problems == [], "\(now.problems)")
    #expect(now.header.recycledSegments > 0, "the loss is counted")
    #expect((now.firstExactGeneration ?? 0) > 1)
    let end = now.record(.tailEnded)
    // The record of the end is in the ring, which may have overwritten it.
    #expect(end == nil || end?.id == state.rawValue)
    let sent = now.records(.next).map(\.argument)
    #expect(sent.starts(with: 1...20_000), "the tail keeps what it has")
    #expect(sent.last == count, "the ring goes on to the end")
    #expect(now.gaps == [])
  }

  /// A daemon closes descriptors that it does not know, such as the recorder's, and may then get
  /// the same number for one of its own files.
  @Test func neverWritesIntoAnotherFile() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      let path = try #require(Trace.path)
      var status = stat()
      #expect(stat(path, &status) == 0)
      let inode = status.st_ino
      let mine = open("/tmp/rxtrace-test-\(getpid()).other", O_RDWR | O_CREAT | O_EXCL, 0o600)
      unlink("/tmp/rxtrace-test-\(getpid()).other")
      for descriptor in Int32(3)..<256 where fstat(descriptor, &status) == 0 {
        if status.st_ino == inode { dup2(mine, descriptor) }
      }
      let id = Recording.subscription()
      Self.send(100_000, id)
      #expect(fstat(mine, &status) == 0 && status.st_size == 0)
      let now = try Recording.snapshot()
      #expect(now.header.tailState == .failed && now.header.tailError == EBADF)
    }
  }

  @Test func aProgramThatClosesAllDescriptorsBeforeItExitsKeepsItsTail() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/ended.rxtrace"
    await #expect(processExitsWith: .success) { [path = path as String] in
      try Recording.stream(path: path)
      let id = Recording.subscription()
      Self.send(60_000, id)
      var status = stat()
      #expect(stat(path, &status) == 0)
      let inode = status.st_ino
      for descriptor in Int32(3)..<256 where fstat(descriptor, &status) == 0 {
        if status.st_ino == inode { close(descriptor) }
      }
    }
    let ended = try TraceReader(path: path).snapshot()
    #expect(ended.problems == [] && ended.header.state == .stopped)
    #expect(ended.records(.next).map(\.argument) == Array(1...60_000))
  }

  @Test func aReaderWithLittleRoomKeepsTheLatest() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      let id = Recording.subscription()
      Self.send(100_000, id)
      let reader = try TraceReader(path: try #require(Trace.path), recordLimit: 10_000)
      let now = try reader.snapshot()
      #expect(now.records.last?.argument == 100_000)
      #expect(now.records.count < 20_000)
      #expect(now.droppedRecords + UInt64(now.records.count) >= 100_000)
      #expect(now.problems == [])
    }
  }

  @Test func theTextFormKeepsTheTail() async {
    await #expect(processExitsWith: .success) {
      try Recording.stream()
      let id = Recording.subscription()
      Self.send(30_000, id)
      Trace.stop()
      let path = try #require(Trace.path)
      let text = TraceText.dump(try TraceReader(path: path))
      let again = try TemporaryFile(try TraceText.assemble(text))
      let copy = try TraceReader(path: again.path).snapshot()
      let original = try Recording.snapshot()
      #expect(copy.problems == [], "\(copy.problems)")
      #expect(copy.records.count == original.records.count)
      #expect(copy.records.map(\.number) == original.records.map(\.number))
      #expect(copy.header.tailState == .growing)
    }
  }
}

extension Recording {
  /// Starts a stream with the smallest ring by default.
  static func stream(size: Int = 256 << 10, limit: Int = 0, path: String? = nil) throws {
    var options = TraceOptions()
    options.size = size
    options.mode = .stream
    options.limit = limit
    options.path = path ?? "/tmp/rxtrace-test-\(getpid()).rxtrace"
    try reportingErrors { try Trace.start(options) }
    if path == nil { atexit { _ = unlink("/tmp/rxtrace-test-\(getpid()).rxtrace") } }
  }
}
