import Glibc
import ReactiveTrace
import Testing
import TraceReading

@Suite(.serialized) struct ForkTests {
  @Test func leavesTheParentsFileAlone() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let id = Recording.subscription()
      Tracer.next(id)
      let before = try Recording.snapshot()
      let status = try inChild {
        guard !Tracer.isOn, Trace.path == nil else { return 1 }
        for _ in 0..<10_000 { Tracer.next(id) }
        Tracer.turnBegan(id)
        Tracer.ended(id, .failed)
        Tracer.subscriptionReleased(id)
        guard Recording.subscription() == .none else { return 2 }
        // The thread sanitizer ends a forked child that makes threads.
        if dlsym(nil, "__tsan_init") == nil {
          Recording.onThreads(2) { _ in
            Tracer.next(id)
            _ = Tracer.hopScheduled(scheduler: 1, subscription: id)
          }
        }
        Trace.mark("never")
        Trace.stop()
        do {
          try Trace.start()
          return 3
        } catch {
          return (error as? TraceError)?.code == .alreadyStarted ? 0 : 4
        }
      }
      #expect(status == 0)
      let after = try Recording.snapshot()
      // The parent records that it was forked, and nothing from the child is in the file.
      #expect(after.records.dropLast().map(\.number) == before.records.map(\.number))
      #expect(after.records.last?.kind == .forked)
      #expect(after.records.last?.id == 1)
      #expect(after.slot(id)?.eventCount == 1)
      #expect(after.header.state == .recording)
      Tracer.next(id)
      Tracer.completed(id)
      #expect(try Recording.snapshot().records.count == before.records.count + 3)
    }
  }

  @Test func aForkedChildWaitsForNoLockOfAnotherThread() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let forks = Counter()
      Recording.onThreads(2) { index in
        if index == 0 {
          for _ in 0..<100 {
            let status = try? inChild { Tracer.isOn ? 1 : 0 }
            if status != 0 { Issue.record("a child ended with \(status ?? -1)") }
            forks.add()
          }
        } else {
          // This thread holds each lock of the recorder from time to time.
          while forks.value < 100 {
            let id = Recording.subscription(line: UInt32(forks.value))
            Tracer.next(id)
            Tracer.ended(id, .cancelled)
            Tracer.subscriptionReleased(id)
            Trace.mark("busy")
          }
        }
      }
      #expect(try Recording.snapshot().problems == [])
    }
  }
}

/// Runs `body` in a forked child and returns its status, or 256 plus the signal that ended it.
func inChild(_ body: () -> Int32) throws -> Int32 {
  // Swift makes `fork` unavailable, but programs written in C use it.
  typealias Fork = @convention(c) () -> Int32
  guard let symbol = dlsym(nil, "fork") else { throw TemporaryFile.Failure(path: "fork") }
  let child = unsafeBitCast(symbol, to: Fork.self)()
  if child == 0 { _exit(body()) }
  guard child > 0 else { throw TemporaryFile.Failure(path: "fork") }
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0, errno == EINTR {}
  return status & 0x7F == 0 ? status >> 8 & 0xFF : 256 + status & 0x7F
}
