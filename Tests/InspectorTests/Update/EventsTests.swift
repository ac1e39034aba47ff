import InspectorUI
import ReactiveTrace
import Testing
import TraceExports
import TraceFindings
import TraceModel
import TraceReading

/// The screen Events, which covers the whole recording.
@Suite struct EventsTests {
  /// Types keys on the screens of the long trace and returns the last frame.
  private func gateway(_ keys: String, size: Size = .standard) throws -> Frame {
    var terminal = HeadlessTerminal(size: size, keys: keys)
    var loop = ScreenLoop(
      model: Model(size: size),
      source: try LongTrace.source(),
      helpers: .none()
    )
    try loop.run(on: &terminal)
    return terminal.screen
  }

  // MARK: The whole recording

  @Test func everyEventOfTheRecordingIsOnTheScreen() throws {
    let end = try gateway("e")
    #expect(end.line(2).contains("\(LongTrace.eventCount) events, 0.000 s to 2.500 s"))
    #expect(end.line(2).contains("\(LongTrace.eventCount - 18)–\(LongTrace.eventCount) of"))
    #expect(end.selectedLine?.contains("ended") == true)
    let begin = try gateway("eg")
    #expect(begin.line(2).contains("1–19 of \(LongTrace.eventCount)"))
    #expect(begin.selectedLine?.contains("subscribed") == true)
  }

  @Test func aFilterFindsTheVeryFirstEvents() throws {
    let found = try gateway("e\\bird<Enter>")
    #expect(found.line(2).contains("1 of \(LongTrace.eventCount) events"))
    #expect(found.selectedLine?.contains("Subject@") == true)
    #expect(found.selectedLine?.contains("bird") == true)
    let none = try gateway("e\\nowhere<Enter>").text
    #expect(none.contains("None of \(LongTrace.eventCount) rows passes the filter 'nowhere'."))
  }

  @Test func theSelectionStaysOnItsEventWhenAFilterIsRemoved() throws {
    let all = try gateway("e\\bird<Enter>\\<^U><Enter>")
    #expect(all.selectedLine?.contains("bird") == true)
    #expect(all.line(2).contains("of \(LongTrace.eventCount)"))
  }

  @Test func aSearchCoversAllEventsAndWrapsAround() throws {
    #expect(try gateway("e/bird<Enter>").selectedLine?.contains("bird") == true)
    #expect(try gateway("eg/v1999<Enter>").selectedLine?.contains("v1999") == true)
    #expect(try gateway("e/v17<Enter>").selectedLine?.contains("next №17 ") == true)
    #expect(try gateway("e/v17<Enter>n").selectedLine?.contains("v170") == true)
    #expect(try gateway("e/v17<Enter>N").selectedLine?.contains("v1799") == true)
    let nowhere = try gateway("e/nowhere<Enter>").text
    #expect(nowhere.contains("'nowhere' is on no row of this screen."))
  }

  @Test func theTwoSecondsBeforeAnErrorAreComplete() throws {
    let before = try gateway("(e", size: Size(columns: 100, rows: 24))
    #expect(before.selectedLine?.contains("failed") == true)
    #expect(before.line(2).contains("0.000 s to 2.500 s"))
    // The filter shows these two seconds, and the first of their rows is selected.
    let first = try gateway(
      "(e\\time>=0.5s & time<lt>=2.5s<Enter>g",
      size: Size(columns: 120, rows: 24)
    )
    #expect(first.selectedLine?.contains("0.500 007 s") == true)
    #expect(first.line(2).contains("4506 of 6006 events, 0.500 s to 2.500 s"))
  }

  // MARK: The texts of a row

  @Test func aValueAndItsContentAreOneRow() throws {
    let screen = try gateway("e\\Subject<Enter>g", size: Size(columns: 110, rows: 24))
    let rows = screen.text.split(separator: "\n").filter { $0.contains("Subject@") }
    #expect(rows[1].contains("next №1 ") && rows[1].contains("bird"))
    #expect(rows[2].contains("next №2 ") && rows[2].contains(" v2 "))
    let failed = try gateway("e\\failed<Enter>g", size: Size(columns: 140, rows: 24))
    #expect(failed.selectedLine?.contains("failure HTTPError: busy") == true)
  }

