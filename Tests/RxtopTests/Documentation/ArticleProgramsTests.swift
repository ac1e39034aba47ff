import Foundation
import Testing

/// The programs of the articles do what the articles say, and rxtop prints what is shown there.
@Suite(
  .serialized,
  .enabled("there is no swiftc, or no modules beside the tests", { Compiler.isAvailable }),
  .enabled("rxtop was not built beside the tests", { Programs.rxtop != nil })
)
struct ArticleProgramsTests {
  /// A program, and the commands whose output an article shows: the program itself, or rxtop with
  /// its trace.
  struct DocumentedRun: Sendable, CustomTestStringConvertible {
    /// The article, the type with `@main`, and the number of earlier programs of this name.
    let key: String
    /// The text after which the program is killed.
    let until: String
    /// Whether rxtop finds the fault only after the program has run for a while.
    var isFoundLater = false
    /// The commands, and the status with which each ends.
    let commands: [(line: String, status: Int32)]

    var testDescription: String { key }
    var article: String { String(key.prefix { $0 != "." }) }
  }

  static let documentedRuns = [
    DocumentedRun(
      key: "GettingStarted.Hello.0",
      until: "values!",
      commands: [("swift run Hello", 0)]
    ),
    DocumentedRun(
      key: "GettingStarted.Hello.1",
      until: "headline 6\n",
      commands: [("RXTRACE=1 swift run Hello", 0), ("rxtop --once hello.rxtrace", 0)]
    ),
    DocumentedRun(
      key: "DebuggingWithRxtop.Thermostat.0",
      until: "measured three times",
      commands: [
        ("rxtop --once --screen subscriptions thermostat.rxtrace", 0),
        ("rxtop explain thermostat.rxtrace subscription 6", 0),
      ]
    ),
    DocumentedRun(
      key: "DebuggingWithRxtop.Printing.0",
      until: "page 3\n",
      isFoundLater: true,
      commands: [
        ("rxtop check --fail-on suspect printing.rxtrace", 1),
        ("rxtop --once --screen subscriptions printing.rxtrace", 0),
      ]
    ),
    DocumentedRun(
      key: "DebuggingWithRxtop.Download.0",
      until: "finished\n",
      commands: [
        ("rxtop check --fail-on suspect download.rxtrace", 1),
        ("rxtop --once --screen queues download.rxtrace", 0),
      ]
    ),
    DocumentedRun(
      key: "DebuggingWithRxtop.Import.0",
      until: "unhandled failure",
      commands: [("rxtop explain import.rxtrace error", 0)]
    ),
  ]

