import InspectorUI
import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct RunDiffTextTests {
  private func text(
    _ before: Inspection,
    _ after: Inspection,
    columns: Int = 120,
    glyphs: Glyphs = .utf8,
    showsAll: Bool = false
  ) -> [String] {
    let base = SiteBase(before, of: after, name: "yesterday")
    let text = DiffText(columns: columns, glyphs: glyphs, showsAll: showsAll).render(after, base)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func run(_ seconds: Int = 10, _ change: (inout SimulatedRun) -> Void = { _ in })
    -> Inspection
  {
    var run = SimulatedRun()
    change(&run)
    var inspection = run.inspection(seconds: seconds)
    inspection.program.path = "today"
    return inspection
  }

  @Test func beginsWithBothRunsAndWhatGotWorse() {
    let lines = text(run(), run { ($0.tiles, $0.failing) = (3, 2) })
    #expect(
      lines.prefix(6) == [
        "A  yesterday  simulated, process 4711, 10 s at level events",
        "B  today  simulated, process 4711, 10 s at level events",
        "",
        "What got worse",
        "  failures  request@Service.swift:20  failed 20 of 80 → 40 of 80",
        "  live      tile@Wall.swift:30        2 → 32; begun/s 0.2 → 3.2 (×16)",
      ],
      "\(lines)"
    )
  }

  @Test func theTableHasBothRunsInEachCell() {
    let lines = text(run(), run { ($0.tiles, $0.failing) = (3, 2) })
    let counts = lines.firstIndex { $0.hasPrefix("4 lines of code: 2 worse, 2 alike; --all") } ?? 0
    let cells = lines.dropFirst(counts + 1).map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      cells.prefix(3) == [
        "! operator@file:line live events/s failed begun/s lifetime what▼",
        "request@Service.swift:20 0 → 0 24 → 24 25% → 50% 8.0 → 8.0 34 ms → 34 ms worse: failures",
        "tile@Wall.swift:30 2 → 32 0 → 0 – → – 0.2 → 3.2 ×16 – → – worse: live, begu…",
      ],
      "\(cells)"
    )
    #expect(cells.count == 4 && cells.last == "")
  }

  @Test func saysThatNothingGotWorse() {
    let lines = text(run(), run())
    #expect(lines.dropFirst(2).prefix(2) == ["", "Nothing got worse."])
    #expect(lines.suffix(2) == ["4 lines of code: 4 alike; --all shows all lines", ""])
    let all = text(run(), run(), showsAll: true)
    #expect(all.count { $0.contains("alike") } == 5, "\(all)")
  }

  @Test func saysThatRunsWithoutACommonLineCannotBeCompared() {
    func run(_ file: String) -> Inspection {
      var trace = TraceSimulator()
      _ = trace.thread("main", isMain: true)
      _ = trace.subscribe(trace.site("map", file, 1))
      trace.wait(.seconds(10))
      var inspection = Inspection(snapshot: trace.finish())
      inspection.findings = []
      return inspection
    }
    let sentence = "There was nothing to compare: no line of code is in both recordings."
    let lines = text(run("Feed.swift"), run("Pane.swift"))
    #expect(lines.contains(sentence), "\(lines)")
    #expect(!lines.contains("Nothing got worse."))
    let same = text(run("Feed.swift"), run("Feed.swift"))
    #expect(same.contains("Nothing got worse.") && !same.contains(sentence), "\(same)")
  }

  @Test func anIncompleteRunProvesNothingAndMayBeOfTheSameProgram() {
    var cut = run()
    cut.program.isIncomplete = true
    cut.program.name = "?"
    let lines = text(cut, run())
    #expect(
      lines.contains(
        "Nothing is known to have got worse, but A is incomplete, so that proves nothing."
      )
    )
    #expect(lines.contains { $0.contains("A is incomplete: what only B seems to have") })
    #expect(!lines.contains { $0.contains("runs of different programs") })
    let worse = text(cut, run { ($0.tiles, $0.failing) = (3, 2) })
    #expect(worse.contains("What seems to have got worse"), "\(worse)")
    #expect(text(run(), cut).contains { $0.contains("but B is incomplete") })
  }

  @Test func linesWithEqualGrowthAreOneEntry() {
    func chain(_ count: Int) -> Inspection {
      var trace = TraceSimulator()
      _ = trace.thread("main", isMain: true)
      let sites = (1...4).map { trace.site("map", "Feed.swift", UInt32($0)) }
      for site in sites {
        for _ in 0..<count { _ = trace.subscribe(site) }
      }
      trace.wait(.seconds(10))
      var inspection = Inspection(snapshot: trace.finish())
      inspection.findings = []
      return inspection
    }
    let lines = text(chain(1), chain(30))
    let start = lines.firstIndex(of: "What got worse") ?? 0
    #expect(
      lines.dropFirst(start + 1).prefix { !$0.isEmpty } == [
        "  live  map@Feed.swift:1  1 → 30; begun/s 0.1 → 3.0 (×30); as many more at map@Feed.swift:2 and 2 other lines"
      ],
      "\(lines)"
    )
  }

  @Test func listsSayHowManyEntriesTheyLeaveOut() {
    func lines(_ count: Int, each: Int) -> Inspection {
      var trace = TraceSimulator()
      _ = trace.thread("main", isMain: true)
      for line in 1...count {
        let site = trace.site("map", "Feed.swift", UInt32(line))
        for _ in 0..<(each > 0 ? each + line : 1) { _ = trace.subscribe(site) }
      }
      trace.wait(.seconds(10))
      var inspection = Inspection(snapshot: trace.finish())
      inspection.findings = []
      return inspection
    }
    let text = text(lines(14, each: 0), lines(14, each: 20))
    #expect(text.contains("  and 4 more"), "\(text)")
  }

  @Test func saysThatProgramsDifferAndWhatWasLost() {
    var (before, after) = (run(), run())
    before.program.name = "another"
    after.program.losses = ["3 records found no free segment"]
    let lines = text(before, after)
    #expect(
      lines.contains(
        "These are runs of different programs: only lines that both have can be compared."
      )
    )
    #expect(lines.contains("  LOST in B: 3 records found no free segment"))
  }

  @Test(arguments: [40, 80, 120, 200])
  func noLineIsWiderThanTheTerminal(columns: Int) {
    let lines = text(run(5), run { ($0.tiles, $0.failing) = (3, 2) }, columns: columns)
    let table = lines.drop { !$0.hasPrefix("!") }
    #expect(table.count > 2 && table.allSatisfy { $0.count <= columns }, "\(lines)")
  }

  @Test func theASCIIFormHasOnlyASCIICharacters() {
    let lines = text(run(), run { ($0.tiles, $0.failing) = (3, 2) }, glyphs: .ascii)
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    #expect(lines.contains { $0.contains("2 > 32; begun/s 0.2 > 3.2 (x16)") })
  }

  @Test func extremeNumbersDoNotOverflow() {
    let huge = { (snapshot: inout TraceSnapshot) in
      for place in snapshot.sites.indices {
        snapshot.sites[place].subscribed = .max
        snapshot.sites[place].eventsOfReleased = .max
        snapshot.sites[place].ended = snapshot.sites[place].ended.map { _ in .max }
        snapshot.sites[place].lifetimes = snapshot.sites[place].lifetimes.map { _ in .max }
        snapshot.sites[place].timersArmed = .max
        snapshot.sites[place].timerFires = .max
      }
    }
    let some = SimulatedRun().inspection(seconds: 3)
    let other = SimulatedRun().inspection(seconds: 3, huge)
    for (before, after) in [(some, other), (other, some), (other, other)] {
      #expect(!text(before, after, showsAll: true).isEmpty)
      let base = SiteBase(before, of: after, name: "before")
      #expect(DiffText(columns: 120).json(after, base).contains("\"worse\""))
    }
  }

  @Test func theScreenAlsoComparesRuns() {
    let (before, after) = (run(), run { $0.tiles = 3 })
    var model = Model(
      size: Size(columns: 120, rows: 20),
      screen: .diff,
      otherTrace: SiteBase(before, of: after, name: "yesterday")
    )
    _ = model.update(.inspection(after, at: .end))
    let text = model.frame().text
    #expect(text.contains("since 'yesterday': 4 lines of code: 1 worse, 3 alike"), "\(text)")
    #expect(text.contains("2 → 32") && text.contains("begun/s"), "\(text)")
  }
}
