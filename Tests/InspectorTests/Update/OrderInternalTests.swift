@testable import InspectorUI
import Testing
@testable import TraceModel
import TraceReading

/// The part of a list that is shown when its order changes, and other details of the screens.
@Suite struct OrderInternalTests {
  private static func model(_ keys: String, _ change: (inout Inspection) -> Void = { _ in })
    -> Model
  {
    var inspection = Fixture.watchtower()
    change(&inspection)
    var model = Model(size: .standard, screen: .sites)
    _ = model.update(.inspection(inspection, at: .end))
    for key in Key.script(keys) { _ = model.update(.key(key)) }
    return model
  }

  @Test(arguments: [">", ">>>", "I", ":sort events down<Enter>"])
  func aNewOrderIsShownFromItsTopIfNoRowWasChosen(keys: String) {
    let model = Self.model(keys)
    #expect(model.place.list.index == 0 && model.place.list.top == 0)
    #expect(model.place.list.selected == model.rows.ids.first)
  }

  @Test func aChosenRowStaysSelectedInANewOrder() {
    let before = Self.model("<Down><Down>")
    let after = Self.model("<Down><Down>>>")
    #expect(before.place.list.selected == after.place.list.selected)
  }

  @Test func aMarkThatIsTypedAloneJoinsTheCharacterBeforeIt() {
    var text = "e"
    CellWidth.append("\u{301}", to: &text)
    #expect(text == "e\u{301}" && text.count == 1)
    var empty = ""
    CellWidth.append("\u{301}", to: &empty)
    #expect(empty == "?")
  }

  @Test func theEndOfALongCommandIsShown() {
    let model = Self.model(":goto " + String(repeating: "a", count: 150) + "end")
    #expect(model.frame().text.contains("…aaa") && model.frame().text.contains("aaend"))
  }

  @Test func theCursorOfMarblesStaysAtTheBeginningOfTheRecording() {
    var model = Self.model("a0")
    let columns = MarblesView.query(model).columns
    for _ in 0..<(columns - 1) { _ = model.update(.key(.left)) }
    #expect(MarblesView.cursor(model, MarblesView.query(model)) == 0)
    for _ in 0..<3 { _ = model.update(.key(.left)) }
    #expect(MarblesView.cursor(model, MarblesView.query(model)) == 0)
  }

  @Test func theCursorOfMarblesNeverMovesBackWhenItMovesRight() throws {
    var model = Self.model("a=")
    for _ in 0..<MarblesView.query(model).columns { _ = model.update(.key(.left)) }
    var last = try #require(model.place.stretch.cursor)
    for _ in 0..<(3 * MarblesView.query(model).columns) {
      _ = model.update(.key(.right))
      guard let cursor = model.place.stretch.cursor else { break }
      #expect(cursor >= last)
      last = cursor
    }
  }

  @Test func aMomentAfterTheEndOfARecordingIsItsEnd() {
    let model = Self.model(":goto 9999s<Enter>") { $0.program.status = .stopped }
    let length = Quantity.moment(model.inspection.program.duration)
    #expect(model.note?.text == "The recording ends at \(length): this is its end.")
    #expect(model.isFollowing)
  }

  @Test(arguments: [true, false])
  func inThePastTheFindingsSayThatTheyDescribeTheEnd(isEnd: Bool) {
    let model = Self.model("f") { $0.instant.isEnd = isEnd }
    #expect(FindingsView.summary(model).contains("not this moment") != isEnd)
  }

  @Test func aFailureIsNamedWithoutTheAddressOfItsPrivateContext() {
    var snapshot = TraceSnapshot()
    snapshot.strings = [1: "real.(unknown context at $5645107e2740).ServerFailure"]
    #expect(snapshot.failureName(1) == "real.ServerFailure")
  }

  @Test func withoutASearchTheKeyNMovesBetweenLinesThatOpenSomething() {
    let first = Self.model("ur")
    let places = first.document.indices.filter { first.document[$0].target != nil }
    #expect(places.count > 1)
    var model = first
    _ = model.update(.key(.home))
    for place in places.filter({ $0 > 0 }) {
      for key in Key.script("n") { _ = model.update(.key(key)) }
      #expect(model.place.list.index == place)
    }
    for key in Key.script("N") { _ = model.update(.key(key)) }
    #expect(model.place.list.index == places.dropLast().last)
    #expect(Self.model("n").note?.text == "Nothing was searched for yet; / searches.")
  }

  @Test func lengthsOfTimeWithTheSameLabelAreOneBucket() {
    let histogram = Histogram("Waiting", powers: [0, 3, 0, 0, 0, 2, 0, 0, 1, 1, 0, 4])
    let shown = DetailView.merged(histogram)
    #expect(shown.map(\.limit) == ["0 s", "1 µs", "2 µs", "4 µs"])
    #expect(shown.map(\.count) == [5, 2, 0, 4])
  }
}
