import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct LateEventsTests {
  @Test func sendingAfterDisposingOnTheSameThreadIsAViolation() throws {
    let finding = try #require(Scene.late([1, 1]).findings.first)
    #expect((finding.level, finding.kind) == (.violation, .eventAfterDispose))
    #expect(finding.name == "create")
    #expect(finding.subject?.label == "#2")
    // The evidence is the call of dispose, the end and the two values.
    #expect(finding.evidence.eventCount == 4)
  }

  @Test func aPauseOfTheThreadThatEmptiesAQueueProvesNothing() {
    let recording = Scene.late([1, 1, 1], every: 0.01, lasting: 0.001)
    #expect(recording.findings.map(\.level) == [.suspect])
  }

  @Test(arguments: [[1], [2]])
  func aValueInProgressIsHarmless(threads: [UInt32]) {
    #expect(Scene.late(threads).findings.isEmpty)
    #expect(Scene.late(threads, others: 24).findings.isEmpty)
  }

  @Test func aValueInProgressOnEachOf32ThreadsIsHarmless() {
    #expect(Scene.late(Array(1...32)).findings.isEmpty)
  }

  @Test(arguments: [RefusedEvent.completed, .failed])
  func lateTerminalEventsAreHarmlessWhateverTheirNumber(event: RefusedEvent) {
    #expect(Scene.late([1, 1, 2, 2, 2], event).findings.isEmpty)
  }

  @Test func lateValuesFollowedByTheEndAreHarmlessWhateverTheirNumber() throws {
    var recording = Recording()
    let create = recording.site("create", "App/Late.swift", 5, .source)
    for round in 0..<24 {
      let id = recording.subscribe(create, at: Double(round))
      recording.end(id, at: Double(round) + 0.5)
      recording.refuse(id, .next, thread: 1, at: Double(round) + 0.6)
      recording.refuse(id, .completed, thread: 1, at: Double(round) + 0.6)
    }
    #expect(recording.findings.isEmpty)
    // Without records, the counters prove nothing either.
    recording.edit { $0.records = [] }
    #expect(recording.findings.isEmpty)
  }

  // MARK: Values that had been sent before the end

  @Test func lateDeliveriesAreNotReported() {
    for thread in [UInt32(1), 2] {
      var recording = Scene.late([])
      let root = recording.snapshot.slots[0].id
      for value in 0..<40 { recording.refuse(root, thread: thread, at: 3 + Double(value)) }
      #expect(recording.findings.isEmpty, "a gate's queue on thread \(thread)")
    }
  }

  @Test func aQueueEmptiedInOneGoIsHarmless() {
    #expect(Scene.late([UInt32](repeating: 2, count: 40), every: 1e-5).findings.isEmpty)
  }

  @Test func anotherThreadThatContinuesAtItsPaceIsASuspect() throws {
    let finding = try #require(Scene.late([2, 2, 3, 3, 3]).findings.first)
    #expect(finding.level == .suspect && finding.cap == nil)
    #expect(finding.sentence.hasPrefix("3 values"))
  }

  @Test func sendingInsideTheDeliveryThatDisposedProvesNothing() {
    var recording = Scene.late([])
    let root = recording.subscribe(1, at: 4)
    let create = recording.subscribe(2, to: root, at: 4)
    recording.turn(create, at: 4.1) {
      $0.appendRecord(.disposeRequested, root, at: 4.1)
      $0.end([root, create], at: 4.1)
    }
    for value in 0..<3 { recording.refuse(create, at: 5 + Double(value)) }
    #expect(recording.findings.map(\.level) == [.suspect])
    // If the record of the delivery's beginning is missing, the record of its end is sufficient.
    recording.edit { $0.records.removeAll { $0.kind == .turnBegan } }
    #expect(recording.findings.map(\.level) == [.suspect])
  }

  @Test(arguments: [UInt32(1), 2])
  func workScheduledBeforeTheEndIsHarmless(thread: UInt32) {
    #expect(Scene.lateWork(scheduledLater: false, on: thread).findings.isEmpty)
  }

  @Test(arguments: [UInt32(1), 2])
  func workScheduledAfterTheEndIsAViolation(thread: UInt32) {
    let recording = Scene.lateWork(scheduledLater: true, on: thread)
    #expect(recording.findings.map(\.level) == [.violation])
    // Work whose scheduling is not recorded may have been scheduled before the end.
    var less = recording
    less.edit { $0.records.removeAll { $0.kind == .hopScheduled } }
    #expect(less.findings.isEmpty)
  }

  // MARK: Incomplete traces

  @Test func anUnknownThreadProvesNothing() {
    #expect(Scene.late([0, 0, 0]).findings.isEmpty)
  }

  @Test func withoutRecordsOfWorkNothingIsReported() {
    var recording = Scene.late([1, 1])
    recording.edit { $0.header.startLevel = .graph }
    #expect(recording.findings.isEmpty)
  }

  @Test func withoutTheEndThereIsNoProof() throws {
    var recording = Scene.late([1, 1, 1, 1])
    recording.edit { $0.records.removeAll { [.ended, .disposeRequested].contains($0.kind) } }
    let finding = try #require(recording.findings.first)
    #expect(finding.level == .suspect)
    #expect(finding.cap?.contains("no record in this trace shows the end") == true)
  }

  @Test func withoutRecordsNothingIsReported() throws {
    var recording = Scene.late([1, 1, 1])
    recording.edit { $0.records = [] }
    #expect(recording.findings.isEmpty)
  }

  @Test func aReusedIdentifierIsAnotherSubscription() {
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
