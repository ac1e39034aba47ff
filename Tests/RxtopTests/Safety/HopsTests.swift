import Foundation
import Testing
import TraceFormat
import TraceModel
import TraceReading

extension Programs {
  /// A program that runs work over hops, the ways to run work elsewhere or later, and knows the
  /// correct chain of hops.
  static let hops = built("hops-program")
}

@Suite(.enabled("hops-program was not built beside the tests", { Programs.hops != nil }))
struct HopsTests {
  private func run(_ arguments: [String], options: String = "events,size=16M") throws -> TracedRun {
    try TracedRun(arguments, in: try Scratch(), program: Programs.hops, options: options)
  }

  @Test func eachKindOfHopLeadsBackToTheCodeThatScheduledItAloneAndAfterThreeOthers() throws {
    let run = try run(["kinds"])
    #expect(run.outcome.status == 0, "\(run.outcome.output)")
    // A sender is not always seen, because it may send before the task has begun to wait.
    #expect(run.outcome.output.hasPrefix("54 chains, 0 differ"), "\(run.outcome.output)")
    #expect(!run.outcome.output.hasSuffix("seen in 0 of 4\n"))
    // rxtop finds the same chains in the trace.
    let trace = try run.trace()
    #expect(trace.isWhole)
    // Hops of event loops are tested in the package that depends on NIO.
    let kinds = Set(HopKind.allCases).subtracting([.scheduler, .eventLoop])
    #expect(Set(trace.chains.compactMap(\.kind)).isSuperset(of: kinds))
    let text = AsyncBacktraceText(trace)
    let symbolizer = Symbolizer(trace)
    let all = trace.chains.indices.dropFirst().map { text.lines(of: UInt32($0), symbolizer) }
    #expect(all.contains { lines in lines.contains { $0.hasPrefix("hopByBlockOperation(_:)") } })
    #expect(all.contains { $0.contains("… asynchronously invoked (Task) from:") })
  }

  @Test(arguments: [1, 2]) func aRandomChainOfHopsIsRecordedCorrectly(seed: Int) throws {
    let run = try run(["random", "300", String(seed)])
    #expect(run.outcome.status == 0, "\(run.outcome.output)")
    #expect(run.outcome.output.hasPrefix("300 chains, 0 differ"))
  }

  /// The runtime has one hook for tasks, which belongs to the last library that sets it.
  @Test(arguments: ["taken", "before"])
  func aLibraryThatReplacesTheTaskExecutorLosesNoChain(when: String) throws {
    let run = try run(["kinds", when], options: when == "before" ? "0" : "events,size=16M")
    #expect(run.outcome.output.hasPrefix("54 chains, 0 differ"), "\(run.outcome.output)")
    #expect(!run.outcome.output.hasSuffix("seen in 0 of 4\n"))
  }

  @Test func withHopsOwnHopsOfTheSystemAreNotRecorded() throws {
    let run = try run(["kinds"], options: "events,size=16M,hops=own")
    #expect(run.outcome.status == 1)
    #expect(try run.trace().chains.allSatisfy { $0.kind == .scheduler })
  }

