import InspectorUI
import Testing
import TraceModel

@Suite struct BatchTextTests {
  @Test(arguments: Screen.inBar) func matchesTheGoldenFile(screen: Screen) throws {
    let once = BatchText(screen: screen, filter: "", columns: 120, glyphs: .utf8, palette: nil)
    let text: String
    if ScreenGoldenTests.storyKeys[screen] != nil {
      var story = try Story.source()
      text = try once.render(try story.inspection(at: .end)) { try story.query($0) }
    } else {
      text = once.render(Fixture.watchtower())
    }
    try Golden.expect(text, named: "once-\(screen.rawValue)")
  }

  @Test func aPastMomentIsNotShownAsTheEnd() {
    func head(_ inspection: Inspection) -> Substring? {
      BatchText(screen: .events, filter: "", columns: 100, glyphs: .utf8, palette: nil)
        .render(inspection).split(separator: "\n").first
    }
    var inspection = Fixture.watchtower(status: .stopped)
    #expect(head(inspection) == "watchtower 4711  ended  after 1:12.345  level events")
    inspection.instant.time = .milliseconds(14_336)
    inspection.instant.isEnd = false
    #expect(
      head(inspection) == "watchtower 4711  ended  after 1:12.345  shown at 14.336 s  level events"
    )
  }

  @Test func saysWhatTheRecordingLost() {
    let text = BatchText(screen: .sites, filter: "", columns: 100, glyphs: .utf8, palette: nil)
      .render(Fixture.lossy())
    #expect(text.contains("LOST: 1 214 events dropped"))
    #expect(text.contains("debounce@Panes.swift:36") && text.contains("?"))
  }

  @Test func filtersRowsAndSaysWhenNoneRemain() {
    func text(_ filter: String) -> String {
      BatchText(screen: .signals, filter: filter, columns: 100, glyphs: .utf8, palette: nil)
        .render(Fixture.watchtower())
    }
    #expect(text("merge").contains("Alerts.swift:60") && !text("merge").contains("Clock.swift"))
    #expect(text("nowhere").contains("No row passes the filter."))
    #expect(!text("nowhere").contains("No column"))
    #expect(text("lives>10").contains("No column is called 'lives'"))
    #expect(!text("subs>1000000").contains("No column"))
  }

  @Test func neverWritesLinesWiderThanTheOutput() {
    for columns in [80, 100, 133] {
      let text = BatchText(
        screen: .sites,
        filter: "",
        columns: columns,
        glyphs: .ascii,
        palette: nil
      )
      .render(Fixture.watchtower())
      for line in text.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
    }
  }
}
