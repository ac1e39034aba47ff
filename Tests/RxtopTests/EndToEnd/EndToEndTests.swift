import Foundation
import Testing

/// A real program with two faults, which rxtop shows on a real terminal: while it runs, after it
/// was killed, and from its file.
@Suite(
  .serialized,
  .enabled("tmux is not installed", { Programs.tmux != nil }),
  .enabled("rxtop and watchtower were not built beside the tests", { Programs.watchtower != nil })
)
struct EndToEndTests {
  /// One more round than the finding of growth requires.
  private static let rounds = 6

  @Test func leaksAreFoundLiveAndAfterAKillAndInTheFile() async throws {
    let program = try await WatchtowerProcess(
      ["--leak", "--interval", "50"],
      trace: "events,size=1M"
    )
    for _ in 1...Self.rounds { try await program.playRound() }
    let timer = try Self.site("schedule(every:)", at: "QueueScheduler.main.schedule(every:")
    let subscription = try Self.site("subscribe", at: ".subscribe { tally in")

    // While the program runs, both faults come first among the lines of code and among the
    // findings.
    let rxtop = try #require(Programs.rxtop)
    let session = try await TmuxSession(
      columns: 120,
      rows: 40,
      environment: ["RXTRACE_DIR": program.traces]
    )
    try session.enter("\(rxtop) --screen sites \(program.processID); echo \"status $?\"")
    try await eventually("both sites stand first") {
      Set(SiteLine.all(on: session.screen).prefix(2).map(\.site)) == [timer, subscription]
    }
    #expect(session.screen.contains("live"))
    let live = SiteLine.all(on: session.screen)
    let count = UInt64(2 * Self.rounds)
    for row in live.prefix(2) { #expect(row.live == count, "\(row)") }
    try session.press("f")
    try await eventually("both are the first findings") {
      Self.accused(on: session.screen).prefix(2).sorted() == [timer, subscription].sorted()
    }
    try session.press("s")

    // When the program is killed, rxtop says so and keeps the rows.
    program.kill()
    try await eventually("rxtop says that the program has ended") {
      session.screen.contains("process \(program.processID) crashed or was killed")
    }
    try await eventually("the rows are still there") {
      Set(SiteLine.all(on: session.screen).prefix(2)) == Set(live.prefix(2))
    }
    let last = SiteLine.all(on: session.screen)
    try session.press("q")
    try await eventually("rxtop has given the terminal back") {
      !session.isAlternate && session.screen.contains("status 0")
    }

    // From the file, rxtop shows the same rows.
    let files = try program.traceFiles()
    #expect(files.count == 1)
    try session.enter(
      "clear; \(rxtop) --screen sites \(try #require(files.first)); echo \"status $?\""
    )
    try await eventually("the file shows the same rows") {
      SiteLine.all(on: session.screen) == last
    }
    try session.press("q")
    try await eventually("rxtop has ended") { !session.isAlternate }
  }

  @Test func aHealthyProgramHasNoLeak() async throws {
    let program = try await WatchtowerProcess(["--interval", "50"], trace: "events,size=1M")
    for _ in 1...Self.rounds { try await program.playRound() }
    let file = try #require(try program.traceFiles().first)
    let live = try Programs.rxtop("check", "--fail-on", "leak", file)
    #expect(live.status == 0, "\(live.output)\(live.errors)")
    #expect(program.terminate() == 0)
    let ended = try Programs.rxtop("check", "--fail-on", "leak", file)
    #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
  }

  @Test func jsonNamesBothFaultsWithTheirEvidence() async throws {
    let program = try await WatchtowerProcess(
      ["--leak", "--interval", "50"],
      trace: "events,size=1M"
    )
    for _ in 1...Self.rounds { try await program.playRound() }
    let file = try #require(try program.traceFiles().first)
    let faults = [
      try Self.site("schedule(every:)", at: "QueueScheduler.main.schedule(every:"),
      try Self.site("subscribe", at: ".subscribe { tally in"),
    ]
    try await eventually("both faults are the first findings") {
      Set(try Self.accused(inJSONOf: file).prefix(2)) == Set(faults)
    }
    program.kill()
    #expect(Set(try Self.accused(inJSONOf: file).prefix(2)) == Set(faults))
  }

  @Test func aFileThatIsClosedAfterItWasDeletedIsNotOpenedAgain() async throws {
    let program = try await WatchtowerProcess(["--interval", "50"], trace: nil)
    let name = "held.log"
    let handle = try program.openLog(name)
    try handle.write(contentsOf: Data("ERROR in \(name)\n".utf8))
    try await eventually("\(name) is tailed") { program.alerts.contains("ERROR in \(name)") }
    try program.removeLog(name)
    try await eventually("\(name) is closed") { program.alerts.contains(/CLOSE +held/) }
    try handle.write(contentsOf: Data("too late\n".utf8))
    try handle.close()
    // Events are handled in order, so the next file's output comes after any output of late events.
    let next = try program.openLog("next.log")
    try next.write(contentsOf: Data("ERROR in next.log\n".utf8))
    try await eventually("next.log is tailed") { program.alerts.contains("ERROR in next.log") }
    #expect(program.alerts.matches(of: /OPEN +held/).count == 1)
    try next.close()
  }

  @Test func withoutTheVariableThereIsNoTrace() async throws {
    let program = try await WatchtowerProcess(["--interval", "50"], trace: nil)
    try await program.playRound()
    #expect(try program.traceFiles().isEmpty)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.processID)/fd")
      .compactMap {
        try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(program.processID)/fd/\($0)"
        )
      }
    #expect(!open.contains { $0.contains("rxtrace") })
    #expect(program.terminate() == 0)
  }

