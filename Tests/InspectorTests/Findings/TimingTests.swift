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
