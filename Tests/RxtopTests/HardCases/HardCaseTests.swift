import Foundation
import Testing

/// rxtop on real terminals that are small, limited or resized, with programs and files that
/// disappear.
@Suite(
  .serialized,
  .enabled("tmux is not installed", { Programs.tmux != nil }),
  .enabled("rxtop was not built beside the tests", { Programs.rxtop != nil })
)
struct HardCaseTests {
  private var rxtop: String { Programs.rxtop ?? "rxtop" }

  /// Opens a trace in a terminal that records every byte sent to it.
  private func open(
    _ trace: String,
    columns: Int = 80,
    rows: Int = 24,
    environment: String = "",
    options: String = ""
  ) async throws -> TmuxSession {
    let session = try await TmuxSession(columns: columns, rows: rows)
    try session.recordBytes("bytes")
    try session.enter("\(environment) \(rxtop) \(options) \(trace); echo status $?")
    return session
  }

  private func expectEnd(_ session: TmuxSession) async throws {
    try session.press("C-c")
    try await eventually("rxtop has ended") { session.screen.contains("status 0") }
    #expect(!session.isAlternate && session.hasCursor)
  }

  // MARK: Names

  @Test func hostileNamesReachNoTerminal() async throws {
    let scratch = try Scratch()
    let path = try HostileTraceTests.trace(in: scratch)
    let session = try await open(path, columns: 120, rows: 40)
    try await eventually("it is shown") { session.screen.contains("<U+001B>") }
    let title = session.title
    for key in ["i", "u", "e", "f", "a", "h", "c", "s", "Enter", "d", "r", "V", "Escape", "?"] {
      try session.press(key)
      try await eventually("\(key) is drawn") {
        ["Help", "q quit", "q back"].contains(where: session.screen.contains)
      }
    }
    #expect(session.title == title)
    try await expectEnd(session)
    let bytes = session.bytes("bytes")
    for attack in [
      "\u{1B}]52", "\u{1B}]0;", "\u{1B}[6n", "\u{9B}", "\u{9D}", "\u{202E}", "\u{200B}", "\u{2066}",
      "\u{2028}",
    ] {
      #expect(
        !bytes.contains(attack),
        "U+\(attack.unicodeScalars.map { String($0.value, radix: 16) })"
      )
    }
  }

  // MARK: Terminals

  @Test func everyScreenFitsTheSmallestTerminal() async throws {
    let session = try await open(ExportTests.sample("watchtower-leak"), columns: 40, rows: 10)
    try await eventually("it is shown") { session.screen.contains("Pane:94") }
    for (key, title) in [
      ("i", "Signals"), ("u", "Subs"), ("e", "Events"), ("f", "Find"), ("M", "Map"),
      ("a", "Marbles"),
      ("h", "Queues"), ("c", "Diff"), ("s", "Sites"),
    ] {
      try session.press(key)
      try await eventually("\(title) is open") { session.screen.contains(title) }
    }
    try await expectEnd(session)
  }

  @Test func manyResizesEndInTheRightSize() async throws {
    let session = try await open(ExportTests.sample("watchtower-leak"))
    try await eventually("it is shown") { session.screen.contains("Pane.swift:94") }
    try session.press("a")
    for step in 0..<24 {
      try session.resize(columns: 30 + step * 37 % 110, rows: 6 + step * 13 % 40)
      if step % 3 == 0 { try session.press(["Up", "=", "h", "e", "a"][step % 5]) }
    }
    try session.resize(columns: 100, rows: 30)
    try session.press("s")
    try await eventually("it fills the last size") {
      let lines = session.screen.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.contains { $0.contains("subscribe@Pane.swift:94") }
        && lines.contains { $0.contains("q quit") }
    }
    try await expectEnd(session)
  }

  @Test func asciiIsUsedInAnASCIILocale() async throws {
    let session = try await open(ExportTests.sample("watchtower-leak"), environment: "LC_ALL=C")
    try await eventually("it is shown") { session.screen.contains("Pane.swift:94") }
    for key in ["a", "r", "V", "h", "c", "s"] { try session.press(key) }
    try await eventually("the last one is drawn") { session.screen.contains("s Sites") }
    try await expectEnd(session)
    #expect(session.bytes("bytes").unicodeScalars.allSatisfy { $0.value < 0x80 })
  }

  @Test func noColorDisablesColours() async throws {
    let session = try await open(ExportTests.sample("watchtower-leak"), environment: "NO_COLOR=1")
    try await eventually("it is shown") { session.screen.contains("Pane.swift:94") }
    try session.press("f")
    try await eventually("findings are drawn") { session.screen.contains("LEAK") }
    try await expectEnd(session)
    #expect(
      session.bytes("bytes").firstMatch(of: /\u{1B}\[(?:[0-9]*;)*[34][0-7](?:;[0-9]*)*m/) == nil
    )
  }

  @Test func aDumbTerminalGetsPlainText() async throws {
    let session = try await open(ExportTests.sample("watchtower-leak"), environment: "TERM=dumb")
    try await eventually("it has ended") { session.screen.contains("status 0") }
    #expect(session.bytes("bytes").contains("subscribe@Pane.swift:94"))
    #expect(!session.isAlternate)
  }

  @Test func settingsInAPipeDoNotBlock() async throws {
    let scratch = try Scratch()
    let folder = scratch.path("rxtop")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(mkfifo(folder + "/config", 0o600) == 0)
    let session = try await open(
      ExportTests.sample("watchtower-leak"),
      environment: "XDG_CONFIG_HOME='\(scratch.folder.path)'"
    )
    try await eventually("it is shown") { session.screen.contains("Pane.swift:94") }
    try await expectEnd(session)
  }

  @Test func theTerminalIsRestoredWhenSuspendedByAnotherProcess() async throws {
    let session = try await open(ExportTests.sample("watchtower-leak"))
    try await eventually("it is shown") { session.screen.contains("Pane.swift:94") }
    let process = try #require(session.processes(of: "rxtop").first)
    #expect(try Programs.run("/bin/kill", ["-s", "TSTP", process]).status == 0)
    try await eventually("the shell has the terminal") { !session.isAlternate && session.hasCursor }
    try session.enter("fg")
    try await eventually("it is shown again") {
      session.isAlternate && session.screen.contains("Pane.swift:94")
    }
    #expect(try Programs.run("/bin/kill", ["-s", "HUP", process]).status == 0)
    try await eventually("it has ended") { !session.isAlternate && session.hasCursor }
  }

  // MARK: Files and programs

  @Test func aTraceTruncatedWhileOpenStaysOnTheScreen() async throws {
    let scratch = try Scratch()
    let path = scratch.path("copy.rxtrace")
    try FileManager.default.copyItem(atPath: ExportTests.sample("watchtower-leak"), toPath: path)
    let session = try await open(path)
    try await eventually("it is shown") { session.screen.contains("Pane.swift:94") }
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 3000)
    for key in ["a", "h", "e", ",", "End", "u", "Enter", "d", "s"] { try session.press(key) }
    try await eventually("it goes on") { session.screen.contains("s Sites") }
    try file.truncate(atOffset: 0)
    for key in ["a", ",", "End", "s"] { try session.press(key) }
    try await eventually("it still goes on") { session.screen.contains("s Sites") }
    try await expectEnd(session)
  }

  @Test(.enabled("watchtower was not built beside the tests", { Programs.watchtower != nil }))
  func theEndOfAStoppedProgramIsReported() async throws {
    let program = try await WatchtowerProcess([], trace: "events,size=1M")
    defer { program.kill() }
    let path = try #require(try program.traceFiles().first)
    let session = try await open(path, columns: 120, rows: 40, options: "--refresh 0.2")
    try await eventually("it is live") { session.screen.contains("live  ") }
    // A stopped process has not ended, and rxtop still reacts to keys.
    kill(program.processID, SIGSTOP)
    try session.press("a")
    try await eventually("marbles are drawn") {
      session.screen.contains("a Marbles") && session.screen.contains("╷")
    }
    kill(program.processID, SIGCONT)
    program.kill()
    try session.press("s")
    try await eventually("it says that it has ended") {
      session.screen.contains("crashed or was killed")
    }
    try await expectEnd(session)
  }

  // MARK: The mouse and the editor

  @Test func aClickOpensAScreenAndTheEditorComesBack() async throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.path("watchtower"),
      withIntermediateDirectories: true
    )
    try "".write(toFile: scratch.path("watchtower/Pane.swift"), atomically: true, encoding: .utf8)
    let log = scratch.path("edited")
    let editor = scratch.path("editor")
    try "#!/bin/sh\necho \"$@\" >'\(log)'\n".write(
      toFile: editor,
      atomically: true,
      encoding: .utf8
    )
    chmod(editor, 0o755)
    let session = try await TmuxSession(columns: 120, rows: 40)
    try session.enter(
      "cd '\(scratch.folder.path)' && EDITOR='\(editor)' VISUAL= \(rxtop) \(ExportTests.sample("watchtower-leak")); echo status $?"
    )
    try await eventually("it is shown") { session.screen.contains("Pane.swift:94") }
    try session.press("o")
    try await eventually("the editor has run") {
      (try? String(contentsOfFile: log, encoding: .utf8)) == "+94 ./watchtower/Pane.swift\n"
    }
    try await eventually("the screen is back") {
      session.isAlternate && session.screen.contains("Opened watchtower/Pane.swift:94")
    }
    // A terminal sends this for a click at column 21 of the second line, which is the bar of
    // screens.
    try session.type("\u{1B}[M 5\"")
    try await eventually("the signals are open") {
      session.screen.contains("not subscribed to yet")
    }
    try await expectEnd(session)
  }
}
