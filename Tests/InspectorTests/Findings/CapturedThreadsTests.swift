import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Threads that must deliver the values of other threads, and similar cases that are no fault.
@Suite struct CapturedThreadsTests {
  private func only(_ recording: Recording) throws -> Finding {
    let findings = recording.findings
    try #require(findings.map(\.kind) == [.capturedThread], "\(findings.map(\.sentence))")
    return findings[0]
  }

  // MARK: Faults

  @Test func aThreadThatDeliversAFloodOfValuesOfOthersIsASuspect() throws {
    let recording = Scene.captured(sent: 1100, every: 0.0004)
    let finding = try only(recording)
    #expect(finding.level == .suspect && finding.cap == nil)
    // The last record of the queue's length says 1024, so at least 1024 deliveries had waited.
    #expect(
      finding.sentence
        == "1024 values or more that other threads had sent were delivered here by the main thread one after the "
        + "other, for 409 ms, before its own send returned; 1024 or more waited."
    )
    #expect(
      finding.evidence.counters
        == ["delivered for others 1024", "most that waited 1024", "threads seen to send 2"]
    )
    // The evidence is the delivery in which the queue began to fill, and each doubling of its
    // length.
    #expect(finding.evidence.eventCount == 12)
    #expect(finding.remedy.contains("deliver(on:) behind Subject at Tills.swift:4"))
  }

  @Test func aThreadThatIsKeptBusyForASecondIsASuspect() throws {
    let finding = try only(Scene.captured(sent: 64, every: 0.02))
    #expect(finding.level == .suspect)
    #expect(finding.sentence.hasPrefix("64 values or more"))
    #expect(finding.sentence.contains("for 1.3 s"))
  }

  /// If the queue had become empty, a later record would say that its length was 1.
  ///
  /// None does, so all deliveries had waited.
  @Test func deliveriesBetweenTwoRecordsOfANonemptyQueueCount() throws {
    var recording = Scene.captured(sent: 4, every: 0.001)
    let subject = recording.snapshot.slots[0].id
    for number in 1...300 {
      let time = 0.1 + Double(number) * 0.005
      recording.turn(subject, at: time)
      if number % 10 == 0 { recording.depth(subject, 2, thread: 3, at: time) }
    }
    let finding = try only(recording)
    #expect(finding.level == .suspect)
    #expect(finding.sentence.hasPrefix("304 values or more"))
  }

  // MARK: Cases without a fault

  @Test func aThreadThatIsKeptBusyBrieflyIsReportedAsInfo() throws {
    let finding = try only(Scene.captured(sent: 200, every: 0.001))
    #expect(finding.level == .info)
    #expect(finding.remedy.hasPrefix("Nothing, if the thread has time"))
    // The queue is long, but it is emptied within a very short time.
    #expect(try only(Scene.captured(sent: 1100, every: 0.0001)).level == .info)
    #expect(Scene.captured(sent: 100, every: 0.001).findings.isEmpty)
  }

  @Test func aThreadThatIsRelievedIsNotCaptured() {
    var recording = Scene.captured(sent: 2000, every: 0.001, relievedAfter: 96)
    #expect(recording.findings.isEmpty)
    // The same values, all delivered by one thread, are a fault.
    recording = Scene.captured(sent: 2000, every: 0.001)
    #expect(recording.findings.map(\.level) == [.suspect])
  }

  @Test func aThreadThatSendsByItselfIsNotCaptured() {
    var recording = Scene.captured(sent: 1, every: 0.001)
    let subject = recording.snapshot.slots[0].id
    for number in 1...3000 {
      let time = Double(number) * 0.001
      recording.turn(subject, at: time) { recording in
        // Every hundredth time, another thread sends at the same moment.
        if number % 100 == 0 { recording.depth(subject, 1, thread: 2, at: time) }
      }
    }
    #expect(recording.findings.isEmpty)
  }

  /// If the handler itself sends, its thread may be delivering values that the handler sent.
  @Test func valuesThatTheThreadSentFromInsideAreNotBlamedOnOthers() {
    let recording = Scene.captured(sent: 2048, every: 0.001, sender: 1)
    #expect(!recording.findings.contains { $0.kind == .capturedThread })
    let mixed = Scene.captured(sent: 2048, every: 0.001, alsoFromInside: true)
    #expect(!mixed.findings.contains { $0.kind == .capturedThread })
  }

  /// A `ReplaySubject` records the number of its kept values with the kind of record that otherwise
  /// states the length of a queue.
  @Test func keptValuesOfASubjectAreNotMistakenForAQueue() {
    let recording = Scene.captured(sent: 1100, every: 0.001, subject: "ReplaySubject")
    #expect(!recording.findings.contains { $0.kind == .capturedThread })
  }

  // MARK: Incomplete traces

  @Test func afterAnOverwrittenBeginningOnlyCompleteEvidenceIsReported() throws {
    let whole = Scene.captured(sent: 1100, every: 0.001)
    for part in [0, 0.01, 0.3, 0.6, 0.99] {
      var snapshot = whole.snapshot
      snapshot.records.removeFirst(max(1, Int(Double(snapshot.records.count) * part)))
      snapshot.header.recycledSegments = 1
      snapshot.header.recycledGeneration = snapshot.header.generation
      snapshot.firstExactGeneration = nil
      let found = Recording.findings(snapshot)
      // Only the first record, the subject's creation, is overwritten: all evidence is there.
      if part == 0 {
        #expect(found.map(\.level) == [.suspect])
        #expect(found.first?.cap?.contains("before the records that are left") == true)
      } else {
        #expect(found.isEmpty)
      }
    }
  }

  @Test func withMissingSegmentsNothingIsReported() {
    var recording = Scene.captured(sent: 1100, every: 0.001)
    recording.edit { $0.missingSegments = 1 }
    #expect(recording.findings.isEmpty)
  }
}
