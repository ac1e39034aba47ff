import Foundation
import InspectorUI
import Testing
import TraceModel
import TraceReading

/// The effects of keys and of the mouse on the map.
@Suite struct MapKeysTests {
  private static func model(
    _ inspection: Inspection,
    _ flow: FlowReport? = nil,
    size: Size = Size(columns: 120, rows: 40)
  ) -> Model {
    MapGoldenTests.model(("", inspection, flow), size)
  }

  private static func press(_ keys: String, _ model: inout Model) {
    for key in Key.script(keys) { _ = model.update(.key(key)) }
  }

  /// The text of the cells that are selected on the screen.
  private static func selected(_ model: Model) -> String {
    let frame = model.frame()
    return (0..<frame.size.rows).map { row in
      (0..<frame.size.columns).filter { frame[row, $0].isSelected }
        .compactMap { frame[row, $0].text.map(String.init) }.joined()
    }.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  @Test func anEndedChainUnfoldsAndFoldsLikeALiveOne() {
    var fixture = MapFixture()
    let sites = [("Subject", 1), ("map", 2), ("filter", 3), ("subscribe", 4)].map {
      fixture.line($0.0, "A.swift", UInt32($0.1), live: 0)
    }
    var flow = FlowReport()
    for (from, to) in zip(sites, sites.dropFirst()) {
      flow.carried[Packing.pair(high: from, low: to)] = 5
    }
    var inspection = fixture.inspection
    inspection.program.level = .events
    var model = Self.model(inspection, flow)
    let folded = model.frame().text
    #expect(folded.contains("the map shows how it was") && folded.contains("in 3 nodes,"))
    Self.press("<Right>z", &model)
    #expect(model.frame().text.contains("4 lines of code, "))
    Self.press("z", &model)
    #expect(model.frame().text.contains("in 3 nodes,"))
  }

  @Test func eDrawsEndedLinesAndTheSearchFindsThem() {
    var fixture = MapFixture()
    let lives = [fixture.line("interval", "A.swift", 1), fixture.subscriber("A.swift", 2)]
    fixture.chain(lives)
    let ended = [
      fixture.line("Subject", "A.swift", 7, live: 0),
      fixture.line("subscribe", "A.swift", 8, live: 0, traits: .root),
    ]
    fixture.inspection.sites[2].givenName = "orders"
    fixture.inspection.program.level = .events
    var flow = FlowReport()
    flow.carried[Packing.pair(high: ended[0], low: ended[1])] = 5
    fixture.inspection.program.status = .stopped
    var model = Self.model(fixture.inspection, flow)
    #expect(model.frame().text.contains("2 live subscriptions; 2 ended lines left out (E)"))
    Self.press("/orders<Enter>", &model)
    #expect(model.frame().text.contains("Subject@A.swift:7 has no node of its own: it has nothing"))
    Self.press("E/orders<Enter>", &model)
    #expect(Self.selected(model).contains("orders · Subject"), "\(model.frame().text)")
    #expect(Self.selected(model).contains("×0"))
    Self.press("E", &model)
    #expect(!model.frame().text.contains("×0"))
  }

  /// Ended connections are drawn only between an accused line and the nearest lines that are live.
  @Test func accusedLinesKeepTheirEndedConnectionsToLiveOnes() {
    var fixture = MapFixture()
    let source = fixture.line("interval", "A.swift", 1)
    let retry = fixture.line("retry", "A.swift", 2, live: 0, worst: .suspect)
    let map = fixture.line("map", "A.swift", 3, live: 0)
    let root = fixture.subscriber("A.swift", 4)
    let other = fixture.line("filter", "B.swift", 1, live: 0)
    fixture.feed(source, root)
    var flow = FlowReport()
    for (from, to) in [(source, retry), (retry, map), (map, root), (other, root)] {
      flow.carried[Packing.pair(high: from, low: to)] = 5
    }
    let drawn = ProgramMap(fixture.inspection, flow: flow)
    func site(_ node: Int) -> UInt32 { drawn.nodes[node].sites[0] }
    #expect(
      Set(drawn.edges.map { [site($0.from), site($0.to)] })
        == [[source, root], [source, retry], [retry, map], [map, root]]
    )
    #expect(drawn.endedCount == 1)
  }

  @Test func theWorstAccusedNodeIsSelectedFirst() {
    var fixture = MapFixture()
    let source = fixture.line("Subject", "A.swift", 1, traits: .subject)
    let suspect = fixture.line("share", "A.swift", 2, traits: .shares, worst: .suspect)
    let leak = fixture.line("subscribe", "A.swift", 3, live: 9, traits: .root, worst: .leak)
    fixture.chain([source, suspect, leak])
    let model = Self.model(fixture.inspection)
    #expect(Self.selected(model).contains("LEAK"))
    #expect(Self.selected(model).contains("A.swift:3"))
  }

