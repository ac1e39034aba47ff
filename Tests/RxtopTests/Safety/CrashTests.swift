import Foundation
import Glibc
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// A traced program crashes just as it would if it were not traced, and its trace says how.
@Suite(.enabled("traced-program was not built beside the tests", { Programs.traced != nil }))
struct CrashTests {
  @Test(arguments: [("fault", SIGSEGV), ("abort", SIGABRT)])
  func theSignalItsThreadAndItsTimeAreInTheHeader(how: String, signal: Int32) throws {
    let run = try TracedRun(["crash", how], in: try Scratch(), options: "size=1M,crashes=on")
    #expect(run.outcome.status == 128 + signal)
    let trace = try run.trace()
    let ending = try #require(trace.header.ending)
    #expect(ending.cause == .signal(signal))
    let last = try #require(trace.records.last { $0.kind == .next })
    #expect(ending.thread == last.thread && ending.thread != 0)
    #expect(try #require(ending.ticks) >= last.ticks)
    #expect(Inspection(snapshot: trace).program.ending == .crashed(ending))
  }

  @Test func withoutTheOptionNoCrashIsRecorded() throws {
    let run = try TracedRun(["crash", "fault"], in: try Scratch())
    #expect(run.outcome.status == 128 + SIGSEGV)
    #expect(try run.trace().header.ending == nil)
    #expect(try Inspection(snapshot: run.trace()).program.ending == .unknown)
  }

  @Test func theProgramsOwnHandlerStillRuns() throws {
    let run = try TracedRun(["crash", "handled"], in: try Scratch(), options: "size=1M,crashes=on")
    #expect(run.outcome.status == 9)
    #expect(run.outcome.output.contains("own handler"))
    #expect(try run.trace().header.ending?.cause == .signal(SIGSEGV))
  }

  @Test(arguments: ["survived", "ignored"])
  func aSurvivedSignalIsNotACrash(how: String) throws {
    let run = try TracedRun(["crash", how], in: try Scratch(), options: "size=1M,crashes=on")
    #expect(run.outcome.status == 128 + SIGKILL)
    #expect(try Inspection(snapshot: run.trace()).program.ending == .unknown)
  }

  @Test func stoppingNormallyClearsASurvivedSignal() throws {
    let run = try TracedRun(["crash", "stopped"], in: try Scratch(), options: "size=1M,crashes=on")
    #expect(run.hasSucceeded)
    #expect(try run.trace().header.ending == nil)
  }

  // MARK: rxtop record

  @Test(
    arguments: [
      ("fault", SIGSEGV, true), ("abort", SIGABRT, true), ("terminated", SIGTERM, false),
      ("survived", SIGKILL, false),
    ]
  )
  func recordSavesHowTheProgramEnded(how: String, signal: Int32, isCrash: Bool) throws {
    let scratch = try Scratch()
    let file = scratch.path("app.rxtrace")
    let outcome = try Programs.rxtop(
      "record",
      "-o",
      file,
      "--size",
      "1M",
      "--",
      try #require(Programs.traced),
      "crash",
      how
    )
    #expect(outcome.status == 128 + signal, "\(outcome.errors)")
    #expect(outcome.errors.contains("crash shows what was under way") == isCrash)
    let trace = try TraceReader(path: file).snapshot()
    #expect(trace.header.ending?.cause == .signal(signal))
    #expect((trace.header.ending?.thread != 0) == isCrash)
    let check = try Programs.rxtop("check", file)
    #expect(check.status == (isCrash ? 1 : 0))
    #expect(!check.output.contains("No problems found"))
    #expect(check.output.contains(isCrash ? "VIOLATION" : "INFO"))
    let account = try Programs.rxtop("explain", file, "crash")
    let what = how == "survived" ? "nothing was under way" : "crash  Crash.swift:1"
    #expect(account.status == 0 && account.output.contains(what))
  }

  @Test func aCrashWhoseHandlerExitsTheProgramIsStillACrash() throws {
    let scratch = try Scratch()
    let file = scratch.path("app.rxtrace")
    let program = try #require(Programs.traced)
    let outcome = try Programs.rxtop("record", "-o", file, "--", program, "crash", "handled")
    #expect(outcome.status == 9)
    #expect(try TraceReader(path: file).header().ending?.cause == .signal(SIGSEGV))
    #expect(try Programs.rxtop("check", file).status == 1)
  }

  /// The main use case: the closure of an operator traps, downstream of a change of scheduler.
  @Test(.enabled("corpus was not built beside the tests", { CorpusProgram.path != nil }))
  func aTrapInAMapAfterAHopIsFoundWithItsLineAndItsOrigin() throws {
    let scratch = try Scratch()
    let file = scratch.path("trip.rxtrace")
    let outcome = try Programs.rxtop(
      "record",
      "-o",
      file,
      "--",
      try #require(CorpusProgram.path),
      "trips-1"
    )
    #expect([128 + SIGILL, 128 + SIGTRAP].contains(outcome.status), "\(outcome.errors)")
    let check = try Programs.rxtop("check", file)
    #expect(check.status == 1)
    #expect(check.output.contains("VIOLATION  map@Trips.swift:11  crash"), "\(check.output)")
    let account = try Programs.rxtop("explain", file, "crash").output
    #expect(account.contains("\n  hop           on road         not over"), "\(account)")
    #expect(account.contains("\n  deliver(on:)  Trips.swift:11  sent value 11  #"))
    #expect(account.contains("\n▶ map           Trips.swift:11  had received it\n"))
    #expect(account.contains("Backtrace:") && account.contains("Trips.swift:12"))
  }
}
