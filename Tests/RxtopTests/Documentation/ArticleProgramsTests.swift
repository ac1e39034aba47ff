import Foundation
import Testing

/// The programs of the articles do what the articles say, and rxtop says of them what is shown there.
@Suite(
  .serialized,
  .enabled("there is no swiftc, or no modules beside the tests", { Compiler.isThere }),
  .enabled("rxtop was not built beside the tests", { Programs.rxtop != nil })
)
struct ArticleProgramsTests {
  @Test func thereAreAsManyAsThereAreBlocks() {
    #expect(
      ArticlePrograms.all.count == Article.all.flatMap(\.swiftBlocks).filter(\.isProgram).count
    )
    #expect(ArticlePrograms.all.count >= 5)
  }

  // MARK: Getting started

  @Test func theFirstSignalPrintsWhatIsShown() async throws {
    let program = try await ArticlePrograms.run("Hello", in: "GettingStarted", until: "values!")
    let shown = try Article.named("GettingStarted").output(after: "swift run Hello")
    #expect(program.output == shown + "\n")
  }

  @Test func theLeakOfTheTutorialIsFound() async throws {
    let program = try await ArticlePrograms.run(
      "Hello",
      number: 1,
      in: "GettingStarted",
      until: "headline 6\n"
    )
    let article = try Article.named("GettingStarted")
    #expect(Shown.matches(try article.output(after: "RXTRACE=1 swift run Hello"), program.output))
    let once = try Programs.rxtop("--once", program.trace).output
    #expect(Shown.matches(try article.output(after: "rxtop --once hello.rxtrace"), once), "\(once)")
  }

  @Test func theRemedyOfTheTutorialHelps() async throws {
    let article = try Article.named("GettingStarted")
    let leaking = try #require(ArticlePrograms.all.first { $0.key == "GettingStarted.Hello.1" })
    let remedy = try #require(article.swiftBlocks.last).text
    let former = try #require(leaking.text.firstMatch(of: /final class Window(?:.|\n)*?\n}/)).output
    try #require(remedy.hasPrefix("final class Window") && remedy != former)
    let cured = ArticlePrograms.Program(
      article: "GettingStarted",
      name: "Hello",
      number: 1,
      text: leaking.text.replacing(former, with: remedy)
    )
    let scratch = try Scratch()
    try ArticlePrograms.build([cured], into: scratch.path("programs"), in: scratch.folder)
    let program = try ExampleProcess("programs", [cured.key], at: scratch.path("programs"))
    try await program.prints("headline 6\n")
    program.kill()
    let check = try Programs.rxtop("check", "--fail-on", "suspect", program.trace)
    #expect(check.status == 0, "\(check.output)")
    let once = try Programs.rxtop("--once", program.trace).output
    #expect(once.contains(#/subscribe@Hello.swift:10 +0 /#), "\(once)")
  }

  // MARK: Debugging

  @Test func theThermostatIsSilentAndExplained() async throws {
    let program = try await ArticlePrograms.run(
      "Thermostat",
      in: "DebuggingWithRxtop",
      until: "measured three times"
    )
    #expect(program.output == "measured three times\n")
    try expectShown("--once --screen subscriptions thermostat.rxtrace", program.trace)
    try expectShown("explain thermostat.rxtrace subscription 6", program.trace)
  }

  @Test func thePrinterStalls() async throws {
    let program = try await ArticlePrograms.run(
      "Printing",
      in: "DebuggingWithRxtop",
      until: "page 3"
    ) { trace in
      try await eventually("rxtop says that nothing moves") {
        try Programs.rxtop("check", "--quiet", "--fail-on", "suspect", trace).status == 1
      }
    }
    #expect(program.output == "page 0\npage 1\npage 2\npage 3\n")
    try expectShown("check --fail-on suspect printing.rxtrace", program.trace, status: 1)
    try expectShown("--once --screen subscriptions printing.rxtrace", program.trace)
  }

  @Test func theDownloadIsHandledOnTwoQueues() async throws {
    let program = try await ArticlePrograms.run(
      "Download",
      in: "DebuggingWithRxtop",
      until: "finished"
    )
    try expectShown("check --fail-on suspect download.rxtrace", program.trace, status: 1)
    try expectShown("--once --screen queues download.rxtrace", program.trace)
  }

  @Test func theErrorOfTheImportIsExplained() async throws {
    let program = try await ArticlePrograms.run(
      "Import",
      in: "DebuggingWithRxtop",
      until: "unhandled failure"
    )
    #expect(program.output == "sum 12\nsum 42\n")
    let logged = try #require(
      try Article.named("DebuggingWithRxtop").blocks.first { $0.text.contains("unhandled failure") }
    )
    #expect(program.errors.contains(logged.text))
    try expectShown("explain import.rxtrace error", program.trace)
  }

  /// Commands on traces that come with the repository.
  @Test(arguments: Article.all.map(\.name))
  func commandsOnSampleTracesPrintWhatIsShown(article name: String) throws {
    for block in try Article.named(name).blocks {
      guard let command = block.lines.first, command.hasPrefix("$ rxtop "),
        command.contains("traces/")
      else { continue }
      let words = command.dropFirst(8).split(separator: " ").map { word in
        word.hasPrefix("traces/") ? Article.root.appending(path: String(word)).path : String(word)
      }
      let outcome = try Programs.run(try #require(Programs.rxtop), words)
      #expect(outcome.status <= 1, "\(outcome.errors)")
      let actual = outcome.output.replacing(Article.root.path + "/", with: "")
      let shown = block.lines.dropFirst().joined(separator: "\n")
      #expect(Shown.matches(shown, actual), "\(command) prints:\n\(actual)")
    }
  }

  @Test func whatIsShownIsCompared() {
    #expect(Shown.matches("a 12 ms at X.swift:3", "a   1.5 µs\n at X.swift:3"))
    #expect(!Shown.matches("a 12 ms at X.swift:3", "a 1 ms at X.swift:4"))
    #expect(Shown.matches("…\nb\n…\nd\n…", "a\nb\nc\nd"))
    #expect(!Shown.matches("…\nd\n…\nb\n…", "a\nb\nc\nd"))
    #expect(!Shown.matches("a\nb", "a\nb\nc"))
  }

  private func expectShown(
    _ command: String,
    _ trace: String,
    status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let shown = try Article.named("DebuggingWithRxtop").output(after: "rxtop \(command)")
    let words = command.split(separator: " ").map { $0.hasSuffix(".rxtrace") ? trace : String($0) }
    let outcome = try Programs.run(try #require(Programs.rxtop), words)
    #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
    // Here all of them are one module; in the article each is a package.
    let output = outcome.output.replacing(#/programs\.Program\d+\./#, with: "Import.")
    #expect(
      Shown.matches(shown, output),
      "\(outcome.output)",
      sourceLocation: sourceLocation
    )
  }
}
