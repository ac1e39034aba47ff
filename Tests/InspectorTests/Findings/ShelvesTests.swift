import Testing
import TraceFindings
import TraceReading

@Suite struct ShelvesTests {
  private func only(_ recording: Recording, _ kind: FindingKind) throws -> Finding {
    let findings = recording.findings
    #expect(findings.map(\.kind) == [kind])
    return try #require(findings.first)
  }

  // MARK: Bags

  @Test func aBagThatIsALocalVariableIsReported() throws {
    let finding = try only(Scene.localBags(3), .disposedContainer)
    #expect(finding.level == .suspect && finding.location == "Panel.swift:7")
    #expect(
      finding.sentence.hasPrefix(
        "6 subscriptions of subscribe at Panel.swift:8, subscribe at Panel.swift:9 ended soon after"
      )
    )
    #expect(finding.sentence.contains("nobody kept the DisposableBag"))
  }

  @Test func aSingleLocalBagIsReportedIfItsSourceSendsValuesLater() {
    #expect(Scene.localBags(1).findings.map(\.kind) == [.disposedContainer])
    #expect(Scene.localBags(1, values: 1).findings.isEmpty)
    #expect(Scene.localBags(3, values: 0).findings.isEmpty)
  }

  @Test func aBagThatLivesForAWhileIsNotReported() {
    #expect(Scene.localBags(3, livingFor: 0.08).findings.isEmpty)
  }

  // MARK: Values sent back

  @Test func valuesThatAreSentBackAndBecomeMoreAreReported() throws {
    let finding = try only(Scene.echoes(at: Scene.times(6, from: 0.1, to: 1.6)), .feedbackLoop)
    #expect(finding.level == .suspect && finding.location == "Sync.swift:9")
    #expect(finding.sentence.hasPrefix("6 values go round at the same time"))
    #expect(finding.sentence.contains("sends back to Subject at Sync.swift:3"))
  }

  @Test func valuesThatComeToRestAndPollsThatBeginTogetherAreNotReported() {
    #expect(Scene.echoes(at: Scene.times(6, from: 0.1, to: 1.6), rounds: 4).findings.isEmpty)
    #expect(Scene.echoes(at: Scene.times(6, from: 0.1, to: 0.15)).findings.isEmpty)
    #expect(Scene.echoes(at: Scene.times(3, from: 0.1, to: 1.6)).findings.isEmpty)
    // The values from elsewhere come faster and faster, and each of them comes to rest.
    let faster = Scene.echoes(at: [0.1, 1.1, 1.6, 1.93, 2.21, 2.43], rounds: 4, until: 2.7)
    #expect(faster.findings.isEmpty)
  }

  // MARK: Properties

  @Test func aPropertySetFromAnOldValueIsReported() throws {
    let finding = try only(Scene.overwritten(4), .lostUpdate)
    #expect(finding.level == .suspect && finding.location == "Stock.swift:6")
    #expect(
      finding.sentence.hasPrefix(
        "At least 4 values of this property were lost: the handler of subscribe at Stock.swift:15 had read an earlier value"
      )
    )
  }

  @Test func aSingleLostValueIsAnInfo() {
    #expect(Scene.overwritten(1).findings.map(\.level) == [.info])
    #expect(Scene.overwritten(0).findings.isEmpty)
  }

  // MARK: Inputs

  @Test func anInputWhoseValuesAreAlwaysReplacedIsReported() throws {
    let finding = try only(Scene.interrupted(3), .lostValues)
    #expect(finding.level == .info && finding.location == "Editor.swift:8")
    #expect(finding.sentence.hasPrefix("3 of 3 values of map at Editor.swift:5 that came before"))
    #expect(finding.sentence.contains("but values of map at Editor.swift:6 replaced them"))
  }

  @Test func inputsThatPassOrAreAlwaysFollowedAtOnceAreNotReported() {
    #expect(Scene.interrupted(3, after: 0.5).findings.isEmpty)
    #expect(Scene.interrupted(3, after: 0.01).findings.isEmpty)
    #expect(Scene.interrupted(1).findings.isEmpty)
  }
}
