import Foundation
import ReactiveTrace
import Testing

/// `rxtop pack` and its errors.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct PackTests {
  @Test func packsATraceInPlaceOrIntoAnotherFile() throws {
    let scratch = try Scratch()
    let trace = scratch.path("small.rxtrace")
    try SmallTrace.write(to: trace)
    let copy = scratch.path("packed.rxtrace")
    let outcome = try Programs.rxtop("pack", trace, "-o", copy)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.contains("0 of 0 return addresses"))
    let whole = try Programs.rxtop("--once", trace).output
    #expect(try Programs.rxtop("--once", copy).output == whole)
    #expect(try Programs.rxtop("pack", trace).status == 0)
    #expect(try Programs.rxtop("--once", trace).output == whole)
  }

  @Test func packLeavesAnExistingFileAlone() throws {
    let scratch = try Scratch()
    try SmallTrace.write(to: scratch.path("small.rxtrace"))
    try Data("mine".utf8).write(to: URL(filePath: scratch.path("other")))
    let outcome = try Programs.rxtop(
      "pack",
      scratch.path("small.rxtrace"),
      "-o",
      scratch.path("other")
    )
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("exists already"))
    #expect(try String(contentsOfFile: scratch.path("other"), encoding: .utf8) == "mine")
  }

  @Test func packRefusesAFileThatIsNotATrace() throws {
    let scratch = try Scratch()
    try Data("no trace".utf8).write(to: URL(filePath: scratch.path("file")))
    let outcome = try Programs.rxtop("pack", scratch.path("file"))
    #expect(outcome.status == 3 && outcome.errors.contains("magic number"))
    #expect(try Programs.rxtop("pack", scratch.path("nothing")).status == 3)
  }
}
