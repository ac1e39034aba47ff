import Foundation
import Testing

/// Comparisons of two runs of real programs.
@Suite(.enabled("corpus was not built beside the tests", { CorpusProgram.path != nil }))
struct TwoRunsTests {
  /// Records a program of the corpus.
  private func record(_ name: String, _ file: String) throws {
    let outcome = try Programs.run(
      try #require(CorpusProgram.path),
      [name],
      environment: ["RXTRACE": "events,size=4M,file=\(file)"]
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func aLeakIsTheFirstChangeForTheWorseAndAHealthyRunHasNone() throws {
    let scratch = try Scratch()
    let files = ["sound", "again", "leak"].map { scratch.path("\($0).rxtrace") }
    try record("rooms-4", files[0])
    try record("rooms-4", files[1])
    try record("rooms-2", files[2])
    let same = try Programs.rxtop("diff", files[0], files[1])
    #expect(same.status == 0 && same.output.contains("\nNothing got worse.\n"), "\(same.output)")
    let worse = try Programs.rxtop("diff", files[1], files[2])
    let lines = worse.output.split(separator: "\n")
    #expect(lines.dropFirst(2).first == "What got worse", "\(worse.output)")
    #expect(lines.dropFirst(3).first?.hasPrefix("  LEAK ") == true, "\(worse.output)")
  }
}
