import InspectorUI
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Findings about things that should end and do not.
///
/// Each is tested with recordings that have the fault and with similar ones that do not.
@Suite struct EndingsTests {
  private func only(_ recording: Recording, _ kind: FindingKind) throws -> Finding {
    let findings = recording.findings
    #expect(findings.map(\.kind) == [kind])
    return try #require(findings.first)
  }

  private static let often = Scene.times(12, from: 0, to: 3.9)

  @Test func aClosureThatHoldsItsPageIsBlamed() throws {
    let finding = try only(Scene.pages(at: Self.often), .heldOwner)
    #expect(finding.level == .suspect && finding.location == "Page.swift:8")
    #expect(finding.sentence.contains("DisposableBag at Page.swift:4"))
    #expect(finding.sentence.contains("12 of these objects live, 0 have been released"))
  }

  @Test func aClosureThatHoldsItsPageIsBlamedEvenWithoutRecentPages() throws {
    let finding = try only(Scene.pages(at: Scene.times(12, from: 0, to: 2.7)), .heldOwner)
    #expect(finding.location == "Page.swift:8")
    #expect(Scene.pages(at: Scene.times(12, from: 0, to: 1)).findings.isEmpty)
  }

  @Test func pagesThatGrowInNumberRoundByRoundAreALeakOfTheirClosure() throws {
    let finding = try only(Scene.pages(at: Self.often, marks: true), .heldOwner)
    #expect(finding.level == .leak)
    // The trace cannot distinguish an unowned reference from a strong one, so nothing is called
    // proven.
    #expect(finding.proof.isEmpty && finding.remedy.contains("unowned"))
  }

