import InspectorUI
import Testing
import TraceModel

@Suite struct NavigationTests {
  @Test func diffIsDrawnWhileWaitingForAnAnswer() throws {
    var terminal = HeadlessTerminal(size: .standard, keys: "cD")
    var loop = ScreenLoop(
      model: Model(size: terminal.size),
      source: try Story.source(),
      helpers: .none { _ in "" }
    )
    try loop.run(on: &terminal)
    // Diff first shows rows, then none while it waits for the answer, and then the changes since
    // the chosen moment.
    #expect(terminal.frames.contains { $0.text.contains("Badge.swift:12") })
    #expect(terminal.screen.text.contains("Nothing has changed since 2.000 s:"))
  }

  @Test func opensTheDetailOfASubscriptionFromASite() throws {
    #expect(try run("<Enter>").screen.contains("subscriptions of subscribe@Panes.swift:41"))
    let detail = try run("<Enter><Enter>", size: Size(columns: 80, rows: 40))
    #expect(detail.model.place.screen == .detail)
    #expect(detail.screen.contains("Subscription #3"))
    #expect(detail.screen.contains("… asynchronously invoked from:"))
    #expect(detail.source.requests.contains(.backtrace(of: 1)))
  }

  @Test func zUnfoldsABacktraceAndFoldsItAgain() throws {
    var model = try run("<Enter><Enter>", size: Size(columns: 80, rows: 60)).model
    let lines = [
      "Panes.open(_:) at Panes.swift:41", "swift_retain in libswiftCore.so", "f in libdispatch.so",
    ]
    _ = model.update(.backtrace(chain: 1, lines))
    let folded = model.frame().text
    #expect(folded.contains("(2 more of Swift and Dispatch)"))
    #expect(folded.contains("z shows all 3 lines.") && !folded.contains("swift_retain"))
    for key in Key.script("z") { _ = model.update(.key(key)) }
    let unfolded = model.frame().text
    #expect(unfolded.contains("swift_retain in libswiftCore.so"))
    #expect(unfolded.contains("z shows the program's own functions alone."))
    for key in Key.script("z") { _ = model.update(.key(key)) }
    #expect(model.frame().text == folded)
    #expect(try run("z").screen.contains("z unfolds nodes on Map and backtraces on Detail"))
  }

  @Test func escapeAndQGoBackOneByOne() throws {
    #expect(try run("<Enter><Enter><Esc>").model.place.screen == .subscriptions)
    #expect(try run("<Enter><Enter>qq").model.place.screen == .sites)
    #expect(try run("<Esc><Esc>").model.place.screen == .sites)
  }

  @Test func qQuitsOnTheFirstScreenAndControlCEverywhere() throws {
    // Keys that are pressed after quitting are never read.
    #expect(try run("qu").model.place.screen == .sites)
    #expect(try run("<Enter><^C>u").model.place == run("<Enter>").model.place)
  }

  @Test func theFooterSaysWhetherQQuitsOrGoesBack() throws {
    #expect(try run("").screen.contains("q quit"))
    for keys in ["<Enter>", "d", "?", "<Enter>d"] {
      let screen = try run(keys).screen
      #expect(screen.contains("q back") && !screen.contains("q quit"), "\(keys)")
    }
    #expect(try run("<Enter>q").screen.contains("q quit"))
  }

  @Test func keepsTheSelectionOnItsRowWhenRowsMove() {
    var model = Model(size: .standard)
    var inspection = Fixture.watchtower()
    _ = model.update(.inspection(inspection, at: .end))
    for key in Key.script("jj") { _ = model.update(.key(key)) }
    let before = model.frame().selectedLine
    #expect(before?.contains("merge@Alerts.swift:60") == true)
    inspection.sites[5].worst = .violation
    _ = model.update(.inspection(inspection, at: .end))
    #expect(model.frame().selectedLine?.contains("merge@Alerts.swift:60") == true)
    #expect(model.frame().line(4).contains("merge@Alerts.swift:60"))
  }

  @Test func selectsTheNeighbourOfARowThatDisappears() {
    var model = Model(size: .standard, screen: .subscriptions)
    var inspection = Fixture.watchtower()
    _ = model.update(.inspection(inspection, at: .end))
    _ = model.update(.key(.character("j")))
    inspection.subscriptions.removeAll { $0.name == "debounce" }
    _ = model.update(.inspection(inspection, at: .end))
    #expect(model.frame().selectedLine?.contains("interval") == true)
  }

