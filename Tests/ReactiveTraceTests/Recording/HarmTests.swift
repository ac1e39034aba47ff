import CReactiveTraceShims
import Glibc
import ReactiveTrace
import Synchronization
import Testing
import TraceReading

/// No harm is done if other programs change the file during recording, or if signal handlers call
/// the recorder while it runs.
///
/// Disabled under sanitizers, which hold their own locks when a store faults or a signal arrives.
@Suite(
  .serialized,
  .disabled(if: dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil)
)
struct HarmTests {
  /// Calls everything that writes to the file.
  private static func work(_ rounds: Int = 200) {
    for round in 0..<rounds {
      let site = Recording.site("work", line: UInt32(round % 40 + 1))
      let first = Tracer.signalCreated(site: site)
      let second = Tracer.signalCreated(site: site)
      let both = Tracer.signalCreated(site: site, upstream: first, others: [second, first])
      Tracer.signalNamed(both, "round \(round % 10)")
      let id = Tracer.subscribed(site: site, signal: both, downstream: .none)
      for _ in 0..<100 {
        Tracer.turnBegan(id)
        Tracer.next(id)
        Tracer.turnEnded(id)
      }
      let origin = Tracer.origin(scheduler: 0)
      Tracer.run(from: origin) { Tracer.next(id) }
      Tracer.ended(id, .cancelled)
      Tracer.subscriptionReleased(id)
      for signal in [both, second, first] { Tracer.signalReleased(signal) }
      if round % 50 == 0 { Trace.mark("round \(round)") }
    }
    Recording.onThreads(2) { _ in Tracer.next(Recording.subscription()) }
    _ = ActiveSignals.snapshot()
  }

  // MARK: A truncated file

