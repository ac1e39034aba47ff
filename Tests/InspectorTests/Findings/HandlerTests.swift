import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Findings about subscriptions made in handlers, repeated requests, and inputs that are missing
/// for some subscriptions of a line.
///
/// Each is tested with recordings that have the fault and with similar ones that do not.
@Suite struct HandlerTests {
  private func only(_ recording: Recording, _ kind: FindingKind) throws -> Finding {
    let findings = recording.findings
    #expect(findings.map(\.kind) == [kind])
    return try #require(findings.first)
  }

  @Test func subscribingForEachValueOfAPropertyIsReported() throws {
    let finding = try only(Scene.stations(6), .subscribedPerValue)
    #expect(finding.level == .suspect && finding.location == "Board.swift:10")
    #expect(
      finding.sentence.hasPrefix(
        "6 subscriptions were made here, one for each value of MutableProperty at Board.swift:4 that came to the handler of subscribe at Board.swift:8, and none"
      )
    )
    #expect(finding.sentence.contains("5 of the 5 older ones went on to get values"))
  }

  @Test func subscriptionsOfTheLineThatAnotherCallMadeAreCountedSeparately() throws {
    var recording = Scene.stations(6)
    let inner = try #require(recording.snapshot.sites.first { $0.line == 10 }).index
    let source = try #require(recording.snapshot.sites.first { $0.line == 9 }).index
    recording.chain([inner, source], at: 3.5)
    let finding = try only(recording, .subscribedPerValue)
    #expect(
      finding.sentence.hasPrefix(
        "6 of the 7 subscriptions made here were made in one handler, that of subscribe at Board.swift:8, one for each of 6 values in a row that came to it from MutableProperty at Board.swift:4, and none of them has ended: "
      ),
      "\(finding.sentence)"
    )
  }

  @Test func subscribingForEachEventWithASeparateSignalIsNotReported() {
    #expect(Scene.stations(6, isState: false).findings.isEmpty)
  }

  @Test func disposingBeforeTheNextSubscriptionIsNotReported() {
    #expect(Scene.stations(6, endsBefore: true).findings.isEmpty)
  }

  @Test func threeSubscriptionsAreTooFewToReport() { #expect(Scene.stations(3).findings.isEmpty) }

  @Test func anOlderAnswerThatArrivesLastIsReported() throws {
    let finding = try only(Scene.stations(8, answersAfter: [0.7, 0.1]), .overtakenAnswers)
    #expect(finding.location == "Board.swift:10")
    #expect(finding.sentence.hasPrefix("8 subscriptions were made here, one for each value of"))
    #expect(finding.remedy.contains("flatMapLatest"))
  }

  @Test func answersInTheOrderOfTheirRequestsAreNotReported() {
    #expect(Scene.stations(8, answersAfter: [0.5]).findings.isEmpty)
    #expect(Scene.stations(8, answersAfter: [0.1, 0.2]).findings.isEmpty)
  }

  @Test func aSharedAnswerRequestedAgainForAnotherSubscriberIsReported() throws {
    let finding = try only(Scene.late(4), .duplicatedWork)
    #expect(finding.level == .suspect && finding.location == "Page.swift:5")
    #expect(finding.sentence.contains("was begun anew 4 times"))
    #expect(finding.remedy.contains("share(replay: 1, scope: .forever)"))
  }

  @Test func aSharedAnswerRequestedAgainByTheSameLineIsNotReported() {
    #expect(Scene.late(4, lines: [7, 7]).findings.isEmpty)
    #expect(Scene.late(2).findings.isEmpty)
  }

  @Test func aFailureThatCancelsOtherWorkOfItsLineIsReported() throws {
    let finding = try only(Scene.joinedRequests(6, failures: 3), .cancelledSiblings)
    #expect(finding.level == .suspect && finding.location == "Tour.swift:8")
    #expect(
      finding.sentence.hasPrefix(
        "3 times, one of several subscriptions to timer(after:) at Tour.swift:5"
      )
    )
    #expect(finding.sentence.contains("6 that were under way came to nothing"))
  }

  @Test func aSingleFailureOrThatOfAnotherLineIsNotReported() {
    #expect(Scene.joinedRequests(6, failures: 1).findings.isEmpty)
    #expect(Scene.joinedRequests(6, failures: 3, lines: 3).findings.isEmpty)
  }

  @Test func anInputMissingForSomeOfManyIsNamed() throws {
    let finding = try only(Scene.pairs(served: 3, inVain: 2, for: 0.5), .nothingPasses)
    #expect(finding.level == .suspect && finding.location == "Start.swift:8")
    #expect(finding.sentence.contains("2 of 5 subscriptions made here had no value within 500 ms"))
    #expect(finding.sentence.contains("Subject at Start.swift:6 sent nothing"))
  }

  // MARK: Level graph

  /// The recording that level `graph` would have made of the same run.
  private func graph(_ recording: Recording) -> Recording {
    var graph = recording
    let events: Set<RecordKind> = [
      .next, .failed, .completed, .depth, .turnBegan, .turnEnded, .value, .refused,
    ]
    graph.edit { snapshot in
      snapshot.header.startLevel = .graph
      snapshot.records = TraceRecords(snapshot.records.filter { !events.contains($0.kind) })
    }
    return graph
  }

  @Test func withoutEventsALateRequestAndAnEndedInputAreStillFound() throws {
    #expect(try only(graph(Scene.late(4)), .duplicatedWork).sentence.contains("anew 4 times"))
    #expect(
      try only(graph(Scene.crowd(places: 4)), .crowdRefusal).sentence.hasPrefix("24 of 36 inner")
    )
    let left = Scene.times(8, from: 0.1, to: 3)
    let meeting = Scene.meeting(left: left, right: [], rightEndsAt: 0.5)
    let finding = try only(graph(meeting), .nothingPasses)
    #expect(finding.level == .leak && finding.sentence.contains("rights at Meeting.swift:7 has"))
    // This level does not record what an ended input has sent, but it shows that the operator has
    // sent something.
    let served = Scene.meeting(left: left, right: [0.4], rightEndsAt: 0.5)
    #expect(graph(served).findings.isEmpty)
  }

  @Test func withoutEventsAnEndShowsTheFailure() throws {
    #expect(graph(Scene.dying()).findings.isEmpty)
    let finding = try only(graph(Scene.dying(hasOtherSubscriber: true)), .endedByFailure)
    #expect(finding.location == "Pull.swift:8" && !finding.sentence.contains("after 0 values"))
  }

  @Test func subscriptionsDisposedOfBeforeOthersGotAValueAreNotReported() {
    #expect(Scene.pairs(served: 3, inVain: 2, for: 0.2).findings.isEmpty)
    #expect(Scene.pairs(served: 4, inVain: 1, for: 0.5).findings.isEmpty)
  }
}
