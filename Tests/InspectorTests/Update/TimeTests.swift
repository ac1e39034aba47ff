import InspectorUI
import Testing
import TraceModel

@Suite struct TimeTests {
  @Test func followsTheProgramAndReadsAtEachTick() {
    var model = Model(size: .standard)
    #expect(model.start() == [.show(.end)])
    _ = model.update(.inspection(Fixture.watchtower(), at: .end))
    #expect(model.update(.tick) == [.show(.end)])
    #expect(model.frame().line(0).contains("live"))
  }

  @Test func pausedScreensStayStillButWatchTheProgram() {
    var model = Model(size: .standard)
    _ = model.update(.inspection(Fixture.watchtower(), at: .end))
    #expect(model.update(.key(.character(" "))) == [])
    #expect(model.frame().line(0).contains("paused"))
    #expect(model.update(.tick) == [.watch])
    #expect(model.update(.key(.character(" "))) == [.show(.end)])
    #expect(model.frame().line(0).contains("live"))
  }

  @Test func stepsBackFromTheEventShownAndForwardAgain() throws {
    let back = try run(",")
    #expect(back.source.requests.last == .step(.event, forward: false, from: .event(8_206)))
    #expect(back.screen.contains("paused"))
    #expect(back.model.position == .event(8_205))
    let forth = try run(",,.")
    #expect(forth.source.requests.last == .step(.event, forward: true, from: .event(8_204)))
    #expect(forth.model.position == .event(8_205))
    #expect(
      try run("[").source.requests.last == .step(.graphChange, forward: false, from: .event(8_206))
    )
    #expect(
      try run("[]").source.requests.last == .step(.graphChange, forward: true, from: .event(8_205))
    )
  }

  @Test func saysWhereTheRecordingEnds() throws {
    #expect(
      try run(",,,,,,,").screen.contains("This is the earliest event the recording still holds.")
    )
    #expect(try run(".").screen.contains("No later event yet; $ goes live again."))
    #expect(try run("..").source.requests.last == .step(.event, forward: true, from: .event(8_206)))
  }

  @Test func aMomentThatCannotBeShownDoesNotStopTheScreenFromFollowing() throws {
    var model = Model(size: .standard)
    _ = model.update(.inspection(Fixture.watchtower(), at: .end))
    for key in ":goto #99999999" { _ = model.update(.key(.character(key))) }
    #expect(model.update(.key(.enter)) == [.show(.event(99_999_999))])
    _ = model.update(.failed("event #99999999 is not in the trace"))
    #expect(model.isFollowing)
    #expect(model.update(.tick) == [.show(.end)])
    _ = model.update(.key(.character(" ")))
    _ = model.update(.failed("the file cannot be saved"))
    #expect(!model.isFollowing)
  }

  @Test func homeGoesToTheBeginningAndEndReturnsToLive() throws {
    #expect(try run("^").source.requests.last == .show(.time(.zero)))
    let end = try run("^$")
    #expect(end.source.requests.last == .show(.end))
    #expect(end.model.isFollowing)
  }

  @Test func bookmarksAndMarksCanBeRevisited() throws {
    let back = try run(",,,m$b")
    #expect(back.source.requests.last == .show(.time(.milliseconds(72_258))))
    #expect(back.screen.contains("At 'bookmark', 1:12.258."))
    #expect(try run("b").source.requests.last == .show(.mark(0)))
    #expect(
      try run("B").screen.contains("There is no bookmark or mark after this moment; m sets one.")
    )
  }

  @Test func goesToTheFirstEvidenceOfAFinding() throws {
    let run = try run("ft")
    #expect(run.source.requests.last == .show(.event(8_203)))
    #expect(run.model.place.screen == .events)
    #expect(run.terminal.screen.selectedLine?.contains("#8203") == true)
    #expect(try TimeTests.screen("fjt").contains("This finding rests on counters"))
  }

  @Test func aFileIsAtItsEndOrInItsPastAndNeverPaused() throws {
    let file = Fixture.watchtower(status: .stopped)
    #expect(try run("", on: file).terminal.screen.line(0).contains("ended"))
    #expect(try run(" ", on: file).screen.contains("there is nothing to pause"))
    #expect(try run(",", on: file).terminal.screen.line(0).contains("replay"))
    var model = Model(size: .standard)
    _ = model.update(.inspection(file, at: .end))
    #expect(model.update(.tick) == [])
  }

  @Test func reportsThatTheProgramEndedAndKeepsItsRows() {
    var model = Model(size: .standard)
    _ = model.update(.inspection(Fixture.watchtower(), at: .end))
    _ = model.update(.inspection(Fixture.watchtower(status: .died(ago: .seconds(3))), at: .end))
    let screen = model.frame().text
    #expect(screen.contains("process 4711 ended 3 s ago; its trace is kept"))
    #expect(screen.contains("subscribe@Panes.swift:41"))
  }

  @Test func updatesHowLongAgoTheProgramEnded() {
    var model = Model(size: Size(columns: 100, rows: 24))
    _ = model.update(.inspection(Fixture.watchtower(), at: .end))
    _ = model.update(.key(.character(" ")))
    var program = Fixture.watchtower(status: .died(ago: .seconds(3))).program
    program.exactWindow = nil
    _ = model.update(.program(program))
    #expect(model.frame().line(23).contains("process 4711 ended 3 s ago"))
    #expect(model.frame().line(0).contains("complete: last 32 s"))
    #expect(model.update(.tick) == [.watch])
  }

  @Test func newEventsKeepTheLastRowSelectedUntilTheUserMovesUp() {
    var model = Model(size: .standard)
    var inspection = Fixture.watchtower()
    _ = model.update(.inspection(inspection, at: .end))
    _ = model.update(.key(.character("e")))
    #expect(model.frame().selectedLine?.contains("#8206") == true)
    inspection.events.append(inspection.events[1])
    inspection.events[6].number = 8_207
    _ = model.update(.inspection(inspection, at: .end))
    #expect(model.frame().selectedLine?.contains("#8207") == true)
    _ = model.update(.key(.up))
    inspection.events.append(inspection.events[1])
    inspection.events[7].number = 8_208
    _ = model.update(.inspection(inspection, at: .end))
    #expect(model.frame().selectedLine?.contains("#8206") == true)
  }

  private static func screen(_ keys: String) throws -> String { try run(keys).screen }
}

/// A read of millions of records is announced on the screen.
@Suite struct ReadAnnouncementTests {
  private func frames(_ keys: String, records: Int) throws -> [String] {
    var inspection = Fixture.watchtower()
    inspection.program.recordCount = records
    return try run(keys, on: inspection).terminal.frames.map(\.text)
  }

  @Test(arguments: [",", "h", "a", "c", "[", ":goto 1s<Enter>"])
  func readingMillionsOfRecordsIsAnnounced(keys: String) throws {
    let waiting = "Reading 10M records …"
    let many = try frames(keys, records: 10_000_000)
    #expect(many.contains { $0.contains(waiting) })
    #expect(many.last?.contains(waiting) == false)
    #expect(try !frames(keys, records: 10_000).contains { $0.contains("Reading 10 000 records") })
  }

  @Test func aRepeatedReadIsAnnouncedOnlyIfTheFirstTookLong() throws {
    let many = try frames(",,,", records: 10_000_000)
    #expect(many.count { $0.contains("Reading 10M records") } == 1)
  }
}
