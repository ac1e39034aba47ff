import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Findings about events that do not come, or that come too often, too early, or in another order.
///
/// Each is tested with recordings that have the fault and with similar ones that do not.
@Suite struct WaitsTests {
  private func only(_ recording: Recording, _ kind: FindingKind) throws -> Finding {
    let findings = recording.findings
    #expect(findings.map(\.kind) == [kind])
    return try #require(findings.first)
  }

  @Test func anInputThatNeverSendsIsNamed() throws {
    let finding = try only(
      Scene.meeting(left: Scene.times(20, from: 0.1, to: 4), right: []),
      .nothingPasses
    )
    #expect(finding.level == .suspect && finding.location == "Meeting.swift:8")
    #expect(finding.sentence.contains("20 values came here"))
    #expect(finding.sentence.contains("rights at Meeting.swift:7 has sent none yet"))
  }

  @Test func waitingForInputsThatNeverEndIsProvenWithFewValues() throws {
    let finding = try only(Scene.gathered(1, isDisposedOf: false), .nothingPasses)
    #expect(finding.location == "Overview.swift:8" && !finding.proof.isEmpty)
    #expect(finding.remedy.contains("take(1)"))
  }

  @Test func operatorsAlwaysDisposedOfWhileTheyAwaitEndlessInputsAreReported() throws {
    let finding = try only(Scene.gathered(3), .nothingPasses)
    #expect(finding.location == "Overview.swift:8" && !finding.proof.isEmpty)
    #expect(finding.sentence.hasPrefix("3 of 3 subscriptions made here were disposed of"))
    #expect(Scene.gathered(1).findings.isEmpty)
    #expect(Scene.gathered(3, isBounded: true).findings.isEmpty)
  }

  @Test func anInputThatEndedWithoutAValueIsProof() throws {
    let finding = try only(
      Scene.meeting(left: Scene.times(20, from: 0.1, to: 4), right: [], rightEndsAt: 0.5),
      .nothingPasses
    )
    #expect(finding.level == .leak)
    #expect(finding.sentence.contains("rights at Meeting.swift:7 has ended without a value"))
  }

  @Test func operatorsThatHaveSentOrJustBegunAreNotReported() {
    let left = Scene.times(20, from: 0.1, to: 4)
    #expect(Scene.meeting(left: left, right: [0.05]).findings.isEmpty)
    #expect(Scene.meeting(left: [0.1, 0.2], right: []).findings.isEmpty)
  }

  @Test func aFailureThatEndsAStreamIsBlamedOnTheOperatorThatItEntered() throws {
    let finding = try only(Scene.dying(), .endedByFailure)
    #expect(finding.location == "Pull.swift:8")
    #expect(finding.sentence.contains("App.Refusal from request at Pull.swift:7"))
    #expect(finding.sentence.contains("7 values sent since by Subject at Pull.swift:5"))
  }

  @Test func aStreamThatIsRestartedOrNoLongerNeededIsNotReported() {
    #expect(Scene.dying(isResumed: true).findings.isEmpty)
    #expect(Scene.dying(sendsOn: false).findings.isEmpty)
  }

  @Test func onlyValuesOfTheInputThatTriggersAreCountedAsLost() throws {
    let finding = try only(Scene.login(tapsSince: 3, typedSince: 5), .endedByFailure)
    #expect(finding.location == "Login.swift:8")
    #expect(finding.sentence.contains("though taps at Login.swift:5 does not end"))
    #expect(finding.sentence.contains("3 values sent since by taps at Login.swift:5 came too late"))
  }

  @Test func aStreamThatOnlySamplesAnEndlessSignalIsNotReported() {
    #expect(Scene.login(tapsSince: 0, typedSince: 5).findings.isEmpty)
    #expect(Scene.login(tapsSince: 3, typedSince: 5, isOnce: true).findings.isEmpty)
  }

  @Test func retriesWithoutAPauseAreAStorm() throws {
    let finding = try only(Scene.attempts(30, every: 0.01), .retryStorm)
    #expect(finding.location == "Line.swift:8")
    #expect(finding.sentence.hasPrefix("30 attempts in a row failed here"))
    #expect(finding.sentence.hasSuffix("App.Refusal."))
  }

  @Test func fewOrSlowRetriesAreNotAStorm() {
    #expect(Scene.attempts(5, every: 0.01).findings.isEmpty)
    #expect(Scene.attempts(30, every: 0.2).findings.isEmpty)
  }

