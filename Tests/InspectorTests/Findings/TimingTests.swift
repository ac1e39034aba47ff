import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Findings about time limits that are too short, glitches and long work on the main queue.
///
/// Each is tested with recordings that have the fault and with similar ones that do not.
@Suite struct TimingTests {
  private func only(_ recording: Recording, _ kind: FindingKind) throws -> Finding {
    let findings = recording.findings
    #expect(findings.map(\.kind) == [kind])
    return try #require(findings.first)
  }

  private let long = [Double](repeating: 0.12, count: 12)

  @Test func aTimeLimitThatEndsASendingSourceIsReported() throws {
    let finding = try only(Scene.limit(), .cutShort)
    #expect(finding.level == .suspect && finding.location == "Log.swift:8")
    #expect(finding.sentence.contains("create at Log.swift:5 was still sending: 20 values"))
    #expect(finding.remedy.contains("timeout(each:)"))
  }

  @Test func aTimeLimitAfterAPauseIsNotReported() {
    #expect(Scene.limit(after: 0.5).findings.isEmpty)
  }

  @Test func aFailureCausedByAValueIsNotATimeLimit() {
    #expect(Scene.limit(isPassedOn: false).findings.isEmpty)
  }

  @Test func oneValueOnTwoPathsIsAGlitch() throws {
    let finding = try only(Scene.glitch(), .glitch)
    #expect(finding.level == .suspect && finding.location == "Offer.swift:10")
    #expect(finding.sentence.contains("One value of Subject at Offer.swift:5 came here by 2 paths"))
    #expect(finding.sentence.contains("subscribe at Offer.swift:12 was given both"))
  }

  @Test func valuesFromTwoSourcesAreNotAGlitch() {
    #expect(Scene.glitch(sources: 2).findings.isEmpty)
  }

