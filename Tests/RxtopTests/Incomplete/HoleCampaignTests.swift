import Foundation
import Testing

/// The output for a recording that has lost 64 KiB claims nothing beyond the complete recording.
///
/// It is the same, or contains less, or says that something was lost. This is a short form of
/// `Scripts/soak holes`.
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
