import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Findings about rejected work, flags that stay set, dropped first values, and ends that never
/// come.
///
/// Each is tested with recordings that have the fault and with similar ones that do not.
@Suite struct RejectionTests {
  private func only(_ recording: Recording, _ kind: FindingKind) throws -> Finding {
    let findings = recording.findings
    #expect(findings.map(\.kind) == [kind])
    return try #require(findings.first)
  }

  @Test func rejectedWorkIsBlamedOnTheOperatorThatDoesNotLimitIt() throws {
    let finding = try only(Scene.crowd(places: 4), .crowdRefusal)
    #expect(finding.level == .suspect && finding.location == "House.swift:8")
    #expect(finding.sentence.hasPrefix("24 of 36 inner signals failed, all of them"))
    #expect(
      finding.sentence.contains(
        "while 4 or more others ran; the 12 others were served, all of them begun while fewer ran"
      )
    )
    #expect(finding.remedy.contains("flatMap(limit: 4)"))
  }

  @Test func immediateAnswersAreRejectionsOnlyIfTheyHappenRepeatedly() throws {
    #expect(
      try only(Scene.crowd(places: 4, fails: false), .crowdRefusal).sentence
        .contains("came to their end at once, without any work")
    )
    #expect(Scene.crowd(bursts: 1, of: 24, places: 8, fails: false).findings.isEmpty)
  }

  @Test func workWithinTheLimitIsNotReported() {
    #expect(Scene.crowd(places: 12).findings.isEmpty)
  }

  @Test func aFlagThatAFailureLeavesSetIsReported() throws {
    let finding = try only(Scene.flag(isReset: false), .stuckFlag)
    #expect(finding.level == .suspect && finding.location == "Form.swift:9")
    #expect(
      finding.sentence.hasPrefix("MutableProperty at Form.swift:4 was written when each of 3")
    )
    #expect(finding.sentence.contains("the next one failed (App.Refusal)"))
  }

  @Test func aFlagThatIsResetOrWorkThatContinuesIsNotReported() {
    #expect(Scene.flag(isReset: true).findings.isEmpty)
    #expect(Scene.flag(isReset: false, goesOn: 2).findings.isEmpty)
    #expect(Scene.flag(2, isReset: false).findings.isEmpty)
  }

  @Test func aDroppedFirstValueThatWasNewIsLost() throws {
    let finding = try only(Scene.firsts(4, keepsOne: false), .lostValues)
    #expect(finding.level == .suspect && finding.location == "Screen.swift:8")
    #expect(finding.sentence.contains("it was sent 100 ms after the subscription had begun"))
    #expect(Scene.firsts(4, keepsOne: true).findings.isEmpty)
    #expect(Scene.firsts(2, keepsOne: false).findings.isEmpty)
  }

  @Test func aDebounceThatOnlySendsAtTheEndIsReported() throws {
    let finding = try only(Scene.streams(2, of: 16), .nothingPasses)
    #expect(finding.level == .suspect && finding.location == "Search.swift:8")
    #expect(finding.sentence.contains("none passed before take at Search.swift:7 was over"))
    #expect(Scene.streams(2, of: 6).findings.isEmpty)
    #expect(Scene.streams(1, of: 16).findings.isEmpty)
  }

  @Test func aPressThatStartsWorkAgainWhileItRunsIsReported() throws {
    let finding = try only(Scene.presses([1, 3, 2]), .duplicatedWork)
    #expect(finding.level == .suspect && finding.location == "Button.swift:8")
    #expect(finding.sentence.hasPrefix("3 of 6 inner signals were begun here while one before"))
    #expect(Scene.presses([1, 3, 2], saysNothing: false).findings.isEmpty)
    #expect(Scene.presses([1, 1, 1, 1, 1]).findings.isEmpty)
  }

  @Test func workThatWaitsForASourceThatNeverEndsIsReported() throws {
    let finding = try only(Scene.leaves(3), .waitedInVain)
    #expect(finding.level == .suspect && finding.location == "Leaf.swift:8")
    #expect(finding.sentence.hasPrefix("subscribe at Leaf.swift:9 is to do something at the end"))
    #expect(finding.sentence.contains("MutableProperty at Leaf.swift:4, which had sent one value"))
    #expect(Scene.leaves(3, endsFirst: true).findings.isEmpty)
    #expect(Scene.leaves(1).findings.isEmpty)
  }
}
