import InspectorUI
import Testing
import TraceModel

/// The help that `?` opens.
@Suite struct HelpTests {
  private static let keys: [Screen: String] = [
    .map: "M", .sites: "s", .signals: "i", .subscriptions: "u", .graph: "ur", .events: "e",
    .findings: "f", .marbles: "a", .queues: "h", .diff: "c", .detail: "ud",
  ]

  @Test(arguments: Screen.allCases.filter { $0 != .help })
  func helpIsAboutTheCurrentScreenAndFitsIt(screen: Screen) throws {
    let keys = try #require(Self.keys[screen])
    let help = try run(keys + "?").terminal.screen
    #expect(help.line(2).hasSuffix("? shows all keys, columns and signs; Esc closes"))
    #expect(help.line(3).hasPrefix("\(screen.title): "))
    #expect(!help.text.contains(" more ↓"))
    let others = Screen.allCases.filter { $0 != screen }
    #expect(!others.contains { help.line(3).hasPrefix("\($0.title): ") })
    // No line is cut off, except for those that explain columns.
    let cut = help.text.split(separator: "\n").dropFirst(3).prefix { $0 != "Columns" }
    #expect(!cut.contains { $0.contains("…") })
  }

  @Test func saysWhatTheColumnsOnTheScreenMean() throws {
    let narrow = try run("s?").screen
    #expect(narrow.contains("live ") && !narrow.contains("live over time"))
    let wide = try run("s?", size: Size(columns: 200, rows: 60)).screen
    #expect(wide.contains("live over time") && wide.contains("given name"))
  }

  @Test func saysWhatTheSignsOfTheMapMean() throws {
    let help = try run("M?").screen
    for sign in ["×28", "map +2", "─12▶", "║ ⇢ main", "silent 9 s"] {
      #expect(help.contains(sign), "\(sign)")
    }
  }

  @Test func switchesToTheFullHelpAndBack() throws {
    let all = try run("e??").screen
    #expect(all.contains("Screens") && all.contains("? goes back to Events"))
    #expect(try run("e???").screen.contains("Events: what happened"))
    #expect(try run("e??<Esc>").model.place.screen == .events)
    let whole = try run("e??", size: Size(columns: 100, rows: 240)).screen
    for heading in ["Mouse", "Commands", "Columns of Events", "Words and signs"] {
      #expect(whole.contains(heading))
    }
  }

  @Test func helpIsAligned() throws {
    let lines = try run("??", size: Size(columns: 100, rows: 240)).screen.split(separator: "\n")
    let name = try #require(lines.firstIndex { $0 == "  operator@file:line" })
    #expect(lines[name + 1].hasPrefix(String(repeating: " ", count: 16) + "the operator"))
  }
}
