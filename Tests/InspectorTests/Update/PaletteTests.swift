import InspectorUI
import Testing
import TraceModel

/// Commands that are typed after `:`, filters with columns, tags, history and the mouse.
@Suite struct PaletteTests {
  @Test func aNameStandsForOneCommandOnly() {
    var seen: [String: Command] = [:]
    for binding in KeyTable.all {
      let name = binding.command.name
      #expect(seen[name] == nil || seen[name] == binding.command, "\(name) means two things")
      seen[name] = binding.command
      #expect(name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }, "\(name)")
    }
  }

  @Test func commandsDoWhatTheirKeysDo() throws {
    #expect(try run(":signals<Enter>").model.place.screen == .signals)
    #expect(try run(":pause<Enter>").screen.contains("paused"))
    #expect(try run(":sort events<Enter>").screen.contains("events/s▼") == false)
    #expect(try run(":sort live up<Enter>").screen.contains("live▲"))
    #expect(try run(":filter panes<Enter>").screen.contains("filter 'panes'"))
    #expect(try run(":goto round 8<Enter>").source.requests.contains(.show(.mark(0))))
    #expect(try run(":goto 1:05<Enter>").source.requests.contains(.show(.time(.seconds(65)))))
    #expect(
      try run(":goto -2.5s<Enter>").source.requests.contains(.show(.time(.milliseconds(69_845))))
    )
    #expect(try run(":goto #8203<Enter>").source.requests.contains(.show(.event(8203))))
  }

  @Test func mistakesAreReportedWithASuggestion() throws {
    #expect(try run(":signls<Enter>").screen.contains("did you mean signals?"))
    #expect(try run(":sort nothing<Enter>").screen.contains("There is no column 'nothing'"))
    #expect(try run(":goto nowhere<Enter>").screen.contains("is not a moment"))
    #expect(try run("\\live>many<Enter>").screen.contains("'many' is neither a number nor a time"))
    #expect(try run("e\\queue=main<Enter>").screen.contains("No column is called 'queue'"))
    #expect(try !run("e\\queue=main<Enter>").screen.contains("columns are ."))
    #expect(try run(":set mouse maybe<Enter>").screen.contains("neither on nor off"))
  }

  @Test func tabCompletesAndUpRecallsEarlierCommands() throws {
    #expect(try run(":subs<Tab><Enter>").model.place.screen == .subscriptions)
    #expect(try run(":sort even<Tab>").screen.contains(":sort events"))
    #expect(try run(":signals<Enter>:<Up><Enter>").model.place.screen == .signals)
    #expect(try run(":x<Backspace><Backspace>u").model.place.screen == .subscriptions)
  }

  @Test func searchWorksOnTheMapAsWellAsByItsKey() throws {
    let typed = try run("M:search debounce<Enter>")
    #expect(!typed.screen.contains("is on no row of this screen"))
  }

  @Test func theScreenAndTheFilterAreKeptAsTheyAreShown() throws {
    #expect(try run(":set screen findings<Enter>").screen.contains("kept as it is shown"))
    #expect(try run(":set mouse off<Enter>").screen.contains(":write-config keeps it"))
  }

  // MARK: Filters

  @Test(arguments: [
    ("live>10", ["Panes.swift:41", "Panes.swift:36"]), ("live>800 & debounce", ["Panes.swift:36"]),
    ("live=3", ["Alerts.swift:60", "Alerts.swift:61"]),
    ("last>1s & !merge", ["Alerts.swift:61"]), ("last>1 & !merge", ["Alerts.swift:61"]),
    ("events>=20k | heartbeat", ["Heartbeat", "Panes"]),
    ("scheduler=main & live!=1", ["Alerts.swift:60", "Alerts.swift:61"]),
    ("!live<2", ["Panes.swift:41", "Panes.swift:36", "Alerts.swift:60", "Alerts.swift:61"]),
  ])
  func filtersCompareColumns(filter: String, expected: [String]) throws {
    let typed = filter.map { $0 == "<" ? "<lt>" : String($0) }.joined()
    let screen = try run("\\\(typed)<Enter>", size: Size(columns: 120, rows: 24)).screen
    let rows = screen.split(separator: "\n").filter {
      $0.contains(".swift") || $0.contains("Files")
    }
    for name in expected { #expect(rows.contains { $0.contains(name) }, "\(filter): \(name)") }
    #expect(rows.allSatisfy { row in expected.contains { row.contains($0) } }, "\(filter): \(rows)")
  }

  @Test func subscriptionsAreFilteredByTheNameOfTheirSignal() throws {
    let named = try run("u\\signal~DEBOUNCE(<Enter>").screen
    #expect(named.contains("subscribe@Panes.swift:41") && named.contains("debounce@Panes"))
    #expect(!named.contains("interval@Clock") && !named.contains("merge@Alerts"))
    // The name of an operator occurs in the names of all signals made from its signal.
    #expect(try run("u\\milliseconds<Enter>").screen.contains("passes the filter 'milliseconds'"))
    let signals = try run("i\\with: clock<Enter>", size: Size(columns: 120, rows: 24)).screen
    #expect(signals.contains("Alerts.swift:60") && !signals.contains("Clock.swift:21"))
  }

  // MARK: Tags, history, order

  @Test func taggedRowsAreMarkedAndDrawnAsMarbles() throws {
    let tagged = try play("xx")
    #expect(tagged.frames.last?.text.contains("2 tagged") == true)
    #expect(tagged.frames.last?.text.contains("◆") == true)
    let marbles = try play("xxa")
    #expect(marbles.model.frame().text.split(separator: "\n").count { $0.contains(".swift:") } >= 2)
    #expect(marbles.model.frame().text.contains("what is tagged"))
    #expect(try play("xxU").frames.last?.text.contains("tagged  ") == false)
    #expect(
      try play(":goto 1.6s<Enter>u/Badge<Enter>X").frames.last?.text.contains("2 rows tagged")
        == true
    )
  }

  @Test func historyMovesBackAndForwardThroughScreens() throws {
    #expect(try run("ui{").model.place.screen == .subscriptions)
    #expect(try run("ui{{").model.place.screen == .sites)
    #expect(try run("ui{{}").model.place.screen == .subscriptions)
    #expect(try run("ui{{}e}").screen.contains("no further screen"))
  }

  @Test func frozenRowsKeepTheirOrder() {
    var model = Model(size: .standard)
    var inspection = Fixture.watchtower()
    _ = model.update(.inspection(inspection, at: .end))
    let before = model.frame().line(4)
    for key in Key.script("F") { _ = model.update(.key(key)) }
    inspection.sites[5].worst = .violation
    _ = model.update(.inspection(inspection, at: .end))
    #expect(model.frame().line(4).prefix(20) == before.prefix(20))
    _ = model.update(.key(.character("F")))
    _ = model.update(.inspection(inspection, at: .end))
    #expect(model.frame().line(4).contains("merge"))
  }

  // MARK: The mouse

  @Test func theMouseSelectsOpensSortsAndPresses() throws {
    func click(_ row: Int, _ column: Int, _ kind: MouseAction.Kind = .press) throws -> ScriptRun {
      try run(
        HeadlessTerminal(
          size: Size(columns: 120, rows: 40),
          script: [.mouse(MouseAction(kind, row: row, column: column))]
        ),
        on: Fixture.watchtower()
      )
    }
    #expect(try click(6, 10).terminal.screen.selectedLine?.contains("merge@Alerts") == true)
    #expect(try click(4, 10).model.place.screen == .subscriptions)
    #expect(try click(6, 10, .doublePress).model.place.scope == .site(5))
    #expect(try click(1, 20).model.place.screen == .signals)
    #expect(try click(39, 1).model.place.screen == .help)
    #expect(try click(5, 5, .wheelDown).terminal.screen.selectedLine?.contains("debounce") == true)
    let heading = try run("", size: Size(columns: 120, rows: 40)).terminal.screen.line(3)
    let column = heading.distance(
      from: heading.startIndex,
      to: try #require(heading.range(of: "live")?.lowerBound)
    )
    #expect(try click(3, column).screen.contains("live▼"))
  }

  // MARK: Settings

  @Test(arguments: ["live>3", "#12", "held>0 | #4711", "a=b # c", "==", "!"])
  func settingsAreReadBackAsTheyWereWritten(filter: String) {
    var settings = Settings()
    for (key, value) in [
      ("screen", "events"), ("refresh", "2.5"), ("color", "never"), ("ascii", "on"),
      ("mouse", "off"), ("filter", filter), ("sort.sites", "live up"),
    ] {
      #expect(settings.set(key, value) == nil)
    }
    let (read, problems) = Settings.parse(settings.text)
    #expect(read == settings && problems.isEmpty)
  }

  @Test func linesOfSettingsMayEndAsOnWindows() {
    let (settings, problems) = Settings.parse("screen = events\r\nascii = on\r\n")
    #expect(settings.screen == .events && settings.ascii)
    #expect(problems.isEmpty)
  }

  @Test(arguments: ["", " ", " \t ", "live>3 ", String(repeating: "x", count: 500)])
  func writtenSettingsAreAlwaysReadWithoutErrors(filter: String) {
    var settings = Settings()
    settings.filter = filter
    let (read, problems) = Settings.parse(settings.text)
    #expect(problems.isEmpty)
    #expect(read.text == settings.text)
  }

  @Test func aMistakeInSettingsIsReportedAndTheRestApplies() {
    let text = "screen = nowhere\n\u{1B}[2J = x\nrefresh=99\nnonsense\n# a comment\nascii = on\n"
    let (settings, problems) = Settings.parse(text)
    #expect(settings.ascii && settings.screen == nil)
    #expect(problems.count == 4)
    #expect(problems[0].hasPrefix("line 1: 'nowhere' is not a screen; use map, sites, "))
    #expect(problems.allSatisfy { !$0.contains("\u{1B}") })
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}
