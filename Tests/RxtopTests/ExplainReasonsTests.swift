import Foundation
import Testing

/// `rxtop explain` for programs in which nothing arrives, for four different reasons.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct ExplainReasonsTests {
  /// The explanation of a subscription that an example makes on the line which contains a text.
  private func explain(
    _ program: String,
    _ arguments: [String],
    at text: String,
    in file: String
  ) throws -> String {
    let source = try String(
      contentsOf: ExportTests.root.appending(path: "Examples/\(file)"),
      encoding: .utf8
    )
    let line = try #require(
      source.split(separator: "\n", omittingEmptySubsequences: false)
        .firstIndex { $0.contains(text) }
    )
    let scratch = try Scratch()
    let trace = scratch.path("\(program).rxtrace")
    let outcome = try Programs.run(
      try #require(Programs.built(program)),
      arguments,
      environment: ["RXTRACE": "events,size=4M,file=\(trace)"]
    )
    #expect(outcome.status == 0)
    let place = "\(file.split(separator: "/").last ?? ""):\(line + 1)"
    return try Programs.rxtop("explain", trace, "subscription", place, "--no-backtrace").output
  }

  @Test func aMissingInputIsNamed() throws {
    let text = try explain(
      "corpus",
      ["meetings-1"],
      at: "let handle = combineLatest(names.signal, rights.signal)",
      in: "corpus/Waits.swift"
    )
    #expect(text.contains("▶ Subject        Waits.swift:"), "\(text)")
    #expect(text.contains("is the first that is silent: it has sent nothing since"))
    #expect(text.contains("is to blame (SUSPECT, values arrive, nothing passes)"))
    #expect(text.contains("has sent none yet"))
    #expect(text.contains("or give it a first value: startWith, or a BehaviorSubject."))
  }

  /// The oldest live subscription of the line is healthy, so the ended one is explained.
  @Test func aSwallowedFailureIsNamed() throws {
    let text = try explain(
      "real",
      ["rates", "reported"],
      at: ".subscribe(with: self) { board, _ in",
      in: "real/Rates.swift"
    )
    #expect(text.hasPrefix("subscription #"))
    #expect(text.contains(", which ended at"), "\(text)")
    #expect(text.contains("replaceFailure(with:)@Rates.swift:"))
    #expect(text.contains("is to blame (SUSPECT, stream ended by a failure): The failure real.Ref"))
    #expect(text.contains("it has ended, and a finding accuses it; 3 others made at Rates.swift:"))
  }

  @Test func aDisabledCommandIsNamed() throws {
    let text = try explain(
      "real",
      ["streams", "reported"],
      at: ".subscribe(with: self) { page, _ in",
      in: "real/Streams.swift"
    )
    #expect(text.contains("▶ Command    Streams.swift:"), "\(text)")
    #expect(text.contains(" is disabled. combineLatest@Streams.swift:"))
    #expect(text.contains(" is to blame (SUSPECT, execution does not end, others are refused)"))
    #expect(text.contains("executions asked for there since were refused"))
  }

  @Test func aStarvedDebounceIsNamed() throws {
    let text = try explain(
      "corpus",
      ["meetings-2"],
      at: "keys.signal.debounce(.milliseconds(100), on: .main)",
      in: "corpus/Waits.swift"
    )
    #expect(text.contains(" is where it stops: nothing has ever passed there"), "\(text)")
    #expect(text.contains("there was never a pause as long as it waits for"))
    #expect(text.contains("Use throttle or sample instead of debounce at Waits.swift:"))
  }
}