  @Test func pairsOutOfStepBecauseOnePathSentMoreAreAGlitch() throws {
    let finding = try only(Scene.steps([0, 0, 0, 1, 0, 0, 0]), .glitch)
    #expect(finding.level == .suspect && finding.location == "Parts.swift:10")
    #expect(finding.sentence.contains("the first 3 pairs were of values that belong together"))
    #expect(
      finding.sentence.contains(
        "Then map at Parts.swift:7 sent 1 value more than map at Parts.swift:8"
      )
    )
    #expect(finding.sentence.contains("all 4 pairs"))
  }

  @Test(arguments: [
    // The first input is ahead from the start, by more and more, for a single pair, only near the
    // end, or never.
    [1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, -1, 0, 0], [0, 0, 0, 0, 0, 1, 0],
    [0, 0, 0, 0, 0, 0, 0],
  ])
  func pairsOfAPathThatIsMeantToBeAheadAreNotReported(extra: [Int]) {
    #expect(!Scene.steps(extra).findings.contains { $0.kind == .glitch })
  }

  @Test func pairsOfTwoSourcesMayBeOutOfStep() {
    let recording = Scene.steps([0, 0, 0, 1, 0, 0, 0], sources: 2)
    #expect(!recording.findings.contains { $0.kind == .glitch })
  }

  @Test(arguments: [SiteTraits.keepsLatest, .drops, .folds])
  func aFilteredIntermediateValueIsNotAGlitch(fate: SiteTraits) {
    #expect(Scene.glitch(downstream: fate).findings.isEmpty)
  }

  @Test func longWorkOnTheMainQueueIsBlamedOnItsSubscription() throws {
    let finding = try only(Scene.heldQueue([Double](repeating: 0.12, count: 12)), .heldMainQueue)
    #expect(finding.level == .suspect && finding.location == "Map.swift:9")
    #expect(finding.sentence.contains("subscribe at Map.swift:9, or map at Map.swift:8 above it"))
    #expect(finding.sentence.contains("12 times for 12 values"))
    #expect(finding.sentence.contains("other work was waiting behind it 12 times"))
    let own = Scene.heldQueue([Double](repeating: 0.12, count: 12), isWaiting: false)
    #expect(try !only(own, .heldMainQueue).sentence.contains("other work"))
  }

  @Test func longWorkOnABusyMainQueueIsReportedEvenIfNothingWaits() throws {
    let finding = try only(
      Scene.heldQueue([Double](repeating: 0.12, count: 12), others: 0.05),
      .heldMainQueue
    )
    #expect(!finding.sentence.contains("waiting"))
  }

  @Test func longWorkElsewhereOrOnAnIdleMainQueueIsNotReported() {
    let long = [Double](repeating: 0.12, count: 12)
    #expect(Scene.heldQueue(long, isMain: false).findings.isEmpty)
    #expect(Scene.heldQueue(long, others: nil).findings.isEmpty)
  }

  @Test func anOccasionallyDelayedThreadIsNotReported() {
    let seconds = (0..<12).map { $0 % 6 == 5 ? 0.2 : 0.01 }
    #expect(Scene.heldQueue(seconds).findings.isEmpty)
    #expect(Scene.heldQueue([Double](repeating: 0.08, count: 12)).findings.isEmpty)
  }

  // MARK: Long work on a queue that others share

  @Test func longWorkThatDelaysAnotherLineIsReportedAsInfo() throws {
    let finding = try only(Scene.sharedQueue(long), .heldQueue)
    #expect(finding.level == .info && finding.location == "Order.swift:9")
    #expect(
      finding.sentence.hasPrefix(
        "The handler of subscribe at Order.swift:9, or map at Order.swift:8 above it, ran on queue 'worker' for 120 ms at the median and 120 ms at most, 12 times for 12 values"
      )
    )
    #expect(
      finding.sentence.hasSuffix(
        "12 times work of clock at Beat.swift:5 had to wait for the queue until then, for 91 ms at most."
      )
    )
    #expect(finding.evidence.counters.contains("others waited 12"))
  }

  @Test func aTimerOrWorkOfTheProgramItselfIsDelayed() throws {
    let timer = try only(Scene.sharedQueue(long, of: .timer), .heldQueue)
    // It fires 20 ms before the long work begins, and is due 30 ms after that.
    #expect(timer.sentence.contains("work of interval at Beat.swift:4 had to wait"))
    #expect(timer.sentence.contains("for 91 ms at most"))
    let own = try only(Scene.sharedQueue(long, of: .program), .heldQueue)
    #expect(own.sentence.contains("work of the program itself had to wait"))
  }

  @Test func workThatWaitsForWhatItHasSentElsewhereIsSuspected() throws {
    let finding = try only(Scene.sharedQueue(long, answered: 0.002), .heldQueue)
    #expect(finding.level == .suspect)
    #expect(
      finding.sentence.hasSuffix(
        "What ran there waits for other work: 12 times it went on just when work had ended that it had itself sent to queue 'database'."
      )
    )
    #expect(finding.remedy.hasPrefix("Do not block queue 'worker' to wait"))
  }

  @Test func workThatWaitsForAValueIsSuspected() throws {
    let recording = Scene.sharedQueue(long, answered: 0.002, byValue: true)
    let finding = try #require(recording.findings.first { $0.kind == .heldQueue })
    #expect(finding.level == .suspect)
    #expect(
      finding.sentence.contains(
        "12 times it went on just when a value had come to subscribe at Base.swift:3, which it had itself made"
      )
    )
  }

  @Test func workThatRunsInParallelIsNotWaitedFor() throws {
    let finding = try only(Scene.sharedQueue(long, answered: 0.002, during: 0.1), .heldQueue)
    #expect(finding.level == .info && finding.location == "Order.swift:9")
  }

  @Test func workSentElsewhereThatEndsAtAnotherTimeIsNotWaitedFor() throws {
    let finding = try only(Scene.sharedQueue(long, answered: 0.05), .heldQueue)
    #expect(finding.level == .info && !finding.sentence.contains("waits for"))
  }

  @Test(arguments: [Scene.Sharer.ownLine, .ownSubscription, .nobody])
  func longWorkThatDelaysNoOtherLineIsNotReported(sharer: Scene.Sharer) {
    #expect(Scene.sharedQueue(long, of: sharer, answered: 0.002).findings.isEmpty)
  }

  @Test func longWorkOnAQueueThatIsNotSerialIsNotReported() {
    for kind in [SchedulerKind.concurrentQueue, .other, .main] {
      let findings = Scene.sharedQueue(long, kind: kind, answered: 0.002).findings
      #expect(!findings.contains { $0.kind == .heldQueue })
    }
  }

  @Test func workThatIsSeldomLongOrDelaysOthersLittleIsNotReported() {
    #expect(Scene.sharedQueue(long, waiting: 0.04).findings.isEmpty)
    #expect(Scene.sharedQueue([0.12, 0.12]).findings.isEmpty)
    let seldom = (0..<12).map { $0 % 6 == 5 ? 0.2 : 0.02 }
    #expect(Scene.sharedQueue(seldom, waiting: 0.015).findings.isEmpty)
    #expect(Scene.sharedQueue([Double](repeating: 0.09, count: 12)).findings.isEmpty)
  }

  // MARK: A queue that waits for itself

  @Test func workThatWaitsForAValueOfItsOwnQueueIsReported() throws {
    let finding = try only(Scene.selfWait(for: 0.5), .waitsForItself)
    #expect(finding.level == .suspect && finding.location == "Door.swift:9")
    #expect(
      finding.sentence.hasPrefix(
        "1 value, for which subscribe at Door.swift:9 waited, came to deliver(on:) at Door.swift:8 and had to wait 500 ms for the main queue"
      )
    )
    #expect(finding.evidence.eventCount == 4)
    let often = try only(Scene.selfWait(for: 0.2, times: 3), .waitsForItself)
    #expect(often.sentence.hasPrefix("3 values, for which"))
  }

  @Test func aShortWaitOrATimerOrWorkThatHadReturnedIsNotReported() {
    #expect(Scene.selfWait(for: 0.05).findings.isEmpty)
    #expect(Scene.selfWait(for: 0.5, sentBy: 1).findings.isEmpty)
    #expect(Scene.selfWait(for: 0.5, hasReturned: true).findings.isEmpty)
  }

  // MARK: Work that waited in vain

  @Test func innerSignalsThatNeverBeganBeforeDisposalAreReported() throws {
    let finding = try only(Scene.desks(3), .waitedInVain)
    #expect(finding.level == .suspect && finding.location == "Desk.swift:8")
    #expect(finding.sentence.hasPrefix("3 times concatMap at Desk.swift:8 ended"))
    #expect(finding.sentence.contains("9 in all"))
    #expect(finding.sentence.contains("interval at Desk.swift:6"))
  }

  @Test func anOperatorClosedOnceOrWithRequestsThatEndIsNotReported() {
    #expect(Scene.desks(1).findings.isEmpty)
    #expect(Scene.desks(3, isEndless: false).findings.isEmpty)
    #expect(Scene.desks(3, isConcat: true).findings.isEmpty)
  }

  // MARK: Level graph

  @Test func withoutEventsLostValuesAreNotReported() throws {
    for recording in [Scene.replaced(8), Scene.lists(2)] {
      #expect(recording.findings.count == 1)
      var graph = recording
      graph.edit { $0.header.startLevel = .graph }
      #expect(graph.findings.isEmpty)
    }
  }
}