  @Test func timesHaveMicrosecondsAndTheDifferenceToThePreviousRow() throws {
    let rows = try gateway("e\\next<Enter>g").text.split(separator: "\n")
    #expect(rows[4].contains(" 0.001 007 s "))
    #expect(rows[5].contains(" 0.001 007 s        · "))
    #expect(rows[7].contains(" 0.002 007 s  +1.0 ms "))
    // In filtered rows, the difference is to the row that is shown above.
    let some = try gateway("e\\№5 & map<Enter>").text.split(separator: "\n")
    #expect(some.last { $0.contains("map@") }?.contains("+1.0 ms") == true)
    let gaps = try gateway("e\\delta>900us<Enter>g")
    #expect(gaps.line(2).contains("2001 of \(LongTrace.eventCount) events"))
    #expect(gaps.selectedLine?.contains("+1.0 ms") == true)
  }

  // MARK: Texts of the screen as filters and places

  @Test(arguments: [
    ("0.012 007 s", 3), ("subscribe@Gateway.swift:66", 2003), ("subscribe Gateway.swift:66", 2003),
    ("map@Gateway.swift:34 #2", 2003), ("next №2000", 3), ("failure HTTPError: busy", 3),
    ("time=0.012 007 s", 3), ("of=map@Gateway.swift:34 #2", 2003),
  ])
  func aCellIsAFilterThatFindsItsRows(cell: String, count: Int) throws {
    let filtered = try gateway("e\\\(cell)<Enter>", size: Size(columns: 120, rows: 24))
    #expect(filtered.line(2).contains("\(count) of \(LongTrace.eventCount) events"), "\(cell)")
  }

  @Test func theNumberOfAnEventFindsIt() throws {
    let number = try #require(try gateway("eg").selectedLine?.split(separator: " ").first)
    let filtered = try gateway("e\\\(number)<Enter>")
    #expect(filtered.line(2).contains("1 of \(LongTrace.eventCount) events"))
  }

  @Test(arguments: ["subscribe@Gateway.swift:66", "subscribe Gateway.swift:66"])
  func bothSpellingsOfAPlaceAreFoundEverywhere(place: String) throws {
    #expect(try gateway("eg/\(place)<Enter>").selectedLine?.contains("subscribe@Gat") == true)
    #expect(try gateway("s\\\(place)<Enter>").text.contains("subscribe@Gat"))
    #expect(try gateway("s/\(place)<Enter>").selectedLine?.contains("subscribe@Gat") == true)
    #expect(try gateway("s\\operator=\(place)<Enter>").text.contains("subscribe@Gat"))
    let source = try LongTrace.source()
    let snapshot = try TraceReader(path: source.file.path).snapshot()
    #expect(csv(snapshot, .events, place) == 2003)
    #expect(csv(snapshot, .sites, place) == 1)
    // The only subscription made at the place has ended, so an answer that says this is accepted.
    #expect(throws: (any Error).self) { try SilenceExplanation.of(place: "x", in: snapshot) }
    let answer = answer(place, snapshot)
    #expect(answer.contains("alive") || answer.contains("ended"), "\(answer)")
    #expect(!answer.contains("nothing in the trace"))
  }

  private func answer(_ place: String, _ snapshot: TraceSnapshot) -> String {
    do { return try SilenceExplanation.of(place: place, in: snapshot).answer } catch {
      return "\(error)"
    }
  }

  /// The number of rows of a table that pass a filter.
  private func csv(_ snapshot: TraceSnapshot, _ table: ExportTable, _ filter: String) -> Int {
    var options = TraceExport.Options()
    options.table = table
    options.filter = filter
    final class Box: @unchecked Sendable { var lines = -1 }
    let box = Box()
    try? TraceExport(snapshot).write(.csv, options) { bytes in
      box.lines += bytes.count { $0 == 0x0A }
    }
    return box.lines
  }

  @Test func gotoAcceptsATimeAsTheScreenShowsIt() throws {
    let there = try gateway(":goto 0.012 007 s<Enter>e")
    #expect(there.line(0).contains("0.012 s"))
    #expect(there.selectedLine?.contains("next №12") == true)
  }

  @Test(arguments: [
    "subscribe@Gateway.swift:66", "subscribe Gateway.swift:66", "map@Gateway.swift:34 #2",
  ])
  func marblesAcceptPlacesAndEventsAsScreensWriteThem(node: String) throws {
    var source = try LongTrace.source()
    let number = try #require(try gateway("egj").selectedLine?.split(separator: " ").first)
    let request = try MarbleText(
      nodes: node,
      from: String(number),
      to: nil,
      columns: 100,
      glyphs: .utf8,
      inspection: try source.inspection(at: .end),
      entity: source.source.entity(serial:)
    )
    #expect(request.query.lanes.count == 1 && request.query.from == .zero)
  }

