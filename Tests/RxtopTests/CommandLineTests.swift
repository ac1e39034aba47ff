import Foundation
import Testing

/// rxtop without a terminal: its output and its exit status.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct CommandLineTests {
  @Test func missingBacktracesAreExplained() throws {
    let scratch = try Scratch()
    let (whole, cut) = (scratch.path("whole.rxtrace"), scratch.path("cut.rxtrace"))
    try SmallTrace.write(to: whole)
    try Data(contentsOf: URL(fileURLWithPath: whole)).prefix(5000)
      .write(to: URL(fileURLWithPath: cut))
    let outcome = try Programs.rxtop("dump", "--backtraces", cut)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("no asynchronous backtrace is in the trace"))
    #expect(outcome.output.contains("the file has 5000"))
  }

  @Test func printsTheSitesWithoutATerminal() throws {
    let scratch = try Scratch()
    try SmallTrace.write(to: scratch.path("small.rxtrace"))
    let outcome = try Programs.rxtop(scratch.path("small.rxtrace"))
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.output.contains("interval@Clock.swift:21"))
    #expect(outcome.output.contains("small 4711  ended"))
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(try Programs.rxtop("--once", scratch.path("small.rxtrace")).output == outcome.output)
  }

  @Test func usesColourOnlyOnRequest() throws {
    let scratch = try Scratch()
    try SmallTrace.write(to: scratch.path("small.rxtrace"))
    let colored = try Programs.rxtop("--once", "--color", "always", scratch.path("small.rxtrace"))
    #expect(colored.output.contains("\u{1B}["))
    let ascii = try Programs.rxtop(
      "--once",
      scratch.path("small.rxtrace"),
      environment: ["LC_ALL": "C"]
    )
    #expect(ascii.output.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(arguments: ["sites", "signals", "subscriptions", "graph", "events", "findings"])
  func printsEveryScreen(name: String) throws {
    let scratch = try Scratch()
    try SmallTrace.write(to: scratch.path("small.rxtrace"))
    let outcome = try Programs.rxtop("--once", "--screen", name, scratch.path("small.rxtrace"))
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").count > 2)
  }

  @Test func printsJSONWithASchemaVersion() throws {
    let scratch = try Scratch()
    try SmallTrace.write(to: scratch.path("small.rxtrace"))
    let outcome = try Programs.rxtop("--json", scratch.path("small.rxtrace"))
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    for key in ["schema", "sites", "signals", "subscriptions", "findings"] {
      #expect(object?[key] != nil, "\(key) is missing")
    }
  }

  @Test func usageErrorsExitWithTwoAndNameTheProblem() throws {
    for arguments in [
      ["--nonsense"], ["check"], ["--refresh", "0"], ["--screen", "x"], ["--raise", "all"],
      ["--once", "--raise", "events"],
    ] {
      let outcome = try Programs.run(try #require(Programs.rxtop), arguments)
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.errors.hasPrefix("rxtop: error: "), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func suggestsTheSubcommandThatWasMeant() throws {
    #expect(try Programs.rxtop("chek", "x").errors.contains("Did you mean: rxtop check"))
    #expect(try Programs.rxtop("dmup").errors.contains("Did you mean: rxtop dump"))
    #expect(try !Programs.rxtop("nothing.rxtrace").errors.contains("Did you mean"))
  }

  @Test func suggestsAnOptionOnlyIfItIsSimilar() throws {
    #expect(try Programs.rxtop("--jsn").errors.contains("Did you mean '--json'?"))
    let wrong = try Programs.rxtop("--wrong")
    #expect(wrong.status == 2 && wrong.errors.hasPrefix("rxtop: error: Unknown option '--wrong'\n"))
    #expect(!wrong.errors.contains("Did you mean"))
  }

  @Test func anUnreadableTraceExitsWithThree() throws {
    let scratch = try Scratch()
    try Data("no trace at all".utf8).write(to: scratch.folder.appending(path: "text.rxtrace"))
    for arguments in [
      ["check", "/nonexistent.rxtrace"], [scratch.path("text.rxtrace")],
      ["check", scratch.path("text.rxtrace")],
      ["dump", scratch.path("text.rxtrace")], ["1"],
    ] {
      let outcome = try Programs.run(try #require(Programs.rxtop), arguments)
      #expect(outcome.status == 3, "\(arguments) \(outcome.output)")
      #expect(outcome.errors.hasPrefix("rxtop: error: "), "\(outcome.errors)")
    }
  }

  @Test func saysHowToTraceAProgramWhenNoneIs() throws {
    let scratch = try Scratch()
    let environment = ["RXTRACE_DIR": scratch.folder.path, "XDG_RUNTIME_DIR": scratch.folder.path]
    let list = try Programs.rxtop("ls", environment: environment)
    #expect(list.status == 0)
    let process = ProcessInfo.processInfo.processIdentifier
    let outcome = try Programs.rxtop("\(process)", environment: environment)
    #expect(outcome.status == 3)
    #expect(
      outcome.errors.contains("process \(process)")
        && outcome.errors.contains("restart it as RXTRACE=1")
    )
  }

  @Test func checkSaysCleanForACleanTrace() throws {
    let scratch = try Scratch()
    try SmallTrace.write(to: scratch.path("small.rxtrace"))
    let outcome = try Programs.rxtop("check", scratch.path("small.rxtrace"))
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  @Test func dumpAndAssembleAreInverse() throws {
    let scratch = try Scratch()
    try SmallTrace.write(to: scratch.path("small.rxtrace"))
    let text = try Programs.rxtop("dump", scratch.path("small.rxtrace"))
    #expect(text.status == 0)
    try text.output.write(toFile: scratch.path("text"), atomically: true, encoding: .utf8)
    let made = try Programs.rxtop("assemble", scratch.path("text"), scratch.path("again.rxtrace"))
    #expect(made.status == 0, "\(made.errors)")
    #expect(
      try Data(contentsOf: URL(filePath: scratch.path("again.rxtrace")))
        == Data(contentsOf: URL(filePath: scratch.path("small.rxtrace")))
    )
    #expect(
      try Programs.rxtop("assemble", scratch.path("text"), scratch.path("again.rxtrace")).status
        == 3
    )
  }

  @Test func dumpsOneEventByItsNumber() throws {
    let scratch = try Scratch()
    try SmallTrace.write(to: scratch.path("small.rxtrace"))
    let events = try Programs.rxtop("--once", "--screen", "events", scratch.path("small.rxtrace"))
      .output
    let number = try #require(
      events.split(whereSeparator: { " \n".contains($0) }).last {
        $0.hasPrefix("#") && $0.count > 3
      }
    )
    let outcome = try Programs.rxtop(
      "dump",
      "--event",
      String(number.dropFirst()),
      scratch.path("small.rxtrace")
    )
    #expect(outcome.status == 0 && outcome.output.contains(number))
    #expect(try Programs.rxtop("dump", "--event", "1", scratch.path("small.rxtrace")).status == 3)
  }

  @Test func helpNamesEverySubcommand() throws {
    let help = try Programs.rxtop("--help")
    #expect(help.status == 0)
    for name in ["ls", "check", "dump", "assemble", "RXTRACE=1"] {
      #expect(help.output.contains(name))
    }
    #expect(try Programs.rxtop("--version").output.hasPrefix("rxtop "))
  }
}
