import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct GrowthAtSiteTests {
  private func growth(_ recording: Recording) -> [Finding] {
    recording.findings.filter { $0.kind == .growth }
  }

  @Test func growthInEachDeclaredRoundIsALeak() throws {
    let finding = try #require(growth(Scene.rounds([1, 2, 2, 2, 2, 2])).first)
    #expect(finding.level == .leak)
    #expect(finding.name == "subscribe")
    #expect(finding.location == "Pane.swift:42")
    #expect(finding.sentence.contains("11 live of 35 ever subscribed here"))
    #expect(finding.sentence.contains("2 more in each of 5 rounds (round 2 … round 6)"))
    #expect(finding.evidence.counters.contains("live at marks 1, 3, 5, 7, 9, 11"))
    #expect(finding.evidence.eventCount == 11)
    #expect(finding.remedy.contains("subscribe at Pane.swift:42"))
  }

  @Test func aTaskThatAwaitsValuesHasNoDisposableToKeep() throws {
    var recording = Scene.rounds([1, 2, 2, 2, 2, 2])
    let plain = try #require(growth(recording).first)
    #expect(plain.remedy.hasPrefix("Keep the disposable returned by subscribe at Pane.swift:42"))
    recording.edit { snapshot in
      for place in snapshot.sites.indices where snapshot.sites[place].traits.contains(.root) {
        snapshot.sites[place].traits.insert(.handlesEnd)
      }
    }
    // Whether the handler is that of a task or of the program is not recorded.
    let either = try #require(growth(recording).first)
    #expect(
      either.remedy
        == "When what it was made for closes, cancel the task that awaits the values of subscribe at Pane.swift:42 or, if it "
        + "returned a disposable, dispose of that; or end the signal with take(until:)."
    )
  }

  /// Two lines that subscribe once for each object, with one new object in each round; all objects
  /// are kept.
  private func kept(_ rounds: Int) -> Recording {
    var recording = Recording()
    let roots = [42, 43].map { recording.site("subscribe", "App/Tab.swift", $0, .root) }
    let bag = recording.site("DisposableBag", "App/Tab.swift", 12)
    for round in 0..<rounds {
      let time = Double(round)
      let owner = recording.owner(bag, at: time)
      for root in roots {
        recording.bind(recording.subscribe(root, at: time), to: owner, at: time)
      }
      recording.mark("round \(round)", at: time + 0.5)
    }
    return recording
  }

  @Test func linesWithTheSameKeptOwnersAreOneFinding() throws {
    let finding = try #require(growth(kept(9)).first)
    #expect(growth(kept(9)).count == 1)
    #expect(finding.level == .leak && finding.location == "Tab.swift:12")
    #expect(finding.sentence.hasPrefix("9 of the owners made here live"))
    #expect(finding.sentence.contains("subscribe at Tab.swift:42, subscribe at Tab.swift:43"))
    #expect(finding.evidence.counters.contains("owners alive 9"))
  }

  /// Objects that each have one subscription in their bag and two outside it.
  private func screens(released: Int, isApart: Bool = false) -> Recording {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Screen.swift", 42, .root)
    let action = recording.site("Action", "App/Screen.swift", 18)
    let bag = recording.site("DisposableBag", "App/Screen.swift", 12)
    for round in 0..<9 {
      let time = Double(round)
      var made: [TraceID] = []
      if !isApart { made += (0..<2).map { _ in recording.subscribe(action, at: time) } }
      let owner = recording.owner(bag, at: time + 0.1)
      made.append(recording.subscribe(root, at: time + 0.1))
      recording.bind(made[made.count - 1], to: owner, at: time + 0.1)
      if isApart {
        made += (0..<(round == 4 ? 1 : 2)).map { _ in recording.subscribe(action, at: time + 0.2) }
      }
      if round < released {
        recording.end(made, at: time + 0.3)
        recording.endOwner(owner, at: time + 0.3)
      }
      recording.mark("round \(round)", at: time + 0.5)
    }
    return recording
  }

  @Test func subscriptionsOutsideAnObjectsBagBelongToTheFindingAboutTheObjects() throws {
    let findings = growth(screens(released: 0))
    #expect(findings.map(\.location) == ["Screen.swift:12"])
    let sentence = try #require(findings.first?.sentence)
    #expect(sentence.contains("Action at Screen.swift:18, subscribe at Screen.swift:42"))
  }

  @Test func subscriptionsMadeAtOtherTimesThanTheObjectsAreASeparateFinding() {
    #expect(growth(screens(released: 0, isApart: true)).count == 2)
  }

  @Test func ifSomeObjectsWereReleasedTheFindingSaysSo() throws {
    let sentence = try #require(growth(screens(released: 2)).first?.sentence)
    #expect(sentence.contains("and 2 have been released"))
  }

  @Test func objectsKeptOverAFewRoundsAreASuspect() throws {
    #expect(try #require(growth(kept(6)).first).level == .suspect)
  }

  @Test func ownersThatAreKeptAreNamedAsTheReason() throws {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Pane.swift", 42, .root)
    let bag = recording.site("DisposableBag", "App/Pane.swift", 12)
    let other = recording.owner(bag, at: 0)
    for round in 0..<7 {
      let time = Double(round)
      let owner = recording.owner(bag, at: time)
      recording.bind(recording.subscribe(root, at: time), to: owner, at: time)
      recording.mark("round \(round)", at: time + 0.5)
    }
    let finding = try #require(growth(recording).first)
    #expect(
      finding.sentence.hasSuffix(
        "Their owners remain, too: 7 of DisposableBag at Pane.swift:12 live, and none has been released."
      )
    )
    #expect(finding.remedy.contains("[weak self]"))
    #expect(finding.evidence.counters.contains("owners alive 7"))
    // If all subscriptions are in one bag, the remedy is a different one.
    recording.edit { snapshot in
      for index in snapshot.slots.indices where snapshot.slots[index].kind == .subscription {
        snapshot.slots[index].owner = other.rawValue
      }
    }
    #expect(growth(recording).first?.remedy.contains("weak") == false)
  }

  @Test func theOperatorsAboveARootAreFoldedIntoIt() {
    let findings = growth(Scene.rounds([1, 2, 2, 2, 2, 2]))
    #expect(findings.count == 1)
    #expect(findings.first?.descendants == 2)
  }

  @Test func growingInnerSignalsAreBlamedOnTheirOperator() throws {
    let findings = growth(Scene.innerGrowth())
    #expect(findings.count == 1)
    let finding = try #require(findings.first)
    #expect((finding.name, finding.descendants) == ("flatMap", 1))
    #expect(finding.sentence.hasPrefix("Inner signals that never end pile up here, made at map at"))
    #expect(finding.level == .leak)
  }

  @Test(
    arguments: [
      [4, 0, 0, 0, 0, 0],  // warm-up
      [1, 1, 1, 1, 0, 0],  // a plateau after growth
      [0, 0, 0, 0, 0, 0],  // bursts that drain
      [1, 2, -1, 2, -1, 2, -1, 2],  // back and forth
      [3, 0, 3, 0, 3, 0],  // every other round
      [1, 1, 1],  // too few rounds
    ])
  func roundsWithoutSteadyGrowthAreNotALeak(steps: [Int]) {
    #expect(growth(Scene.rounds(steps)).isEmpty)
  }

  @Test func growthThatBeganLateIsASuspect() throws {
    let finding = try #require(growth(Scene.rounds([0, 0, 0, 1, 1, 1, 1])).first)
    #expect(finding.level == .suspect)
    #expect(finding.sentence.contains("in each of the last 4 of 6 rounds"))
  }

  @Test func growthThatHasDrainedIsNotALeak() {
    #expect(growth(Scene.rounds([1, 2, 2, 2, 2, 2], drained: true)).isEmpty)
  }

  @Test func growthThatDrainedOnlyWhenTheProgramEndedIsALeak() throws {
    var recording = Scene.rounds([1, 2, 2, 2, 2, 2], drained: true)
    recording.edit { $0.header.stopTicks = Recording.start + 200_000_000_000 }
    let findings = growth(recording)
    #expect(findings.map(\.name) == ["subscribe"])
    #expect(findings.first?.sentence.contains("11 before the program ended") == true)
  }

  @Test func marksOfDifferentNamesAreNotRounds() {
    let names = ["start", "config", "plugins", "network", "ready", "idle", "late"]
    // A finding of level `suspect` is allowed, because subscriptions from each quarter of the
    // recording remain.
    let found = growth(Scene.rounds([1, 1, 1, 1, 1, 1], names: names))
    #expect(found.allSatisfy { $0.level == .suspect })
  }

  /// Rounds of which the recorder has kept only every `stride`-th mark and the newest.
  private func thinned(_ steps: [Int], every stride: Int, drained: Bool = false) -> Recording {
    var recording = Scene.rounds(steps, drained: drained)
    recording.edit { snapshot in
      var kept: [TraceMark] = []
      var minimums: [[UInt32]] = []
      for (row, mark) in snapshot.marks.enumerated() {
        minimums.append(mark.minimumLive)
        guard row % stride == 0 || row == snapshot.marks.count - 1 else { continue }
        var mark = mark
        mark.ordinal = UInt32(row + 1)
        mark.since = kept.last?.ticks ?? 0
        mark.index = kept.count
        mark.minimumLive = mark.live.indices.map { site in
          minimums.map { site < $0.count ? $0[site] : 0 }.min() ?? 0
        }
        minimums = []
        kept.append(mark)
      }
      snapshot.marks = kept
    }
    return recording
  }

  @Test func growthInEachStretchOfRoundsIsALeak() throws {
    let recording = thinned([Int](repeating: 2, count: 66), every: 8)
    let finding = try #require(growth(recording).first)
    #expect(finding.level == .leak)
    #expect(
      finding.sentence.contains("16 more in each of 7 stretches of 8 rounds (round 16 … round 64)"),
      "\(finding.sentence)"
    )
  }

  @Test func growthThatDrainedAfterTheLastStretchIsNotALeak() {
    let steps = [Int](repeating: 2, count: 64) + [-40, 0]
    #expect(growth(thinned(steps, every: 8)).isEmpty)
    #expect(growth(thinned(steps, every: 8, drained: true)).isEmpty)
  }

  @Test func stretchesThatEndAtTheirInitialCountAreNotALeak() {
    let steps = (0..<66).map { $0 % 2 == 0 ? 2 : -2 }
    #expect(growth(thinned(steps, every: 8)).isEmpty)
  }

  @Test func aMissingMarkBetweenStretchesPreventsAVerdict() {
    var recording = thinned([Int](repeating: 2, count: 66), every: 8)
    recording.edit { $0.marks.remove(at: 4) }
    #expect(growth(recording).isEmpty)
  }

  // MARK: Automatic windows

  @Test func growthInEachWindowWithoutAnEndIsALeak() throws {
    let finding = try #require(growth(Scene.windows([1, 2, 2, 2, 2, 2, 2, 2, 2])).first)
    #expect(finding.level == .leak)
    #expect(finding.sentence.hasPrefix("17 live of 17 ever subscribed here; 2 more in each of"))
  }

  @Test func growthInTheLastWindowsOnlyIsASuspect() throws {
    let recording = Scene.windows([1, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    #expect(growth(recording).map(\.level) == [.suspect])
  }

  @Test func growthOfALineWhereOneSubscriptionEndedIsASuspect() {
    let recording = Scene.windows([1, 2, 2, 2, 2, 2, 2, 2, 2], ended: 1)
    #expect(growth(recording).map(\.level) == [.suspect])
  }

  @Test(
    arguments: [
      [9, 0, 0, 0, 0, 0, 0, 0, 0],  // warm-up
      [1, 1, 1, 1, 1, 1, 0, 0, 0, 0],  // a plateau after growth
      [2, 1, -1, 1, -1, 1, -1, 1, -1],  // back and forth
      [9, -3, -3, 0, 1, 1, 1, 0, 0],  // less than before
      [1, 1, 1, 1],  // too few windows
    ])
  func windowsWithoutSteadyGrowthAreNotALeak(steps: [Int]) {
    #expect(growth(Scene.windows(steps)).isEmpty)
  }

  @Test func growthWhileAProgramStartsIsNotALeak() {
    let found = growth(Scene.windows([1, 2, 2, 2, 2, 2, 2, 2, 2], every: 0.5))
    #expect(found.allSatisfy { $0.level == .suspect })
  }

  @Test func slowGrowthInALongRecordingIsALeak() throws {
    // One more subscription in every fifth window, over a hundred windows.
    let steps = (0..<100).map { $0 % 5 == 0 ? 1 : 0 }
    #expect(growth(Scene.windows(steps)).map(\.level) == [.leak])
  }

  /// Each window begins more subscriptions than the one before; all but `kept` of them end in the
  /// next window.
  private func demand(kept: Int) -> Recording {
    var recording = Recording()
    let chain = Scene.panes(&recording)
    var before: [[TraceID]] = []
    for window in 0..<12 {
      let time = Double(window) * 2
      let new = (0...window).map { _ in recording.chain(chain, at: time + 0.1) }
      for ids in before.dropFirst(kept) { recording.end(ids, at: time + 0.5) }
      before = new
      recording.mark(at: time + 1.8)
    }
    return recording
  }

  @Test func risingDemandWithUnchangedLifetimesIsNotALeak() {
    #expect(growth(demand(kept: 0)).isEmpty)
  }

  @Test func aLeakBelowRisingDemandIsASuspect() {
    #expect(growth(demand(kept: 1)).map(\.level) == [.suspect])
  }

  @Test func growingBurstsThatDrainAreNotALeak() {
    var recording = Recording()
    let chain = Scene.panes(&recording)
    for window in 0..<12 {
      let time = Double(window) * 2
      // Each window has a larger burst, which ends before the next window.
      let burst = (0...window).map { _ in recording.chain(chain, at: time) }
      recording.mark(at: time + 0.5)
      for ids in burst { recording.end(ids, at: time + 1) }
      recording.mark(at: time + 1.5)
    }
    #expect(growth(recording).isEmpty)
  }
}
