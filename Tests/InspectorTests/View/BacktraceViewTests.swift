@testable import InspectorUI
import Testing
import TraceModel

@Suite struct BacktraceViewTests {
  @Test func distinguishesTheProgramsOwnLinesFromOthers() {
    let lines = BacktraceView.lines([
      "Pane.open() at /home/me/app/Pane.swift:70 [inlined]",
      "closure #1 in Signal.probe(_:) at /home/me/Sources/Reactive/Core/Signal.swift:51",
      "_dispatch_lane_serial_drain in libdispatch.so",
      "… asynchronously invoked (on main) from:",
      "weird at place at File.swift:3",
    ])
    #expect(
      lines.map(\.text) == [
        "  Pane.swift:70    Pane.open() [inlined]",
        "  Signal.swift:51  closure #1 in Signal.probe(_:)",
        "                   _dispatch_lane_serial_drain in libdispatch.so",
        "  … asynchronously invoked (on main) from:",
        "  File.swift:3     weird at place",
      ]
    )
    #expect(lines[0].pieces.last?.role == .strong)
    #expect(lines[1].pieces.last?.role == .dim && lines[2].pieces.last?.role == .dim)
    #expect(lines[3].pieces.first?.role == .suspect)
  }

  @Test func showsNoEscapeOfAHostileSymbol() {
    let text = BacktraceView.lines([HostileNameTests.hostile]).map(\.text).joined()
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9B })
  }
}