  @Test func theOptionsForStaticProgramsNameEachHookedFunction() throws {
    let root = ExportTests.root
    let outcome = try Programs.run("/bin/bash", [root.appending(path: "Scripts/static-hops").path])
    let printed = outcome.output.split(separator: "\n").map(String.init)
    let names = try String(
      contentsOf: root.appending(path: "Sources/CReactiveTraceShims/rxt_hops_names.h"),
      encoding: .utf8
    )
    .matches(of: /\n  NAME\((.+?)\)/).map { String($0.output.1) }
    #expect(names.count > 40 && Set(names).count == names.count)
    #expect(
      printed == names.map { "'--wrap=\($0)'" + ($0.hasPrefix("$s10Found") ? "" : " -u '\($0)'") }
    )
  }

  @Test func endedTasksLeaveRoomForOthers() throws {
    let trace = try run(["tasks", "300000"], options: "graph,size=16M").trace()
    #expect(trace.header.lost[.chains] ?? 0 == 0)
  }

  @Test func tooManyConcurrentTasksAreReportedAsLostChains() throws {
    let run = try run(["alive", "400000"], options: "graph,size=16M")
    #expect(run.outcome.output == "400000 tasks are alive\n")
    #expect(try #require(run.trace().header.lost[.chains]) > 100_000)
  }

  @Test func rxtopDoesNotRecordItself() throws {
    let scratch = try Scratch()
    let trace = scratch.path("rxtop.rxtrace")
    let outcome = try Programs.run(
      try #require(Programs.rxtop),
      ["check", ExportTests.root.appending(path: "traces/watchtower.rxtrace").path],
      environment: ["RXTRACE": "events,file=\(trace)"]
    )
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: trace))
  }

  // MARK: Crashes

  /// The backtrace begins with the function that crashed, and the functions in `behind` follow.
  @Test(
    arguments: [
      ("map", SIGILL, "pick(_:)", ["on second", "on first", "crashInMap()"]),
      ("actor", SIGILL, "Account.withdraw(_:)", ["(Task)", "startWithdrawal()"]),
      (
        "waiting", SIGILL, "pick(_:)",
        ["closure #1 in total()", "closure #1 in startTotal()", "(Task)", "startTotal()"]
      ),
      (
        "detached", SIGILL, "closure #1 in makeReport()",
        ["(Task.detached)", "makeReport() at", "(DispatchQueue.async)", "startReport()"]
      ),
      ("overflow", SIGSEGV, "descend(_:)", [" times", "(Task)", "startRecursion()"]),
      ("heap", SIGABRT, "corruptHeap()", ["(DispatchQueue.async)", "startHeapCorruption()"]),
      ("memory", SIGSEGV, "zero(_:)", ["(DispatchQueue.async)", "startZeroing()"]),
    ]
  )
  func aCrashIsExplainedByItsLineAndByTheCodeThatScheduledTheWork(
    how: String,
    signal: Int32,
    function: String,
    behind: [String]
  ) throws {
    let scratch = try Scratch()
    let run = try TracedRun(
      ["crash", how],
      in: scratch,
      program: Programs.hops,
      options: "events,size=16M,crashes=on"
    )
    #expect(run.outcome.status == 128 + signal)
    let path = try run.trace().path
    let outcome = try Programs.rxtop("explain", path, "crash")
    #expect(outcome.output.contains("It crashed in \(function) at "), "\(outcome.output)")
    expect(outcome.output, ["Backtrace:", function] + behind)
  }

  @Test func withoutACrashReportTheSignalIsUnknownButTheActivityIsKnown() throws {
    let run = try TracedRun(
      ["crash", "killed"],
      in: try Scratch(),
      program: Programs.hops,
      options: "events,size=16M,crashes=on"
    )
    let outcome = try Programs.rxtop("explain", run.trace().path, "crash")
    #expect(outcome.output.contains("startKill()"), "\(outcome.output)")
    #expect(outcome.output.contains("which signal ended it: rxtop record"), "\(outcome.output)")
  }

  // MARK: Reports of crashes

  /// Expects a text that contains these parts in this order.
  private func expect(_ text: String, _ parts: [String]) {
    var rest = text[...]
    for part in parts {
      let found = rest.range(of: part)
      #expect(found != nil, "'\(part)' is not there, or not in this order:\n\(text)")
      rest = found.map { rest[$0.upperBound...] } ?? rest
    }
  }

  private func crash(_ how: [String], options: String) throws -> Programs.Outcome {
    try run(["crash"] + how, options: options).outcome
  }

  @Test(
    arguments: [
      (
        "map", SIGILL,
        [
          "SIGILL in thread ", "  pick(_:)\n", "(on second) from:", "(on first) from:",
          "  crashInMap()\n  Crashing.run()\n  drive()\n  closure #1 in main\n",
        ]
      ),
      (
        "actor", SIGILL,
        [
          "SIGILL", "  Account.withdraw(_:)\n  closure #1 in startWithdrawal()\n", "(Task)",
          "  startWithdrawal()\n",
        ]
      ),
      (
        "detached", SIGILL,
        [
          "  closure #1 in makeReport()\n  … asyn", "(Task.detached)", "  makeReport()\n",
          "startReport()\n",
        ]
      ),
      (
        "overflow", SIGSEGV,
        ["SIGSEGV", "  descend(_:), 64 times\n", "(Task)", "  startRecursion()\n"]
      ),
      (
        "heap", SIGABRT,
        ["SIGABRT", "  corruptHeap()\n", "(DispatchQueue.async)", "  startHeapCorruption()\n"]
      ),
      ("memory", SIGSEGV, ["  zero(_:)\n", "(DispatchQueue.async)", "  startZeroing()\n"]),
    ]
  )
  func aReportOfACrashHasTheCodeThatScheduledTheWork(how: String, signal: Int32, parts: [String])
    throws
  {
    let outcome = try crash([how], options: "1,size=16M,crash")
    #expect(outcome.status == 128 + signal)
    expect(
      outcome.errors,
      ["rxtrace: hops-program crashed by "] + parts
        + ["  main\nrxtrace: lines, and what was under way: rxtop explain '", ".rxtrace' crash\n"]
    )
    // The report contains no function of the recorder. Swift's backtracer prints a report of its
    // own after this one.
    let end = outcome.errors.range(of: "rxtop explain")?.lowerBound ?? outcome.errors.endIndex
    #expect(!outcome.errors[..<end].contains("rxt_"))
  }

  @Test func aProgramCanRequestReportsOfItsCrashes() throws {
    let outcome = try crash(["asked", "actor"], options: "1,size=16M")
    #expect(outcome.status == 128 + SIGILL)
    expect(
      outcome.errors,
      ["crashed by SIGILL", "  Account.withdraw(_:)\n", "  startWithdrawal()\n"]
    )
  }

  @Test func noReportIsPrintedWithoutARecordingOrARequest() throws {
    for (how, options) in [(["asked", "actor"], "0"), (["actor"], "1,size=16M,crashes=on")] {
      let outcome = try crash(how, options: options)
      #expect(outcome.status == 128 + SIGILL)
      #expect(!outcome.errors.contains("rxtrace"))
    }
  }

  @Test func aSignalFromAnotherProcessIsNotACrash() throws {
    // Swift's backtracer is off: it expects the signal to be raised again after its report, so a
    // program that was only sent a signal would continue.
    let scratch = try Scratch()
    let trace = scratch.path("sent.rxtrace")
    let outcome = try Programs.run(
      try #require(Programs.hops),
      ["crash", "sent"],
      environment: ["RXTRACE": "1,size=16M,crash,file=\(trace)", "SWIFT_BACKTRACE": "enable=no"]
    )
    #expect(outcome.status == 128 + SIGSEGV)
    expect(
      outcome.errors,
      ["was sent SIGSEGV by process ", "; nothing of its own has caused that\n"]
    )
    #expect(!outcome.errors.contains("crashed"))
  }

  @Test func theNameOfAProgramCannotControlATerminal() throws {
    let scratch = try Scratch()
    let program = scratch.path("a\u{1B}[31mb")
    try Programs.copy(try #require(Programs.hops), to: program)
    let outcome = try TracedRun(
      ["crash", "map"],
      in: scratch,
      program: program,
      options: "1,size=16M,crash"
    ).outcome
    expect(outcome.errors, ["rxtrace: a?[31mb crashed by SIGILL", "  crashInMap()\n"])
  }

  @Test func withoutStacksAReportSaysWhyTheCallerIsUnknown() throws {
    let outcome = try crash(["map"], options: "1,size=16M,stacks=off,crash")
    expect(
      outcome.errors,
      ["  pick(_:)\n", "who scheduled this work was not recorded: remove stacks=off"]
    )
    #expect(!outcome.errors.contains("asynchronously"))
  }
}
