import Foundation
import Testing

/// Every command prints harmless text for a trace whose names contain control sequences.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct HostileTraceTests {
  /// Writes the fixture `hostile-names.txt` as a trace, and returns its path.
  static func trace(in scratch: Scratch) throws -> String {
    let fixture = ExportTests.root.appending(
      path: "Tests/ReactiveTraceTests/Fixtures/hostile-names.txt"
    )
    let text = try String(contentsOf: fixture, encoding: .utf8)
    let path = scratch.path("hostile.rxtrace")
    try SmallTrace.write(text, to: path)
    return path
  }

  static let screens = [
    "sites", "signals", "subscriptions", "graph", "events", "findings", "marbles", "queues", "diff",
  ]
  static let exports = ["ndjson", "csv", "chrome", "dot", "mermaid", "speedscope"]
  static let tables = [
    "sites", "signals", "subscriptions", "timers", "queues", "events", "findings",
  ]

  /// Command lines in which `FILE` stands for the trace.
  static let commands: [[String]] =
    screens.map { ["--once", "--screen", $0, "FILE"] }
    + screens.map { ["--once", "--ascii", "--screen", $0, "FILE"] }
    + exports.map { ["export", $0, "FILE"] }
    + tables.map { ["export", "csv", "--table", $0, "FILE"] }
    + [
      ["FILE"], ["--json", "FILE"], ["check", "FILE"], ["check", "--json", "FILE"],
      ["dump", "FILE"], ["dump", "--backtraces", "FILE"], ["dump", "--event", "4096", "FILE"],
      ["marble", "FILE"], ["marble", "--test", "--frame", "100ms", "FILE"], ["diff", "FILE"],
      ["diff", "--json", "FILE"], ["diff", "FILE", "FILE"],
      ["export", "mermaid", "--event", "4096", "FILE"],
      ["export", "mermaid", "--by", "site", "FILE"], ["export", "dot", "--by", "site", "FILE"],
      ["report", "FILE"], ["report", "FILE", "--against", "FILE"],
      ["FILE\u{1B}]0;x\u{7}"], ["check", "\u{1B}[2J\u{202E}"], ["--filter", "\u{1B}[2J", "FILE"],
      ["marble", "--nodes", "\u{1B}]0;x\u{7}", "FILE"], ["diff", "--from", "\u{9B}2J", "FILE"],
      ["record", "-o", "\u{1B}[2J", "--", "/bin/\u{1B}[2Jnothing"],
    ]

  @Test(arguments: commands) func noSubcommandPrintsControlCharacters(command: [String]) throws {
    let scratch = try Scratch()
    let path = try Self.trace(in: scratch)
    let arguments = command.map { $0.replacingOccurrences(of: "FILE", with: path) }
    let outcome = try Programs.run(try #require(Programs.rxtop), arguments)
    Self.expectHarmless(outcome.output, carriageReturns: arguments.contains("csv"))
    Self.expectHarmless(outcome.errors)
    #expect(!outcome.output.isEmpty || !outcome.errors.isEmpty)
    #expect(outcome.status <= 4)
  }

  @Test(arguments: exports + ["perfetto"]) func hostileExportsAreComplete(format: String) throws {
    let scratch = try Scratch()
    let path = try Self.trace(in: scratch)
    let outcome = try Programs.rxtop("export", format, path, "-o", scratch.path("export"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try !ExportTests.open(scratch.path("export"), as: format).isEmpty)
  }

  @Test func coloursAreTheOnlyEscapes() throws {
    let scratch = try Scratch()
    let path = try Self.trace(in: scratch)
    for screen in Self.screens {
      let outcome = try Programs.rxtop("--once", "--color", "always", "--screen", screen, path)
      let plain = outcome.output.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      Self.expectHarmless(plain)
    }
  }

  /// Expects no control characters but line breaks, and no characters that are invisible or reverse
  /// text.
  static func expectHarmless(
    _ text: String,
    carriageReturns: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let bad = text.unicodeScalars.first { scalar in
      if scalar == "\n" || (carriageReturns && scalar == "\r") { return false }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: return true
      default: return false
      }
    }
    #expect(
      bad == nil,
      "contains U+\(String(bad?.value ?? 0, radix: 16))",
      sourceLocation: sourceLocation
    )
  }
}
