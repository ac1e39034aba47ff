import InspectorKit
import ReactiveTrace
import Testing

@Suite struct LateEventsTests {
  @Test func twoValuesOnOneThreadBreakARule() throws {
    let finding = try #require(Scene.late([1, 1]).findings.first)
    #expect((finding.level, finding.kind) == (.violation, .eventAfterDispose))
    #expect(finding.name == "create")
    #expect(finding.subject?.label == "#2")
    // The end and both values.
    #expect(finding.evidence.eventCount == 3)
  }

  @Test func oneOnItsWayIsHarmless() {
    #expect(Scene.late([1]).findings.isEmpty)
  }

  @Test func oneOnItsWayToEachOfSeveralIsHarmless() {
    #expect(Scene.late([2], others: 24).findings.isEmpty)
  }

  @Test func aValueOnItsWayWithTheEndBehindItIsHarmlessHoweverOften() throws {
    var recording = Recording()
    let create = recording.site("create", "App/Late.swift", 5, .source)
    for round in 0..<24 {
      let id = recording.subscribe(create, at: Double(round))
      recording.end(id, at: Double(round) + 0.5)
      recording.refuse(id, .next, thread: 1, at: Double(round) + 0.6)
      recording.refuse(id, .completed, thread: 1, at: Double(round) + 0.6)
    }
    #expect(recording.findings.isEmpty)
    // Without records the counters do not accuse either.
    recording.edit { $0.records = [] }
    #expect(recording.findings.isEmpty)
  }

  @Test func valuesOnSeveralThreadsAreASuspect() {
    #expect(Scene.late([1, 2]).findings.map(\.level) == [.suspect])
  }

  @Test func twoEndsAreASuspect() {
    #expect(Scene.late([1, 1], .completed).findings.map(\.level) == [.suspect])
  }

  @Test func anUnknownThreadProvesNothing() {
    #expect(Scene.late([0, 0]).findings.map(\.level) == [.suspect])
  }

  @Test func withoutTheEndThereIsNoProof() throws {
    var recording = Scene.late([1, 1])
    recording.edit { $0.records.removeAll { [.ended, .disposeRequested].contains($0.kind) } }
    let finding = try #require(recording.findings.first)
    #expect(finding.level == .suspect)
    #expect(finding.cap?.contains("no record in this trace tells of the end") == true)
  }

  @Test func withoutRecordsTheCountersSpeak() throws {
    var recording = Scene.late([1, 1, 1])
    recording.edit { $0.records = [] }
    let finding = try #require(recording.findings.first)
    #expect(finding.level == .suspect)
    #expect(finding.evidence.events.isEmpty)
    #expect(finding.evidence.counters == ["refused 3", "ended 1"])
    #expect(finding.cap?.contains("the records of 3 of these events") == true)
  }

  @Test func anotherLifeOfAnIdentifierIsAnotherSubscription() {
    var recording = Scene.late([1])
    let old = recording.snapshot.slots[1].id
    recording.release(old, at: 5)
    recording.edit { snapshot in
      var record = TraceRecord()
      record.number = 9_000
      record.ticks = Recording.start + 6_000_000_000
      record.kind = .refused
      record.id = old.rawValue
      record.thread = 1
      snapshot.records.append(record)
      snapshot.sites[2].refused += 1
      snapshot.sites[2].subscribed += 1
      snapshot.sites[2].ended[2] += 1
    }
    #expect(recording.findings.isEmpty)
  }
}