  @Test func scrollsSoThatTheSelectionIsAlwaysVisible() {
    var model = Model(size: Size(columns: 40, rows: 10))
    _ = model.update(.inspection(Fixture.watchtower(), at: .end))
    for key in Key.script("Gkkkkkkkgjjjjjjjjjj<PgUp><PgDn><^U><^D>") {
      _ = model.update(.key(key))
      #expect(model.frame().selectedLine != nil, "after \(key.name)")
    }
  }

  @Test func repeatsASearchAndWrapsAround() throws {
    #expect(
      try run("/alerts<Enter>").terminal.screen.selectedLine?.contains("merge@Alerts") == true
    )
    #expect(
      try run("/alerts<Enter>n").terminal.screen.selectedLine?.contains("deliver(on:)@Al") == true
    )
    #expect(
      try run("/alerts<Enter>nn").terminal.screen.selectedLine?.contains("merge@Alerts") == true
    )
    #expect(
      try run("/alerts<Enter>N").terminal.screen.selectedLine?.contains("deliver(on:)@Al") == true
    )
    #expect(try run("/nowhere<Enter>").screen.contains("'nowhere' is on no row of this screen."))
  }

  @Test func filtersWhileTypingAndRestoresTheOldFilterOnEscape() throws {
    let typed = try run("\\panes").screen
    #expect(typed.contains("Panes.swift:41") && !typed.contains("Clock.swift:21"))
    #expect(typed.contains("filter: panes"))
    #expect(try run("\\panes<Esc>").screen.contains("Clock.swift:21"))
    let either = try run("\\heartbeat|clock<Enter>", size: Size(columns: 120, rows: 40)).screen
    #expect(either.contains("Heartbeat.swift") && either.contains("Clock.swift:22"))
    #expect(!either.contains("Alerts.swift"))
    #expect(try !run("\\!panes<Enter>").screen.contains("Panes.swift"))
    #expect(try run("\\xyz<Enter>").screen.contains("None of 8 rows passes the filter 'xyz'."))
  }

  @Test func sortsByColumnsAndReversesTheOrder() throws {
    let bySite = try run(">").terminal.screen
    #expect(bySite.line(4).contains("debounce@Panes.swift:36"))
    #expect(try run(">I").terminal.screen.line(4).contains("subscribe@Panes.swift:41"))
    #expect(try run(">><lt>").terminal.screen.text == bySite.text)
    #expect(try run("e>").screen.contains("Events has one order only."))
  }

  @Test func goesFromAFindingToItsSite() throws {
    let run = try run("fj<Enter>", size: Size(columns: 120, rows: 40))
    #expect(run.model.place.screen == .sites)
    #expect(run.terminal.screen.selectedLine?.contains("Heartbeat.swift:12") == true)
  }

  @Test func opensTheTimersOfALineThatHasNoSubscriptions() throws {
    let site = try run("fj<Enter><Enter>").screen
    #expect(site.contains("timer #7"))
    #expect(try run("fj<Enter><Enter>/timer #7<Enter><Enter>").screen.contains("in vain       720"))
  }

  @Test func savesTheScreenAsPlainText() throws {
    final class Box: @unchecked Sendable { var text = "" }
    let box = Box()
    let run = try run(
      "P",
      saving: {
        box.text = $0; return "rxtop-7.txt"
      }
    )
    #expect(run.screen.contains("Saved as 'rxtop-7.txt'."))
    #expect(box.text.contains("subscribe@Panes.swift:41"))
    #expect(!box.text.contains("\u{1B}"))
  }

  @Test func reportsErrorsInsteadOfQuitting() throws {
    struct Full: Error, CustomStringConvertible { var description: String { "the disk is full" } }
    #expect(try run("P", saving: { _ in throw Full() }).screen.contains("the disk is full"))
  }
}

extension Frame {
  /// The text of the selected line; nil if none is.
  var selectedLine: String? {
    (0..<size.rows).first { self[$0, 0].isSelected }.map { line($0) }
  }
}
