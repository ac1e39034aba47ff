import InspectorUI
import Testing
import TraceModel
import TraceReading

/// The start screen with a scripted terminal and scripted listings.
@Suite struct TracePickerRunTests {
  /// A terminal with scripted input; nil in the script lets a deadline pass.
  private struct ScriptedTerminal: Terminal {
    var size = Size.standard
    var script: [TerminalMessage?]
    var frames: [Frame] = []

    mutating func nextMessage(
      before deadline: ContinuousClock.Instant
    ) throws(TerminalError) -> TerminalMessage? {
      script.isEmpty ? .ended : script.removeFirst()
    }

    mutating func present(_ frame: Frame) throws(TerminalError) { frames.append(frame) }
  }

  /// Scripted listings, of which the last one is repeated.
  private struct ScriptedListings: TraceListings {
    var listings: [[TraceWatch.File]]
    var verdicts: [String: TraceVerdict] = [:]
    var isChecking: Bool { false }
    var selections: [String?] = []

    mutating func refresh(selected: String?) -> TraceListing {
      selections.append(selected)
      defer { if listings.count > 1 { listings.removeFirst() } }
      return PickerFixture.listing(listings[0], second: selections.count)
    }
  }

  private struct Refusal: Error {}

  private func run(
    _ listings: inout ScriptedListings,
    _ script: [TerminalMessage?],
    refusing: Set<String> = [],
    refresh: Duration = .zero
  ) throws -> (opened: String?, terminal: ScriptedTerminal) {
    var terminal = ScriptedTerminal(script: script)
    var picker = TracePicker(glyphs: .utf8, size: .standard)
    let opened = try picker.run(
      on: &terminal,
      &listings,
      refresh: refresh,
      describe: { _ in "it is gone\u{1B}" },
      open: { path in
        if refusing.contains(path) { throw Refusal() }
        return path
      }
    )
    return (opened, terminal)
  }

  @Test(arguments: ["q", "<Esc>", "<^C>", ""])
  func quitsWithoutAChoice(keys: String) throws {
    var listings = ScriptedListings(listings: [[]])
    let (opened, terminal) = try run(&listings, Key.script(keys).map(TerminalMessage.key))
    #expect(opened == nil)
    #expect(terminal.frames.last?.text.contains("RXTRACE=1 ./app") == true)
  }

  @Test func waitsForAProgramAndOpensIt() throws {
    let app = PickerFixture.file("app", process: 7)
    var listings = ScriptedListings(listings: [[], [], [app]])
    let (opened, terminal) = try run(&listings, [nil, nil, .key(.enter)])
    #expect(opened == app.path)
    #expect(terminal.frames.contains { $0.text.contains("there are no recordings") })
    #expect(terminal.frames.last?.line(23).hasPrefix("Reading '") == true)
  }

  @Test func anErrorOnOpeningIsShownAndAnotherTraceCanBeChosen() throws {
    let (a, b) = (PickerFixture.file("a", process: 1), PickerFixture.file("b", process: 2))
    var listings = ScriptedListings(listings: [[a, b]])
    let script: [TerminalMessage?] = [.key(.enter), .key(.down), .key(.enter)]
    let (opened, terminal) = try run(&listings, script, refusing: [a.path])
    #expect(opened == b.path)
    #expect(terminal.frames.contains { $0.line(23) == "it is gone<U+001B>" })
  }

  @Test func findingsAppearBetweenRefreshes() throws {
    let app = PickerFixture.file("app", process: 7)
    var listings = ScriptedListings(listings: [[app]])
    listings.verdicts = [app.path: PickerFixture.found(.leak, "growth")]
    let (_, terminal) = try run(&listings, [nil], refresh: .seconds(3600))
    #expect(terminal.frames.contains { $0.text.contains("LEAK") })
  }
}
