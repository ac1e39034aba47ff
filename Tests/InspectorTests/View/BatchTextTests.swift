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

  @Test(arguments: [Screen.sites, .signals, .subscriptions, .findings])
  func saysThatAnEmptyScreenOfAnIncompleteRecordingProvesNothing(screen: Screen) {
    var inspection = Fixture.watchtower(status: .stopped)
    inspection.sites = []
    inspection.signals = []
    inspection.subscriptions = []
    inspection.findings = []
    let once = BatchText(screen: screen, filter: "", columns: 100, glyphs: .utf8, palette: nil)
    let whole = once.render(inspection)
    #expect(!whole.contains("proves nothing"))
    #expect(whole.contains("every event of the last 32 s is there\n"))
    inspection.program.isIncomplete = true
    inspection.program.losses = ["1 214 events dropped"]
    let text = once.render(inspection)
    #expect(text.contains("the recording is incomplete, so this proves nothing."), "\(text)")
    #expect(text.contains("every event of the last 32 s is there, apart from what was lost\n"))
    #expect(!text.contains("No operator has been used") && !text.contains("No problems found"))
    #expect(text.split(separator: "\n").count { $0.contains("1 214 events dropped") } == 1)
  }

  @Test func speaksOfGrowthOnlyIfALongerRecordingOrMarksCouldShowIt() {
    func lines(seconds: Int, marks: Int) -> [String] {
      var inspection = Inspection()
      inspection.program.status = .stopped
      inspection.program.duration = .seconds(seconds)
      inspection.marks = (0..<marks).map { number in
        var mark = MarkRow()
        (mark.id, mark.name) = (number, "round \(number)")
        return mark
      }
      let once = BatchText(screen: .findings, filter: "", columns: 120, glyphs: .utf8, palette: nil)
      return once.render(inspection).split(separator: "\n").suffix(2).map(String.init)
    }
    let none = "No problems found in this recording."
    let ask =
      "If a value does not arrive, or arrives too often, ask rxtop explain FILE subscription FILE.swift:LINE."
    let growth = "Growth shows in a longer one, or one with a few Trace.mark(\"…\") in it."
    #expect(lines(seconds: 4, marks: 2) == ["\(none) \(growth)", ask])
    #expect(lines(seconds: 4, marks: 9) == [none, ask])
    #expect(lines(seconds: 60, marks: 0) == [none, ask])
  }

  @Test func listsTwoProblemsOfAFileAndNotWhatALossQuotes() {
    var inspection = Fixture.watchtower()
    inspection.program.losses = ["not all of the file can be read; first, at byte 8, a is odd"]
    inspection.program.problems = ["a is odd", "b is odd", "c is odd", "d is odd"]
    inspection.program.quotedProblem = "a is odd"
    let once = BatchText(screen: .sites, filter: "", columns: 100, glyphs: .utf8, palette: nil)
    let lines = once.render(inspection).split(separator: "\n")
    #expect(lines.contains("b is odd") && lines.contains("c is odd") && !lines.contains("a is odd"))
    #expect(lines.contains("1 more problem in the file; --json lists them"), "\(lines)")
  }

  @Test func countsOnlySignalsThatHaveJustBeenReleased() {
    let once = BatchText(screen: .signals, filter: "", columns: 100, glyphs: .utf8, palette: nil)
    var inspection = Fixture.watchtower()
    #expect(
      once.render(inspection).contains("1 not subscribed to yet, 2 active, 1 inactive\n")
    )
    inspection.signals[0].state = .released
    #expect(once.render(inspection).contains(", 1 just released\n"))
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
    for filter in ["subs>", "subs >=", "merge & subs="] {
      #expect(text(filter).contains("' lacks a value to compare with"), "\(text(filter))")
    }
    #expect(!text("subs>1000000").contains("lacks a value"))
    #expect(!text("nowhere>").contains("lacks a value"))
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
