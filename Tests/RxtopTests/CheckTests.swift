import Foundation
import Testing

/// `rxtop check` with a baseline, on a sample trace with two leaks.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct CheckTests {
  private static let trace = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "traces/watchtower-leak.rxtrace").path

  @Test func whatWasThereBeforeIsNoFailure() throws {
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    #expect(try Programs.rxtop("check", Self.trace).status == 1)
    let written = try Programs.rxtop("check", "--baseline", file, "--write-baseline", Self.trace)
    #expect(written.status == 0)
    #expect(written.output.hasPrefix("2 findings in "))
    let again = try Programs.rxtop("check", "--baseline", file, "--fail-on", "info", Self.trace)
    #expect(again.status == 0)
    #expect(again.output.contains("known    LEAK growth-at-site, subscribe@Pane.swift:94"))
  }

  @Test func whatIsNewFails() throws {
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    try "allow kind=growth-at-site until=never on purpose\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try Programs.rxtop("check", "--baseline", file, "--json", Self.trace)
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("\"standing\": \"new\"")
        || outcome.output.contains("\"standing\":\"new\"")
    )
    #expect(outcome.output.contains("on purpose"))
  }

  @Test func writingKeepsWhatIsAllowed() throws {
    let scratch = try Scratch()
    let file = scratch.path("baseline")
    let allow = "# ours\nallow kind=stall until=never the tail waits\nknown 0 0 LEAK\n"
    try "# ours\nallow kind=stall until=never the tail waits\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    #expect(
      try Programs.rxtop("check", "--baseline", file, "--write-baseline", Self.trace).status == 0
    )
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasPrefix("# ours\nallow kind=stall until=never the tail waits\nknown "))
    try allow.write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try Programs.rxtop("check", "--baseline", file, Self.trace)
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("line 3: expected known, two fingerprints"))
  }

  @Test func aBaselineThatIsNotThereCannotBeRead() throws {
    let outcome = try Programs.rxtop("check", "--baseline", "/nowhere/baseline", Self.trace)
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("--write-baseline"))
    #expect(try Programs.rxtop("check", "--write-baseline", Self.trace).status == 2)
  }

  @Test func helpNamesEveryKind() throws {
    let help = try Programs.rxtop("check", "--help").output
    for kind in ["growth-at-site", "backlog", "wrong-queue", "unhandled-error", "owner-ended"] {
      #expect(help.contains("  \(kind): "))
    }
  }
}
