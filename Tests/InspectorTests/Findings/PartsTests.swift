import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Findings about signals that can never begin, and about retries that can never act.
///
/// Each is tested with recordings that have the fault and with similar ones that do not.
@Suite struct PartsTests {
  private static let property: SiteTraits = [.hot, .endless]
  private static let interval: SiteTraits = [.timer, .endless]

  private func only(_ recording: Recording, _ kind: FindingKind) throws -> Finding {
    let findings = recording.findings
    #expect(findings.map(\.kind) == [kind])
    return try #require(findings.first)
  }

  private func stalls(_ recording: Recording) -> [Finding] {
    recording.findings.filter { $0.kind == .stall }
  }

  // MARK: Parts behind one that never ends

  @Test func partsBehindAPropertyWhoseValuesAreFilteredOutAreASuspect() throws {
    let finding = try only(Scene.parts(Self.property), .stall)
    #expect(finding.level == .suspect && finding.location == "Tasks.swift:7")
    #expect(finding.proof.isEmpty)
    #expect(finding.sentence.hasPrefix("2 of 3 parts have not begun here: part at Tasks.swift:5"))
    #expect(finding.sentence.contains("part at Tasks.swift:6 are to follow part at Tasks.swift:4"))
    #expect(finding.sentence.contains("filter at Tasks.swift:8 has let nothing pass."))
    #expect(finding.remedy.hasPrefix("Put take, first(where:) or take(until:) behind part"))
  }

  @Test func partsBehindAPropertyMayBeMeantForItsEnd() throws {
    let finding = try only(Scene.parts(Self.property, passes: true), .stall)
    #expect(finding.level == .info && finding.remedy.hasPrefix("Nothing, if what waits"))
    // Nothing but its end can be wanted of a signal that sends nothing.
    #expect(Scene.parts(Self.property, values: 0).findings.isEmpty)
  }

  @Test func partsBehindWhatCanNeverEndCanNeverBegin() throws {
    let finding = try only(Scene.parts(Self.interval, values: 0), .stall)
    #expect(finding.level == .suspect && finding.proof.count == 2)
    let mapped = try #require(stalls(Scene.parts(Self.interval, through: .passes)).first)
    #expect(mapped.level == .suspect && mapped.proof.isEmpty)
    #expect(mapped.sentence.contains("between at Tasks.swift:3"))
    #expect(mapped.sentence.contains("follows part at Tasks.swift:4, which never ends by itself"))
  }

  @Test func onlyThePartsBehindTheOneThatRunsWait() throws {
    let finding = try only(Scene.parts(Self.interval, running: 1), .stall)
    #expect(finding.sentence.hasPrefix("1 of 3 parts has not begun here: part at Tasks.swift:6 is"))
    #expect(stalls(Scene.parts(Self.interval, running: 2)).isEmpty)
  }

  @Test func partsBehindWhatMayEndAreNotReported() {
    #expect(stalls(Scene.parts(.source)).isEmpty)
    // The program decides when a subject ends.
    #expect(stalls(Scene.parts([.hot, .endless, .subject])).isEmpty)
    #expect(stalls(Scene.parts(Self.property, through: [.bounding, .passes])).isEmpty)
    #expect(stalls(Scene.parts(Self.property, through: [.merging, .flattens])).isEmpty)
    #expect(stalls(Scene.parts(Self.property, hasEnded: true)).isEmpty)
  }

  @Test func partsBehindWhatHasJustBegunAreNotReported() {
    #expect(stalls(Scene.parts(Self.property, since: 3.7)).isEmpty)
  }

  @Test func theExplanationBlamesTheOperatorBehindTheFilter() throws {
    let recording = Scene.parts(Self.property)
    let explanation = try SilenceExplanation.of(place: "Tasks.swift:9", in: recording.snapshot)
    let blamed = explanation.steps.filter(\.isCulprit).map(\.name)
    #expect(blamed == ["concat"])
    #expect(explanation.answer.hasPrefix("At filter@Tasks.swift:8, nothing has ever passed"))
    #expect(explanation.answer.contains("concat@Tasks.swift:7 is to blame (SUSPECT, stall):"))
    #expect(!explanation.unknown.contains { $0.contains("filter") })
  }

  @Test func theExplanationMentionsPartsThatMayBeMeantForTheEnd() throws {
    let recording = Scene.parts(Self.property, passes: true)
    let explanation = try SilenceExplanation.of(place: "Tasks.swift:9", in: recording.snapshot)
    #expect(explanation.known.contains { $0.hasPrefix("concat@Tasks.swift:7: 2 of 3 parts have") })
  }

  // MARK: Retries that no failure reaches

  @Test func aFailureReplacedInFrontOfARetryIsReported() throws {
    let finding = try only(Scene.replacedFailures(), .endedByFailure)
    #expect(finding.level == .suspect && finding.location == "Line.swift:7")
    #expect(
      finding.sentence.hasPrefix(
        "The failure App.Refusal from create at Line.swift:6 was replaced by a value at "
          + "replaceFailure(with:) at Line.swift:7, and never reached retry at Line.swift:8"
      )
    )
    #expect(finding.sentence.contains("1 of 1 subscription made there ended this way"))
    let often = try only(Scene.replacedFailures(3), .endedByFailure)
    #expect(often.sentence.contains("3 of 3 subscriptions made there ended this way"))
  }

  @Test func anOperatorBetweenThatOnlyDelaysCannotFail() throws {
    let queued = try only(Scene.replacedFailures(between: .queues), .endedByFailure)
    #expect(queued.location == "Line.swift:7")
    // Another operator may fail itself, and be what is retried.
    #expect(Scene.replacedFailures(between: .passes).findings.isEmpty)
  }

  @Test func aRetryThatHasActedOrMayStillActIsNotReported() {
    #expect(Scene.replacedFailures(hasRetried: true).findings.isEmpty)
    // What an operator continues with may fail.
    #expect(Scene.replacedFailures(continues: true).findings.isEmpty)
    // An operator that sends nothing may have ended the stream for this failure only.
    #expect(Scene.replacedFailures(sends: false).findings.isEmpty)
    #expect(Scene.attempts(1, every: 1).findings.isEmpty)
  }
}
