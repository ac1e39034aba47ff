import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct FindingEngineTests {
  @Test func aQuietProgramHasNoFindings() {
    #expect(Recording().findings.isEmpty)
    #expect(Scene.rounds([0, 0, 0, 0, 0, 0]).findings.isEmpty)
  }

  @Test func findingsAreOrderedByLevelThenByGrowthThenByCount() {
    // The program has growth, idle timers and late values.
    var recording = Scene.rounds([1, 2, 2, 2, 2, 2])
    let heart = recording.site("schedule(every:)", "App/Heart.swift", 7, [.timer, .endless])
    let beats = recording.site("Subject", "App/Heart.swift", 5, [.hot, .endless])
    for _ in 0..<2 {
      let subject = recording.signal(beats, at: 0)
      let timer = recording.arm(heart, every: 0.25, at: 0)
      recording.fire(timer, usefully: true, at: 0.25)
      for fire in 2...24 {
        recording.fire(timer, usefully: false, at: Double(fire) * 0.25)
        recording.turn(subject, at: Double(fire) * 0.25)
      }
    }
    let create = recording.site("create", "App/Late.swift", 5, .source)
    let late = recording.subscribe(create, at: 1)
    recording.appendRecord(.disposeRequested, late, at: 2)
    recording.end(late, at: 2)
    recording.refuse(late, at: 3)
    recording.refuse(late, at: 4)
    let findings = recording.findings
    #expect(findings.map(\.level) == [.violation, .leak, .leak])
    #expect(findings.map(\.kind) == [.eventAfterDispose, .growth, .idleTimer])
  }

  @Test func fasterGrowthRanksHigher() {
    var recording = Recording()
    let slow = recording.site("subscribe", 1, .root)
    let fast = recording.site("subscribe", 2, .root)
    for _ in 0..<50 { recording.subscribe(slow, at: 0) }
    for round in 0..<7 {
      recording.subscribe(slow, at: Double(round))
      for _ in 0..<3 { recording.subscribe(fast, at: Double(round)) }
      recording.mark("round \(round)", at: Double(round) + 0.5)
    }
    #expect(recording.findings.map(\.site) == [fast, slow])
  }

  @Test(arguments: Fault.allCases)
  func theOrderAndTextsOfFindingsAreDeterministic(fault: Fault) {
    let first = fault.recording.findings
    for _ in 0..<5 {
      let again = fault.recording.findings
      #expect(again.map(\.sentence) == first.map(\.sentence))
      #expect(again.map(\.evidence) == first.map(\.evidence))
      #expect(again.map(\.id) == first.map(\.id))
    }
  }

  @Test(arguments: Fault.allCases)
  func everyFindingHasEvidence(fault: Fault) throws {
    let findings = fault.recording.findings
    #expect(!findings.isEmpty)
    let numbers = Set(fault.recording.snapshot.records.map(\.number))
    for finding in findings {
      #expect(!finding.evidence.counters.isEmpty)
      #expect(finding.evidence.events.allSatisfy(numbers.contains))
      #expect(!finding.sentence.isEmpty && !finding.remedy.isEmpty && !finding.summary.isEmpty)
    }
  }

  @Test func leaksAreFoundEvenIfTheInspectionIsEmpty() throws {
    let snapshot = Scene.rounds([1, 2, 2, 2, 2, 2]).snapshot
    let findings = FindingEngine.findings(in: snapshot, inspection: Inspection())
    #expect(findings.map(\.location) == ["Pane.swift:42"])
  }

  // MARK: Fingerprints

  @Test(arguments: Fault.allCases)
  func fingerprintsDoNotDependOnIdentifiersOrCounts(fault: Fault) {
    let prints = fault.recording.findings.map(\.fingerprint)
    #expect(fault.recording(offset: 500).findings.map(\.fingerprint) == prints)
    #expect(prints.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) })
    #expect(Set(prints).count == prints.count)
  }

  @Test func fingerprintsDoNotDependOnTheNumberOfLeaks() {
    let few = Scene.rounds([1, 2, 2, 2, 2]).findings.map(\.fingerprint)
    let many = Scene.rounds([3, 9, 7, 8, 5, 6, 7]).findings.map(\.fingerprint)
    #expect(few == many)
  }

  /// Three builds: the original one, one in which lines have moved, and one with healthy lines of
  /// the same operator around the leaking line.
  @Test func theLooseFingerprintIsTheSameInThreeBuilds() {
    func build(line: UInt32, healthy: [UInt32]) -> [String] {
      var recording = Recording()
      let leaking = recording.site("subscribe", line, .root)
      let others = healthy.map { recording.site("subscribe", $0, .root) }
      let map = recording.site("map", line + 1)
      for other in others { recording.chain([other, map], at: 0) }
      for round in 0..<7 {
        recording.chain([leaking, map], at: Double(round))
        recording.mark("round \(round)", at: Double(round) + 0.5)
      }
      return recording.findings.map(\.looseFingerprint)
    }
    let first = build(line: 10, healthy: [])
    #expect(first.count == 1)
    #expect(build(line: 27, healthy: []) == first)
    #expect(build(line: 31, healthy: [5, 12, 90]) == first)
  }

  @Test(arguments: Fault.allCases)
  func looseFingerprintsOfOneTraceDiffer(fault: Fault) {
    let prints = fault.recording.findings.map(\.looseFingerprint)
    #expect(Set(prints).count == prints.count)
    #expect(fault.recording(offset: 500).findings.map(\.looseFingerprint) == prints)
  }

  @Test func similarFindingsInOneFileAreDistinguishedByTheirOrder() {
    func prints(at lines: [UInt32]) -> [String] {
      var recording = Recording()
      let sites = lines.map { recording.site("subscribe", $0, .root) }
      for round in 0..<7 {
        for site in sites { recording.chain([site], at: Double(round)) }
        recording.mark("round \(round)", at: Double(round) + 0.5)
      }
      return recording.findings.sorted { $0.location < $1.location }.map(\.looseFingerprint)
    }
    let two = prints(at: [10, 20])
    #expect(Set(two).count == 2)
    #expect(prints(at: [14, 29]) == two)
    // Once the first fault is fixed, the second takes over its fingerprint and is still known.
    #expect(prints(at: [20]) == [two[0]])
  }

  @Test func fingerprintsDistinguishLinesAndChains() {
    var recording = Recording()
    let roots = [
      recording.site("subscribe", 1, .root), recording.site("subscribe", 2, .root),
    ]
    let map = recording.site("map", 3)
    for round in 0..<7 {
      for root in roots { recording.chain([root, map], at: Double(round)) }
      recording.mark("round \(round)", at: Double(round) + 0.5)
    }
    let prints = recording.findings.map(\.fingerprint)
    #expect(Set(prints).count == 2)
    recording.edit { $0.sites[Int(map)].line = 4 }
    #expect(Set(recording.findings.map(\.fingerprint)).isDisjoint(with: prints))
  }
}
