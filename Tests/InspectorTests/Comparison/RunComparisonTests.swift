import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct RunComparisonTests {
  // MARK: Length

  @Test(arguments: [(5, 5), (5, 10), (10, 5), (7, 9)])
  func theSameProgramRunForLongerIsNeitherWorseNorBetter(before: Int, after: Int) {
    var run = SimulatedRun()
    (run.tiles, run.blinks) = (3, true)
    let comparison = RunComparison(
      run.inspection(seconds: before),
      to: run.inspection(seconds: after)
    )
    #expect(comparison.worseLabels == [])
    #expect(comparison.betterLabels == [])
    #expect(comparison.less.isEmpty)
  }

  @Test func ratesAreRelativeToTheLengthOfTheirRun() throws {
    let run = SimulatedRun()
    let comparison = RunComparison(run.inspection(seconds: 5), to: run.inspection(seconds: 10))
    let row = try #require(comparison.rows.first { $0.name == "request" })
    #expect(row.earlier?.begunRate == 8 && row.later?.begunRate == 8)
    #expect(row.earlier?.eventRate == 24 && row.later?.eventRate == 24)
    #expect(row.earlier?.begun == 40 && row.later?.begun == 80)
    let timer = try #require(comparison.rows.first { $0.name == "interval" })
    #expect(timer.earlier?.eventRate == 10 && timer.later?.eventRate == 10)
  }

  @Test func remarksSayThatARunIsLongerOrTooShort() {
    let run = SimulatedRun()
    let longer = RunComparison(run.inspection(seconds: 4), to: run.inspection(seconds: 10))
    #expect(longer.remarks.contains { $0.hasPrefix("B is 2.5 times as long as A: ") })
    let short = RunComparison(run.inspection(seconds: 0), to: run.inspection(seconds: 10))
    #expect(short.remarks.contains { $0.hasPrefix("A is 0 s long: ") })
    #expect(short.worse.isEmpty)
  }

  // MARK: Lines

  /// Compares the default simulated run with a changed one; both are ten seconds long.
  private func compared(_ change: (inout SimulatedRun) -> Void) -> RunComparison {
    var other = SimulatedRun()
    change(&other)
    return RunComparison(SimulatedRun().inspection(seconds: 10), to: other.inspection(seconds: 10))
  }

  @Test func moreLiveSubscriptionsAreWorse() throws {
    let comparison = compared { $0.tiles = 3 }
    #expect(comparison.worseLabels == ["live tile@Wall.swift:30", "begun tile@Wall.swift:30"])
    let change = try #require(comparison.worse.first)
    #expect(change.before == 2 && change.after == 32 && change.factor == 16)
    #expect(change.text == "live 2 → 32")
    let row = try #require(comparison.rows.first { $0.name == "tile" })
    #expect(row.worse == [.live, .begun] && !row.isAlike)
    #expect(comparison.rows.filter { !$0.isAlike }.map(\.name) == ["tile"])
  }

  @Test func failuresComeBeforeOtherChangesOfLines() {
    let comparison = compared { run in
      run.failing = 2
      run.tiles = 30
      run.requests = 40
    }
    #expect(comparison.worseLabels.first == "failures request@Service.swift:20")
    #expect(comparison.worse.first?.text == "failed 20 of 80 → 200 of 400")
    #expect(comparison.worseLabels.dropFirst().first == "begun request@Service.swift:20")
    #expect(comparison.worseLabels.contains("live tile@Wall.swift:30"))
  }

  @Test func moreEventsAreWorseAndFewerNeitherWorseNorBetter() {
    let more = compared { $0.events = 9 }
    #expect(more.worseLabels == ["events request@Service.swift:20"])
    #expect(more.worse.first?.text == "events/s 24 → 72 (×3.0)")
    let fewer = compared { $0.events = 1 }
    #expect(fewer.worse.isEmpty && fewer.better.isEmpty)
    #expect(fewer.less.map(\.aspect) == [.events])
  }

  @Test func longerLifetimesAreWorseAndShorterOnesBetter() {
    let longer = compared { $0.lifetime = 27 }
    #expect(longer.worse.map(\.text) == ["half live up to 34 ms → 268 ms"])
    #expect(compared { $0.lifetime = 25 }.worse.isEmpty)
    #expect(compared { $0.lifetime = 20 }.better.map(\.aspect) == [.lifetime])
  }

  @Test func aLineThatOccursInOneRunOnlyIsNamedAndNotJudged() throws {
    var moved = SimulatedRun()
    moved.line = 21
    // A line that has moved is recognised; a line whose operator has changed is not.
    let found = RunComparison(
      SimulatedRun().inspection(seconds: 10),
      to: moved.inspection(seconds: 10)
    )
    #expect(found.rows.allSatisfy { !$0.isOnlyAfter && !$0.isOnlyBefore })
    let other = RunComparison(
      SimulatedRun().inspection(seconds: 10),
      to: SimulatedRun().inspection(seconds: 10) { $0.sites[2].name = "fetch" }
    )
    #expect(other.worse.isEmpty && other.less.isEmpty)
    let only = other.rows.filter { $0.isOnlyAfter || $0.isOnlyBefore }
    #expect(only.map(\.name) == ["fetch", "request"])
    #expect(only.allSatisfy { !$0.isAlike && !$0.mayBeChance })
    #expect(only[0].earlier == nil && only[0].later?.begunRate == 8)
    #expect(only[1].later == nil && only[1].earlier?.begunRate == 8)
  }

  // MARK: Waits

  /// Three seconds in which the work of one line waits thirty times, for `wait` milliseconds each.
  private func waiting(_ wait: Int, level: Int = 2, lost: Int = 0, raisedAt: Int? = nil) throws
    -> (Inspection, WaitReport?)
  {
    var text = """
      header state=stopped clock=monotonic slotBits=8 generation=1 processID=4711
      header control=\(level) startLevel=\(level == 1 ? "graph" : "events") lostRecords=\(lost)
      header programName="queues" lastSerial=4 stopTicks=4000000000
      header startTicks=1000000000 startMonotonic=1000000000 startRealtime=1700000000000000000
      header latestTicks=4000000000 latestMonotonic=4000000000 latestRealtime=1700000003000000000
      site 1 name="deliver(on:)" file="Queues/Feed.swift" line=8 column=5 subscribed=1
      thread 1 systemID=4711 isMain=1 name="main"
      scheduler 1 name="feed" kind=serialQueue scheduled=30 begun=30
      slot 2 serial=2 kind=subscription state=active site=1 scheduler=1 createdAt=1000000000
      segment 0 epoch=1 generation=1 baseTicks=1000000000 thread=1
        +0 subscribed subscription=514 site=1 downstream=0 serial=2 schedulerAndChain=4294967296

      """
    for hop in 1...30 {
      let start = hop * 90_000_000
      let end = start + wait * 1_000_000
      if hop == raisedAt { text += "  +\(start - 1) level level=2\n" }
      text += "  +\(start) hop-scheduled hop=\(hop) chain=0 scheduler=1 subscription=514\n"
      text += "  +\(end) hop-began hop=\(hop) scheduler=1\n"
      text += "  +\(end + 1000) hop-ended hop=\(hop)\n"
    }
    let file = try WrittenTrace(text)
    var source = try TraceSource(path: file.path)
    return (try source.inspection(at: .end), source.waits())
  }

  private func compared(
    _ before: (Inspection, WaitReport?),
    _ after: (Inspection, WaitReport?)
  ) -> RunComparison {
    let base = SiteBase(before.0, of: after.0, name: "before", waits: (before.1, after.1))
    return RunComparison(after.0, since: base)
  }

  @Test func longerWaitsAreWorse() throws {
    let comparison = compared(try waiting(2), try waiting(50))
    #expect(
      comparison.worse.map(\.text) == ["half of the waits on queues last up to 2.0 ms → 50 ms"]
    )
    #expect(comparison.worse.first?.before == 2e6 && comparison.worse.first?.after == 5e7)
    #expect(comparison.remarks.isEmpty)
    #expect(compared(try waiting(50), try waiting(2)).better.map(\.aspect) == [.wait])
    #expect(compared(try waiting(2), try waiting(3)).worse.isEmpty)
  }

  @Test func remarksSayWhyWaitsAreNotKnown() throws {
    let comparison = compared(try waiting(2), try waiting(50, level: 1))
    #expect(comparison.worse.isEmpty)
    #expect(
      comparison.remarks == [
        "A was recorded at level events, B at level graph: what only one of them records is not compared.",
        "How long work waited on queues is not known for B: single events were not recorded.",
      ]
    )
    let lost = compared(try waiting(2), try waiting(50, lost: 3))
    #expect(
      lost.remarks == [
        "B is incomplete: what only A seems to have, or seems to have more of, may have been in B, too.",
        "How long work waited on queues is not known for B: records are missing.",
      ]
    )
  }

  @Test func waitsBeforeTheLevelWasRaisedAreNotCounted() throws {
    let whole = try #require(try waiting(2).1)
    #expect(whole.isWhole && whole.span == .seconds(3) && whole.sites[1]?.count == 30)
    let raised = try #require(try waiting(2, raisedAt: 11).1)
    #expect(!raised.isWhole && raised.span < .milliseconds(2011))
    #expect(raised.sites[1]?.count == 20)
  }

  // MARK: Findings

  private let growth = FindingKind.growth.title

  private func finding(
    _ kind: FindingKind,
    _ level: FindingLevel,
    _ fingerprint: String,
    cap: String? = nil
  ) -> Finding {
    var site = SiteRow()
    (site.id, site.name, site.location) = (3, "tile", "Wall.swift:30")
    var finding = Finding(
      kind: kind,
      level: level,
      site: site,
      summary: "of \(fingerprint)",
      sentence: "",
      remedy: "",
      evidence: Evidence(),
      fingerprint: fingerprint,
      weight: 0
    )
    finding.cap = cap
    return finding
  }

  private func compared(
    _ before: [Finding],
    _ after: [Finding],
    seconds: (Int, Int) = (10, 10),
    _ change: (inout Inspection) -> Void = { _ in }
  ) -> RunComparison {
    var one = SimulatedRun().inspection(seconds: seconds.0)
    var other = SimulatedRun().inspection(seconds: seconds.1)
    (one.findings, other.findings) = (before, after)
    change(&one)
    return RunComparison(one, to: other)
  }

  @Test func newLeaksComeFirstThenSuspectsThenHigherLevels() {
    let comparison = compared(
      [finding(.growth, .suspect, "raised"), finding(.stall, .leak, "same")],
      [
        finding(.reentrancy, .violation, "broken"), finding(.growth, .leak, "raised"),
        finding(.stall, .leak, "same"), finding(.growth, .leak, "leak"),
        finding(.backlog, .suspect, "suspect"), finding(.cache, .info, "info"),
      ]
    )
    #expect(
      comparison.worse.map(\.text) == [
        "new, \(FindingKind.reentrancy.title): of broken", "new, \(growth): of leak",
        "new, \(FindingKind.backlog.title): of suspect", "SUSPECT before, \(growth): of raised",
      ]
    )
    #expect(comparison.worse.map(\.level) == [.violation, .leak, .suspect, .leak])
    #expect(comparison.informal.map(\.text) == ["new, \(FindingKind.cache.title): of info"])
    #expect(comparison.better.isEmpty)
  }

  @Test func findingsThatDisappearedOrAreLessCertainAreBetter() {
    let comparison = compared(
      [finding(.growth, .leak, "lowered"), finding(.stall, .leak, "gone")],
      [finding(.growth, .suspect, "lowered")]
    )
    #expect(
      comparison.better.map(\.text) == [
        "LEAK before, \(growth): of lowered", "gone, \(FindingKind.stall.title): of gone",
      ]
    )
    #expect(comparison.worse.isEmpty)
  }

  @Test func findingsWithOneFingerprintCountAsOne() {
    let many = [finding(.growth, .suspect, "x"), finding(.growth, .leak, "x")]
    #expect(compared([], many).worse.map(\.level) == [.leak])
    #expect(compared(many, many).worse.isEmpty)
  }

  @Test func aFaultIsRecognisedEvenIfLinesHaveMoved() {
    var (before, after) = (finding(.growth, .leak, "x"), finding(.growth, .leak, "y"))
    #expect(compared([before], [after]).worse.count == 1)
    (before.looseFingerprint, after.looseFingerprint) = ("loose", "loose")
    #expect(compared([before], [after]).worse.isEmpty)
    #expect(compared([before], [after]).better.isEmpty)
  }

  @Test func aNewFindingAboveAKnownOneOfItsKindIsNew() {
    // Loose fingerprints number findings of the same kind by line.
    var (known, moved) = (finding(.growth, .leak, "line 20"), finding(.growth, .leak, "line 20"))
    var new = finding(.growth, .leak, "line 10")
    (known.looseFingerprint, new.looseFingerprint) = ("first", "first")
    moved.looseFingerprint = "second"
    let comparison = compared([known], [new, moved])
    #expect(comparison.worse.map(\.text) == ["new, \(growth): of line 10"])
    #expect(comparison.better.isEmpty)
    #expect(compared([new, moved], [known]).better.map(\.text) == ["gone, \(growth): of line 10"])
  }

  @Test func aFindingThatOneTraceCouldNotShowIsNeitherNewNorWorse() {
    let reentrancy = finding(.reentrancy, .violation, "x")
    let graph = compared([], [reentrancy]) { $0.program.level = .graph }
    #expect(graph.worse.isEmpty)
    #expect(
      graph.remarks.contains(
        "VIOLATION tile@Wall.swift:30 is in B, and A could not have shown it: it was recorded at level graph."
      )
    )
    let capped = compared(
      [finding(.growth, .suspect, "x", cap: "records were lost")],
      [finding(.growth, .leak, "x")]
    )
    #expect(capped.worse.isEmpty)
    #expect(capped.remarks.last?.hasSuffix("held back: records were lost.") == true)
  }

  @Test func aRemarkSaysThatAShorterRunMayNotHaveShownAFinding() {
    let longer = compared([], [finding(.growth, .leak, "x")], seconds: (5, 10))
    #expect(
      longer.worse.map(\.text) == ["new, \(growth): of x; A may have been too short to show it"]
    )
    let shorter = compared([finding(.growth, .leak, "x")], [], seconds: (10, 5))
    #expect(
      shorter.better.map(\.text) == ["gone, \(growth): of x; B may have been too short to show it"]
    )
  }
}
