import InspectorUI
import Testing
import TraceReading

/// The keys of the start screen.
@Suite struct TracePickerKeyTests {
  typealias Fixture = PickerFixture

  private static let names = ["alpha", "beta", "gamma", "alphabet"]

  private func picker(size: Size = .standard) -> TracePicker {
    let files = Self.names.enumerated().map { number, name in
      Fixture.file(name, process: Int32(number + 1), live: [5, 20, 1, 9][number])
    }
    return Fixture.picker(files, size: size)
  }

  @Test(arguments: [
    ("j", "beta"), ("jjk", "beta"), ("<Down><Down>", "gamma"), ("G", "alphabet"), ("Gg", "alpha"),
    ("<End>", "alphabet"), ("<End><Home>", "alpha"), ("<PgDn>", "alphabet"),
    ("G<PgUp>", "alpha"), ("<^D>", "alphabet"), ("kkk", "alpha"), ("y", "alpha"),
  ])
  func keysMoveTheSelection(keys: String, name: String) {
    var picker = picker()
    picker.press(keys)
    #expect(picker.selectedName == name)
  }

  @Test(arguments: ["q", "<Esc>", "<^C>", "<F10>", "?qq", "?<Esc>q", "/a<^C>"])
  func theseKeysQuit(keys: String) {
    var picker = picker()
    #expect(picker.press(keys) == .quit)
  }

  @Test(arguments: ["?q", "?<Esc>", "/a<Esc>", "/q", "\\q", "?<Left>", "t", "<Backspace>"])
  func theseKeysDoNotQuit(keys: String) {
    var picker = picker()
    #expect(picker.press(keys) == .undecided)
  }

  @Test func enterChoosesTheSelectedRow() {
    var picker = picker()
    #expect(picker.press("j<Enter>") == .chosen("\(Fixture.folder)beta-2.rxtrace"))
    #expect(picker.press("<Right>") == .chosen("\(Fixture.folder)beta-2.rxtrace"))
  }

  @Test func searchMovesBetweenMatchesAndWrapsAround() {
    var picker = picker()
    picker.press("j/ALPHA<Enter>")
    #expect(picker.selectedName == "alphabet")
    picker.press("n")
    #expect(picker.selectedName == "alpha")
    picker.press("N")
    #expect(picker.selectedName == "alphabet")
    picker.press("/nowhere<Enter>")
    #expect(picker.frame().line(23) == "'nowhere' is on no row of this screen.")
    #expect(picker.selectedName == "alphabet")
  }

  @Test func filterShowsMatchingRowsAndEscRestoresTheOthers() {
    var picker = picker()
    picker.press("\\alpha<Enter>")
    #expect(picker.names == ["alpha", "alphabet"])
    #expect(picker.frame().line(1).hasPrefix("filter 'alpha'"))
    picker.press("\\<^U>live>8")
    #expect(picker.names == ["beta", "alphabet"])
    picker.press("<Esc>")
    #expect(picker.names == ["alpha", "alphabet"])
    picker.press("\\<^U>nobody<Enter>")
    #expect(picker.frame().text.contains("None of 4 rows passes the filter 'nobody'."))
    #expect(picker.press("<Enter>") == .undecided)
  }

  @Test func rowsAreSortedByAColumnInBothDirections() {
    var picker = picker()
    picker.press(">")
    #expect(picker.names == Self.names.sorted())
    picker.press(">>>")
    #expect(picker.names == ["beta", "alphabet", "alpha", "gamma"])
    picker.press("I")
    #expect(picker.names == ["gamma", "alpha", "alphabet", "beta"])
  }

  @Test func helpOpensScrollsAndCloses() {
    var picker = picker()
    picker.press("j?")
    let top = picker.frame()
    #expect(top.line(3) == "Keys")
    picker.press("j")
    #expect(picker.frame().line(3) == top.line(4))
    picker.press("G")
    #expect(picker.frame().text.contains("rxtop FILE"))
    picker.press("n?")
    #expect(picker.selectedName == "beta")
    #expect(picker.names == Self.names)
  }

  @Test func theMouseSelectsOpensSortsAndPressesTheFooter() {
    var picker = picker()
    func press(_ row: Int, _ column: Int = 2) -> TracePicker.Outcome {
      picker.update(.mouse(MouseAction(.press, row: row, column: column)))
    }
    #expect(press(5) == .undecided)
    #expect(picker.selectedName == "gamma")
    #expect(press(5) == .chosen("\(Fixture.folder)gamma-3.rxtrace"))
    #expect(press(15) == .undecided)
    _ = picker.update(.mouse(MouseAction(.wheelDown, row: 9, column: 2)))
    #expect(picker.selectedName == "alphabet")
    _ = press(2)
    #expect(picker.names == Self.names.sorted())
    // A message covers the keys of the footer, and a click on it removes it.
    _ = press(23, 0)
    #expect(picker.frame().line(3) != "Keys")
    _ = press(23, 0)
    #expect(picker.frame().line(3) == "Keys")
  }

  @Test func anotherSizeKeepsTheSelectionInSight() {
    let files = (1...60).map { Fixture.file("p\($0)", process: Int32($0)) }
    var picker = Fixture.picker(files, size: Size(columns: 120, rows: 40))
    picker.press("G")
    _ = picker.update(.resized(Size(columns: 40, rows: 10)))
    #expect(picker.frame().text.contains("p60"))
    #expect(picker.frame().line(1).hasSuffix("of 60"))
  }
}
