import Foundation
import Testing
import TraceReading

/// The line that a program prints at its end about how far its ring looks back.
@Suite(.enabled("the traced program was not built beside the tests", { Programs.traced != nil }))
struct LookBackLineTests {
  /// Runs a program that records 25,000 values, more than the smallest ring keeps, and then rxtop
  /// on its trace.
  private static func run(_ options: String) throws -> (run: TracedRun, once: String) {
    let run = try TracedRun(["clock"], in: Scratch(), options: options)
    #expect(run.hasSucceeded)
    return (run, try Programs.rxtop("--once", try run.trace().path).output)
  }

  @Test func theRequiredSizeIsReportedOnceAtTheEndAndByRxtop() throws {
    let (run, once) = try Self.run("size=256K,keep=10s")
    #expect(run.errorLines.count == 1)
    let line =
      /rxtrace: '.*\.rxtrace': the ring of 256K keeps the last \d+ ms; 10 s would take size=\d+M/
    #expect(run.errorLines.first?.wholeMatch(of: line) != nil, "\(run.errorLines)")
    let wish = /every event of the last .* is there; 10 s would take size=\d+M/
    #expect(once.contains(wish), "\(once)")
  }

  @Test(arguments: ["size=64M,keep=10s", "size=256K"])
  func nothingIsReportedIfTheRingKeepsAllOrNothingWasRequested(options: String) throws {
    let (run, once) = try Self.run(options)
    #expect(run.errorLines.isEmpty && !once.contains("would take"))
  }
}