  @Test func leftAndRightFollowTheFlowAndUpAndDownMoveWithinALayer() {
    var model = Self.model(MapFixture.diamond())
    Self.press("g", &model)
    #expect(Self.selected(model).contains("Subject"))
    Self.press("<Right><Right>", &model)
    let above = Self.selected(model)
    Self.press("j", &model)
    let below = Self.selected(model)
    #expect(above != below)
    #expect(Set([above.contains("map"), below.contains("map")]) == [true, false])
    Self.press("<Right>", &model)
    #expect(Self.selected(model).contains("combineLatest"))
    Self.press("<Left><Left><Left>", &model)
    #expect(Self.selected(model).contains("Subject"))
    Self.press("<Left>", &model)
    #expect(model.frame().text.contains("Nothing that is alive feeds it."))
  }

  @Test func zUnfoldsAChainAndFoldsItAgain() {
    var fixture = MapFixture()
    let lines =
      [fixture.line("Subject", "A.swift", 1, traits: .subject)]
      + (2...5).map { fixture.line("map", "A.swift", $0) } + [fixture.subscriber("A.swift", 6)]
    fixture.chain(lines)
    var model = Self.model(fixture.inspection)
    Self.press("g<Right>", &model)
    #expect(model.frame().text.contains("4 operators in a row"))
    Self.press("z", &model)
    #expect(model.frame().text.contains("A.swift:3"))
    #expect(Self.selected(model).contains("A.swift:2"))
    Self.press("z", &model)
    #expect(model.frame().text.contains("4 operators in a row"))
  }

  @Test func underscoreFoldsByFileAndByModuleAndEqualsUnfoldsAgain() {
    var model = Self.model(MapFixture.large(lines: 10_000, isDivided: true))
    #expect(model.frame().text.contains("by module (z unfolds one)"))
    #expect(model.frame().text.contains("Gateway"))
    Self.press("g=", &model)
    #expect(model.frame().text.contains("by file (z unfolds one)"))
    Self.press("=", &model)
    #expect(model.frame().text.contains("9677 lines of code in 5"))
    #expect(!model.frame().text.contains("│share"))
    Self.press("=", &model)
    #expect(model.frame().text.contains("│share"))
    Self.press("=", &model)
    #expect(model.frame().text.contains("A node is a line of code already"))
    Self.press("____", &model)
    #expect(model.frame().text.contains("by module (z unfolds one)"))
    Self.press("_", &model)
    #expect(model.frame().text.contains("A node is a module already"))
  }

  @Test func aSmallProgramIsFoldedByFileOnRequest() {
    var model = Self.model(MapFixture.diamond())
    Self.press("__", &model)
    #expect(model.frame().text.contains("6 lines of code in 2 nodes by file"))
    Self.press("_", &model)
    #expect(model.frame().text.contains("All of it is in one module"))
    Self.press("0", &model)
    #expect(model.frame().text.contains("combineLatest"))
  }

  @Test func zUnfoldsAModuleAndAFileAndFoldsTheInnermostAgain() {
    var model = Self.model(MapFixture.large(lines: 10_000, isDivided: true))
    Self.press("/Gateway<Enter>z", &model)
    #expect(Self.selected(model).contains("Part"))
    Self.press("z", &model)
    #expect(!Self.selected(model).contains(" lines"))
    Self.press("z", &model)
    #expect(Self.selected(model).contains(" lines"))
    #expect(!Self.selected(model).contains("Gateway"))
  }

  @Test func theQueuesOfAMapHaveABorderAndAreNamedBelowIt() {
    let model = Self.model(MapFixture.queues())
    let frame = model.frame()
    let names = (0..<40).map(frame.line).first { $0.contains("on decoder") } ?? ""
    #expect(names.components(separatedBy: "on main").count == 3, "\(names)")
    #expect(names.count { $0 == "┊" } == 2)
    let middle = (0..<40).map(frame.line).first { $0.contains("Grid.swift:19") } ?? ""
    #expect(middle.count { $0 == "╫" } == 2, "\(middle)")
  }

  @Test func aNarrowNodeShowsTheFirstOperatorOfItsChainAndTheNumberOfOthers() {
    var model = Self.model(MapFixture.large(lines: 300))
    #expect(model.frame().text.contains("map +3 Part8:20–23"))
    model = Self.model(MapFixture.queues(), size: Size(columns: 80, rows: 24))
    #expect(model.frame().text.contains("deliver(on… +1"))
  }

  @Test func aMapOfOneQueueHasNoBorders() {
    #expect(!Self.model(MapFixture.diamond()).frame().text.contains("┊"))
  }

  @Test func inTheFormOfLinesAHopShowsTheNameOfItsQueue() {
    var model = Self.model(MapFixture.queues(), size: Size(columns: 200, rows: 40))
    Self.press("_", &model)
    #expect(model.frame().text.contains("⇢ main"))
  }