  @Test func attemptsByTheProgramAreAStormOnlyIfEachBeganAfterTheFailureOfTheOneBefore() throws {
    let inTurn = Scene.failingRequests(20, every: 0.04, after: 0.03)
    #expect(try only(inTurn, .retryStorm).location == "Line.swift:9")
    let together = Scene.failingRequests(20, every: 0.001, after: 0.03)
    #expect(!together.findings.contains { $0.kind == .retryStorm })
  }

  @Test func workRequestedBySeveralAtOnceIsReported() throws {
    let finding = try only(Scene.requests(3, every: 0.01), .duplicatedWork)
    #expect(finding.location == "Profile.swift:3")
    #expect(finding.sentence.hasPrefix("3 subscriptions were made at once to one signal"))
    #expect(finding.sentence.contains("subscribe at Profile.swift:12"))
  }

  @Test func workRequestedLaterIsNotReported() {
    #expect(Scene.requests(3, every: 0.5).findings.isEmpty)
    #expect(Scene.requests(1, every: 0.5).findings.isEmpty)
  }

  @Test func aTimerOfItsOwnForEachSubscriberOfAFeedIsNoted() throws {
    let finding = try only(Scene.feeds(4), .duplicatedWork)
    #expect(finding.level == .info && finding.location == "Quotes.swift:4")
    #expect(finding.sentence.hasPrefix("4 subscriptions to one signal made here began while one"))
    #expect(finding.sentence.contains("a timer of its own, interval at Quotes.swift:3"))
  }

  @Test func aClockOrAFeedOfOneLineIsNotNoted() {
    #expect(Scene.feeds(2).findings.isEmpty)
    #expect(Scene.feeds(4, isMapped: false).findings.isEmpty)
    #expect(Scene.feeds(4, isAlone: true).findings.isEmpty)
  }

