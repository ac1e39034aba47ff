import Testing
@testable import TraceFindings
@testable import TraceModel
import TraceReading

/// Findings about values that an operator held when it was ended, and about values that came before
/// a later subscriber.
///
/// Each is tested with recordings that have the fault and with similar ones that do not.
@Suite struct LostValuesTests {
  private func only(_ recording: Recording) throws -> Finding {
    let findings = recording.findings
    #expect(findings.map(\.kind) == [.lostValues])
    return try #require(findings.first)
  }

  private func areLost(_ recording: Recording) -> Bool {
    recording.findings.contains { $0.kind == .lostValues }
  }

  @Test func aValueThatADebounceHoldsWhenItsStreamIsClosedIsLost() throws {
    let finding = try only(Scene.editors(3))
    #expect(finding.level == .info && finding.location == "Draft.swift:6")
    #expect(
      finding.sentence.hasPrefix(
        "3 of 3 subscriptions made here that have ended still held a value when take(until:) at "
          + "Draft.swift:7 ended them"
      )
    )
    #expect(finding.remedy.hasPrefix("Put take(until:) in front of debounce at Draft.swift:6"))
  }

  @Test func aValueIsNotLostIfThePauseWasOverOrTheProgramSavesIt() {
    #expect(!areLost(Scene.editors(1)))
    #expect(!areLost(Scene.editors(3, isInTime: true)))
    #expect(!areLost(Scene.editors(3, savesAtTheEnd: true)))
  }

  @Test func aSearchThatIsClosedWhileSomebodyTypesIsNotReported() {
    #expect(!areLost(Scene.editors(3, work: [.merging, .flattens])))
  }

  @Test func theExplanationOfAnEndSaysThatAValueWasHeld() throws {
    let recording = Scene.editors(3)
    let explanation = try SilenceExplanation.of(place: "Draft.swift:8", in: recording.snapshot)
    #expect(explanation.answer.contains("debounce@Draft.swift:6 #"), "\(explanation.answer)")
    #expect(
      explanation.answer.contains("held a value when it was ended at 3.700 s"),
      "\(explanation.answer)"
    )
    let healthy = Scene.editors(3, isInTime: true)
    let end = try? SilenceExplanation.of(place: "Draft.swift:8", in: healthy.snapshot)
    #expect(end?.answer.contains("held a value") != true)
  }

  @Test func laterSubscribersOfASharedSignalThatKeepsNothingMissItsValue() throws {
    let finding = try only(Scene.profiles(3))
    #expect(finding.level == .info && finding.location == "Profile.swift:8")
    #expect(
      finding.sentence.hasPrefix(
        "3 of 3 subscribers that came here after the first value of the shared subscription got "
          + "nothing, for up to 600 ms"
      )
    )
    #expect(finding.sentence.contains("MutableProperty at Profile.swift:4 keeps"))
    #expect(finding.remedy.contains("share(replay: 1)"))
  }

  @Test func laterSubscribersOfChangesOrOfAButtonAreNotReported() {
    #expect(!areLost(Scene.profiles(3, keepsOne: false)))
    #expect(!areLost(Scene.profiles(3, isServed: true)))
    #expect(!areLost(Scene.profiles(3, between: [.drops, .dropsFirst])))
    #expect(!areLost(Scene.profiles(1)))
  }

  @Test func oneLaterSubscriberIsEnoughIfACombinationWaitsForIt() throws {
    let traits: SiteTraits = [.passes, .waitsForAll, .partners]
    let finding = try only(Scene.profiles(1, between: traits, staysOpen: true))
    #expect(finding.location == "Profile.swift:8")
    #expect(!areLost(Scene.profiles(1, isServed: true, between: traits, staysOpen: true)))
  }

  @Test func theExplanationBlamesTheSharedSignalThatALaterSubscriberMissed() throws {
    let recording = Scene.profiles(1, keepsOne: false, staysOpen: true)
    let explanation = try SilenceExplanation.of(place: "Profile.swift:20", in: recording.snapshot)
    #expect(
      explanation.answer.hasPrefix("share@Profile.swift:8 is where it stops: it had sent 1 value"),
      "\(explanation.answer)"
    )
    #expect(explanation.answer.contains("keeps none for later subscribers"))
    let steps = explanation.steps.filter(\.isCulprit)
    #expect(steps.map(\.location) == ["Profile.swift:8"])
  }
}
