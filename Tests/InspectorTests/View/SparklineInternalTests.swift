@testable import InspectorUI
import Testing
@testable import TraceModel

@Suite struct SparklineInternalTests {
  @Test func theHeightOfASignIsRelativeToTheGreatestFigure() {
    #expect(Sparkline.text([0.0, 1, 4, 7], .utf8) == "·▂▅█")
    #expect(Sparkline.text([0.0, 1, 4, 7], .ascii) == ".-*M")
    #expect(Sparkline.text([0.5, 1000], .utf8) == "▁█")
    #expect(Sparkline.text([1, 7, 0, 0, 2] as [UInt32], .utf8, each: 2) == "█·▃")
    #expect(Sparkline.text([0.0, 0], .utf8).isEmpty && Sparkline.text([Double](), .utf8).isEmpty)
  }

  private func screen(_ table: Screen, columns: Int, _ glyphs: Glyphs = .utf8) -> String {
    var inspection = Fixture.watchtower()
    let history = LiveHistory(
      [(0, 0), (10, 1), (20, 4), (40, 7)].map { ($0, [UInt32](repeating: $1, count: 10)) }
    )
    for row in inspection.signals.indices { inspection.signals[row].history = history }
    for row in inspection.sites.indices { inspection.sites[row].history = history }
    var model = Model(size: Size(columns: columns, rows: 24), glyphs: glyphs, screen: table)
    _ = model.update(.inspection(inspection, at: .end))
    return model.frame().text
  }

  @Test(arguments: [Screen.signals, .sites])
  func wideTablesShowLiveCountsOverTime(table: Screen) {
    #expect(screen(table, columns: 240).contains("·····▂▂▂▂▂▂▅▅▅▅▅▅▅▅▅▅▅▅█"))
    #expect(screen(table, columns: 240, .ascii).contains(".....------************M"))
    #expect(!screen(table, columns: 100).contains("▅"))
  }
}
