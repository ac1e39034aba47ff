import Foundation
import Testing
import TraceFormat
import TraceModel
import TraceReading

extension Programs {
  /// A program whose work goes over hops of the system, and that knows which; it lies beside rxtop.
  static let hops: String? = {
    let folder = rxtop.map { URL(filePath: $0).deletingLastPathComponent() }
    guard let path = folder?.appending(path: "hops-program").path else { return nil }
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()
}

@Suite(.enabled("hops-program was not built beside the tests", { Programs.hops != nil }))
struct HopsTests {
  private func run(_ arguments: [String], options: String = "events,size=16M") throws -> TracedRun {
    try TracedRun(arguments, in: try Scratch(), program: Programs.hops, options: options)
  }

  @Test func eachKindOfHopLeadsBackToWhoAskedForItAloneAndUnderThreeOthers() throws {
    let run = try run(["kinds"])
    #expect(run.outcome.status == 0, "\(run.outcome.output)")
    // Not all senders must be seen: one may come before the task has begun to wait.
    #expect(run.outcome.output.hasPrefix("54 chains, 0 differ"), "\(run.outcome.output)")
    #expect(!run.outcome.output.hasSuffix("seen in 0 of 4\n"))
    // As rxtop finds them.
    let trace = try run.trace()
    #expect(trace.isWhole)
    #expect(Set(trace.chains.compactMap(\.kind)).isSuperset(of: HopKind.allCases.dropFirst()))
    let text = AsyncBacktraceText(trace)
    let symbolizer = Symbolizer(trace)
    let all = trace.chains.indices.dropFirst().map { text.lines(of: UInt32($0), symbolizer) }
    #expect(all.contains { lines in lines.contains { $0.hasPrefix("askBlockOperation(_:)") } })
    #expect(all.contains { $0.contains("… asynchronously invoked (Task) from:") })
  }

  @Test(arguments: [1, 2]) func aRandomChainOfHopsIsRecordedAsItWas(seed: Int) throws {
    let run = try run(["random", "300", String(seed)])
    #expect(run.outcome.status == 0, "\(run.outcome.output)")
    #expect(run.outcome.output.hasPrefix("300 chains, 0 differ"))
  }

  @Test func ofTheLibraryAloneHopsOfTheSystemAreNotRecorded() throws {
    let run = try run(["kinds"], options: "events,size=16M,hops=own")
    #expect(run.outcome.status == 1)
    #expect(try run.trace().chains.allSatisfy { $0.kind == .scheduler })
  }

  @Test func tasksThatAreOverLeaveRoomForOthers() throws {
    let trace = try run(["tasks", "300000"], options: "graph,size=16M").trace()
    #expect(trace.header.lost[.chains] ?? 0 == 0)
  }

  @Test func tooManyTasksAtOnceAreSaidToHaveLostTheirChains() throws {
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

  /// In the last function, behind which others.
  @Test(
    arguments: [
      ("map", SIGILL, "pick(_:)", ["on second", "on first", "crashInMap()"]),
      ("actor", SIGILL, "Account.withdraw(_:)", ["(Task)", "askForAccount()"]),
      (
        "detached", SIGILL, "closure #1 in makeReport()",
        ["(Task.detached)", "makeReport() at", "(DispatchQueue.async)", "askForReport()"]
      ),
      ("overflow", SIGSEGV, "descend(_:)", [" times", "(Task)", "askForDepth()"]),
    ]
  )
  func aCrashIsExplainedByItsLineAndWhoAskedForTheWork(
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
    var rest = outcome.output[...]
    for text in ["Backtrace:", function] + behind {
      let found = rest.range(of: text)
      #expect(found != nil, "'\(text)' is not there, or not in this order:\n\(outcome.output)")
      rest = found.map { rest[$0.upperBound...] } ?? rest
    }
  }

  @Test func whatKillsIsNotKnownWhereNothingNotesItButWhatWasUnderWayIs() throws {
    let run = try TracedRun(
      ["crash", "killed"],
      in: try Scratch(),
      program: Programs.hops,
      options: "events,size=16M,crashes=on"
    )
    let outcome = try Programs.rxtop("explain", run.trace().path, "crash")
    #expect(outcome.output.contains("askForEnd()"), "\(outcome.output)")
    #expect(outcome.output.contains("which signal ended it: rxtop record"), "\(outcome.output)")
  }
}