  @Test(arguments: documentedRuns)
  func programsPrintWhatArticlesShow(of run: DocumentedRun) async throws {
    let program = try await ArticlePrograms.run(run.key, until: run.until) { trace in
      guard run.isFoundLater else { return }
      try blockUntil("rxtop finds something") {
        // The silence must be longer than a finding needs, because the recording ends earlier than
        // the program, and so contains less of the silence.
        let found = try Programs.rxtop("check", "--fail-on", "suspect", trace)
        let silence = found.output.firstMatch(of: #/none has been for ([0-9.]+) s/#)
        return found.status == 1 && silence.flatMap { Double($0.1) } ?? 0 >= 1.5
      }
    }
    let article = try Article.named(run.article)
    for (line, status) in run.commands {
      let shown = try article.output(after: line)
      guard line.hasPrefix("rxtop ") else {
        #expect(ShownOutput.matches(shown, program.output), "\(program.output)")
        continue
      }
      let words = line.split(separator: " ").dropFirst()
        .map { $0.hasSuffix(".rxtrace") ? program.trace : String($0) }
      let outcome = try Programs.run(try #require(Programs.rxtop), words)
      #expect(outcome.status == status, "\(line): \(outcome.errors)")
      // Here, all programs are in one module; in the article, each is a package.
      let output = outcome.output.replacing(#/programs\.Program\d+\./#, with: "Import.")
      #expect(ShownOutput.matches(shown, output), "\(line) prints:\n\(output)")
    }
  }

  /// Commands on traces of the repository.
  @Test(arguments: Article.all.map(\.name))
  func commandsOnSampleTracesPrintWhatArticlesShow(article name: String) throws {
    for block in try Article.named(name).blocks where block.isOutputOfSample {
      let words = Self.words(block.lines[0]).dropFirst(2).map { word in
        word.hasPrefix("traces/") ? Article.root.appending(path: word).path : word
      }
      let outcome = try Programs.run(try #require(Programs.rxtop), words)
      #expect(outcome.status <= 1, "\(outcome.errors)")
      let actual = outcome.output.replacing(Article.root.path + "/", with: "")
      let shown = block.lines.dropFirst().joined(separator: "\n")
      #expect(ShownOutput.matches(shown, actual), "\(block.lines[0]) prints:\n\(actual)")
    }
  }

  /// Splits a line into words as a shell does, for lines in which quotes enclose whole words only.
  private static func words(_ line: some StringProtocol) -> [String] {
    String(line).matches(of: #/'(?<quoted>[^']*)'|(?<plain>\S+)/#).map { match in
      String(match.output.quoted ?? match.output.plain ?? "")
    }
  }

  @Test func everyProgramAndOutputOfAnArticleIsTested() {
    let keys = ArticlePrograms.all.map(\.key)
    #expect(keys.sorted() == Self.documentedRuns.map(\.key).sorted())
    #expect(keys.count == Article.all.flatMap(\.swiftBlocks).filter(\.isProgram).count)
    for article in Article.all {
      let lines = Self.documentedRuns.filter { $0.article == article.name }
        .flatMap(\.commands).map { "$ \($0.line)" }
      for block in article.blocks where block.isOutput && !block.isOutputOfSample {
        #expect(lines.contains(String(block.lines[0])), "\(article.name), line \(block.line)")
      }
    }
  }

  @Test func theRemedyOfTheTutorialFixesTheLeak() async throws {
    let article = try Article.named("GettingStarted")
    let leaking = try #require(ArticlePrograms.all.first { $0.key == "GettingStarted.Hello.1" })
    let remedy = try #require(article.swiftBlocks.last).text
    let former = try #require(leaking.text.firstMatch(of: /final class Window(?:.|\n)*?\n}/)).output
    try #require(remedy.hasPrefix("final class Window") && remedy != former)
    let fixed = ArticlePrograms.Program(
      article: "GettingStarted",
      name: "Hello",
      number: 1,
      text: leaking.text.replacing(former, with: remedy)
    )
    let scratch = try Scratch()
    let path = scratch.path("programs")
    try ArticlePrograms.build([fixed], into: path, in: scratch.folder)
    let program = try ExampleProcess("programs", [fixed.key], at: path)
    try await program.prints("headline 6\n")
    program.kill()
    let check = try Programs.rxtop("check", "--fail-on", "suspect", program.trace)
    #expect(check.status == 0, "\(check.output)")
    let once = try Programs.rxtop("--once", program.trace).output
    // The program may have been killed while it showed the last of its seven windows.
    #expect(once.contains(#/subscribe@Hello.swift:10 +[01] /#), "\(once)")
  }

  @Test func theFailureOfTheImportIsLoggedAsShown() async throws {
    let program = try await ArticlePrograms.run(
      "DebuggingWithRxtop.Import.0",
      until: "unhandled failure"
    )
    #expect(program.output == "sum 12\nsum 42\n")
    let logged = try #require(
      try Article.named("DebuggingWithRxtop").blocks.first { $0.text.hasPrefix("error reactive") }
    )
    #expect(program.errors.contains(logged.text), "\(program.errors)")
  }

  @Test func outputMayDifferFromAnArticleInNumbersAndOmittedLines() {
    #expect(ShownOutput.matches("a 12 ms at X.swift:3", "a   1.5 µs\n at X.swift:3"))
    #expect(!ShownOutput.matches("a 12 ms at X.swift:3", "a 1 ms at X.swift:4"))
    #expect(ShownOutput.matches("…\nb\n…\nd\n…", "a\nb\nc\nd"))
    #expect(!ShownOutput.matches("…\nd\n…\nb\n…", "a\nb\nc\nd"))
    #expect(!ShownOutput.matches("a\nb", "a\nb\nc"))
  }
}

extension Article.Block {
  /// Whether the block begins with a command, of a program or of rxtop, and shows its output.
  fileprivate var isOutput: Bool {
    let command = lines.first ?? ""
    let isKnown = ["$ rxtop ", "$ swift run ", "$ RXTRACE"].contains { command.hasPrefix($0) }
    return isKnown && lines.dropFirst().contains { !$0.hasPrefix("$ ") }
  }

  /// Whether the command is one of rxtop on a trace of the repository.
  fileprivate var isOutputOfSample: Bool {
    isOutput && lines[0].hasPrefix("$ rxtop ") && lines[0].contains(" traces/")
  }
}
