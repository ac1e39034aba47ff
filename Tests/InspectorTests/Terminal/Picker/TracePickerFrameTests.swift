import InspectorUI
import Testing

@testable import TraceReading

/// The choice of one of several running programs, as it looks.
@Suite struct TracePickerInternalTests {
  private static let now: UInt64 = 1_700_000_100_000_000_000

  private static let entries: [TraceDirectory.Entry] = ["watchtower", "importer", "a\u{1B}[31mb"]
    .enumerated().map { number, name in
      var header = TraceHeader()
      header.programName = name
      header.processID = Int32(4711 + number)
      header.level = .events
      header.start.realtime = now - UInt64(number + 1) * 30_000_000_000
      return TraceDirectory.Entry(
        path: "/run/user/1000/rxtrace/\(name)-\(4711 + number).rxtrace",
        header: header,
        status: .running,
        byteCount: 98_566_144,
        modified: now
      )
    }

  @Test(arguments: ScreenGoldenTests.sizes, ["", "-ascii"])
  func looksAsReviewed(size: Size, form: String) throws {
    let glyphs = form.isEmpty ? Glyphs.utf8 : .ascii
    var picker = TracePicker(Self.entries, now: Self.now, glyphs: glyphs, size: size)
    _ = picker.update(.key(.down))
    let frame = picker.frame()
    if !form.isEmpty { #expect(frame.text.utf8.allSatisfy { $0 < 0x80 }) }
    let name = "picker-\(size.columns)x\(size.rows)\(form)"
    try Golden.expect(frame.framed + frame.looks, named: name)
  }

  @Test func enterChoosesTheSelectedOne() {
    var picker = TracePicker(Self.entries, now: Self.now, glyphs: .utf8, size: .standard)
    _ = picker.update(.key(.down))
    guard case .chosen(let entry) = picker.update(.key(.enter)) else {
      Issue.record("nothing was chosen")
      return
    }
    #expect(entry.header.processID == 4712)
  }
}
