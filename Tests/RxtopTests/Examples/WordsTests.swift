import Foundation
import Testing

/// The example `words`: a lazy list that reads only the elements that are requested.
@Suite(
  .enabled(
    "rxtop and words were not built beside the tests",
    { Programs.built("words") != nil }
  )
)
struct WordsTests {
  @Test func onlyRequestedInputIsReadAndOnlyOnce() async throws {
    let program = try ExampleProcess("words", ["5", "4"])
    try program.type("a small house\non the hill\nwhere nobody\nasked\nfor more of them\n")
    #expect(try await program.end() == 0)
    #expect(
      program.output == """
        nothing asked for yet: 0 lines read
        the first: Small, 1 lines read
        all: Small House Where Nobody, 3 lines read
        the longest: Nobody, still 3 lines read
        1. Small
        2. House
        3. Where
        4. Nobody
        done

        """
    )
    #expect(program.errors.isEmpty)

    let trace = try ExampleTrace(program.trace, of: "words")
    try trace.expect([
      ("from(on:)", "Words.swift", "words.signal(on: .immediate)"),
      ("enumerated", "Words.swift", ".enumerated()"),
      ("map", "Words.swift", #".map { index, word in"#),
      ("subscribe", "Words.swift", ".subscribe(next:"),
    ])
    trace.expectHops(on: "immediate")
  }

  @Test func theInputMayBeEndless() throws {
    let words = try #require(Programs.built("words"))
    let outcome = try Programs.run("/bin/sh", ["-c", "yes reactive signals | '\(words)' 5 3"])
    #expect(outcome.output.contains("all: Reactive Signals Reactive, 2 lines read"))
    #expect(outcome.output.hasSuffix("done\n"))
  }

  @Test func aWrongCommandLinePrintsTheUsage() throws {
    let words = try #require(Programs.built("words"))
    for arguments in [[], ["5"], ["five", "3"], ["5", "-1"]] {
      #expect(try Programs.run(words, arguments).output.hasPrefix("usage: words LENGTH COUNT"))
    }
  }
}