  @Test(arguments: [0, 1, 4096, 300_000, 700_000])
  func aTruncatedRecordingEndsWithOneLineAndTheProgramContinues(size: Int) async throws {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardErrorContent]
    ) { [size] in
      try Recording.start()
      HarmTests.work()
      let path = try #require(Trace.path)
      #expect(truncate(path, off_t(size)) == 0)
      HarmTests.work()
      HarmTests.work()
      #expect(Trace.level == .off)
      #expect(throws: TraceError.self) { try Trace.snapshot(to: path + ".copy") }
      Trace.stop()
      // The options are the same, because others would be refused for another reason.
      #expect { try Trace.start(Recording.options()) } throws: {
        "\($0)".contains("was truncated while it was recorded")
      }
      HarmTests.work()
    }
    let lines = String(decoding: try #require(result?.standardErrorContent), as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("rxtrace: ") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("was truncated while it was recorded") == true)
    #expect(lines.first?.contains("the program goes on") == true)
  }

  @Test func aLostPageIsNotReportedAsACrash() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try Recording.start()
      Trace.reportCrashes()
      HarmTests.work()
      let path = try #require(Trace.path)
      #expect(truncate(path, 700_000) == 0)
      HarmTests.work()
      HarmTests.work()
      #expect(try TraceReader(path: path).header().ending == nil)
    }
    let errors = String(decoding: try #require(result?.standardErrorContent), as: UTF8.self)
    #expect(errors.contains("was truncated while it was recorded"))
    #expect(!errors.contains("crashed"), "\(errors)")
  }

  /// Faults in other mappings are passed to the handler that was installed before.
  @Test func faultsInOtherMappingsReachTheEarlierHandler() async {
    await #expect(processExitsWith: .success) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in _exit(number == SIGBUS ? 0 : 1) }
      sigaction(SIGBUS, &action, nil)
      try Recording.start()
      HarmTests.work()
      let path = "/tmp/rxtrace-test-\(getpid()).other"
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      unlink(path)
      #expect(ftruncate(descriptor, 4096) == 0)
      let page = try #require(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0))
      #expect(ftruncate(descriptor, 0) == 0)
      page.storeBytes(of: 1, as: UInt8.self)
      Issue.record("the store was none")
    }
  }

  @Test func aLeaseOnATruncatedRecordingEndsWithAnError() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(level: .graph)
      let path = try #require(Trace.path)
      let lease = try TraceLease.take(path: path, level: .events)
      #expect(truncate(path, 0) == 0)
      #expect(throws: TraceError.self) { try lease.renew() }
      lease.release()
    }
  }

  // MARK: A file that other programs write to

  /// Overwrites each word of the header, and some of the rest, with all ones, with zeros, and with
  /// other values.
  @Test(arguments: [UInt64.max, 0, 0x8000_0000_8000_0001, 0x41])
  func overwrittenWordsDoNoHarm(value: UInt64) async {
    await #expect(processExitsWith: .success) { [value] in
      try Recording.start()
      HarmTests.work()
      let path = try #require(Trace.path)
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      #expect(descriptor >= 0)
      var word = value
      // After the header, one word in every 424 bytes is overwritten.
      var offset = 0
      var step = 0
      while offset < 1_500_000 {
        if step % 64 == 0 { HarmTests.work(2) }
        _ = pwrite(descriptor, &word, 8, off_t(offset))
        offset += offset < 4096 ? 8 : 424
        step += 1
      }
      HarmTests.work()
      Trace.stop()
      HarmTests.work(10)
    }
  }

  @Test(arguments: 1...4)
  func wordsOverwrittenDuringCallsDoNoHarm(seed: UInt64) async {
    await #expect(processExitsWith: .success) { [seed] in
      try Recording.start(size: 256 << 10)
      HarmTests.work(20)
      let path = try #require(Trace.path)
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      let isOver = Flag()
      Recording.onThreads(3) { index in
        guard index == 0 else {
          HarmTests.work(100)
          return isOver.set()
        }
        var state = seed
        func random() -> UInt64 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return state >> 17
        }
        for _ in 0..<10_000 where !isOver.isSet {
          var word = random() % 3 == 0 ? random() % 300 : random() &* 0x9E37_79B9_7F4A_7C15
          let end: UInt64 = random() % 4 == 0 ? 4096 : 900_000
          _ = pwrite(descriptor, &word, 4, off_t(random() % end / 4 * 4))
        }
      }
      Trace.stop()
    }
  }

  // MARK: Signal handlers

  /// `nonisolated(unsafe)`, because it is set only once, before the handler is installed.
  nonisolated(unsafe) private static var target = TraceID.none
  private static let handled = Atomic<UInt64>(0)

  /// Each value that a signal handler sends is recorded or counted as lost, and so is each value
  /// whose recording the handler interrupts.
  @Test func valuesSentByASignalHandlerAreRecordedOrCounted() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 1 << 30)
      Self.target = Recording.subscription("handler")
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in
        HarmTests.handled.wrappingAdd(1, ordering: .relaxed)
        Tracer.turnBegan(HarmTests.target)
        Tracer.next(HarmTests.target)
        Tracer.turnEnded(HarmTests.target)
      }
      sigaction(SIGUSR1, &action, nil)
      let isOver = Flag()
      let thread = Cell(0)
      let counted = Cell(0)
      let id = Recording.subscription("interrupted")
      Recording.onThreads(2) { index in
        guard index == 0 else { return HarmTests.interrupt(thread, until: isOver) }
        // This thread inherits the signal mask of the threads that run tests, which block signals.
        var signals = sigset_t()
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        thread.word.store(UInt64(pthread_self()), ordering: .relaxed)
        while Self.handled.load(ordering: .relaxed) == 0 { sched_yield() }
        var sent: UInt64 = 0
        // No more values are sent than the ring has room for, however rarely signals arrive on a
        // busy machine.
        while Self.handled.load(ordering: .relaxed) < 3_000, sent < 16_000_000 {
          for _ in 0..<1_000 { Tracer.next(id) }
          Tracer.turnBegan(id)
          Tracer.turnEnded(id)
          sent += 1_000
        }
        counted.word.store(sent, ordering: .relaxed)
        isOver.set()
      }
      let sent = counted.word.load(ordering: .relaxed)
      Trace.stop()
      let trace = try Recording.snapshot()
      #expect(trace.problems.isEmpty, "\(trace.problems)")
      #expect(trace.slot(id)?.eventCount == sent)
      let handled = Self.handled.load(ordering: .relaxed)
      #expect(trace.slot(Self.target)?.eventCount == handled)
      let lost = trace.header.lostRecords
      #expect(lost > 0, "no signal came while the recorder was busy")
      #expect(trace.header.recycledSegments == 0)
      let kinds: [RecordKind] = [.next, .turnBegan, .turnEnded]
      let recorded = kinds.reduce(0) { $0 + UInt64(trace.records($1).count) }
      #expect(recorded + lost == sent + 2 * (sent / 1_000) + 3 * handled)
      let noted = trace.records(.recordsLost).reduce(0) { $0 + UInt64($1.id) }
      #expect(noted <= lost)
    }
  }

  /// The first call of a thread takes long, and a signal handler may interrupt it.
  @Test func valuesThatAHandlerSendsDuringItsThreadsFirstCallAreCounted() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let id = Recording.subscription("handler")
      Recording.onThreads(1) { _ in
        let thread = rxt_thread_state()
        thread.pointee.busy = 1
        for _ in 0..<3 { Tracer.next(id) }
        thread.pointee.busy = 0
        Tracer.next(id)
      }
      Trace.stop()
      let trace = try Recording.snapshot()
      #expect(trace.slot(id)?.eventCount == 4)
      #expect(trace.header.lostRecords == 3)
      #expect(trace.records(.next).count == 1)
      #expect(trace.records(.recordsLost).reduce(0) { $0 + UInt64($1.id) } == 3)
    }
  }

  private final class Flag: Sendable {
    private let word = Atomic(false)
    var isSet: Bool { word.load(ordering: .relaxed) }
    func set() { word.store(true, ordering: .relaxed) }
  }

  private final class Cell: Sendable {
    let word: Atomic<UInt64>
    init(_ value: UInt64) { word = Atomic(value) }
  }

  /// Sends signals to a thread, once it is known, until the flag is set.
  private static func interrupt(_ thread: Cell, until isOver: Flag) {
    while !isOver.isSet {
      let target = thread.word.load(ordering: .relaxed)
      if target != 0 { pthread_kill(pthread_t(target), SIGUSR1) }
      for _ in 0..<500 { rxt_pause() }
    }
  }
}