  @Test func pagesThatAreReleasedOrNotHeldByAClosureAreNotBlamedOnOne() {
    #expect(Scene.pages(at: Self.often, endingAfter: 0.3).findings.isEmpty)
    #expect(
      !Scene.pages(at: Self.often, isHeld: false).findings.contains { $0.kind == .heldOwner }
    )
    #expect(!Scene.pages(at: [0.1, 0.2, 0.3]).findings.contains { $0.level >= .suspect })
  }

  @Test func anExecutionThatNeverEndsIsBlamedOnceOthersAreRefused() throws {
    let finding = try only(Scene.execution(refusals: 3, isEndless: true), .endlessExecution)
    #expect(finding.location == "Button.swift:5")
    #expect(finding.sentence.contains("asked for at Button.swift:12"))
    #expect(finding.sentence.contains("3 executions asked for there since were refused"))
  }

  @Test func anExecutionThatHasGoneSilentIsBlamedToo() throws {
    let finding = try only(Scene.execution(refusals: 4, isEndless: false), .endlessExecution)
    #expect(finding.sentence.contains("nothing has come of it for 3.9 s"))
  }

  @Test func anExecutionThatStillWorksOrRefusesNobodyIsNotReported() {
    let works = Scene.execution(refusals: 4, isEndless: false, sendsUntil: 3.9)
    #expect(works.findings.isEmpty)
    #expect(Scene.execution(refusals: 1, isEndless: true).findings.isEmpty)
  }

  private static let asked = Scene.times(16, from: 0.2, to: 3.8)

  @Test func anActionThatIsNeverEnabledIsBlamedForTheExecutionsItRefuses() throws {
    let finding = try only(Scene.refusals(at: Self.asked), .refusedExecution)
    #expect(finding.level == .suspect && finding.location == "Orders.swift:15")
    #expect(
      finding.sentence.hasPrefix(
        "All 16 executions that were asked for at Desk.swift:49 within 3.4 s were refused, "
          + "because Action at Orders.swift:15 was not enabled: distinct at Orders.swift:14, "
          + "which says whether it is, sent its only value at 0.000 s, "
          + "although status at Link.swift:4, from which that is made, sent 4 values, "
          + "the last at 2.500 s."
      ),
      "\(finding.sentence)"
    )
    // The action is blamed also if it has been released.
    let released = Scene.refusals(at: Self.asked, isReleased: true)
    #expect(try only(released, .refusedExecution).sentence == finding.sentence)
    // Each value of a condition may say no again.
    let repeated = Scene.refusals(at: Self.asked, conditions: [0.5, 1.5, 2.5])
    #expect(
      try only(repeated, .refusedExecution).sentence.contains("sent 4 values, the last at 2.500 s")
    )
  }

  @Test func anActionWhoseConditionHadNoReasonToChangeIsOnlyNoted() throws {
    let idle = try only(Scene.refusals(at: Self.asked, moved: []), .refusedExecution)
    #expect(idle.level == .info)
  }

  @Test func anActionThatWasEnabledOrIsAskedOnlyAtTheBeginningIsNotReported() {
    func findings(_ recording: Recording) -> [FindingKind] { recording.findings.map(\.kind) }
    // It was enabled when it was asked for the last time.
    #expect(findings(Scene.refusals(at: Self.asked, begun: [3.9], conditions: [3.85])).isEmpty)
    // It refuses while it executes.
    #expect(findings(Scene.refusals(at: Self.asked, begun: Self.asked.map { $0 - 0.05 })).isEmpty)
    #expect(findings(Scene.refusals(at: Scene.times(16, from: 0.1, to: 1.5))).isEmpty)
    #expect(findings(Scene.refusals(at: Scene.times(9, from: 0.2, to: 3.8))).isEmpty)
    // Asking often is no retry.
    #expect(findings(Scene.refusals(at: Scene.times(40, from: 0.1, to: 1.3))).isEmpty)
    // It is not known which of two actions has refused.
    #expect(findings(Scene.refusals(at: Self.asked, count: 2)).isEmpty)
  }

  @Test func anInnerSignalThatMakesItsOperatorIgnoreOthersForLongIsBlamed() throws {
    let finding = try only(Scene.button(ignoring: 3, isEndless: true), .endlessExecution)
    #expect(finding.location == "News.swift:3" && finding.proof.count == 3)
    #expect(finding.sentence.contains("flatMapFirst ignored 3 values that came meanwhile"))
    #expect(finding.sentence.contains("3 others ended within 100 ms"))
    #expect(try only(Scene.button(ignoring: 3, isEndless: false), .endlessExecution).proof.isEmpty)
  }

  @Test func anInnerSignalWithoutIgnoredValuesOrTheFirstOfItsKindIsNotReported() {
    #expect(Scene.button(ignoring: 1, isEndless: true).findings.isEmpty)
    // Inner signals that complete without a value were begun by values that count as arrived.
    #expect(Scene.button(ignoring: 1, isEndless: true, ending: 8, sends: false).findings.isEmpty)
    #expect(Scene.button(ignoring: 5, isEndless: true, ending: 1).findings.isEmpty)
  }

  @Test func anInnerSignalThatOutlivesASourceEndedByATriggerIsReported() throws {
    let one = try only(Scene.forms(1, endsTheSource: true), .outlivedSource)
    #expect(one.level == .suspect && one.location == "Form.swift:8")
    #expect(one.sentence.contains("which take(until:) at Form.swift:7 has ended"))
    #expect(try only(Scene.forms(5, endsTheSource: true), .outlivedSource).level == .leak)
  }

  @Test func aSourceThatEndedByItselfOrATriggerDownstreamIsNotReported() {
    #expect(Scene.forms(1, endsTheSource: true, isTriggered: false).findings.isEmpty)
    #expect(Scene.forms(5, endsTheSource: true, endsByItself: true).findings.isEmpty)
    #expect(Scene.forms(5, endsTheSource: false).findings.isEmpty)
  }

  @Test func sharedSubscriptionsOfReleasedSignalsAreALeak() throws {
    let finding = try only(Scene.shares(at: Self.often), .orphanConnection)
    #expect(finding.level == .leak && finding.location == "Share.swift:8")
    #expect(finding.sentence.contains("interval at Share.swift:7 never ends"))
    #expect(finding.sentence.contains("nobody can subscribe any more"))
  }

  /// Six shared signals with a subscriber each, which leaves, except for the first `kept`.
  private func statuses(kept: Int) -> Recording {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Status.swift", 24, .root)
    let share = recording.site("cached", "App/Status.swift", 22, [.passes, .replays, .shares])
    let beat = recording.site("interval", "App/Status.swift", 20, [.endless, .timer])
    let runs = (0..<6).map { _ in
      let signal = recording.signal(share, at: 0)
      let run = recording.subscribe(share, of: signal, at: 0)
      let source = recording.subscribe(beat, to: run, at: 0)
      let reader = recording.subscribe(root, at: 0)
      let stage = recording.subscribe(share, to: reader, of: signal, at: 0)
      return (shared: [source, run], page: [stage, reader])
    }
    for value in 1...30 {
      let time = Double(value) / 10
      for (place, run) in runs.enumerated() {
        let isOpen = value < 4 || place < kept
        if value == 4, !isOpen { recording.end(run.page, at: time) }
        for id in run.shared + (isOpen ? run.page : []) { recording.next(id, at: time) }
      }
    }
    return recording
  }

  @Test func sharedSubscriptionsWithASubscriberAreNotCounted() throws {
    func beginning(_ kept: Int) throws -> Substring {
      let sentence = try only(statuses(kept: kept), .orphanConnection).sentence
      return sentence.prefix { $0 != ":" }
    }
    let rest = "shared subscriptions made here go on while nobody is subscribed"
    #expect(try beginning(0) == "6 \(rest)")
    #expect(try beginning(2) == "4 of 6 \(rest)")
  }

  @Test func aSharedSubscriptionThatHasJustBegunChangesNoFingerprint() throws {
    var recording = Scene.shares(at: Self.often)
    let before = try only(recording, .orphanConnection).fingerprint
    let share = try #require(recording.snapshot.sites.first { $0.name == "replayLazily" }).index
    // The new shared subscription has not subscribed to its source yet.
    recording.subscribe(share, of: recording.signal(share, at: 3.99), at: 3.99)
    #expect(try only(recording, .orphanConnection).fingerprint == before)
  }

  @Test func subscribersOfASharedSignalDoNotChangeTheFingerprint() throws {
    var recording = Scene.shares(at: Self.often)
    let before = try only(recording, .orphanConnection).fingerprint
    let share = try #require(recording.snapshot.sites.first { $0.name == "replayLazily" }).index
    let root = try #require(recording.snapshot.sites.first { $0.name == "subscribe" }).index
    let signal = recording.signal(share, at: 3.5)
    let run = recording.subscribe(share, of: signal, at: 3.5)
    let beat = try #require(recording.snapshot.sites.first { $0.name == "interval" }).index
    recording.subscribe(beat, to: run, at: 3.5)
    recording.subscribe(share, to: recording.subscribe(root, at: 3.5), of: signal, at: 3.5)
    #expect(try only(recording, .orphanConnection).fingerprint == before)
  }

  @Test func aSharedSubscriptionThatCanBeSubscribedToAgainIsNotReported() {
    #expect(Scene.shares(at: [0.1], areGone: false).findings.isEmpty)
  }

  @Test func combiningNoSignalsIsReported() throws {
    let finding = try only(Scene.lists(2), .nothingCombined)
    #expect(finding.location == "List.swift:6")
    #expect(finding.sentence.hasPrefix("2 of 2 subscriptions made here combined no signals at all"))
  }

  @Test func aSubstituteForTheMissingValueIsNotReported() {
    #expect(Scene.lists(2, isReplaced: true).findings.isEmpty)
  }

  @Test func combiningAnEmptyInputIsReported() throws {
    let finding = try only(Scene.pictures(), .nothingCombined)
    #expect(finding.location == "Page.swift:6")
    #expect(
      finding.sentence.hasPrefix(
        "2 of 5 subscriptions made here ended without a value: empty at Page.swift:5 completed "
          + "without one, so 2 values of other inputs had no effect, while 3 subscriptions"
      )
    )
  }

  @Test(arguments: [
    Scene.pictures(empty: 1), Scene.pictures(served: 0), Scene.pictures(isReplaced: true),
    Scene.pictures(source: [.hot, .subject]), Scene.pictures(source: .source),
    Scene.pictures(source: .shares), Scene.pictures(partner: .isFiltered),
    Scene.pictures(isReplaced: true, fill: [.merging, .passes]),
  ])
  func anEmptyInputIsNotReportedOnceOrAlwaysOrIfTheProgramEndsItOrReplacesTheValue(
    recording: Recording
  ) {
    #expect(recording.findings.allSatisfy { $0.kind != .nothingCombined })
  }

  @Test func anInputThatIsCancelledBecauseAnotherIsEmptyCountsAsWaiting() throws {
    let finding = try only(Scene.pictures(partner: .waits), .nothingCombined)
    #expect(finding.sentence.contains("so another input was cancelled, or not even subscribed to,"))
  }

  @Test func anInputThatIsNotSubscribedToBecauseAnotherIsEmptyCountsAsWaiting() throws {
    let finding = try only(Scene.pictures(partner: .isMissing), .nothingCombined)
    #expect(finding.sentence.contains("so another input was cancelled, or not even subscribed to,"))
  }

  @Test func aLineInAHelperIsJudgedForEachOfItsCallers() {
    // The line never sends a value to one caller, and always to the other.
    var recording = Scene.pictures(empty: 3, served: 0)
    let sites = recording.snapshot.sites
    let other = recording.site("flatMap", "App/Other.swift", 3, [.merging, .flattens])
    let zip = sites.first { $0.name == "zip" }?.index ?? 0
    let title = sites.first { $0.name == "just" }?.index ?? 0
    for _ in 0..<3 {
      let stage = recording.subscribe(other, at: 3)
      let one = recording.subscribe(zip, to: stage, at: 3)
      let inputs = [title, title].map { recording.subscribe($0, to: one, at: 3) }
      for id in inputs + [one, stage] { recording.next(id, at: 3) }
      for id in inputs + [one] { recording.end(id, .completed, at: 3) }
    }
    #expect(recording.findings.allSatisfy { $0.kind != .nothingCombined })
  }

  @Test func valuesThatAlwaysComeBeforeTheFirstValueOfAnotherInputAreReported() throws {
    let finding = try only(Scene.pictures(empty: 3, served: 0, partner: .isLate), .lostValues)
    #expect(finding.location == "Page.swift:6")
    #expect(
      finding.sentence.hasPrefix(
        "3 of 3 subscriptions made here ended without a value, and none has sent one: 3 values of "
          + "other inputs came before empty at Page.swift:5 had sent its first"
      )
    )
  }

  @Test func anInputThatIsLateOnlySometimesIsNotReported() {
    for served in 1...3 {
      let findings = Scene.pictures(empty: 3, served: served, partner: .isLate).findings
      #expect(findings.allSatisfy { $0.kind != .lostValues })
    }
  }

  @Test func repeatedEqualResultsAreReported() throws {
    let finding = try only(Scene.texts(of: Array(0..<40)) { "theme \($0 / 40)" }, .recomputation)
    #expect(finding.location == "Theme.swift:7")
    #expect(
      finding.sentence.hasPrefix(
        "39 of 40 values sent here were the same as the one before, though"
      )
    )
  }

  @Test func changingResultsOrDroppedRepetitionsAreNotReported() {
    #expect(Scene.texts(of: Array(0..<40)) { "theme \($0)" }.findings.isEmpty)
    #expect(Scene.texts(of: Array(0..<40), dropsTheSame: true) { _ in "theme" }.findings.isEmpty)
  }

  @Test func equalBeginningsOfLongTextsProveNothing() {
    let long = String(repeating: "very ", count: 12)
    #expect(Scene.texts(of: Array(0..<40)) { _ in long }.findings.isEmpty)
  }

  @Test func aProvenFindingListsTheStepsOfItsProof() throws {
    let finding = try only(Scene.forms(5, endsTheSource: true), .outlivedSource)
    #expect(finding.proof.count == 4)
    #expect(finding.proof.last == "no operator between ends it, nor one below")
    var recording = Scene.forms(5, endsTheSource: true)
    recording.edit { $0.header.lost[.sites] = 1 }
    #expect(recording.findings.allSatisfy { $0.proof.isEmpty })
  }
}

