import Glibc
import ReactiveTrace
import Testing
import TraceReading

/// The effect of different environments on a program that only links a traced library.
@Suite(.serialized) struct EnvironmentTests {
  @Test func recordsNothingWithoutTheVariable() async throws {
    let directory = try TemporaryDirectory()
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [path = directory.path as String] in
      unsetenv("RXTRACE")
      setenv("RXTRACE_DIR", path, 1)
      #expect(!Tracer.isOn)
      #expect(Recording.subscription() == .none)
      Trace.mark("nothing")
      Trace.stop()
      #expect(Trace.path == nil)
      #expect(Trace.level == .off)
    }
    #expect(result?.standardErrorContent == [])
    #expect(Files.names(in: directory.path) == [])
  }

  @Test(arguments: ["", "0", "off", "level=off"])
  func recordsNothingWhenSwitchedOff(value: String) async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) {
      [path = directory.path as String, value = value as String] in
      setenv("RXTRACE", value, 1)
      setenv("RXTRACE_DIR", path, 1)
      #expect(!Tracer.isOn)
    }
    #expect(Files.names(in: directory.path) == [])
  }

  @Test func recordsFromTheFirstSignalOn() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      setenv("RXTRACE", "graph,startup=0,size=256K", 1)
      setenv("RXTRACE_DIR", path, 1)
      #expect(Recording.subscription() != .none)
      #expect(Trace.path?.hasPrefix(path + "/") == true)
      #expect(Trace.level == .graph)
    }
    let names = Files.names(in: directory.path)
    try #require(names.count == 1)
    let trace = try TraceReader(path: directory.path + "/" + names[0]).snapshot()
    #expect(trace.header.startLevel == .graph)
    #expect(trace.header.processStatusIsStopped)
    #expect(names[0].hasPrefix(trace.header.programName + "-\(trace.header.processID)-"))
    #expect(trace.header.executablePath.hasSuffix("/" + trace.header.programName))
    #expect(trace.header.note == "")
    #expect(
      trace.images.contains { $0.path == trace.header.executablePath && $0.buildID.count > 7 }
    )
    #expect(trace.record(.subscribed) != nil)
    var status = stat()
    #expect(stat(directory.path + "/" + names[0], &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func startsOnceIfManyThreadsCallAtOnce() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      setenv("RXTRACE", "size=256K", 1)
      setenv("RXTRACE_DIR", path, 1)
      let started = Counter()
      Recording.onThreads(8) { _ in
        started.add()
        while started.value < 8 { sched_yield() }
        if Recording.subscription() == .none { Issue.record("a thread missed the start") }
      }
    }
    #expect(Files.names(in: directory.path).count == 1)
  }

  @Test(
    arguments: [
      ("levl=events", "'levl' is not a key (did you mean 'level'?); accepted keys are"),
      ("size=1K", "'size' cannot be '1K'"),
      ("limit=1G", "'limit' is for mode=stream"),
      ("nonsense", "'nonsense' is neither a level nor 'key=value'"),
    ] as [(String, String)]
  )
  func saysInOneLineWhatIsWrong(value: String, sentence: String) async throws {
    let directory = try TemporaryDirectory()
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [path = directory.path as String, value = value as String] in
      setenv("RXTRACE", value, 1)
      setenv("RXTRACE_DIR", path, 1)
      for _ in 0..<3 { #expect(Recording.subscription() == .none) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.hasPrefix("rxtrace: RXTRACE: "))
    #expect(text.contains(sentence))
    #expect(text.hasSuffix("the program runs on without a trace\n"))
    #expect(text.filter { $0 == "\n" }.count == 1)
    #expect(Files.names(in: directory.path) == [])
  }

  @Test func doesNotEndAProgramWhoseStandardErrorNobodyReads() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      let kept = dup(2)
      dup2(ends[1], 2)
      close(ends[0])
      close(ends[1])
      setenv("RXTRACE", "nonsense", 1)
      let isOn = Tracer.isOn
      dup2(kept, 2)
      #expect(!isOn)
    }
  }

  @Test func saysThatTheProgramHasATraceAlready() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      setenv("RXTRACE", "size=256K", 1)
      setenv("RXTRACE_DIR", path, 1)
      let error = #expect(throws: TraceError.self) { try Trace.start() }
      #expect(error?.code == .alreadyStarted)
      // The options in the variable still apply.
      #expect(Tracer.isOn)
    }
  }
}

extension TraceHeader {
  fileprivate var processStatusIsStopped: Bool { state == .stopped && stopTicks != nil }
}
