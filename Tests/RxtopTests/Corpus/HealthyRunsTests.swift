import Foundation
import Glibc
import Testing

/// A few of the runs of `Scripts/healthy-runs`, and of `Scripts/soak days`.
@Suite(.enabled("corpus was not built beside the tests", { CorpusProgram.path != nil }))
struct HealthyRunsTests {
  @Test(arguments: 1...16)
  func programsWithoutAFaultAreNotAccused(seed: Int) throws {
    let scratch = try Scratch()
    let file = scratch.path("crowd.rxtrace")
    let outcome = try Programs.run(
      try #require(CorpusProgram.path),
      ["crowd", "\(seed)"],
      environment: ["RXTRACE": "events,size=4M,file=\(file)"]
    )
    #expect([0, 128 + SIGKILL].contains(outcome.status), "\(outcome.errors)")
    // A program that is killed before it has made a signal leaves no trace.
    guard FileManager.default.fileExists(atPath: file) else { return }
    let checked = try Programs.rxtop("check", file)
    #expect([0, 4].contains(checked.status), "\(checked.output)\(checked.errors)")
  }

  /// A few hours of `Scripts/soak days`.
  @Test(arguments: ["events,size=4M", "graph,size=4M"])
  func aShopWithoutAFaultIsNotAccusedAfterSomeHours(level: String) throws {
    let scratch = try Scratch()
    let program = try #require(Programs.built("healthy-days"))
    let outcome = try Programs.run(program, ["5", "9", scratch.folder.path, level])
    try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let checked = try Programs.rxtop("check", scratch.path("day.rxtrace"))
    #expect(!checked.output.contains("LEAK ") && !checked.output.contains("VIOLATION "))
    let suspects = checked.output.split(separator: "\n").count { $0.hasPrefix("SUSPECT ") }
    #expect(suspects <= 1, "\(checked.output)")
    #expect(checked.output.contains("9:00:00.000"), "\(checked.output)")
  }
}
