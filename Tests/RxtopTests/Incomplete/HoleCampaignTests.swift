import Foundation
import Testing

/// For a recording that lost 64 KiB, the output is the same, or less, or says that something is
/// lost: `Scripts/soak holes`, a few times.
@Suite(.enabled("soak was not built beside the tests", { soak != nil }))
struct HoleCampaignTests {
  @Test(arguments: [
    ("failure", 12), ("watchtower", 2), ("watchtower-leak", 2), ("watchtower-leak-1.0", 2),
  ])
  func incompleteRecordingsClaimNothingBeyondTheWhole(sample: String, runs: Int) throws {
    let scratch = try Scratch()
    let outcome = try Programs.run(
      try #require(soak),
      ["holes", "3", "\(runs)", scratch.path("state"), ExportTests.sample(sample)]
    )
    #expect(outcome.status == 0, "\(outcome.output.prefix(2000))\(outcome.errors.prefix(2000))")
    #expect(outcome.output.contains("\(4 * runs) runs"), "\(outcome.output.prefix(200))")
  }
}

private let soak = Programs.built("soak")
