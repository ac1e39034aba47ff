import Glibc
import Reactive
import ReactiveTrace
import Testing
import TraceReading

/// System sources appear in traces with name, place, owner and hops.
///
/// A hop is work that is scheduled in one place and runs in another.
@Suite struct SystemTraceTests {
  /// Subscribes to one source of each kind; returns the number of the line before the first.
  static func subscribeToAll(
    _ pipe: TestPipe,
    _ bag: DisposableBag,
    _ seen: Latch,
    _ child: pid_t
  ) -> UInt32 {
    let line = UInt32(#line)
    let bytes = Signal.bytes(of: pipe.reader)
    let lines = Signal.lines(of: pipe.reader)
    let readable = Signal.readable(pipe.reader)
    let writable = Signal.writable(pipe.writingEnd)
    let writing = Signal.writing([1], to: pipe.writingEnd)
    let signals = Signal.unixSignals(SIGUSR2)
    let files = Signal.fileEvents(at: "/tmp")
    let exit = Signal.processExit(child)
    let all = [
      bytes.map { _ in }, lines.map { _ in }, readable, writable, writing.map { _ in },
      signals.map { _ in }, files.map { _ in }, exit.map { _ in },
    ]
    for one in all {
      let isFirst = BooleanDisposable()
      one.subscribe(
        next: {
          if !isFirst.isDisposed { seen.signal() }
          isFirst.dispose()
        },
        failed: { _ in }
      ).store(in: bag)
    }
    return line
  }

  static let names = [
    "bytes(of:)", "lines(of:)", "readable", "writable", "writing(to:)", "unixSignals",
    "fileEvents", "processExit",
  ]

  @Test func systemSourcesAppearWithNamePlaceOwnerAndHops() async {
    await #expect(processExitsWith: .success) {
      let child = ProcessExitTests.spawn("exit 0")
      // The latch opens when each of the signals has sent an event.
      let (pipe, seen) = (TestPipe(), Latch(Self.names.count))
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let bag = DisposableBag()
      let line = Self.subscribeToAll(pipe, bag, seen, child)
      kill(getpid(), SIGUSR2)
      close(open("/tmp/reactive-system-trace-\(getpid())", O_CREAT | O_CLOEXEC, 0o600))
      unlink("/tmp/reactive-system-trace-\(getpid())")
      #expect(
        eventually {
          pipe.write("a\n")
          return seen.wait(milliseconds: 1)
        }
      )
      let trace = try TraceReader(path: try #require(Trace.path)).snapshot()
      for (offset, name) in Self.names.enumerated() {
        let place = line + 1 + UInt32(offset)
        let site = trace.sites.first { $0.name == name && $0.line == place }
        #expect(site?.file.hasSuffix("SystemTraceTests.swift") == true, "\(name)")
        #expect(site?.subscribed == 1, "\(name)")
      }
      // Two of the signals end by themselves, possibly before they are added to the bag.
      #expect(trace.records.count { $0.kind == .ownerBound } >= Self.names.count - 2)
      let begun = Set(trace.records.filter { $0.kind == .hopBegan }.map(\.id))
      for scheduler in ["descriptors", "unix signals"] {
        let number = trace.schedulers.first { $0.name == scheduler }?.index
        let hops = trace.records.compactMap(\.hopScheduling).filter { $0.scheduler == number }
        #expect(!hops.isEmpty, "\(scheduler)")
        #expect(hops.allSatisfy { $0.chain != 0 }, "\(scheduler)")
        // The latest hop may still be pending, if the last bytes written have not been delivered.
        #expect(hops.contains { begun.contains($0.hop) }, "\(scheduler)")
      }
      waitpid(child, nil, 0)
      bag.empty()
    }
  }
}