  // MARK: Without a terminal

  @Test func onceShowsTheWholeRecordingAndALimitKeepsTheLatestRows() throws {
    #expect(try once("").count { $0.contains("next №") } == 3 * LongTrace.valueCount)
    #expect(try once("bird").count { $0.contains("bird") } == 1)
    let latest = try once("Subject", limit: 5)
    #expect(latest.contains("earlier events left out: 1998"))
    #expect(latest.suffix(5).first?.contains("next №1998") == true)
    #expect(latest.last?.contains("ended") == true)
  }

  private func once(_ filter: String, limit: Int? = nil) throws -> [Substring] {
    var source = try LongTrace.source()
    let text = BatchText(
      screen: .events,
      filter: filter,
      limit: limit,
      columns: 120,
      glyphs: .utf8,
      palette: nil
    )
    return try text.render(try source.inspection(at: .end)) { try source.query($0) }
      .split(separator: "\n")
  }

  @Test func jsonOfFilteredEventsCoversTheWholeRecording() throws {
    var source = try LongTrace.source()
    var inspection = try source.inspection(at: .end)
    #expect(inspection.events.count == Inspection.eventLimit)
    inspection.narrow(to: .events, filter: "Subject", sort: nil, limit: nil)
    #expect(inspection.events.count == LongTrace.valueCount + 3)
    #expect(inspection.events[1].text == "bird" && inspection.events[1].ordinal == 1)
  }

  // MARK: Long recordings

  /// A model whose recording has so many values that a filter does not finish between two key
  /// presses.
  private func long() -> Model {
    var trace = TraceSimulator()
    let thread = trace.thread("main", isMain: true)
    let subscription = trace.subscribe(trace.site("map", "Feed.swift", 3), thread: thread)
    for number in 0..<40_000 {
      // A real segment holds about as many records.
      if number % 4000 == 3999 { trace.beginGeneration() }
      trace.wait(.microseconds(1))
      trace.next(subscription, thread: thread)
    }
    var model = Model(size: Size(columns: 120, rows: 24), screen: .events)
    _ = model.update(.inspection(Inspection(snapshot: trace.finish()), at: .end))
    return model
  }

  @Test func aLongFilterShowsItsProgressAndContinuesWhileIdle() {
    var model = long()
    for key in Key.script("\\subscribed<Enter>") { _ = model.update(.key(key)) }
    #expect(model.isSearching)
    #expect(model.frame().line(2).contains("searched so far; Esc stops"))
    #expect(model.frame().text.contains("Nothing found yet in the 59%"))
    while model.isSearching { _ = model.update(.idle) }
    #expect(model.frame().line(2).contains("1 of 40 001 events"))
    #expect(model.frame().selectedLine?.contains("subscribed") == true)
  }

  @Test func escapeStopsALongFilterAndKeepsWhatItFound() {
    var model = long()
    for key in Key.script("\\next<Enter>") { _ = model.update(.key(key)) }
    #expect(model.isSearching)
    _ = model.update(.key(.escape))
    #expect(!model.isSearching)
    let frame = model.frame()
    #expect(frame.line(23).contains("Stopped: the latest 59%"))
    #expect(frame.line(2).contains("earlier events were not searched"))
    #expect(frame.selectedLine?.contains("next №40000") == true)
    // The next filter searches all events again.
    for key in Key.script("\\<^U>map<Enter>") { _ = model.update(.key(key)) }
    while model.isSearching { _ = model.update(.idle) }
    #expect(model.frame().line(2).contains("40 001 events"))
  }

  @Test func escapeStopsALongSearch() {
    var model = long()
    for key in Key.script("/nowhere<Enter>") { _ = model.update(.key(key)) }
    #expect(model.isSearching)
    #expect(model.frame().line(23).contains("Searching for 'nowhere': 41%; Esc stops."))
    var other = model
    while other.isSearching { _ = other.update(.idle) }
    #expect(other.frame().line(23).contains("'nowhere' is on no row of this screen."))
    _ = model.update(.key(.escape))
    #expect(!model.isSearching)
    #expect(
      model.frame().line(23).contains("Stopped: 'nowhere' was not found in the 41% searched.")
    )
  }
}