  @Test func aMistakeInTheVariableIsReportedInOneLineAndTheProgramContinues() async throws {
    let program = try await WatchtowerProcess(["--interval", "50"], trace: "levl=events")
    try await program.playRound()
    #expect(program.errorOutput.split(separator: "\n").count == 1)
    #expect(program.errorOutput.contains("'levl'"))
    #expect(try program.traceFiles().isEmpty)
    #expect(program.terminate() == 0)
  }

  // MARK: Expected sites

  /// A site, for example `subscribe@Pane.swift:88`.
  ///
  /// The line is looked up in the source, so that it is never outdated.
  private static func site(_ name: String, at text: String) throws -> String {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Examples/watchtower/Pane.swift")
    let lines = try String(contentsOf: source, encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    let line = try #require(lines.firstIndex { $0.contains(text) }, "'\(text)' is gone") + 1
    return "\(name)@Pane.swift:\(line)"
  }

  /// The sites of the findings in `rxtop --once --json`, in order and without repetitions; also
  /// checks the rest of the output.
  private static func accused(inJSONOf file: String) throws -> [String] {
    let outcome = try Programs.rxtop("--once", "--json", file)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    let root = try #require(object as? [String: Any])
    #expect((root["schema"] as? [String: Any])?["version"] as? Int == 1)
    for key in ["sites", "signals", "subscriptions"] {
      #expect((root[key] as? [Any])?.isEmpty == false, "\(key) is no list, or has no rows")
    }
    var sites: [String] = []
    for finding in try #require(root["findings"] as? [[String: Any]]) {
      let site = "\(finding["name"] ?? "?")@\(finding["location"] ?? "?")"
      let evidence = finding["evidence"] as? [String: Any]
      let events = try #require(evidence?["events"] as? [UInt64], "\(site): no event numbers")
      let counters = try #require(evidence?["counters"] as? [String], "\(site): no counters")
      #expect(!events.isEmpty || !counters.isEmpty, "\(site): no evidence")
      if !sites.contains(site) { sites.append(site) }
    }
    return sites
  }

  /// The sites on the screen Findings, from the top and without repetitions.
  private static func accused(on screen: String) -> [String] {
    var sites: [String] = []
    for match in screen.matches(of: /[^\s│]+@\w+\.swift:\d+/)
    where !sites.contains(String(match.output)) {
      sites.append(String(match.output))
    }
    return sites
  }
}

/// A row of the screen Sites, without the columns that change from moment to moment.
struct SiteLine: Hashable {
  let site: String
  let live: UInt64

  /// The rows on a screen, from the top.
  static func all(on screen: String) -> [SiteLine] {
    screen.matches(of: /([^\s│]+@\w+\.swift:\d+) +(\d+)/).compactMap { match in
      UInt64(match.output.2).map { SiteLine(site: String(match.output.1), live: $0) }
    }
  }
}
