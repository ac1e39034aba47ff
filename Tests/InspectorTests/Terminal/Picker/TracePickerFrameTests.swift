import InspectorUI
import Testing
import TraceModel
import TraceReading

/// The drawing of the start screen.
@Suite struct TracePickerFrameTests {
  private func expect(_ picker: TracePicker, named name: String, _ form: String) throws {
    let frame = picker.frame()
    if !form.isEmpty { #expect(frame.text.utf8.allSatisfy { $0 < 0x80 }) }
    let size = frame.size
    try Golden.expect(
      frame.framed + frame.looks,
      named: "\(name)-\(size.columns)x\(size.rows)\(form)"
    )
  }

  private static func glyphs(_ form: String) -> Glyphs { form.isEmpty ? .utf8 : .ascii }

  @Test(arguments: ScreenGoldenTests.sizes, ["", "-ascii"])
  func matchesTheGoldenFile(size: Size, form: String) throws {
    var picker = PickerFixture.busy(size: size, glyphs: Self.glyphs(form))
    picker.press("j")
    try expect(picker, named: "picker", form)
  }

  @Test(arguments: ScreenGoldenTests.sizes, ["", "-ascii"])
  func instructionsMatchTheGoldenFile(size: Size, form: String) throws {
    let picker = PickerFixture.picker([], size: size, glyphs: Self.glyphs(form))
    try expect(picker, named: "picker-empty", form)
  }

  @Test(arguments: ScreenGoldenTests.sizes, ["", "-ascii"])
  func helpMatchesTheGoldenFile(size: Size, form: String) throws {
    var picker = PickerFixture.busy(size: size, glyphs: Self.glyphs(form))
    picker.press("?")
    try expect(picker, named: "picker-help", form)
  }

  @Test func theNarrowestTerminalShowsNameAndNumber() {
    let picker = PickerFixture.busy(size: .minimum, glyphs: .utf8)
    #expect(picker.listed.first?.contains("watchtower") == true)
    #expect(picker.listed.first?.contains("4711") == true)
  }

  @Test func saysThatATerminalIsTooSmall() {
    let picker = PickerFixture.busy(size: Size(columns: 30, rows: 8), glyphs: .utf8)
    #expect(picker.frame().text.contains("needs 40 columns"))
  }

  @Test func hostileNamesStayTextOnTheStartScreen() {
    let name = "a\u{1B}[2J\u{202E}\nb"
    var picker = PickerFixture.picker([PickerFixture.file(name, process: 7)])
    var verdict = PickerFixture.found(.leak, name)
    verdict.sentence = name
    picker.apply(["\(PickerFixture.folder)\(name)-7.rxtrace": verdict])
    let text = picker.frame().text
    #expect(text.contains("a<U+001B>[2"))
    #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    #expect(picker.listed.count == 1)
  }

  @Test func helpIsAboutThisScreenOnly() {
    var picker = PickerFixture.picker([], size: Size(columns: 100, rows: 120))
    picker.press("?")
    let help = picker.frame().text
    for word in ["PgDn", "\\ F4", "growth", "events/s", "crashed", "rxtop record"] {
      #expect(help.contains(word), "\(word)")
    }
    for word in ["bookmark", "playing", "tag the row", "Marbles"] {
      #expect(!help.contains(word), "\(word)")
    }
  }
}
