import Foundation
import InspectorUI
import Testing
import TraceFindings
import TraceModel

/// The maps of recordings of real programs.
@Suite struct SampleMapTests {
  private static func path(_ name: String) -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return folder.appending(path: "traces/\(name).rxtrace").path
  }

  private static func model(_ name: String, _ size: Size, _ glyphs: Glyphs = .utf8) throws -> Model
  {
    var source = try TraceSource(path: path(name))
    var model = Model(size: size, glyphs: glyphs, screen: .map)
    // The status is set because the header would otherwise show the time since the program ended.
    var inspection = try source.inspection(at: .end)
    inspection.program.status = .stopped
    for case .query(let query) in model.update(.inspection(inspection, at: .end)) {
      _ = model.update(.answered(query, try source.query(query)))
    }
    return model
  }

  static let names = ["watchtower", "watchtower-leak", "login"]

  @Test(arguments: names, MapGoldenTests.sizes)
  func matchesTheGoldenFile(name: String, size: Size) throws {
    let frame = try Self.model(name, size).frame()
    try Golden.expect(frame.framed, named: "map-\(name)-\(size.columns)x\(size.rows)")
    let plain = try Self.model(name, size, .ascii).frame()
    try Golden.expect(plain.framed, named: "map-\(name)-\(size.columns)x\(size.rows)-ascii")
    try Golden.expect(
      frame.framed + frame.looks,
      named: "map-\(name)-\(size.columns)x\(size.rows)-mono"
    )
  }

  @Test func theMapOfAnEndedProgramSaysHowToSeeWhatHasEnded() throws {
    let size = Size(columns: 130, rows: 40)
    var model = try Self.model("watchtower-leak", size)
    #expect(model.frame().text.contains("left out: E shows them, b goes back to 'round 7'"))
    // The automatic mark at the end is the nearest one.
    #expect(
      try Self.model("watchtower", size).frame().text
        .contains("left out: E shows them, T and its name go back to 'round 7'")
    )
    var inspection = model.inspection
    inspection.program.status = .running
    _ = model.update(.inspection(inspection, at: .end))
    #expect(!model.frame().text.contains("goes back to"))
  }

  @Test func theWholePathToTheLeakIsVisibleAndTheLeakIsSelected() throws {
    let frame = try Self.model("watchtower-leak", Size(columns: 120, rows: 40)).frame()
    let names = (0..<40).map(frame.line).first { $0.contains("interval") } ?? ""
    for part in ["interval", "publish", "filter", "subscribe", "×28"] {
      #expect(names.contains(part), "\(names)")
    }
    let selected = (0..<40).flatMap { row in
      (0..<120).filter { frame[row, $0].isSelected }.map { frame[row, $0] }
    }
    #expect(selected.contains { $0.role == .leak })
    let text = selected.compactMap { $0.text.map(String.init) }.joined()
    #expect(text.contains("LEAK") && text.contains("subscribe"))
  }

  @Test func aSubscriptionIsNotMarkedWithTheFindingOfItsLine() throws {
    var source = try TraceSource(path: Self.path("watchtower-leak"))
    let size = Size(columns: 120, rows: 60)
    var model = Model(size: size, glyphs: .utf8, screen: .subscriptions)
    _ = model.update(.inspection(try source.inspection(at: .end), at: .end))
    for key in Key.script("/Pane.swift:94<Enter>d") { _ = model.update(.key(key)) }
    let text = model.frame().text
    #expect(
      text.contains("Findings about its line, perhaps not about this subscription"),
      "\(text)"
    )
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains("Connections") && !lines.contains("Findings"), "\(text)")
  }

  /// The recording without a leak has no cell in the colour of a leak.
  @Test func onlyAccusedNodesAreDrawnAsALeak() throws {
    let frame = try Self.model("watchtower", Size(columns: 120, rows: 40)).frame()
    let cells = (3..<29).flatMap { row in (0..<120).map { frame[row, $0] } }
    #expect(!cells.contains { $0.role == .leak })
    #expect(frame.text.contains("interval"))
  }

  @Test(arguments: names + ["failure"])
  func everyLiveSubscriptionIsConnectedToItsDownstream(name: String) throws {
    var source = try TraceSource(path: Self.path(name))
    let end = try source.inspection(at: .end).instant.time
    for part in 1...20 {
      let inspection = try source.inspection(at: .time(end * part / 20))
      var folding = MapFolding()
      folding.level = .lines
      let map = ProgramMap(inspection, folding)
      let places = Dictionary(
        map.nodes.enumerated().flatMap { place, node in node.sites.map { ($0, place) } },
        uniquingKeysWith: { first, _ in first }
      )
      let drawn = Set(map.edges.map { [$0.from, $0.to] })
      for row in inspection.subscriptions where row.state?.isLive == true {
        guard let next = row.downstream.flatMap(inspection.subscription) else { continue }
        let pair = [places[row.site] ?? -1, places[next.site] ?? -1]
        #expect(pair[0] == pair[1] || drawn.contains(pair), "\(row.label) to \(next.label)")
      }
    }
  }
}
