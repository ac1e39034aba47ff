import InspectorUI
import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct DiffTextTests {
  /// The cells in the row of an operator, starting with the change; nil if there is no such row.
  private func cells(_ text: String, _ name: String) -> [Substring]? {
    let line = text.split(separator: "\n").first { $0.contains("\(name)@") }
    return line.map { Array($0.split(separator: " ").drop { !$0.contains("@") }.dropFirst()) }
  }

  @Test func countsTimersAndOwnersOfLinesThatHaveOnlyThose() {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let timers = trace.site("schedule(every:)", "Pane.swift", 9, [.timer])
    let owners = trace.site("DisposableBag", "Pane.swift", 3)
    let interval = trace.site("interval", "Feed.swift", 1, [.timer])
    let subscription = trace.subscribe(interval)
    let timer = trace.arm(timers, every: .seconds(1))
    let owner = trace.own(owners)
    let before = SiteBase(Inspection(snapshot: trace.finish()))
    trace.wait(.seconds(1))
    for _ in 0..<2 { _ = trace.arm(timers, every: .seconds(1)) }
    trace.fire(timer)
    trace.endOwner(owner)
    // For a line with subscriptions, only these are counted, however many timers it arms.
    _ = trace.arm(interval, every: .seconds(1), for: subscription)
    let text = DiffText(columns: 120).render(Inspection(snapshot: trace.finish()), before)
    #expect(text.hasPrefix("since 0.000 s: 1 grew, 1 shrank, 1 unchanged\n"), "\(text)")
    #expect(cells(text, "schedule(every:)") == ["+2", "1", "3", "2", "1", "more"])
    #expect(cells(text, "DisposableBag") == ["-1", "1", "0", "0", "0", "fewer"])
    #expect(cells(text, "interval") == nil)
  }

  @Test func countsAtTheTicksOfAMarkWithLostCountsAreUnknown() {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let early = trace.site("interval", "Feed.swift", 1, [.timer])
    let late = trace.site("subscribe", "Pane.swift", 9, [.root])
    _ = trace.subscribe(early)
    trace.wait(.seconds(1))
    trace.mark("round")
    _ = trace.subscribe(late)
    let now = trace.now
    var snapshot = trace.finish()
    for row in snapshot.records.indices where snapshot.records[row].argument == late {
      snapshot.records[row].ticks = now
    }
    snapshot.marks[0].ticks = now
    var base = SiteBase(Inspection(snapshot: snapshot))
    snapshot.marks[0].hasLostCounts = true
    base.setCounts(from: snapshot.marks[0], snapshot)
    let rows = DiffRow.rows(Inspection(snapshot: snapshot), since: base)
    #expect(rows.first { $0.site == early }?.before == 1)
    #expect(rows.first { $0.site == late }?.before == nil)
    #expect(rows.first { $0.site == late }?.after == 1)
  }

  @Test func countsTimersAndOwnersInAnotherTraceToo() {
    func recorded(_ line: UInt32, _ count: Int) -> Inspection {
      var trace = TraceSimulator()
      _ = trace.thread("main", isMain: true)
      let timers = trace.site("schedule(every:)", "Pane.swift", 9, [.timer])
      let owners = trace.site("DisposableBag", "Pane\(line).swift", line)
      for _ in 0..<count {
        _ = trace.arm(timers, every: .seconds(1))
        _ = trace.own(owners)
      }
      return Inspection(snapshot: trace.finish())
    }
    let (before, after) = (recorded(3, 1), recorded(4, 4))
    let base = SiteBase(before, of: after, name: "before")
    let text = DiffText(columns: 120).render(after, base)
    #expect(
      text.contains("3 lines of code: 1 only in B, 1 only in A, 1 that may be chance\n"),
      "\(text)"
    )
    #expect(cells(text, "schedule(every:)")?.prefix(3) == ["1", "→", "4"])
    #expect(text.contains("DisposableBag@Pane3.swift:3") && text.contains("gone"))
    #expect(text.contains("DisposableBag@Pane4.swift:4") && text.contains("new line"))
  }

  // MARK: Memory

  /// A program with three marks, a second apart, that runs for one second more.
  private func marked(
    _ memory: [(heap: UInt64?, resident: UInt64?)] = [
      (10 << 20, 20 << 20), ((10 << 20) + 3_355_443, 24 << 20), (nil, 1 << 20),
    ]
  ) -> TraceSnapshot {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    _ = trace.subscribe(trace.site("interval", "Feed.swift", 1))
    for (number, memory) in memory.enumerated() {
      trace.wait(.seconds(1))
      trace.mark("round \(number)", heap: memory.heap, resident: memory.resident)
    }
    trace.wait(.seconds(1))
    return trace.finish()
  }

  private func inspection(_ timeline: inout Timeline, _ position: Position) throws -> Inspection {
    let found = timeline.inspection(at: position)
    return try #require(found)
  }

  @Test func saysHowMemoryRoseFromMarkToMark() throws {
    var timeline = Timeline(marked())
    let base = SiteBase(try inspection(&timeline, .mark(0)), name: "round 0")
    func line(_ position: Position) throws -> Substring? {
      var timeline = Timeline(marked())
      let after = try inspection(&timeline, position)
      return DiffText(columns: 400).render(after, base).split(separator: "\n").first
    }
    let same = "0 grew, 0 shrank, 1 unchanged"
    #expect(
      try line(.mark(1))
        == "since 'round 0' at 1.000 s: heap +3.2 MiB, resident +4.0 MiB; \(same)"
    )
    // The heap is not measured at every mark.
    #expect(
      try line(.mark(2))
        == "since 'round 0' at 1.000 s: resident -19 MiB, heap not known; \(same)"
    )
    #expect(
      try line(.time(.milliseconds(2500)))
        == "since 'round 0' at 1.000 s: heap +3.2 MiB, resident +4.0 MiB from the mark at 1.000 s to that at 2.000 s; \(same)"
    )
    // The last mark before this time is the base itself, so there is nothing to compare.
    #expect(try line(.time(.milliseconds(1500))) == "since 'round 0' at 1.000 s: \(same)")
    #expect(try line(.mark(0)) == "since 'round 0' at 1.000 s: \(same)")
  }

  /// A run with an automatic mark and three named ones; its subscriptions end after the last mark
  /// if `endsAll`.
  private func rounds(named: Bool = true, endsAll: Bool) -> Inspection {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("subscribe", "Pane.swift", 9, [.root])
    var subscriptions: [TraceID] = []
    trace.mark("", .automatic)
    for round in 0..<3 {
      trace.wait(.seconds(1))
      trace.mark(named ? "round \(round)" : "", named ? .program : .automatic)
      subscriptions.append(trace.subscribe(site))
      trace.wait(.seconds(1))
    }
    trace.mark(named ? "round 3" : "", named ? .program : .automatic)
    trace.wait(.seconds(1))
    if endsAll {
      for subscription in subscriptions {
        trace.end(subscription)
        trace.release(subscription)
      }
    }
    return Inspection(snapshot: trace.finish())
  }

  @Test func comparesFromTheFirstNamedMarkToTheLastBeforeACleanEnd() {
    let end = rounds(endsAll: true)
    #expect(DiffText.firstMoment(end) == .mark(1))
    let last = DiffText.lastMark(end, after: .seconds(1))
    #expect(last?.name == "round 3")
    #expect(
      DiffText(columns: 400).choice(end, isFromDefault: true, last: last)
        == "Compared from the first named mark, 'round 0', up to the last named mark, 'round 3', because fewer subscriptions are live at the end of this recording, which was stopped cleanly; --from and --to choose other moments.\n"
    )
    #expect(DiffText.lastMark(end, after: .seconds(100)) == nil)
  }

  @Test func comparesUpToTheEndIfNothingEndedOrNoMarkHasAName() {
    let end = rounds(endsAll: false)
    #expect(DiffText.lastMark(end, after: .seconds(1)) == nil)
    let unnamed = rounds(named: false, endsAll: true)
    #expect(DiffText.firstMoment(unnamed) == .mark(0))
    #expect(DiffText.lastMark(unnamed, after: .zero) == nil)
    let text = DiffText(columns: 400)
    #expect(
      text.choice(unnamed, isFromDefault: true, last: nil)
        == "Compared from the first automatic mark; --from and --to choose other moments.\n"
    )
    #expect(text.choice(end, isFromDefault: false, last: nil) == nil)
    var died = rounds(endsAll: true)
    died.program.status = .died(ago: nil)
    #expect(DiffText.lastMark(died, after: .seconds(1)) == nil)
  }

  @Test func jsonHasTheMemoryOfBothMoments() throws {
    var timeline = Timeline(marked())
    let base = SiteBase(try inspection(&timeline, .mark(0)))
    let after = try inspection(&timeline, .mark(1))
    func fields(_ base: SiteBase) -> [String] {
      let lines = DiffText(columns: 120).json(after, base).split(separator: "\n")
      return lines.map { $0.trimmingPrefix(while: { $0 == " " }) }.map { $0.prefix { $0 != "," } }
        .filter { $0.contains("Change\"") || $0.contains("emory") }.map(String.init)
    }
    #expect(
      fields(base) == [
        "\"heapChange\": 3355443", "\"residentChange\": 4194304",
        "\"memoryBaseTime\": 1000000000", "\"memoryTime\": 2000000000",
      ]
    )
    #expect(
      fields(SiteBase()) == [
        "\"heapChange\": null", "\"residentChange\": null", "\"memoryBaseTime\": null",
        "\"memoryTime\": null",
      ]
    )
  }

  @Test func comparesTheLastMarksOfTwoTraces() throws {
    let before = Inspection(snapshot: marked([(1 << 20, 2 << 20)]))
    let after = Inspection(snapshot: marked([(0 << 20, 1 << 20), (640 << 10, 2 << 20)]))
    let base = SiteBase(before, of: after, name: "before")
    let text = DiffText(columns: 400).render(after, base)
    #expect(
      text.hasSuffix(
        "1 line of code: 1 alike; heap -384 KiB, resident +0 B at the last marks, at 1.000 s and 2.000 s; --all shows all lines\n"
      ),
      "\(text)"
    )
  }

  @Test(arguments: [UInt64.max, 1 << 57, 0])
  func extremeNumbersDoNotOverflow(heap: UInt64) throws {
    var timeline = Timeline(marked([(1, .max), (heap, 0)]))
    let base = SiteBase(try inspection(&timeline, .mark(0)))
    let after = try inspection(&timeline, .mark(1))
    let text = DiffText(columns: 400).render(after, base)
    #expect(text.contains("resident -8192 PiB"), "\(text)")
  }

  // MARK: Unknown counts

  /// A wrapped ring whose last two seconds are left: a subscription and a bag were made before a
  /// mark, and the bag ended after it.
  private func wrapped() -> TraceSnapshot {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let bag = trace.site("DisposableBag", "Pane.swift", 3)
    let interval = trace.site("interval", "Feed.swift", 1)
    let subscription = trace.subscribe(interval)
    let owner = trace.own(bag)
    trace.wait(.seconds(1))
    trace.mark("round")
    trace.wait(.seconds(1))
    trace.endOwner(owner)
    trace.wait(.seconds(1))
    trace.beginGeneration()
    trace.next(subscription)
    trace.wait(.seconds(2))
    trace.next(subscription)
    return trace.finish().wrapped(after: 1)
  }

  /// The inspection at the end, and a base with the counts at a position.
  private func changes(
    _ snapshot: TraceSnapshot,
    since position: Position
  ) throws -> (after: Inspection, base: SiteBase) {
    var timeline = Timeline(snapshot)
    let (before, after) = (timeline.inspection(at: position), timeline.inspection(at: .end))
    return (try #require(after), SiteBase(try #require(before)))
  }

  /// The lines above the table.
  private func head(_ snapshot: TraceSnapshot, since position: Position) throws -> [Substring] {
    let (after, base) = try changes(snapshot, since: position)
    let lines = DiffText(columns: 400).render(after, base).split(separator: "\n")
    return Array(lines.prefix { !$0.hasPrefix("!") })
  }

  @Test func unknownLinesAreCountedWithTheReasonAndARemedy() throws {
    #expect(
      try head(wrapped(), since: .time(.milliseconds(500))) == [
        "since 0.500 s: 0 grew, 0 shrank, 0 unchanged, 2 unknown; memory was not recorded",
        "The ring has overwritten the records of the unknown lines: compare marks, as 'round', which count live subscriptions, or moments of the last 2.0 s, which are exact.",
      ]
    )
    #expect(
      try head(wrapped(), since: .mark(0)) == [
        "since 1.000 s: 0 grew, 0 shrank, 1 unchanged, 1 unknown; memory was not recorded",
        "The ring has overwritten the records of the unknown timers and owners, which marks do not count: compare moments of the last 2.0 s, which are exact.",
      ]
    )
    let known = try head(wrapped(), since: .time(.seconds(4)))
    #expect(known == ["since 4.000 s: 0 grew, 0 shrank, 2 unchanged; memory was not recorded"])
  }

  @Test func theRemedyNamesOnlyMarksThatTheTraceHas() throws {
    var snapshot = wrapped()
    snapshot.marks = []
    snapshot.firstExactGeneration = nil
    #expect(
      try head(snapshot, since: .time(.milliseconds(500))).last
        == "The ring has overwritten the records of the unknown lines: a larger size= keeps more."
    )
    snapshot.header.lost = [.slab: 1]
    let lines = try head(snapshot, since: .time(.milliseconds(500)))
    #expect(lines.dropFirst().first?.hasPrefix("The trace lacks the records of") == true)
    #expect(lines.last?.hasPrefix("LOST: ") == true)
  }

  @Test func theScreenSaysTheSameAsTheCommand() throws {
    let (after, base) = try changes(wrapped(), since: .time(.milliseconds(500)))
    let once = BatchText(screen: .diff, filter: "", columns: 300, glyphs: .utf8, palette: nil)
    let text = once.render(after) { _ in .base(base) }
    let lines = try head(wrapped(), since: .time(.milliseconds(500)))
    #expect(text.contains("\(lines[0]). \(lines[1])"), "\(text)")
  }
}
