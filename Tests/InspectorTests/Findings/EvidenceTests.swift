import Testing
import TraceFindings
import TraceModel
import TraceReading

/// A finding rests on the evidence that it names: without it, the finding disappears or changes.
@Suite struct EvidenceTests {
  @Test func thereIsAFaultOfEachKind() {
    let kinds = Set(Fault.allCases.flatMap { $0.recording.findings.map(\.kind) })
    #expect(kinds == Set(FindingKind.allCases))
  }

  @Test(arguments: Fault.allCases)
  func everyFindingNamesEvidence(fault: Fault) {
    for finding in fault.recording.findings {
      #expect(!finding.evidence.events.isEmpty || !finding.evidence.counters.isEmpty)
      let numbers = Set(fault.recording.snapshot.records.map(\.number))
      #expect(finding.evidence.events.allSatisfy(numbers.contains))
    }
  }

  /// Removes the records that the finding names, as a ring or a damaged file would.
  @Test(arguments: Fault.allCases)
  func withoutItsRecordsAFindingDisappearsOrClaimsLess(fault: Fault) throws {
    for finding in fault.recording.findings where !finding.evidence.events.isEmpty {
      var snapshot = fault.recording.snapshot
      var named: Set<UInt64> = []
      // A finding lists a limited number of events, so records are removed until none is listed.
      for _ in 0..<1000 {
        guard let left = Recording.findings(snapshot).first(where: { $0.id == finding.id }),
          !left.evidence.events.isEmpty
        else { break }
        named.formUnion(left.evidence.events)
        snapshot.records.removeAll { named.contains($0.number) }
        snapshot.header.lostRecords = UInt64(named.count)
      }
      guard let left = Recording.findings(snapshot).first(where: { $0.id == finding.id }) else {
        continue
      }
      #expect(left.evidence.events.isEmpty, "\(finding.kind): \(left.sentence)")
      // The finding that remains is supported by counters, which do not depend on records.
      #expect(!left.evidence.counters.isEmpty, "\(finding.kind): \(left.sentence)")
    }
  }

  /// Removes all counters, and the marks that contain counts.
  @Test(arguments: Fault.allCases)
  func withoutItsCountersAndRecordsAFindingDisappears(fault: Fault) {
    for finding in fault.recording.findings {
      var snapshot = fault.recording.snapshot
      snapshot.records = []
      // The header's ending and the status of the process would also show that the program died.
      snapshot.header.ending = nil
      snapshot.processStatus = .elsewhere
      snapshot.firstExactGeneration = nil
      snapshot.header.lostRecords = 1
      snapshot.marks = []
      snapshot.header.lost[.marks] = 1
      snapshot.slots = []
      snapshot.header.lost[.slab] = 1
      for index in snapshot.sites.indices {
        var bare = TraceSite()
        let site = snapshot.sites[index]
        (bare.index, bare.name, bare.file) = (site.index, site.name, site.file)
        (bare.line, bare.column, bare.traits) = (site.line, site.column, site.traits)
        bare.ended = [UInt64](repeating: 0, count: EndReason.allCases.count)
        snapshot.sites[index] = bare
      }
      #expect(!Recording.findings(snapshot).contains { $0.id == finding.id }, "\(finding.kind)")
    }
  }
}
