import Foundation
import Testing

/// The traces of watchtower and relay.
///
/// The faults of watchtower and the backtraces of relay have tests of their own.
@Suite(.serialized, .enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct OlderExamplesTests {
  @Test(.enabled("watchtower was not built", { Programs.watchtower != nil }))
  func watchtowerShowsItsOperatorsOwnersAndHops() async throws {
    let program = try await WatchtowerProcess(["--interval", "50"], trace: "events,size=1M")
    // The program reads the file on its own queue after a pause in the writing.
    let log = try program.openLog("held.log")
    try log.write(contentsOf: Data("ERROR in held.log\n".utf8))
    try await eventually("the file is read") { program.alerts.contains(/CHANGED +held/) }
    try log.close()
    let file = try #require(try program.traceFiles().first)
    #expect(program.terminate() == 0)

    let trace = try ExampleTrace(file, of: "watchtower")
    try trace.expect([
      ("interval", "Tower.swift", "Signal.interval"),
      ("publish", "Tower.swift", ".publish()"),
      ("create", "DirectoryTree.swift", ".create"),
      ("deliver(on:)", "Tower.swift", ".deliver(on: .main)"),
      ("flatten", "Tower.swift", "opened.signal.flatten()"),
      ("debounce", "Pane.swift", ".debounce("),
      ("switchToLatest", "Pane.swift", ".switchToLatest()"),
      ("subscribe(on:)", "Pane.swift", ".subscribe(on: reading)"),
      ("retry", "Pane.swift", ".retry(2)"),
      ("catch", "Pane.swift", ".catch {"),
      ("subscribe", "Pane.swift", ".subscribe { tally in"),
    ])
    // All panes and the tower are closed by now.
    try trace.expectOwner(
      "CompositeDisposable",
      in: "Pane.swift",
      at: "CompositeDisposable()",
      live: 0
    )
    try trace.expectOwner(
      "CompositeDisposable",
      in: "Tower.swift",
      at: "let subscriptions",
      live: 0
    )
    trace.expectHops(on: "main", "watchtower.reading")
  }

  @Test(.enabled("relay was not built", { Programs.relay != nil }))
  func relayShowsItsSubscriptionAndEveryHop() async throws {
    let program = try ExampleProcess("relay")
    try await program.prints("received parcel 1")
    program.kill()
    let trace = try ExampleTrace(program.trace, of: "relay")
    try trace.expect([
      ("Subject", "Relay.swift", "Subject<String, Never>()"),
      ("subscribe", "Relay.swift", "received.signal.subscribe"),
    ])
    try trace.expectTimer("schedule(after:)", in: "Relay.swift", at: "schedule(after:")
    trace.expectHops(on: "packing", "background", "ledger", "main")
  }
}
