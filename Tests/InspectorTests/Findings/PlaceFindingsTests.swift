import Testing
import TraceFindings
import TraceModel
import TraceReading

/// How findings change if some lines of code are recorded at level `graph`, which records no
/// events.
@Suite struct PlaceFindingsTests {
  /// The same recording at one level, except for some lines that are recorded at other levels.
  private static func snapshot(
    _ whole: TraceSnapshot,
    _ level: TraceLevel,
    _ places: [Int: TraceLevel]
  ) -> TraceSnapshot {
    var snapshot = whole
    snapshot.header.level = level
    snapshot.header.startLevel = level
    snapshot.header.baseLevel = level
    snapshot.header.places = places.isEmpty ? "" : "graph:Some.swift"
    for (site, level) in places { snapshot.sites[site].level = level }
    let store = EntityStore(whole)
    let numbers = Set(
      whole.records.indices.filter { row in
        let record = whole.records[row]
        guard RecordSpec.of(record.kind).isEvent else { return false }
        let site = store.life(record.entity, at: row).map { Int($0.site) }
        // An event that belongs to no line is recorded if any line records events.
        return site.map { places[$0] ?? level < .events }
          ?? (max(level, places.values.max() ?? .off) < .events)
      }
      .map { whole.records[$0].number }
    )
    snapshot.records.removeAll { numbers.contains($0.number) }
    return snapshot
  }

  private static func levels(_ snapshot: TraceSnapshot) -> [String: FindingLevel] {
    Dictionary(
      Recording.findings(snapshot).map { ("\($0.kind) \($0.site)", $0.level) },
      uniquingKeysWith: max
    )
  }

  private static func expect(
    _ less: [String: FindingLevel],
    noWorseThan allowed: [String: FindingLevel],
    _ what: String
  ) {
    for (finding, level) in less {
      let most = allowed[finding]
      #expect(most.map { level <= $0 } ?? false, "\(finding) at \(level) where \(what)")
    }
  }

  @Test(arguments: Fault.allCases)
  func recordingALineWithoutEventsMakesNoFindingWorse(fault: Fault) {
    let whole = Self.snapshot(fault.recording.snapshot, .events, [:])
    let sites = whole.sites.indices.dropFirst()
    let allowed = Self.levels(whole).merging(
      Self.levels(Self.snapshot(whole, .graph, [:])),
      uniquingKeysWith: max
    )
    for site in sites {
      let less = Self.snapshot(whole, .events, [site: .graph])
      Self.expect(Self.levels(less), noWorseThan: allowed, "line \(site) has none")
      let more = Self.snapshot(whole, .graph, [site: .events])
      Self.expect(Self.levels(more), noWorseThan: allowed, "line \(site) alone has some")
    }
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<8 {
      let some = sites.filter { _ in Bool.random(using: &generator) }
      let less = Self.snapshot(
        whole,
        .events,
        Dictionary(uniqueKeysWithValues: some.map { ($0, .graph) })
      )
      Self.expect(Self.levels(less), noWorseThan: allowed, "lines \(some) have none")
    }
  }

  /// It makes no difference whether a level is that of the recording or of each of its lines.
  @Test(arguments: Fault.allCases, [TraceLevel.graph, .events])
  func ifEachLineHasALevelFindingsAreThoseOfThatLevel(fault: Fault, level: TraceLevel) {
    let whole = Self.snapshot(fault.recording.snapshot, level, [:])
    let lines = whole.sites.indices.dropFirst().map { ($0, level) }
    let other = level == .graph ? TraceLevel.events : .graph
    var placed = Self.snapshot(
      fault.recording.snapshot,
      other,
      Dictionary(uniqueKeysWithValues: lines)
    )
    placed.records = whole.records
    let (found, expected) = (Recording.findings(placed), Recording.findings(whole))
    #expect(found.map(\.fingerprint) == expected.map(\.fingerprint))
    #expect(found.map(\.level) == expected.map(\.level))
    #expect(found.map(\.sentence) == expected.map(\.sentence))
  }

  /// The line without events is not connected to the line of the finding.
  @Test func aLineWithoutEventsChangesNoFindingAboutAnotherLine() throws {
    var recording = Fault.oddQueue.recording
    let before = recording.findings.map(\.fingerprint)
    try #require(!before.isEmpty)
    recording.subscribe(recording.site("interval", "App/Noise.swift", 3), at: 1)
    let noise = recording.snapshot.sites.count - 1
    let findings = { (level: TraceLevel, places: [Int: TraceLevel]) in
      Recording.findings(Self.snapshot(recording.snapshot, level, places)).map(\.fingerprint)
    }
    #expect(findings(.events, [noise: .graph]) == before)
    #expect(findings(.graph, [:]) != before)
    let others = (1..<noise).map { ($0, TraceLevel.events) }
    #expect(findings(.graph, Dictionary(uniqueKeysWithValues: others)) == before)
  }

  @Test func theRemarkSaysWhichLinesHaveNoEvents() {
    let whole = Fault.lackingInput.recording.snapshot
    func remark(_ level: TraceLevel, _ places: [Int: TraceLevel]) -> String? {
      LevelRemark.place(Inspection(snapshot: Self.snapshot(whole, level, places)))
    }
    #expect(remark(.events, [:]) == nil)
    #expect(remark(.graph, [:]) == "Recorded at level graph")
    let lines = whole.sites.count - 1
    let label = "\(whole.sites[1].name)@\(whole.sites[1].location)"
    #expect(
      remark(.events, [1: .graph]) == "1 of \(lines) lines recorded at level graph (\(label))"
    )
    #expect(
      remark(.events, [1: .graph, 2: .graph])
        == "2 of \(lines) lines recorded at level graph (\(label) and 1 more)"
    )
    let events = Dictionary(uniqueKeysWithValues: (1...lines).map { ($0, TraceLevel.events) })
    #expect(remark(.graph, events) == nil)
  }
}
