import Foundation
import InspectorUI
import Testing
import TraceModel
import TraceReading

/// What keys and the mouse do on the map.
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

  @Test func theWorstThatIsAccusedIsSelectedFirst() {
    var fixture = MapFixture()
    let source = fixture.line("Subject", "A.swift", 1, traits: .subject)
    let suspect = fixture.line("share", "A.swift", 2, traits: .shares, worst: .suspect)
    let leak = fixture.line("subscribe", "A.swift", 3, live: 9, traits: .root, worst: .leak)
    fixture.chain([source, suspect, leak])
    let model = Self.model(fixture.inspection)
    #expect(Self.selected(model).contains("LEAK"))
    #expect(Self.selected(model).contains("A.swift:3"))
  }

  @Test func leftAndRightGoWithTheFlowAndUpAndDownBesideIt() {
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

  @Test func vLeavesOutWhatHasNothingToDoWithANodeAndEscShowsTheWholeAgain() {
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

  @Test func aFilterLeavesTheLinesThatPassAndSaysHowManyDoNot() {
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
