import Testing
import TraceModel
import TraceReading

@testable import TraceFindings

/// The callers for which the subscriptions of a finding were made.
@Suite struct FindingCallersTests {
  private func share(_ name: String, _ accused: Int, others: Int = 0, ended: Int = 0)
    -> FindingCallers.Share
  {
    let caller = Caller(function: "\(name).open()", location: "\(name).swift:4")
    return FindingCallers.Share(
      caller: caller,
      accused: accused,
      others: others,
      ended: ended,
      oldest: nil
    )
  }

  // MARK: Blame

  @Test func theCallerOfNineInTenIsBlamedIfOthersAreHealthy() {
    let callers = FindingCallers([share("Badge", 12, ended: 80), share("Tile", 108)])
    #expect(callers.blamed?.caller.function == "Tile.open()")
    #expect(
      callers.sentence
        == "108 of the 120 accused were made for Tile.open() at Tile.swift:4; 92 were made for other callers, and 12 of those are accused."
    )
    #expect(FindingCallers([share("Badge", 13, ended: 80), share("Tile", 107)]).blamed == nil)
  }

  @Test func noCallerIsBlamedWithoutHealthyOthers() {
    #expect(FindingCallers([share("Tile", 8, ended: 3)]).blamed == nil)
    #expect(FindingCallers([share("Tile", 99), share("Badge", 1)]).blamed == nil)
    #expect(FindingCallers([share("Tile", 99), share("Badge", 0, others: 1)]).blamed != nil)
  }

  @Test func subscriptionsWithoutACallerMayBelongToOthers() {
    let callers = FindingCallers([share("Tile", 8), share("Badge", 0, ended: 9)], unknown: 1)
    #expect(callers.blamed == nil)
    #expect(callers.sentence.hasSuffix("; for 1 the caller is not known"))
  }

  @Test func aSubscriberIsNotBlamedForItsSubject() {
    var callers = FindingCallers([share("Badge", 0, ended: 80), share("Tile", 20)])
    #expect(callers.blamed != nil)
    callers.isOfLine = false
    #expect(callers.blamed == nil)
  }

  @Test func ifRecordsAreMissingFiguresAreLowerBounds() {
    let shares = [share("Badge", 0, ended: 80), share("Tile", 20)]
    let callers = FindingCallers(shares, isWhole: false)
    #expect(
      callers.sentence.contains(
        "at least 80 were made for other callers, and none of those is accused"
      )
    )
    #expect(
      callers.list
        == "made for 2 callers: Tile.open() at Tile.swift:4 (20 of 20), Badge.open() at Badge.swift:4 "
        + "(0 of 20, at least 80 others have ended)"
    )
  }

  // MARK: Callers in a trace

  /// Panes that grow in number: those that remain were made for the first caller, those that end
  /// for the second.
  private func rounds(_ functions: [String] = ["Tile.open()", "Badge.show()"]) -> Recording {
    var recording = Scene.rounds([1, 2, 2, 2, 2, 2])
    recording.edit { snapshot in
      snapshot.addCallers(functions)
      let alive = Set(snapshot.slots.filter { $0.state == .active }.map(\.serial))
      func chain(_ serial: UInt64) -> UInt32 { alive.contains(serial) ? 1 : 2 }
      for index in snapshot.slots.indices where snapshot.slots[index].kind == .subscription {
        snapshot.slots[index].chain = chain(snapshot.slots[index].serial)
      }
      for index in snapshot.records.indices where snapshot.records[index].kind == .subscribed {
        snapshot.records[index].more.3 = UInt64(chain(snapshot.records[index].more.1))
      }
    }
    return recording
  }

  @Test func aFindingNamesTheCallerThatLeaksAndTheHelper() throws {
    let finding = try #require(rounds().findings.first)
    #expect(finding.blamedCaller?.label == "Tile.open()@Tile.swift:1")
    #expect(
      finding.callers?.sentence
        == "All 11 accused were made for Tile.open() at Tile.swift:1 by the helper Help.track(_:) at Help.swift:9; "
        + "24 were made for other callers, and none of those is accused."
    )
    #expect(finding.callers?.shares.map(\.ended) == [0, 24])
    let oldest = try #require(finding.callers?.blamed?.oldest)
    #expect(
      oldest.serial == rounds().snapshot.slots.filter { $0.state == .active }.map(\.serial).min()
    )
  }

  @Test func findingsAndFingerprintsDoNotDependOnCallers() throws {
    let with = try #require(rounds().findings.first)
    let without = try #require(Scene.rounds([1, 2, 2, 2, 2, 2]).findings.first)
    #expect(without.callers == nil && without.callersProblem == nil)
    #expect(with.fingerprint == without.fingerprint)
    #expect(with.looseFingerprint == without.looseFingerprint)
    #expect(with.sentence == without.sentence && with.evidence == without.evidence)
  }

  @Test func withMissingRecordsTheCallerIsTheSameOrNone() throws {
    let whole = rounds()
    for part in [25, 50, 75, 100] {
      var less = whole
      less.edit { snapshot in
        snapshot.records.removeFirst(snapshot.records.count * part / 100)
        snapshot.header.recycledSegments = 1
      }
      for finding in less.findings {
        let blamed = finding.blamedCaller?.function
        #expect(blamed == nil || blamed == "Tile.open()", "\(part)")
        #expect(finding.callers?.shares.first?.accused == 11)
      }
    }
  }

  @Test func onALeakingLineTheOldestSubscriptionOfTheBlamedCallerIsExplained() throws {
    var recording = rounds()
    // The oldest subscription was made for the second caller, and lives as long as the program.
    recording.edit { snapshot in
      guard let first = snapshot.slots.firstIndex(where: { $0.state == .active }) else { return }
      snapshot.slots[first].chain = 2
    }
    let answer = try SilenceExplanation.of(place: "Pane.swift:42", in: recording.snapshot)
    let serials = recording.snapshot.slots
      .filter { $0.state == .active && $0.link == .none }.map(\.serial).sorted()
    #expect(answer.title.hasPrefix("subscription #\(serials[1]):"))
    #expect(
      answer.known.first
        == "of 11 subscriptions made at Pane.swift:42 that are alive it is the oldest made for Tile.open() at Tile.swift:1, "
        + "which a finding blames; the newest is #\(serials[10])"
    )
  }
}
