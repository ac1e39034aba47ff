import Reactive
import ReactiveTrace
import Testing
import TraceReading

/// Tests that a program is recorded in a sandbox; each test traces a separate process.
@Suite struct SandboxTraceTests {
  @Test func aSandboxThatForbidsToAllocateSinglePagesDoesNotPreventARecording() async {
    await #expect(processExitsWith: .success) {
      try SystemCallFilter.refuse(.madvise)
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      let subscription = subject.signal.subscribe { _ in }
      for value in 0..<10_000 { subject.send(value) }
      let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
      let root = try #require(snapshot.slots.first { $0.kind == .subscription })
      #expect(root.eventCount == 10_000)
      #expect(snapshot.problems == [] && snapshot.header.lostRecords == 0)
      withExtendedLifetime(subscription) {}
    }
  }
}
