import InspectorUI
import ReactiveTrace
import Testing
import TraceExports
import TraceModel

/// Names come from the traced program or from the author of the file; none of them may control the
/// terminal.
@Suite struct HostileNameTests {
  static let hostile =
    "a\u{1B}]52;c;QQ==\u{7}b\u{1B}[2J\u{9B}31m\r\n\u{7F}\u{202E}\u{2066}\u{200B}\u{2028}c"

  @Test func namesOfTenThousandLettersAreCutToFit() throws {
    var inspection = Fixture.watchtower()
    let long = String(repeating: "L", count: 10_240)
    for index in inspection.sites.indices {
      inspection.sites[index].name = long
      inspection.sites[index].location = long
    }
    inspection.program.name = long
    let run = try run("ud", on: inspection)
    for frame in run.terminal.frames { #expect(frame.text.count <= 81 * 24) }
    let once = BatchText(screen: .sites, filter: "", columns: 80, glyphs: .utf8, palette: nil)
    #expect(once.render(inspection).utf8.count < 10_000)
  }

  static let inspection: Inspection = {
    var inspection = Fixture.watchtower()
    inspection.program.name = hostile
    inspection.program.statusText = hostile
    inspection.program.note = hostile
    inspection.program.losses = [hostile]
    inspection.program.problems = [hostile]
    for index in inspection.sites.indices {
      inspection.sites[index].name = hostile
      inspection.sites[index].file = hostile
      inspection.sites[index].location = hostile
      inspection.sites[index].scheduler = hostile
    }
    for index in inspection.signals.indices {
      inspection.signals[index].name = hostile
      inspection.signals[index].location = hostile
      inspection.signals[index].givenName = hostile
      inspection.signals[index].composedName = hostile
    }
    for index in inspection.subscriptions.indices {
      inspection.subscriptions[index].name = hostile
      inspection.subscriptions[index].location = hostile
      inspection.subscriptions[index].scheduler = hostile
      inspection.subscriptions[index].composedName = hostile
    }
    for index in inspection.events.indices {
      inspection.events[index].subjectText = hostile
      inspection.events[index].text = hostile
      inspection.events[index].thread = hostile
    }
    for index in inspection.findings.indices {
      inspection.findings[index].name = hostile
      inspection.findings[index].sentence = hostile
      inspection.findings[index].remedy = hostile
      inspection.findings[index].summary = hostile
      inspection.findings[index].location = hostile
      inspection.findings[index].cap = hostile
      inspection.findings[index].evidence.counters = [hostile]
      inspection.findings[index].ruledOut = [hostile]
      inspection.findings[index].settling = hostile
    }
    inspection.timers[0].name = hostile
    inspection.timers[0].location = hostile
    inspection.timers[0].scheduler = hostile
    inspection.marks[0].name = hostile
    return inspection
  }()

  @Test(arguments: Screen.allCases, [Size.standard, Size(columns: 120, rows: 40)])
  func hostileNamesNeverReachAFrame(screen: Screen, size: Size) throws {
    for keys in [ScreenGoldenTests.keys[screen] ?? "", "fj<Enter><Enter>", "b", "/[<Enter>"] {
      let run = try run(keys, on: Self.inspection, size: size)
      for frame in run.terminal.frames { expectHarmless(frame.text) }
    }
  }

  @Test(arguments: Screen.inBar) func hostileNamesNeverReachTheTextOfOnce(screen: Screen) {
    let text = BatchText(screen: screen, filter: "", columns: 120, glyphs: .utf8, palette: nil)
      .render(Self.inspection)
    expectHarmless(text)
    let ascii = BatchText(screen: screen, filter: "", columns: 120, glyphs: .ascii, palette: nil)
      .render(Self.inspection)
    #expect(ascii.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A })
  }

  @Test func hostileNamesAreEscapedInJSON() throws {
    let text = InspectionJSON.text(Self.inspection)
    let bad = text.unicodeScalars.first {
      ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value)
    }
    #expect(bad == nil)
    #expect(text.contains("\\u001B]52"))
  }

  @Test func hostileNamesNeverReachAnErrorMessage() {
    expectHarmless(CommandError.line("there is no file '\(Self.hostile)'"))
  }

  @Test func aFrameReplacesControlCharacters() {
    var frame = Frame(size: .standard)
    frame.put(Self.hostile, row: 0, column: 0)
    expectHarmless(frame.text)
    frame.put("e\u{301}\u{4E2D}x", row: 1, column: 0)
    #expect(frame.line(1) == "e\u{301}\u{4E2D}x")
  }

  private func expectHarmless(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let bad = text.unicodeScalars.first { scalar in
      scalar != "\n"
        && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
          || scalar.properties.generalCategory == .format
          || (0x2028...0x2029).contains(scalar.value))
    }
    #expect(
      bad == nil,
      "contains U+\(String(bad?.value ?? 0, radix: 16))",
      sourceLocation: sourceLocation
    )
  }
}