/// Signs of a fault in a trace that lacks the records that would prove it.
@Suite struct DoubtsTests {
  private static func backlog(_ waiting: UInt32) -> Recording {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Queue.swift", 9, .root)
    let collect = recording.site("collect", "App/Queue.swift", 8, [.folds, .retains])
    let ids = recording.chain([root, collect], at: 0)
    recording.depth(ids[1], waiting, at: 0.5)
    recording.mark("later", at: 4)
    return recording
  }

  private static func inspection(_ recording: Recording, isWhole: Bool) -> Inspection {
    var recording = recording
    recording.edit { snapshot in
      guard !isWhole else { return }
      snapshot.records = []
      snapshot.firstExactGeneration = nil
      snapshot.header.recycledSegments = 40
    }
    return Inspection(snapshot: recording.snapshot)
  }

  @Test func manyPendingValuesAreInDoubtIfRecordsAreOverwritten() {
    let inspection = Self.inspection(Self.backlog(4096), isWhole: false)
    #expect(inspection.findings.isEmpty && inspection.doubts.count == 1)
    #expect(inspection.doubts.first?.hasPrefix("4096 values are held at collect") == true)
    #expect(ExitStatus(checking: inspection, failOn: .leak) == .incomplete)
  }

  @Test func fewPendingValuesOrAllRecordsLeaveNoDoubt() {
    #expect(Self.inspection(Self.backlog(20), isWhole: false).doubts.isEmpty)
    #expect(Self.inspection(Self.backlog(4096), isWhole: true).doubts.isEmpty)
  }
}
