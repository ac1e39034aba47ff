import InspectorUI
import ReactiveTrace
import Testing

@Suite struct TraceListTests {
  @Test func saysHowToMakeATraceWhenThereIsNone() {
    let text = TraceList.text([], now: 0, width: 80, glyphs: .utf8)
    #expect(text == "No traces yet. Run a program with RXTRACE=1 in its environment to make one.\n")
  }

  @Test func pickerQuitsWithoutAChoice() throws {
    for keys in ["q", "<Esc>", "<^C>", ""] {
      var terminal = HeadlessTerminal(size: .standard, keys: keys)
      var picker = TracePicker([], now: 0, glyphs: .utf8, size: .standard)
      #expect(try picker.run(on: &terminal) == nil)
      #expect(terminal.frames.first?.line(0) == "Which program?")
    }
  }
}
