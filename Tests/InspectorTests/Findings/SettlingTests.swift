import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Doubtful findings say why they are in doubt, and findings say which explanations they rule out.
@Suite struct SettlingTests {
  private func only(_ recording: Recording, _ kind: FindingKind) throws -> Finding {
    try #require(recording.findings.first { $0.kind == kind })
  }

  // MARK: Inconclusive signs

  @Test func everyKindStatesADoubtOrIsCertain() {
    let sure = FindingKind.allCases.filter { $0.doubt == nil }
    #expect(Set(sure) == [.outlivedOwner, .crash])
    for finding in Fault.allCases.flatMap(\.recording.findings) where sure.contains(finding.kind) {
      #expect(finding.level >= .leak)
    }
    let doubts = FindingKind.allCases.compactMap(\.doubt)
    #expect(Set(doubts).count == doubts.count)
    #expect(doubts.allSatisfy { $0.hasSuffix(".") && !$0.hasSuffix("..") })
  }

  @Test(arguments: Fault.allCases)
  func uncertainFindingsGiveAReasonAndCertainOnesDoNot(fault: Fault) {
    for finding in fault.recording.findings {
      let isSure = finding.level >= .leak || !finding.proof.isEmpty
      #expect((finding.settling == nil) == isSure, "\(finding.kind)")
      guard let doubt = finding.kind.doubt, let settling = finding.settling else { continue }
      #expect(settling.hasPrefix(doubt))
    }
  }

  @Test func aFindingOfGrowthWithoutMarksSuggestsMarks() throws {
    let visitors = Scene.visitors(at: Scene.times(12, from: 0, to: 4))
    let settling = try #require(only(visitors, .growth).settling)
    #expect(
      settling.contains(
        "Trace.mark(\"…\") where a round ends would tell growth from a cache that fills."
      )
    )
    #expect(settling.contains("RXTRACE=stacks=all would name each caller."))
    #expect(
      settling.hasSuffix("A longer recording would show whether it stays so: this one lasts 3.7 s.")
    )
    var marked = Scene.rounds([0, 0, 0, 1, 1, 1, 1])
    marked.edit { $0.header.stackMode = .callers }
    let suspect = try only(marked, .growth)
    #expect(suspect.level == .suspect)
    #expect(suspect.settling == FindingKind.growth.doubt)
  }

  @Test func aFindingWithoutEventsSuggestsRecordingThem() throws {
    var recording = Scene.belt(delivered: 20, holding: 4, silentFor: 3)
    #expect(try only(recording, .stall).settling?.contains("RXTRACE") == false)
    recording.edit { $0.header.startLevel = .graph }
    #expect(
      try only(recording, .stall).settling?.contains(
        "RXTRACE=level=events would tell what single events did."
      ) == true
    )
  }

  @Test func aFindingCappedByALossHasNoOtherDoubt() throws {
    var recording = Scene.rounds([1, 2, 2, 2, 2, 2])
    #expect(try only(recording, .growth).settling == nil)
    var damaged = recording
    recording.edit { $0.header.lostRecords = 1 }
    let finding = try only(recording, .growth)
    #expect(finding.level == .suspect)
    #expect(
      finding.settling
        == "With a larger ring (RXTRACE=size=…) no record of it would be missing."
    )
    damaged.edit { $0.missingSegments = 1 }
    #expect(
      try only(damaged, .growth).settling
        == "A complete recording would tell more: it lost 1 segment of records."
    )
  }

  // MARK: Ruled out

  @Test func growthRulesOutACacheAndABurst() throws {
    let sure = try only(Scene.rounds([1, 2, 2, 2, 2, 2]), .growth)
    #expect(
      sure.ruledOut == [
        "a cache that fills: their number grew in each of 5 rounds, without a bound",
        "a burst that drains: the fewest live of each round never fell meanwhile, and no fewer are live now",
        "what another growing line keeps: most of them lead to no growing line below",
      ]
    )
    // If growth began late, it may still reach a bound, so a cache is not ruled out.
    let late = try only(Scene.rounds([0, 0, 0, 1, 1, 1, 1]), .growth)
    #expect(!late.ruledOut.contains { $0.hasPrefix("a cache") })
  }

  @Test func concurrentWorkRulesOutARetry() throws {
    let finding = try only(Scene.requests(3, every: 0.01), .duplicatedWork)
    #expect(
      finding.ruledOut == [
        "a retry or a poll: each began while the others ran, or within 20 ms of them for another line",
        "what one operator subscribes to again: each is for another one",
      ]
    )
  }

  @Test func aRetryStormRulesOutARetryWithAPause() throws {
    let finding = try only(Scene.attempts(30, every: 0.01), .retryStorm)
    #expect(
      finding.ruledOut == [
        "a retry that waits: each began within 50 ms after the failure of the one before",
        "a stream that works and breaks off: none got further than 1 value",
      ]
    )
  }

  @Test func aStallRulesOutAUsualPause() throws {
    let finding = try only(Scene.belt(delivered: 20, holding: 4, silentFor: 3), .stall)
    #expect(finding.ruledOut.count == 2)
    #expect(
      finding.ruledOut[0].hasPrefix("a pause like those before: 3 s is at least 10 times the usual")
    )
  }

  // MARK: Times

  @Test func evidenceContainsTheTimesOfItsEvents() throws {
    let evidence = try only(Scene.rounds([1, 2, 2, 2, 2, 2]), .growth).evidence
    #expect(evidence.moments.count == 11 && evidence.unread.isEmpty)
    #expect(evidence.moments.allSatisfy { $0.values == 0 && $0.marks == .subscribed })
    let (first, last) = (try #require(evidence.moments.first), try #require(evidence.lastEvent))
    #expect(evidence.moments.map(\.number) == evidence.events && last == evidence.events.last)
    let text = evidence.text
    #expect(text.contains("; 11 events, the first #\(first.number) after "), "\(text)")
    #expect(text.contains(" s, the last #\(last) after ") && text.hasSuffix(" s"), "\(text)")
    // Evidence whose times have not been read shows the numbers of its events.
    #expect(Evidence(events: [4, 9, 12]).text == "events #4 … #12, 3 in all")
    #expect(
      Evidence(events: Array(1...40), counters: ["live 40"]).text
        == "live 40; events #1 … #40, 40 in all"
    )
    #expect(Evidence(events: [4]).text == "event #4")
  }

  @Test func closeEventsAreMergedIntoOneMomentIfThereAreMany() {
    var evidence = Evidence(events: Array(1...10_000))
    evidence.read(
      (1...10_000).map {
        Evidence.Moment(number: $0, time: .milliseconds($0), values: 1, marks: [])
      }
    )
    #expect(evidence.moments.count <= Evidence.momentLimit && evidence.moments.count > 200)
    #expect(evidence.moments.first?.number == 1 && evidence.moments.last?.number == 10_000)
    #expect(evidence.moments.reduce(0) { $0 + $1.values } == 10_000)
    #expect(
      evidence.text == "10000 events, the first #1 after 0.001 s, the last #10000 after 10.000 s"
    )
  }
}