  @Test func typingAFilterRequestsNoAccount() {
    var model = Self.model(MapFixture.diamond())
    Self.press("g", &model)
    var effects: [Effect] = []
    for key in Key.script("\\combine") { effects += model.update(.key(key)) }
    #expect(Self.selected(model).contains("combineLatest"))
    #expect(!effects.contains { Self.isAccount($0) })
    let answer = Key.script("<Enter>").flatMap { model.update(.key($0)) }
    #expect(answer.contains { Self.isAccount($0) })
  }

  @Test func theAccountIsRefreshedLessOftenIfThereAreManyRecords() {
    var inspection = MapFixture.diamond()
    func requestCount(_ records: Int) -> Int {
      inspection.program.recordCount = records
      var model = Self.model(inspection)
      return (0..<32).count { _ in
        model.update(.inspection(inspection, at: .end)).contains { Self.isAccount($0) }
      }
    }
    #expect(requestCount(1000) == 32)
    #expect((2...5).contains(requestCount(150_000)))
  }

  private static func isAccount(_ effect: Effect) -> Bool {
    if case .query(.account) = effect { true } else { false }
  }

  @Test func vHidesUnconnectedNodesAndEscShowsThemAgain() {
    var model = Self.model(MapFixture.shared())
    Self.press("/Pane7<Enter>v", &model)
    #expect(model.frame().text.contains("interval"))
    #expect(model.frame().text.contains("Pane7:14"))
    #expect(!model.frame().text.contains("Pane8:14"))
    Self.press("<Esc>", &model)
    #expect(model.frame().text.contains("Pane8:14"))
  }

  @Test func slashFindsANodeAndNTheNext() {
    var model = Self.model(MapFixture.shared())
    Self.press("/Pane2<Enter>", &model)
    #expect(Self.selected(model).contains("Pane2"))
    let first = Self.selected(model)
    Self.press("n", &model)
    #expect(Self.selected(model).contains("Pane2"))
    #expect(Self.selected(model) != first)
    Self.press("/nowhere<Enter>", &model)
    #expect(model.frame().text.contains("'nowhere' is on no node of the map."))
  }

  @Test func aFilterShowsMatchingLinesAndCountsTheOthers() {
    var model = Self.model(MapFixture.shared())
    Self.press("\\Pane1<Enter>", &model)
    #expect(!model.frame().text.contains("interval"))
    #expect(model.frame().text.contains("Pane12:14"))
    #expect(model.frame().text.contains("19 lines filtered away"))
    Self.press("\\<^U>nothing like it<Enter>", &model)
    #expect(model.frame().text.contains("passes the filter 'nothing like it'"))
  }

  @Test func enterOpensTheSubscriptionsOfALine() {
    var model = Self.model(MapFixture.diamond())
    Self.press("G<Enter>", &model)
    #expect(model.place.screen == .subscriptions)
    Self.press("<Esc>", &model)
    #expect(model.place.screen == .map)
    #expect(Self.selected(model).contains("subscribe"))
  }

  @Test func aPressSelectsANodeAndAnotherOpensIt() throws {
    var model = Self.model(MapFixture.diamond())
    let frame = model.frame()
    let found = (0..<40).first { frame.line($0).contains("combineLatest") }
    let row = try #require(found)
    let line = frame.line(row)
    let place = try #require(line.range(of: "combineLatest"))
    let column = line.distance(from: line.startIndex, to: place.lowerBound)
    _ = model.update(.mouse(MouseAction(.press, row: row, column: column)))
    #expect(Self.selected(model).contains("combineLatest"))
    _ = model.update(.mouse(MouseAction(.press, row: row, column: column)))
    #expect(model.place.screen == .subscriptions)
  }

  @Test func positionsStayWhenFiguresChangeAndWhenALineIsAdded() throws {
    var fixture = MapFixture()
    let source = fixture.line("Subject", "A.swift", 1, rate: 1, traits: .subject)
    let share = fixture.line("share", "A.swift", 2, rate: 1, traits: .shares)
    fixture.feed(source, share)
    for place in 0..<5 { fixture.feed(share, fixture.subscriber("Pane\(place).swift", 3)) }
    var model = Self.model(fixture.inspection)
    func rows(_ model: Model) -> [String: Int] {
      let frame = model.frame()
      var found: [String: Int] = [:]
      for place in 0..<5 {
        found["Pane\(place)"] = (0..<30).first { frame.line($0).contains("Pane\(place).swift") }
      }
      return found
    }
    let before = rows(model)
    fixture.inspection.sites[0].rate = 12_345
    fixture.inspection.sites[1].live = 4321
    _ = model.update(.inspection(fixture.inspection, at: .end))
    #expect(rows(model) == before)
    fixture.feed(share, fixture.subscriber("Zoo.swift", 3))
    _ = model.update(.inspection(fixture.inspection, at: .end))
    let order = { (rows: [String: Int]) in rows.sorted { $0.value < $1.value }.map(\.key) }
    #expect(order(rows(model)) == order(before))
  }
}
