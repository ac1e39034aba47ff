import Testing
import TraceModel
import TraceReading

/// How findings change if a trace has lost something.
@Suite struct CompletenessTests {
  enum Loss: CaseIterable, Sendable {
    case records, segments, slots, sites, marks

    func apply(_ snapshot: inout TraceSnapshot) {
      switch self {
      case .records: snapshot.header.lostRecords = 12
      case .segments: snapshot.missingSegments = 1
      case .slots: snapshot.header.lost[.slab] = 3
      case .sites: snapshot.header.lost[.sites] = 1
      case .marks: snapshot.header.lost[.marks] = 2
      }
    }
  }

  /// All faults except the crash, which the header proves, and whose finding names a line only if
  /// no record is missing: see `CrashesTests`.
  private static let provenByRecords = Fault.allCases.filter { $0 != .crashed }

  /// Faults of subscriptions that have ended, so that only records show them.
  private static let provenByEndedSubscriptions: Set = [Fault.gathered, .pairs, .streams]

  @Test(arguments: Loss.allCases, provenByRecords)
  func aLossCapsALeakAndSaysWhy(loss: Loss, fault: Fault) throws {
    let whole = fault.recording.findings
    var recording = fault.recording
    recording.edit(loss.apply)
    let found = recording.findings
    // These findings must remain. All others need complete data, and may disappear if anything is
    // lost.
    let sure = whole.filter {
      !$0.kind.needsAll && !Self.provenByEndedSubscriptions.contains(fault)
    }
    #expect(Set(found.map(\.id)).isSuperset(of: sure.map(\.id)))
    for finding in found {
      let before = try #require(whole.first { $0.id == finding.id })
      if before.level == .leak {
        #expect(finding.level == .suspect)
        #expect(finding.cap?.contains("incomplete") == true)
      } else {
        #expect(finding.level == before.level)
        #expect(finding.sentence == before.sentence)
      }
    }
  }

  @Test func overwrittenRecordsAreNotALoss() {
    var recording = Fault.declaredGrowth.recording
    recording.edit { $0.header.recycledSegments = 40 }
    #expect(recording.findings.map(\.level) == [.leak])
  }

  // MARK: Removed evidence

  @Test(arguments: provenByRecords)
  func fewerRecordsNeverMakeAFindingWorse(fault: Fault) {
    let snapshot = fault.recording.snapshot
    let whole = Self.levels(snapshot)
    for index in stride(from: 0, to: snapshot.records.count, by: 1 + snapshot.records.count / 50) {
      var less = snapshot
      less.records.remove(at: index)
      Self.expect(Self.levels(less), noWorseThan: whole, "record \(index)")
    }
    for index in snapshot.marks.indices {
      var less = snapshot
      less.marks.remove(at: index)
      Self.expect(Self.levels(less), noWorseThan: whole, "mark \(index)")
    }
  }

  /// These recordings have no leak, but at most suspected growth.
  @Test(
    arguments: [
      [4, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0], [1, 2, -1, 2, -1, 2, -1, 2], [3, 0, 3, 0, 3, 0],
      [0, 0, 0, 1, 1, 1, 1], [1, 1, 0, 1, 1, 1],
    ])
  func removedMarksDoNotMakeALeak(steps: [Int]) {
    for recording in [Scene.rounds(steps), Scene.windows(steps + [1, 1, 1])] {
      let whole = Self.levels(recording.snapshot)
      // The last mark stays: without it, the recording would be shorter, not incomplete.
      for index in recording.snapshot.marks.indices.dropLast() {
        var less = recording.snapshot
        less.marks.remove(at: index)
        Self.expect(Self.levels(less), noWorseThan: whole, "mark \(index)")
      }
    }
  }

  /// Removes records from the beginning, as a ring does when it overwrites its oldest records.
  @Test(arguments: provenByRecords)
  func aWrappedRingNeverMakesAFindingWorse(fault: Fault) {
    let snapshot = fault.recording.snapshot
    let whole = Self.levels(snapshot)
    for count in stride(
      from: 0,
      through: snapshot.records.count,
      by: 3 + snapshot.records.count / 30
    ) {
      var less = snapshot
      less.records.removeFirst(count)
      // The recording began before the remaining records, and none of their generations (sections
      // that can be read without earlier records) is complete.
      less.header.start.ticks = 0
      less.firstExactGeneration = nil
      Self.expect(Self.levels(less), noWorseThan: whole, "\(count) records")
    }
  }

  /// Threads fill the ring at different rates, so that the remaining records may begin in the
  /// middle of anything.
  @Test(arguments: Fault.allCases)
  func findingsCanBeMadeForAnyCombinationOfLostRecords(fault: Fault) {
    let snapshot = fault.recording.snapshot
    for kind in Set(snapshot.records.map(\.kind)) {
      var less = snapshot
      less.records.removeAll { $0.kind == kind }
      #expect(Recording.findings(less).allSatisfy { !$0.sentence.isEmpty })
    }
    var generator = SeededGenerator(seed: 26)
    let entities = Array(Set(snapshot.records.map(\.entity)))
    for _ in 0..<15 {
      // Of some entities, only the later records remain.
      let from = Int.random(in: 0...snapshot.records.count, using: &generator)
      let lost = Set(entities.shuffled(using: &generator).prefix(entities.count / 2))
      var less = snapshot
      let numbers = Set(
        snapshot.records.prefix(from).filter { lost.contains($0.entity) }.map(\.number)
      )
      less.records.removeAll { numbers.contains($0.number) }
      #expect(Recording.findings(less).allSatisfy { !$0.sentence.isEmpty })
    }
  }

