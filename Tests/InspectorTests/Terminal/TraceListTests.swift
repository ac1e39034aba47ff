import InspectorUI
import ReactiveTrace
import Testing

@Suite struct TraceListTests {
  @Test func anEmptyListSaysHowToRecordATrace() {
    let text = TraceList.text([], now: 0, width: 80, glyphs: .utf8)
    #expect(text == "No traces yet. Run a program with RXTRACE=1 in its environment to make one.\n")
  }
}
