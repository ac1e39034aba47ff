import Foundation
import Testing

/// rxtop on a real terminal, which is restored however rxtop ends.
@Suite(
  .serialized,
  .enabled("tmux is not installed", { Programs.tmux != nil }),
  .enabled("rxtop was not built beside the tests", { Programs.rxtop != nil })
)
struct TerminalTests {
  @Test(arguments: ["q", "C-c"]) func restoresTheTerminalAfterAKey(key: String) async throws {
    let session = try await open()
    try session.press(key)
    try await expectRestored(session)
    #expect(session.contents("status") == "0\n")
  }

  @Test(arguments: [
    ("INT", 0), ("TERM", 143), ("HUP", 129), ("QUIT", 131), ("SEGV", 139), ("ILL", 132),
    ("TRAP", 133),
    ("BUS", 135), ("ABRT", 134), ("FPE", 136),
  ])
  func restoresTheTerminalAfterASignal(name: String, status: Int32) async throws {
    let session = try await open()
    let process = try #require(
      session.contents("pid")?.trimmingCharacters(in: .whitespacesAndNewlines)
    )
    #expect(try Programs.run("/bin/kill", ["-s", name, process]).status == 0)
    try await expectRestored(session)
    #expect(session.contents("status") == "\(status)\n")
  }

  @Test func theScreenIsRedrawnAfterAResizeAndSaysIfItIsTooSmall() async throws {
    let session = try await open()
    try session.resize(columns: 120, rows: 40)
    try await eventually("all columns are there") { session.screen.contains("oldest") }
    try session.resize(columns: 30, rows: 8)
    try await eventually("it says what it needs") { session.screen.contains("needs 40 columns") }
    try session.resize(columns: 80, rows: 24)
    try await eventually("the rows are back") { session.screen.contains("interval@Clock.swift:21") }
    try session.press("q")
    try await expectRestored(session)
  }

  @Test func returnsTheTerminalToTheShellWhileStopped() async throws {
    // rxtop is stopped as a job of the shell, so that nothing else is stopped.
    let session = try await TmuxSession()
    try SmallTrace.write(to: session.path("small.rxtrace"))
    try session.enter("stty -g >before; \(rxtop) small.rxtrace")
    try await expectShown(session)
    try session.press("C-z")
    try await eventually("the shell has the terminal") { !session.isAlternate && session.hasCursor }
    try await eventually("the shell says so") { session.screen.contains("Stopped") }
    try session.enter("stty -g >stopped")
    try await eventually("the modes are the shell's") {
      session.contents("stopped") == session.contents("before")
    }
    try session.enter("fg")
    try await expectShown(session)
    try session.press("q")
    try await eventually("the shell has the terminal again") { !session.isAlternate }
    try session.enter("stty -g >after")
    try await expectRestored(session)
  }

  @Test(arguments: [
    ("TERM=nonsense", "TERM is 'nonsense', which is no known terminal"),
    ("env -u TERM", "TERM is not set"),
  ])
  func rxtopSaysWhatIsMissingIfTheTerminalCannotMoveItsCursor(
    environment: String,
    sentence: String
  ) async throws {
    let session = try await TmuxSession()
    try SmallTrace.write(to: session.path("small.rxtrace"))
    try session.enter("\(environment) \(rxtop) small.rxtrace; echo status $?")
    try await eventually("it says so") { session.screen.contains("status 3") }
    #expect(session.screen.contains(sentence))
  }

  // MARK: Helpers

  private var rxtop: String { Programs.rxtop ?? "rxtop" }

  /// A terminal in which rxtop shows a small trace.
  private func open() async throws -> TmuxSession {
    // The report of a crash by the Swift runtime would wait for a key.
    let session = try await TmuxSession(environment: ["SWIFT_BACKTRACE": "enable=no"])
    try SmallTrace.write(to: session.path("small.rxtrace"))
    try """
    trap : INT
    stty -g >before
    bash -c 'echo $$ >pid; exec \(rxtop) small.rxtrace'
    echo $? >status
    stty -g >after
    """.write(toFile: session.path("script"), atomically: true, encoding: .utf8)
    // A shell script runs rxtop, because an interactive shell itself restores the terminal's modes
    // after a job that died.
    try session.enter("sh ./script")
    try await expectShown(session)
    return session
  }

  private func expectShown(_ session: TmuxSession) async throws {
    try await eventually("rxtop shows the trace") {
      session.isAlternate && session.screen.contains("interval@Clock.swift:21")
    }
  }

  private func expectRestored(
    _ session: TmuxSession,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await eventually("rxtop has ended") { session.contents("after")?.hasSuffix("\n") == true }
    #expect(session.contents("after") == session.contents("before"), sourceLocation: sourceLocation)
    #expect(!session.isAlternate, sourceLocation: sourceLocation)
    #expect(session.hasCursor, sourceLocation: sourceLocation)
    try session.enter("echo still $((20 + 1)) here")
    try await eventually("the shell answers") { session.screen.contains("still 21 here") }
  }
}
