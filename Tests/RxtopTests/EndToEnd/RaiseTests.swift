import Foundation
import Testing
import TraceReading

/// `rxtop --raise` raises the level of a program while its trace is open.
@Suite(
  .serialized,
  .enabled("tmux is not installed", { Programs.tmux != nil }),
  .enabled("rxtop and watchtower were not built beside the tests", { Programs.watchtower != nil })
)
struct RaiseTests {
  private func level(_ path: String) -> TraceLevel? { try? TraceReader(path: path).header().level }

  @Test func raisesTheLevelWhileTheScreenIsShown() async throws {
    let program = try await WatchtowerProcess([], trace: "graph,startup=0,size=1M")
    defer { program.kill() }
    let path = try #require(try program.traceFiles().first)
    #expect(level(path) == .graph)
    let session = try await TmuxSession()
    let rxtop = try #require(Programs.rxtop)
    try session.enter("\(rxtop) --raise events \(path); echo status $?")
    try await eventually("the program records events") { level(path) == .events }
    try await eventually("the screen says so") { session.screen.contains("level events") }
    try session.press("q")
    try await eventually("it is as before") { level(path) == .graph }
    try await eventually("rxtop has ended") { session.screen.contains("status 0") }
  }

  @Test func saysWhyALevelCannotBeRaised() async throws {
    let program = try await WatchtowerProcess([], trace: "graph,max=graph,size=1M")
    defer { program.kill() }
    let path = try #require(try program.traceFiles().first)
    let session = try await TmuxSession()
    let rxtop = try #require(Programs.rxtop)
    try session.enter("clear; \(rxtop) --raise events \(path); echo status $?")
    try await eventually("it says so") { session.screen.contains("status 3") }
    #expect(session.screen.contains("allows 'graph'"))
    #expect(level(path) == .graph)
  }
}
