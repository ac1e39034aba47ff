import Foundation
import Testing

/// The start screen on a real terminal.
@Suite(
  .serialized,
  .enabled("tmux is not installed", { Programs.tmux != nil }),
  .enabled("rxtop and watchtower were not built beside the tests", { Programs.watchtower != nil })
)
struct StartScreenTests {
  private func folder(_ scratch: Scratch) throws -> String {
    let folder = scratch.path("traces")
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    return folder
  }

  private func open(_ folder: String) async throws -> TmuxSession {
    let session = try await TmuxSession(
      columns: 120,
      rows: 40,
      environment: ["RXTRACE_DIR": folder]
    )
    // Without `--choose`, rxtop would open the only traced program, which may be the tests
    // themselves.
    try session.enter("\(try #require(Programs.rxtop)) --choose; echo status $?")
    try await eventually("the start screen is shown") {
      session.screen.contains("rxtop  programs and recordings")
    }
    return session
  }

  private func line(_ name: String, _ session: TmuxSession) -> String {
    session.screen.split(separator: "\n").first { $0.hasPrefix(name) }.map(String.init) ?? ""
  }

  @Test func aProgramThatStartsWhileTheScreenIsShownAppears() async throws {
    let scratch = try Scratch()
    let folder = try folder(scratch)
    try SmallTrace.write(to: folder + "/small.rxtrace")
    let session = try await open(folder)
    try await eventually("the recording is listed") {
      line("small", session).contains("4711 ended")
    }
    let program = try await WatchtowerProcess([], trace: "events,size=1M", in: folder)
    try await eventually("the program is listed") {
      line("watchtower", session).contains("\(program.processID) running")
    }
    program.kill()
    try await eventually("it is a recording") {
      line("watchtower", session).contains("\(program.processID) died")
    }
    try session.type("/watchtower")
    try session.press("Enter")
    try session.press("Enter")
    try await eventually("it is opened") { session.screen.contains("s Sites") }
    try session.press("q")
    try await eventually("rxtop has ended") { session.screen.contains("status 0") }
  }

  @Test func withNothingToShowTheStartScreenWaitsAndQuitsNormally() async throws {
    let scratch = try Scratch()
    let session = try await open(try folder(scratch))
    try await eventually("it says how to begin") { session.screen.contains("RXTRACE=1") }
    try session.press("?")
    try await eventually("it explains itself") { session.screen.contains("Keys") }
    try session.press("q")
    try session.press("q")
    try await eventually("rxtop has ended") { session.screen.contains("status 0") }
  }
}
