import Foundation
import Testing

/// `Documentation/Backtraces.md` shows a program that crashes, and what three tools print about it;
/// both are compared with the real program and tools.
@Suite(.enabled("crash was not built beside the tests", { Programs.built("crash") != nil }))
struct BacktracesTests {
  private let article: Article
  private let program: String

  init() throws {
    article = try Article(Article.root.appending(path: "Documentation/Backtraces.md"))
    program = try #require(Programs.built("crash"))
  }

  @Test func theExampleIsTheProgramOnThePage() throws {
    let file = Article.root.appending(path: "Examples/crash/Shop.swift")
    #expect(
      try String(contentsOf: file, encoding: .utf8)
        == article.swiftBlocks.first.map { $0.text + "\n" }
    )
  }

  @Test func rxtopExplainsTheCrashAsShown() throws {
    let scratch = try Scratch()
    let trace = scratch.path("crash.rxtrace")
    let outcome = try crash([
      "RXTRACE": "1,crashes=on,file=\(trace)", "SWIFT_BACKTRACE": "enable=no",
    ])
    #expect(outcome.status == 128 + SIGILL)
    let explanation = try Programs.rxtop("explain", trace, "crash").output
      .replacing(Article.root.path + "/", with: "")
    let shown = try article.output(after: "rxtop explain crash.rxtrace crash")
    #expect(ShownOutput.matches(shown, explanation), "rxtop prints:\n\(explanation)")
  }

  @Test func theProgramPrintsTheReportOfItsCrashThatIsShown() throws {
    let scratch = try Scratch()
    let outcome = try crash([
      "RXTRACE": "crash,file=\(scratch.path("crash.rxtrace"))", "SWIFT_BACKTRACE": "enable=no",
    ])
    let shown = try article.output(
      after: "RXTRACE=crash,file=crash.rxtrace SWIFT_BACKTRACE=enable=no .build/debug/crash"
    )
    func functions(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { $0.hasPrefix("  ") }
    }
    // Another report, by the system, may come first.
    let start = try #require(outcome.errors.firstRange(of: "rxtrace: crash crashed by SIGILL"))
    #expect(
      functions(String(outcome.errors[start.lowerBound...])) == functions(shown),
      "\(outcome.errors)"
    )
  }

  @Test func withoutCrashReportsTheLineOfTheCrashIsUnknown() throws {
    let scratch = try Scratch()
    let trace = scratch.path("crash.rxtrace")
    _ = try crash(["RXTRACE": "1,file=\(trace)", "SWIFT_BACKTRACE": "enable=no"])
    let explanation = try Programs.rxtop("explain", trace, "crash").output
    #expect(!explanation.contains("Shop.swift:46"), "\(explanation)")
  }

  /// Recording the program does not suppress the backtracer's report, and rxtop explains the crash.
  @Test(arguments: [false, true])
  func theBacktracerOfSwiftPrintsWhatIsShown(isRecorded: Bool) throws {
    let scratch = try Scratch()
    let trace = scratch.path("crash.rxtrace")
    let outcome = try crash(
      ["SWIFT_BACKTRACE": "enable=yes,color=no"]
        .merging(isRecorded ? ["RXTRACE": "1,crashes=on,file=\(trace)"] : [:]) { $1 }
    )
    // Some systems do not allow a process to inspect another one, so that there is no report.
    guard outcome.errors.contains("*** Program crashed") else { return }
    let shown = try article.output(after: "SWIFT_BACKTRACE=enable=yes,color=no .build/debug/crash")
    // Other threads may have just finished delivering an event, so only the crashed one is
    // compared.
    let thread = outcome.errors.firstRange(of: " crashed:\n").map {
      outcome.errors[$0.upperBound...]
    }
    let end = thread?.firstRange(of: "\nThread ")?.lowerBound ?? outcome.errors.endIndex
    #expect(Self.places(thread?[..<end] ?? "") == Self.places(shown), "\(outcome.errors)")
    guard isRecorded else { return }
    let explanation = try Programs.rxtop("explain", trace, "crash").output
    #expect(explanation.contains("It crashed in static Shop.price(of:)"), "\(explanation)")
  }

  @Test func theDebuggerPrintsWhatIsShown() throws {
    // Many toolchains include a debugger that cannot run, because a library is missing.
    guard let debugger = Self.debugger, try Programs.run(debugger, ["--version"]).status == 0
    else { return }
    let commands = ["bt", "frame variable", "language swift task backtrace"]
    let outcome = try Programs.run(
      debugger,
      ["--batch", "--no-use-colors", "-o", "run"] + commands.flatMap { ["-k", $0] } + [program],
      environment: ["SWIFT_BACKTRACE": "enable=no"]
    )
    guard outcome.output.contains("stop reason = ") else { return }
    let block = try #require(article.blocks.first { $0.text.hasPrefix("$ lldb ") })
    let backtrace = outcome.output.firstRange(of: "(lldb) bt").map {
      outcome.output[$0.upperBound...]
    }
    #expect(Self.places(block.text) == Self.places(backtrace ?? ""), "\(outcome.output)")
    #expect(outcome.output.contains("(Int) item = 3"), "\(outcome.output)")
    #expect(
      (outcome.output + outcome.errors).contains("missing <variable-name> or <address> argument")
    )
  }

  @Test func placesAreFoundInTheFormOfEachTool() {
    let text = """
       3 [ra]   0x0 static Shop.price(of:) + 53 in crash at /Shop.swift:46:11
       5 [ra]   0x0 closure #1 in Function.mapping(_:) + 174 in crash at /Map.swift:71:17
       18 [ra]  0x0 static Shop.bill(_:) + 373 in crash at /Shop.swift
       21 [async] [thunk] 0x0 partial apply for closure #1 in static Shop.accept(_:) in crash at //<compiler-generated>
       frame #22: 0x0 crash`closure #1 in static Shop.accept(, order=crash.Order @ 0x0) at Shop.swift:30:18
      """
    #expect(Self.places(text) == ["price 46", "bill ", "closure in accept 30"])
  }

  private static let debugger: String? = ProcessInfo.processInfo.environment["PATH"]?
    .split(separator: ":").map { "\($0)/lldb" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private func crash(_ environment: [String: String]) throws -> Programs.Outcome {
    // No core file is needed.
    try Programs.run(
      "/bin/sh",
      ["-c", "ulimit -c 0; exec \"$0\"", program],
      environment: environment
    )
  }

  /// The program's functions that a text names, in order, each with its line.
  private static func places(_ text: some StringProtocol) -> [String] {
    String(text).split(separator: "\n").filter { !$0.contains("partial apply") }.compactMap {
      line in
      guard let match = line.firstMatch(of: #/(closure #\d+ in )?static Shop\.(\w+)/#) else {
        return nil
      }
      let number = line.firstMatch(of: #/Shop\.swift:([1-9]\d*)/#).map { String($0.1) }
      return "\(match.1 == nil ? "" : "closure in ")\(match.2) \(number ?? "")"
    }
  }
}
