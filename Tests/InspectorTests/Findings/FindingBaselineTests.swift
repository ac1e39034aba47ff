import InspectorUI
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct FindingBaselineTests {
  private func applied(_ text: String, to recording: Recording, today: String = "2027-01-31") throws
    -> [Finding]
  {
    var inspection = Inspection(snapshot: recording.snapshot)
    try FindingBaseline(parsing: text).apply(to: &inspection, today: today)
    return inspection.findings
  }

  private var growth: Recording { Fault.declaredGrowth.recording }

  @Test func withoutABaselineNoStatusIsShown() {
    #expect(growth.findings.map(\.baselineStatus) == [.unknown])
    #expect(growth.findings.first?.baselineStatus.badge == nil)
  }

  @Test func aFindingMissingFromTheBaselineIsNew() throws {
    let finding = try #require(applied("# nothing\n\n", to: growth).first)
    #expect(finding.baselineStatus == .new)
    #expect(finding.baselineStatus.badge == "NEW")
    #expect(finding.baselineStatus.counts)
  }

  @Test(arguments: Fault.allCases)
  func aFindingWrittenToTheBaselineIsKnown(fault: Fault) throws {
    let text = fault.recording.findings.map(FindingBaseline.statement).joined(separator: "\n")
    for finding in try applied(text, to: fault.recording(offset: 300)) {
      #expect(finding.baselineStatus == .known)
      #expect(!finding.baselineStatus.counts)
    }
  }

  @Test func linesThatMoveKeepAFindingKnown() throws {
    let text = growth.findings.map(FindingBaseline.statement).joined(separator: "\n")
    var moved = growth
    moved.edit { for index in $0.sites.indices.dropFirst() { $0.sites[index].line += 17 } }
    #expect(moved.findings.map(\.fingerprint) != growth.findings.map(\.fingerprint))
    #expect(try applied(text, to: moved).map(\.baselineStatus) == [.known])
  }

  @Test func aKnownFindingThatIsNotFoundIsReported() throws {
    let statements = growth.findings.map(FindingBaseline.statement)
    let other = "known 0123456789abcdef fedcba9876543210 LEAK backlog zip Feed.swift:7"
    let baseline = try FindingBaseline(parsing: (statements + [other]).joined(separator: "\n"))
    var inspection = Inspection(snapshot: growth.snapshot)
    let gone = baseline.apply(to: &inspection, today: "2027-01-31")
    #expect(gone.map(\.note) == ["backlog zip Feed.swift:7"])
    #expect(
      BaselineReport.gone(gone, isIncomplete: true)
        == [
          "gone     LEAK backlog zip Feed.swift:7: not found in this recording, which is incomplete"
        ]
    )
  }

  @Test func aStatementOfABaselineCoversOneFinding() throws {
    let twice = Self.equals(at: [10, 20])
    let first = FindingBaseline.statement(twice.findings[0])
    let statuses = try applied(first, to: twice).map(\.baselineStatus)
    #expect(statuses.filter { $0 == .known }.count == 1)
    #expect(statuses.filter { $0 == .new }.count == 1)
  }

  @Test func statementsAreInTheOrderOfKindsAndPlaces() {
    let findings = Self.equals(at: [10, 20, 30]).findings
    let places = FindingBaseline.statements(findings.reversed()).map { $0.split(separator: " ")[6] }
    #expect(places == ["Feed.swift:10", "Feed.swift:20", "Feed.swift:30"])
  }

  /// Leaks of the same operator, one at each of these lines.
  private static func equals(at lines: [UInt32]) -> Recording {
    var recording = Recording()
    let sites = lines.map { recording.site("subscribe", $0, .root) }
    for round in 0..<7 {
      for site in sites { recording.chain([site], at: Double(round)) }
      recording.mark("round \(round)", at: Double(round) + 0.5)
    }
    return recording
  }

  @Test func aKnownFindingThatGotWorseCounts() throws {
    let before = growth.findings.map(FindingBaseline.statement).joined(separator: "\n")
      .replacing("LEAK", with: "SUSPECT")
    let finding = try #require(applied(before, to: growth).first)
    #expect(finding.baselineStatus == .worse(.suspect))
    #expect(finding.baselineStatus.counts)
  }

  @Test(
    arguments: [
      "allow kind=growth-at-site until=never by design",
      "allow file=Pane.swift until=2027-01-31 by design",
      "allow module=App operator=sub* until=2027-06-01 by design",
    ])
  func anAllowedFindingDoesNotCount(text: String) throws {
    #expect(try applied(text, to: growth).map(\.baselineStatus) == [.allowed("by design")])
  }

  @Test(
    arguments: [
      "allow kind=backlog until=never by design", "allow file=Pane until=never by design",
      "allow kind=growth-at-site file=Feed.swift until=never by design",
    ])
  func aFindingThatDoesNotMatchIsNotAllowed(text: String) throws {
    #expect(try applied(text, to: growth).map(\.baselineStatus) == [.new])
  }

  @Test func anExpiredAllowanceNoLongerApplies() throws {
    let text = "\nallow file=P*.swift until=2027-01-30 by design"
    let finding = try #require(applied(text, to: growth).first)
    #expect(finding.baselineStatus == .expired("line 2, until 2027-01-30"))
    #expect(finding.baselineStatus.counts)
    #expect(
      BaselineReport.lines([finding]) == [
        "expired  LEAK growth-at-site, subscribe@Pane.swift:42: allowed by line 2, until 2027-01-30"
      ]
    )
  }

  @Test func theExitStatusIgnoresFindingsThatDoNotCount() throws {
    var inspection = Inspection(snapshot: growth.snapshot)
    #expect(ExitStatus(checking: inspection, failOn: .leak) == .findings)
    try FindingBaseline(parsing: "allow kind=* until=never known").apply(
      to: &inspection,
      today: "2027-01-31"
    )
    #expect(ExitStatus(checking: inspection, failOn: .info) == .clean)
  }

  @Test(
    arguments: [
      ("forbid x", "line 1: 'forbid' is not a statement; expected known or allow"),
      ("\nknown 12 34 LEAK", "line 2: expected known, two fingerprints of 16 hexadecimal"),
      ("allow kind=x reason", "line 1: allow has no last day; add one such as until=2027-01-31"),
      ("allow kind=x until=2027-13-01 y", "line 1: until='2027-13-01' is not a date"),
      ("allow until=never y", "line 1: allow does not say which findings"),
      ("allow kind=x until=never", "line 1: allow has no reason"),
      ("allow color=x until=never y", "line 1: 'color' is unknown"),
    ])
  func mistakesAreNamedWithTheirLine(text: String, message: String) {
    let error = #expect(throws: BaselineError.self) { try FindingBaseline(parsing: text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }
}
