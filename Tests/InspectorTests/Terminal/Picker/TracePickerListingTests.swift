import InspectorUI
import Testing
import TraceModel
import TraceReading

/// The start screen over a sequence of listings.
@Suite struct TracePickerListingTests {
  typealias Fixture = PickerFixture

  @Test func aNewlyStartedProgramAppears() {
    var picker = Fixture.picker([])
    #expect(picker.frame().text.contains("RXTRACE=1 ./app"))
    #expect(picker.frame().text.contains("appears here by itself"))
    picker.apply(Fixture.listing([Fixture.file("app", process: 7)], second: 1))
    #expect(picker.names == ["app"])
    #expect(picker.press("<Enter>") == .chosen("\(Fixture.folder)app-7.rxtrace"))
  }

  @Test func theSelectionStaysOnItsRow() {
    let (a, b) = (Fixture.file("a", process: 1), Fixture.file("b", process: 2))
    var picker = Fixture.picker([a, b])
    picker.press("j")
    #expect(picker.selectedName == "b")
    // A new row appears above the selected one. Then the selected program ends; its row moves down.
    let c = Fixture.file("c", process: 3)
    picker.apply(Fixture.listing([c, a, b], second: 1))
    #expect(picker.selectedName == "b")
    let ended = Fixture.file("b", process: 2, .stopped)
    picker.apply(
      Fixture.listing([c, a, Fixture.file("d", process: 4, .stopped), ended], second: 2)
    )
    #expect(picker.names == ["c", "a", "d", "b"])
    #expect(picker.selectedName == "b")
    // When the row disappears, its neighbour is selected.
    picker.apply(Fixture.listing([c, a, Fixture.file("d", process: 4, .stopped)], second: 3))
    #expect(picker.selectedName == "d")
  }

  @Test func theRecordingOfAnEndedProgramHasNoRate() {
    var picker = Fixture.picker(
      [Fixture.file("app", process: 7, events: 10)],
      [Fixture.file("app", process: 7, events: 52, second: 1)]
    )
    #expect(picker.listed[0].contains("running"))
    #expect(picker.listed[0].contains(" 42 "))
    picker.apply(
      Fixture.listing([Fixture.file("app", process: 7, .stopped, events: 52)], second: 2)
    )
    #expect(picker.listed[0].contains("ended"))
    #expect(!picker.listed[0].contains(" 42 "))
    #expect(picker.frame().line(1).hasPrefix("no traced program runs"))
  }

  @Test func eventsPerSecondAreComputedBetweenTwoCounts() {
    // The counters of the second listing were read four seconds after the first ones.
    let picker = Fixture.picker(
      [Fixture.file("app", process: 7, events: 100)],
      [Fixture.file("app", process: 7, events: 300, second: 4)]
    )
    #expect(picker.listed[0].contains(" 50 "))
  }

  @Test func countersThatWereNotReadAgainDoNotChangeTheRate() {
    // The counters of a large trace are read less often than the screen is refreshed, so that
    // successive listings may have the same counters.
    let same = Fixture.file("app", process: 7, events: 300, second: 4)
    let picker = Fixture.picker([Fixture.file("app", process: 7, events: 100)], [same], [same])
    #expect(picker.listed[0].contains(" 50 "))
  }

  @Test func aTraceThatReplacesAnotherHasNoHistory() {
    var replaced = Fixture.file("app", process: 7, live: 90, events: 900, second: 1)
    replaced.stamp.inode = 99
    let picker = Fixture.picker([Fixture.file("app", process: 7, live: 5, events: 100)], [replaced])
    #expect(!picker.listed[0].contains("800"))
    #expect(!picker.listed[0].contains("+85"))
  }

  @Test func growthIsSinceTheLatestMarkOrTheFirstRefresh() {
    let picker = Fixture.picker(
      [
        Fixture.file("marked", process: 1, live: 50, atMark: 40),
        Fixture.file("plain", process: 2, live: 50),
        Fixture.file("past", process: 3, .stopped, live: 9),
      ],
      [
        Fixture.file("marked", process: 1, live: 60, atMark: 40, second: 1),
        Fixture.file("plain", process: 2, live: 47, second: 1),
        Fixture.file("past", process: 3, .stopped, live: 9),
      ]
    )
    #expect(picker.listed[0].contains("+20"))
    #expect(picker.listed[1].contains("-3"))
    #expect(!picker.listed[2].contains("+") && !picker.listed[2].contains(" 0 "))
  }

  @Test func aFindingIsShownOnceItIsKnown() {
    var picker = Fixture.picker([
      Fixture.file("app", process: 7), Fixture.file("other", process: 8),
    ])
    #expect(picker.listed[0].contains("…"))
    #expect(picker.frame().text.contains("It has not been checked yet."))
    picker.apply([
      "\(Fixture.folder)app-7.rxtrace": Fixture.found(.leak, "growth"),
      "\(Fixture.folder)other-8.rxtrace": TraceVerdict(),
    ])
    #expect(picker.listed[0].contains("LEAK"))
    #expect(picker.frame().text.contains("subscribe@Pane.swift:81: 12 subscriptions live on."))
    #expect(!picker.listed[1].contains("…") && !picker.listed[1].contains("LEAK"))
  }

  @Test func aSurvivedSignalIsNotACrash() {
    let file = Fixture.file("app", process: 7, .died, ending: TraceEnding(.signal(11)))
    var picker = Fixture.picker([file])
    #expect(picker.listed[0].contains("crashed"))
    var verdict = TraceVerdict()
    verdict.isCrash = false
    picker.apply(["\(Fixture.folder)app-7.rxtrace": verdict])
    #expect(picker.listed[0].contains("died"))
  }

  @Test func aFileThatIsNotATraceIsListedWithASentenceAndNotOpened() {
    var picker = Fixture.picker([Fixture.unusable("bad.rxtrace", 3, "is not a trace")])
    #expect(picker.listed[0].contains("bad.rxtrace"))
    #expect(picker.listed[0].contains("unusable"))
    #expect(picker.frame().text.contains("The file is not a trace"))
    #expect(picker.press("<Enter>") == .undecided)
    #expect(picker.frame().line(23) == "'bad.rxtrace' is not a trace")
  }
}
