import InspectorUI
import Testing
import TraceModel
import TraceReading

/// The marks that move along connections that carry events.
@Suite struct MapFlowTests {
  private static func model(
    _ glyphs: Glyphs = .utf8,
    _ change: (inout Inspection) -> Void = { _ in }
  ) -> Model {
    var inspection = MapFixture.diamond()
    change(&inspection)
    return MapGoldenTests.model(("", inspection, nil), Size(columns: 120, rows: 40), glyphs)
  }

  /// The cells in which two frames differ, as the second frame shows them.
  private static func changes(_ before: Frame, _ after: Frame) -> [Character] {
    (0..<before.size.rows).flatMap { row in
      (0..<before.size.columns).filter { before[row, $0] != after[row, $0] }
        .compactMap { after[row, $0].text }
    }
  }

  @Test(arguments: [(Glyphs.utf8, "●" as Character), (Glyphs.ascii, "o" as Character)])
  func onlyMarksOnConnectionsWithEventsMove(glyphs: Glyphs, mark: Character) {
    var model = Self.model(glyphs)
    let still = model.frame()
    #expect(model.isAnimated)
    #expect(model.update(.pulse).isEmpty)
    let first = model.frame()
    #expect(Set(Self.changes(still, first)) == [mark])
    // Both connections from `share` begin in the same cell.
    #expect(Self.changes(still, first).count == 5)
    _ = model.update(.pulse)
    let second = model.frame()
    #expect(first != second)
    #expect(Self.changes(still, second).allSatisfy { $0 == mark })
  }

  @Test func aMarkMovesToTheArrowHeadAndStartsAgain() throws {
    var fixture = MapFixture()
    let source = fixture.line("Subject", "A.swift", 1, rate: 4, traits: .subject)
    fixture.feed(source, fixture.subscriber("A.swift", 2))
    var model = MapGoldenTests.model(("", fixture.inspection, nil), Size(columns: 120, rows: 40))
    let row = (0..<40).first { model.frame().line($0).contains("▶") }
    let line = try #require(row)
    var seen: [String] = []
    for _ in 0..<7 {
      _ = model.update(.pulse)
      seen.append(String(model.frame().line(line).filter { "─●▶".contains($0) }))
    }
    #expect(seen == ["●──▶", "─●─▶", "──●▶", "●──▶", "─●─▶", "──●▶", "●──▶"])
  }

  @Test func withoutEventsNothingIsAnimated() {
    let model = Self.model { inspection in
      for place in inspection.sites.indices { inspection.sites[place].rate = 0 }
    }
    #expect(!model.isAnimated)
  }

  @Test func aConnectionThatCarriedNoEventHasNoMark() {
    var report = FlowReport()
    report.to = .seconds(10)
    // The connection from site 1 to site 2 carries events; the connection to site 3 does not.
    report.carried[Packing.pair(high: 1, low: 2)] = 7
    var model = MapGoldenTests.model(("", Self.counted(), report), Size(columns: 120, rows: 40))
    let still = model.frame()
    _ = model.update(.pulse)
    #expect(Self.changes(still, model.frame()) == ["●"])
  }

  private static func counted() -> Inspection {
    var inspection = MapFixture.diamond()
    inspection.program.level = .events
    return inspection
  }

  @Test func pausedAndEndedProgramsAndOtherScreensAreNotAnimated() {
    var model = Self.model()
    _ = model.update(.pulse)
    _ = model.update(.key(.character(" ")))
    #expect(!model.isAnimated)
    #expect(!model.frame().text.contains("──●"))
    #expect(!Self.model { $0.program.status = .stopped }.isAnimated)
    var other = Self.model()
    _ = other.update(.key(.character("s")))
    #expect(!other.isAnimated)
  }

  /// A terminal without input, which lets each deadline pass and notes how long it was asked to
  /// wait.
  private struct QuietTerminal: Terminal {
    let size = Size(columns: 120, rows: 40)
    var waits: [Duration] = []
    let start: ContinuousClock.Instant
    var frames: [Frame] = []

    mutating func nextMessage(before deadline: ContinuousClock.Instant) -> TerminalMessage? {
      waits.append(deadline - start)
      return waits.count > 6 ? .ended : nil
    }
    mutating func present(_ frame: Frame) { frames.append(frame) }
  }

  @Test func theScreenIsAnimatedBetweenRefreshes() throws {
    let start = ContinuousClock.now
    var terminal = QuietTerminal(start: start)
    let source = FixtureSource(MapFixture.diamond())
    var loop = ScreenLoop(
      model: Model(size: terminal.size, screen: .map),
      source: source,
      helpers: ScreenHelpers(
        save: { $0 },
        describe: { "\($0)" },
        edit: { file, _, _ in file },
        saveSettings: { _ in "" }
      ),
      now: { start }
    )
    try loop.run(on: &terminal)
    #expect(terminal.waits.allSatisfy { $0 < .seconds(1) })
    #expect(terminal.frames.last?.text.contains("●─") == true)
  }
}