  /// A finding names the evidence that it rests on: without that evidence, nothing is reported as a
  /// violation.
  @Test(arguments: [Fault.orphanTimer, .lateValues])
  func aViolationDisappearsWithoutItsRecords(fault: Fault) throws {
    var snapshot = fault.recording.snapshot
    let finding = try #require(Recording.findings(snapshot).first)
    #expect(finding.level == .violation)
    let numbers = Set(finding.evidence.events)
    snapshot.records.removeAll { numbers.contains($0.number) }
    #expect(!Recording.findings(snapshot).contains { $0.level == .violation })
  }

  /// If all records are missing, a finding that rests on records disappears or has a cap that says
  /// what is missing.
  @Test(arguments: provenByRecords)
  func withoutItsRecordsAFindingDisappearsOrIsCapped(fault: Fault) throws {
    let whole = fault.recording.findings
    var snapshot = fault.recording.snapshot
    snapshot.records = []
    snapshot.firstExactGeneration = nil
    for finding in Recording.findings(snapshot) {
      let before = try #require(
        whole.first { $0.id == finding.id || $0.fingerprint == finding.fingerprint }
      )
      #expect(finding.level <= before.level)
      #expect(finding.evidence.events.isEmpty)
      #expect(finding.level < .violation)
      // A finding that needs no records has counters as its evidence.
      #expect(finding.cap != nil || !finding.evidence.counters.isEmpty)
    }
  }

  /// Cycles of subscriptions, in the slab and in the records, cause no trap.
  @Test(arguments: Fault.allCases)
  func findingsCanBeMadeForCyclesOfSubscriptions(fault: Fault) {
    var snapshot = fault.recording.snapshot
    let ids = snapshot.slots.filter { $0.kind == .subscription }.map(\.id)
    guard let first = ids.first else { return }
    for index in snapshot.slots.indices where snapshot.slots[index].kind == .subscription {
      let place = ids.firstIndex(of: snapshot.slots[index].id) ?? 0
      snapshot.slots[index].link = place + 1 < ids.count ? ids[place + 1] : first
    }
    for index in snapshot.records.indices where snapshot.records[index].kind == .subscribed {
      let place = ids.firstIndex(of: snapshot.records[index].entity) ?? 0
      let next = place + 1 < ids.count ? ids[place + 1] : first
      snapshot.records[index].more.0 = UInt64(next.rawValue)
    }
    #expect(Recording.findings(snapshot).allSatisfy { !$0.sentence.isEmpty })
    // Without the records of their beginnings, only the slab says which subscription is downstream
    // of which.
    snapshot.records.removeAll { $0.kind == .subscribed }
    #expect(Recording.findings(snapshot).allSatisfy { !$0.sentence.isEmpty })
  }

  /// Numbers that no recorder writes cause no trap.
  @Test(arguments: Fault.allCases)
  func findingsCanBeMadeForMeaninglessNumbers(fault: Fault) {
    var snapshot = fault.recording.snapshot
    for index in snapshot.sites.indices {
      snapshot.sites[index].subscribed = .max
      snapshot.sites[index].disposablesReleased = .max
      snapshot.sites[index].refused = .max
      snapshot.sites[index].timersArmed = .max
      for reason in snapshot.sites[index].ended.indices {
        snapshot.sites[index].ended[reason] = .max - UInt64(reason)
      }
    }
    for number in [UInt64.max, 1] {
      for index in snapshot.slots.indices {
        snapshot.slots[index].eventCount = number
        snapshot.slots[index].lastEventAt = number
        if index % 2 == 0 { snapshot.slots[index].depth = .max }
        if index % 3 == 0 { snapshot.slots[index].createdAt = number }
      }
      snapshot.nanosecondsPerTick = 1e30
      #expect(Recording.findings(snapshot).allSatisfy { !$0.sentence.isEmpty })
    }
  }

  private static func levels(_ snapshot: TraceSnapshot) -> [String: FindingLevel] {
    Dictionary(
      Recording.findings(snapshot).map { ("\($0.kind) \($0.site)", $0.level) },
      uniquingKeysWith: max
    )
  }

  private static func expect(
    _ levels: [String: FindingLevel],
    noWorseThan whole: [String: FindingLevel],
    _ without: String
  ) {
    for (finding, level) in levels {
      guard let before = whole[finding] else {
        Issue.record("\(finding) is found only without \(without)")
        continue
      }
      #expect(level <= before, "\(finding) without \(without)")
    }
  }
}
