import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Findings about several callers, senders, attempts or inputs that affect each other.
///
/// Each is tested with recordings that have the fault and with similar ones that do not.
@Suite struct SendersTests {
  private func only(_ recording: Recording, _ kind: FindingKind) throws -> Finding {
    let findings = recording.findings
    #expect(findings.map(\.kind) == [kind])
    return try #require(findings.first)
  }

  // MARK: The queue of a caller

  @Test func aHopToTheMainQueueThatALaterHopUndoesIsReported() throws {
    let finding = try only(Scene.callers([.main, .main, .main, .delayed]), .wrongQueue)
    #expect(finding.level == .suspect && finding.location == "Show.swift:10")
    #expect(
      finding.sentence.hasPrefix(
        "6 of 6 values of one caller were handled by subscribe at Show.swift:20 on queue 'background', where delay at Show.swift:12"
      )
    )
    #expect(finding.sentence.contains("all 18 of 3 other callers on the main queue"))
    #expect(finding.evidence.events.count == 6)
  }

  @Test func callersWithDifferentQueuesAreNotReported() {
    #expect(Scene.callers([.main, .main, .main, .main]).findings.isEmpty)
    #expect(Scene.callers([.main, .main, .main, .background]).findings.isEmpty)
    #expect(Scene.callers([.main, .main, .delayed]).findings.isEmpty)
    #expect(Scene.callers([.main, .main, .main, .delayed, .delayed]).findings.isEmpty)
  }

  // MARK: Containers

  @Test func aContainerUsedAfterItsDisposalIsReported() throws {
    let finding = try only(Scene.rows(8, isMadeAnew: false), .disposedContainer)
    #expect(finding.level == .suspect && finding.location == "Row.swift:3")
    #expect(
      finding.sentence.hasPrefix("8 subscriptions of subscribe at Row.swift:9 ended as soon as")
    )
  }

  @Test func aNewContainerOrASingleLateSubscriptionIsNotReported() {
    #expect(Scene.rows(8, isMadeAnew: true).findings.isEmpty)
    #expect(Scene.rows(2, isMadeAnew: false).findings.isEmpty)
  }

  // MARK: Senders

  @Test func endingASignalThatOthersSendToIsReported() throws {
    let finding = try only(Scene.inbox(endsWithOne: true), .endedSubject)
    #expect(finding.level == .suspect && finding.location == "Inbox.swift:12")
    #expect(finding.sentence.contains("completed at 1 s, and Subject at Inbox.swift:5 with it"))
    #expect(finding.sentence.contains("10 values sent since came to nothing"))
  }

  @Test func anEndThatIsNotForwardedOrFollowedByValuesIsNotReported() {
    #expect(Scene.inbox(endsWithOne: false).findings.isEmpty)
    #expect(Scene.inbox(endsWithOne: true, goesOn: false).findings.isEmpty)
  }

  // MARK: Loops

  @Test func propertiesThatKeepSettingEachOtherAreALoop() throws {
    let finding = try only(Scene.circle(rounds: 30), .feedbackLoop)
    #expect(finding.level == .suspect && finding.location == "Fields.swift:9")
    #expect(finding.sentence.hasPrefix("A value went round 30 times within 3 s through 2 signals"))
    #expect(finding.sentence.contains("field at Fields.swift:5 and field at Fields.swift:6"))
  }

  @Test func aLoopWithoutPausesIsReportedAlthoughTheProgramTakesLongerToEnd() throws {
    let fast = Scene.circle(rounds: 2000, every: 0.000_05, silentFor: 0.008)
    #expect(try only(fast, .feedbackLoop).sentence.contains("went round 2000 times within 200 ms"))
    #expect(Scene.circle(rounds: 2000, every: 0.000_05, silentFor: 0.02).findings.isEmpty)
    #expect(Scene.circle(rounds: 20, every: 0.000_05, silentFor: 0.008).findings.isEmpty)
  }

  @Test func propertiesThatSettleOrAreDrivenByATimerAreNotReported() {
    #expect(Scene.circle(rounds: 4, silentFor: 2).findings.isEmpty)
    #expect(Scene.circle(rounds: 12, silentFor: 2).findings.isEmpty)
    #expect(Scene.circle(rounds: 30, isDriven: true).findings.isEmpty)
  }

  // MARK: Attempts

  @Test func aRetryThatRepeatsFinishedWorkIsReported() throws {
    let finding = try only(Scene.uploads([3, 7, 11, 12]), .repeatedWork)
    #expect(finding.level == .suspect && finding.location == "Backup.swift:8")
    #expect(
      finding.sentence.hasPrefix("4 attempts made here came to 3, 7, 11, 12 values. 21 of 33")
    )
    #expect(finding.remedy.contains("the closure of concatMap at Backup.swift:7"))
  }

  @Test func aRetryWithoutProgressOrOfAStreamIsNotReported() {
    #expect(Scene.uploads([0, 1, 0, 12]).findings.isEmpty)
    #expect(Scene.uploads([3, 12]).findings.isEmpty)
    #expect(Scene.uploads([3, 7, 11, 12], isEndless: true).findings.isEmpty)
  }

  @Test func aRetryThatMakesAnOrderAgainIsReported() throws {
    let finding = try only(Scene.orders([2, 2]), .repeatedWork)
    #expect(finding.level == .suspect && finding.location == "Orders.swift:8")
    #expect(
      finding.sentence.hasPrefix(
        "4 times, an attempt made here failed at flatMap at Orders.swift:7 after earlier work of it had succeeded (create at Orders.swift:5), and"
      )
    )
    #expect(finding.sentence.contains("4 pieces in all. 2 of these next attempts failed"))
    #expect(finding.remedy.contains("the closure of flatMap at Orders.swift:7"))
  }

  @Test func workThatHelpsWhenItIsDoneAgainIsNotReported() {
    #expect(Scene.orders([1, 1, 1, 1]).findings.isEmpty)
    #expect(Scene.orders([2]).findings.isEmpty)
  }

  @Test func aRetryAroundACachedValueACheckOrAStreamIsNotReported() {
    #expect(Scene.orders([2, 2], madeAfter: 0.001).findings.isEmpty)
    #expect(Scene.orders([2, 2], confirmedAfter: 0.001).findings.isEmpty)
    #expect(Scene.orders([2, 2], sendsBeforeFailure: true).findings.isEmpty)
  }

  @Test func retryingAKeptFailureIsReported() throws {
    let finding = try only(Scene.keys(6, keepsFailure: true), .keptFailure)
    #expect(finding.level == .suspect && finding.location == "Keys.swift:7")
    #expect(finding.sentence.hasPrefix("5 further attempts made here ended at once"))
    #expect(finding.sentence.contains("App.Refusal"))
  }

  @Test func retryingARepeatedRequestIsNotReported() {
    #expect(Scene.keys(6, keepsFailure: false).findings.isEmpty)
    #expect(Scene.keys(3, keepsFailure: true).findings.isEmpty)
  }

  // MARK: Order

  @Test func olderAnswersThatComeLastEachTimeAreASuspect() throws {
    let finding = try only(Scene.answers(5, oldestLast: true), .overtakenAnswers)
    #expect(finding.level == .suspect && finding.location == "Search.swift:8")
    #expect(finding.sentence.hasPrefix("5 times several inner signals were under way here at once"))
  }

  @Test func answersInOrderOrTooFewAreNotReported() {
    #expect(Scene.answers(5, oldestLast: false).findings.isEmpty)
    #expect(Scene.answers(2, oldestLast: true).findings.isEmpty)
  }

  @Test func olderAnswersThatComeLastAtTimesAreNotedIfOnlyTheNewestQuestionMatters() throws {
    let finding = try only(
      Scene.searches([true, false, true, false, true]),
      .overtakenAnswers
    )
    #expect(finding.level == .info && finding.location == "Box.swift:8")
    #expect(finding.sentence.hasPrefix("5 times several inner signals were under way here at once"))
    #expect(
      finding.sentence.contains(
        "in 3 of these the last answer was to an older question than the newest. The questions are values of MutableProperty at Box.swift:4 that debounce at Box.swift:7 let through"
      )
    )
  }

  @Test func answersThatMayEachCountAreNotReportedIfTheyComeInAnyOrder() {
    let order = [true, false, true, false, true]
    #expect(Scene.searches([true, false, true, false, false]).findings.isEmpty)
    #expect(Scene.searches(order, keepsLatest: false).findings.isEmpty)
    #expect(Scene.searches(order, setsProperty: false).findings.isEmpty)
  }

  @Test func valuesRepeatedlyOvertakenOnAQueueAreASuspect() throws {
    let finding = try only(Scene.inputs(10, waitingFor: 0.01), .overtakenInputs)
    #expect(finding.level == .suspect && finding.location == "Versions.swift:8")
    #expect(finding.sentence.hasPrefix("10 of 10 values that went to merge at Versions.swift:8"))
  }

  @Test func valuesInOrderOrOnAnotherThreadAreNotReported() {
    #expect(Scene.inputs(10, waitingFor: 0.001).findings.isEmpty)
    #expect(Scene.inputs(10, waitingFor: 0.01, on: 2).findings.isEmpty)
    #expect(Scene.inputs(4, waitingFor: 0.01).findings.isEmpty)
  }

  @Test(arguments: [
    Fault.oddCaller, .disposedContainer, .endedSubject, .feedbackLoop, .repeatedWork,
    .keptFailure, .overtakenAnswers, .overtakenInputs,
  ])
  func withMissingRecordsNothingIsReported(fault: Fault) {
    var recording = fault.recording
    recording.edit { $0.header.lostRecords = 1 }
    #expect(recording.findings.isEmpty)
  }
}
