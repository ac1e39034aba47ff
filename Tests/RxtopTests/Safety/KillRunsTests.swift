import Testing

/// A few of the runs of `Scripts/kill-runs`: each mode and number of threads, killed early and
/// after the ring has been filled three times.
@Suite(
  .serialized,
  .enabled("traced-program was not built beside the tests", { Programs.traced != nil })
)
struct KillRunsTests {
  @Test func killedProgramsLoseNoRecords() throws {
    let outcome = try Programs.run(try #require(Programs.traced), ["kill-runs", "12", "1"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.hasSuffix("12 runs killed, 0 with a loss\n"))
  }
}