  @Test func aHelperThatSubscribesTwiceIsOneFinding() throws {
    let finding = try only(Scene.givenTwice(3), .duplicatedWork)
    let places = "create at Profile.swift:31, create at Profile.swift:32"
    #expect(
      finding.sentence.hasSuffix("These lines did so to signals of 2 other lines, too: \(places).")
    )
    #expect(Scene.givenTwice(2).findings.map(\.kind) == [.duplicatedWork, .duplicatedWork])
  }

  @Test func valuesSentJustBeforeTheFirstSubscriberAreLost() throws {
    let finding = try only(Scene.announcement(4, before: 0.002), .lostValues)
    #expect(finding.location == "News.swift:9")
    #expect(finding.sentence.hasPrefix("4 of 9 values of Subject at News.swift:5 were sent before"))
  }

  @Test func valuesSentLongBeforeTheFirstSubscriberAreNotReported() {
    #expect(Scene.announcement(4, before: 3).findings.isEmpty)
    #expect(Scene.announcement(0, before: 0).findings.isEmpty)
  }

  @Test func twoPathsOfWhichOnePassesAQueueAreASuspect() throws {
    let finding = try only(Scene.splitPaths(overQueues: [true, false]), .splitQueues)
    #expect(finding.location == "Ways.swift:8")
    #expect(finding.sentence.contains("by way of deliver(on:) at Ways.swift:7"))
  }

  @Test func pathsOverTheSameQueueOrNoneAreNotReported() {
    #expect(Scene.splitPaths(overQueues: [false, false]).findings.isEmpty)
    #expect(Scene.splitPaths(overQueues: [true, true]).findings.isEmpty)
  }

  @Test func survivorsFromEachQuarterAreASuspect() throws {
    let finding = try only(Scene.visitors(at: Scene.times(12, from: 0, to: 4)), .growth)
    #expect(finding.location == "Visit.swift:9")
    #expect(finding.sentence.hasPrefix("12 subscriptions made here live"))
  }

  @Test func subscriptionsThatEndOrExistedFromTheStartAreNotReported() {
    #expect(Scene.visitors(at: Scene.times(12, from: 0, to: 4), endingAfter: 0.5).findings.isEmpty)
    #expect(Scene.visitors(at: Scene.times(12, from: 0, to: 0.2) + [4]).findings.isEmpty)
  }

  @Test func replacedEntriesOfAFullCacheAreNotReported() {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Visit.swift", 9, .root)
    let first = Scene.times(12, from: 0, to: 4).map { _ in recording.subscribe(root, at: 0) }
    recording.mark(at: 0.1)
    for (place, time) in Scene.times(12, from: 0, to: 4).enumerated() where place > 0 {
      recording.end([first[place]], at: time + 0.1)
      _ = recording.subscribe(root, at: time + 0.1)
      recording.mark(at: time + 0.2)
    }
    #expect(recording.findings.isEmpty)
  }

  @Test func subjectsThatAreKeptAreOneFinding() throws {
    let finding = try only(Scene.topics(at: Scene.times(20, from: 0, to: 4)), .signalGrowth)
    #expect(finding.location == "Topics.swift:5")
    #expect(finding.sentence.hasPrefix("20 of 20 subjects made here are kept, with 20 observers"))
    let released = Scene.topics(at: Scene.times(20, from: 0, to: 4), areReleased: true)
    #expect(released.findings.isEmpty)
  }

  @Test func valuesWithoutAValueOfTheOtherInputAreLost() throws {
    let times = Scene.times(8, from: 0.1, to: 4)
    let finding = try only(Scene.asking(at: times, answeredFrom: 1.2), .lostValues)
    #expect(finding.location == "Ask.swift:8")
    #expect(
      finding.sentence.hasPrefix(
        "3 of 8 values that came here were dropped, because Subject at Ask.swift:6"
      )
    )
    #expect(Scene.asking(at: times, answeredFrom: 0.05).findings.isEmpty)
  }

  @Test(arguments: [true, false])
  func theLastValueBeforeTheEndOrSilenceIsLost(completes: Bool) throws {
    let finding = try only(Scene.throttled(losesTheLast: true, completes: completes), .lostValues)
    #expect(finding.location == "Thin.swift:8")
    #expect(
      finding.sentence.hasPrefix(
        "The last of 10 values that came here was not let through, and "
          + (completes ? "the stream has ended" : "no other has come for 3.5 s")
      )
    )
    #expect(Scene.throttled(losesTheLast: false, completes: completes).findings.isEmpty)
    // The operator has armed a timer, so it may still send the value.
    let later = Scene.throttled(losesTheLast: true, completes: completes, armsTimers: true)
    #expect(later.findings.filter { $0.kind == .lostValues }.isEmpty)
  }

  @Test func aSubscriptionEndedAtOnceByItsTriggerIsReported() throws {
    let finding = try only(Scene.triggered(8, endingAfter: 0), .lostValues)
    #expect(
      finding.sentence.hasPrefix("8 of 8 subscriptions made here ended as soon as they had begun")
    )
    #expect(Scene.triggered(8, endingAfter: 0.1).findings.isEmpty)
    #expect(Scene.triggered(3, endingAfter: 0).findings.isEmpty)
  }

  @Test func waitingBehindAnEndlessSignalIsAStallEvenIfThatSends() throws {
    let finding = try only(Scene.belt(values: 2, isEndless: true), .stall)
    #expect(finding.location == "Belt.swift:8")
    #expect(
      finding.sentence.contains(
        "still runs and cannot end, because inner at Belt.swift:7 does not."
      )
    )
    // The inner signal of the only value is running, so no inner signal waits: the recorded depth
    // stands for a value that waited for another delivery to end.
    #expect(Scene.belt(values: 1, isEndless: true).findings.isEmpty)
    #expect(Scene.belt(values: 2, isEndless: false).findings.isEmpty)
  }

  @Test(arguments: [(3.0, 1), (30.0, 0)])
  func onlyASteadyInputStarvesADebounce(until end: Double, count: Int) {
    var recording = Recording()
    let debounce = recording.site("debounce", 8, .keepsLatest)
    let subject = recording.site("Subject", 3, [.hot, .endless])
    let ids = recording.chain([recording.site("subscribe", 9, .root), debounce, subject], at: 0)
    for value in 1...50 { recording.next(ids[2], at: Double(value) * 0.05) }
    recording.mark("later", at: end)
    #expect(recording.findings.count { $0.kind == .nothingPasses } == count)
  }

  /// Values that the debounce sent after the level was lowered are only in its counter.
  @Test func aDebounceIsNotAccusedByEventsOfTheStartupAlone() {
    var recording = Recording()
    let debounce = recording.site("debounce", 8, .keepsLatest)
    let subject = recording.site("Subject", 3, [.hot, .endless])
    let ids = recording.chain([recording.site("subscribe", 9, .root), debounce, subject], at: 0)
    for value in 1...50 { recording.next(ids[2], at: Double(value) * 0.05) }
    recording.mark("later", at: 3)
    #expect(recording.findings.contains { $0.kind == .nothingPasses })
    recording.edit { snapshot in
      snapshot.header.level = .graph
      for place in snapshot.slots.indices where snapshot.slots[place].id == ids[1] {
        snapshot.slots[place].eventCount = 4
      }
    }
    #expect(!recording.findings.contains { $0.kind == .nothingPasses })
  }
}
