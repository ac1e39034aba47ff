import Foundation
import Testing

/// The manual page and the completions agree with the program.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct ManualTests {
  private var file: URL { ExportTests.root.appending(path: "Documentation/rxtop.1") }

  @Test(.enabled("Python is not installed", { PythonReader.python != nil }))
  func theManualPageSaysWhatTheHelpSays() throws {
    let script = ExportTests.root.appending(path: "Scripts/manual").path
    let outcome = try Programs.run(
      try #require(PythonReader.python),
      [script, try #require(Programs.rxtop)]
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try outcome.output.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let written = try String(contentsOf: file, encoding: .utf8)
    #expect(written == outcome.output, "Documentation/rxtop.1 is old: Scripts/manual RXTOP --write")
  }

  @Test func theManualPageNamesEverySubcommandOptionAndKey() throws {
    let page = try String(contentsOf: file, encoding: .utf8).replacing("\\-", with: "-")
    let help = try Programs.rxtop("--help").output
    let names = help.split(separator: "SUBCOMMANDS:").last?.split(separator: "\n").compactMap {
      $0.hasPrefix("  ") && !$0.hasPrefix("   ") ? $0.split(separator: " ").first : nil
    }
    for name in try #require(names) where name != "help" && name != "See" {
      #expect(page.contains(".SS rxtop \(name)\n"), "\(name)")
      let options = try Programs.rxtop(String(name), "--help").output
      for option in options.matches(of: /--[a-z][a-z-]+/) {
        #expect(page.contains(option.output), "\(name) \(option.output)")
      }
    }
    for word in ["zoom-in", "follow-cause", "compare-from-here", "RXTRACE", "NO_COLOR"] {
      #expect(page.contains(word))
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsNameSubcommandsAndFormats(shell: String)
    throws
  {
    let outcome = try Programs.rxtop("--generate-completion-script", shell)
    #expect(outcome.status == 0)
    for word in ["export", "report", "marble", "diff", "record", "prune", "perfetto", "speedscope"]
    {
      #expect(outcome.output.contains(word), "\(word)")
    }
  }
}
