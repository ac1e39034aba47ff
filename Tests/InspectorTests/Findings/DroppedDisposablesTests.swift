import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct DroppedDisposablesTests {
  @Test func severalDroppedDisposablesAreASuspect() throws {
    let finding = try #require(Scene.dropped(3).findings.first)
    #expect((finding.level, finding.kind) == (.suspect, .droppedDisposable))
    #expect(finding.location == "Log.swift:22")
    #expect(finding.sentence.hasPrefix("3 subscriptions made here live on although"))
    #expect(finding.sentence.contains("source at Log.swift:20 does not end by itself"))
    #expect(finding.evidence.eventCount == 3)
  }

  @Test func aSubscriptionThatIsMadeOnceMayLastAsLongAsTheProgram() {
    #expect(Scene.dropped(1).findings.isEmpty)
    #expect(Scene.dropped(1, ended: 1).findings.map(\.level) == [.suspect])
  }

  @Test func twoSubscriptionsThatALoopMakesAtOnceAreAnInfo() {
    #expect(Scene.dropped(2).findings.map(\.level) == [.info])
    #expect(Scene.dropped(2, ended: 1).findings.map(\.level) == [.suspect])
  }

  @Test func droppedDisposablesOfAGrowingLineAreALeak() throws {
    var recording = Recording()
    let root = recording.site("subscribe", 22, .root)
    let subject = recording.site("Subject", 20, [.hot, .endless])
    for round in 0..<7 {
      let ids = recording.chain([root, subject], at: Double(round) * 2)
      recording.dropDisposable(ids[0], at: Double(round) * 2)
      recording.mark("round \(round)", at: Double(round) * 2 + 1)
    }
    // One fault of one line is reported as one finding.
    #expect(recording.findings.map(\.level) == [.leak])
    let finding = try #require(recording.findings.first)
    #expect(finding.kind == .growth)
    #expect(finding.sentence.contains("their number grows"))
    #expect(finding.evidence.counters.contains { $0.hasPrefix("disposables dropped") })
  }

  @Test func signalsThatEndAreNotReported() {
    #expect(Scene.dropped(3, source: .source).findings.isEmpty)
    #expect(Scene.dropped(3, stage: .bounding).findings.isEmpty)
  }

  /// The condition that enables an action never ends, but the signals of the action do.
  @Test func theConditionOfAnActionIsNotTheSourceOfItsSignals() {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Desk.swift", 27, .root)
    let action = recording.site("Action", "App/Orders.swift", 15)
    let status = recording.site("status", "App/Link.swift", 4, [.hot, .endless])
    recording.edit { $0.arguments = [.unknown, .part("errors")] }
    let errors = recording.signal(action, argument: 1, at: 0)
    recording.chain([action, status], at: 0)
    let listening = recording.subscribe(root, at: 0.1)
    recording.subscribe(action, to: listening, of: errors, at: 0.1)
    recording.dropDisposable(listening, at: 0.1)
    recording.mark("later", at: 20)
    #expect(recording.findings.isEmpty)
  }

  @Test func youngSubscriptionsAreNotReported() {
    #expect(Scene.dropped(3, age: 0.4).findings.isEmpty)
  }

  @Test func youngSubscriptionsBesideOldOnesAreMentionedButNotCounted() throws {
    var recording = Recording()
    let root = recording.site("subscribe", 22, .root)
    let subject = recording.site("source", 20, [.hot, .endless])
    for second in [0, 0, 18, 18, 18.0] {
      let ids = recording.chain([root, subject], at: second)
      recording.dropDisposable(ids[0], at: second)
    }
    recording.subscribe(recording.site("subscribe", 90, .root), at: 20)
    let finding = try #require(recording.findings.first { $0.kind == .droppedDisposable })
    #expect(finding.sentence.hasPrefix("2 subscriptions made here live on"))
    #expect(finding.evidence.eventCount == 2)
    #expect(finding.evidence.counters.contains("not counted, as too young to judge, 3"))
    let old = try #require(Scene.dropped(2).findings.first)
    #expect(!old.evidence.counters.contains { $0.hasPrefix("not counted") })
  }

  @Test func subscriptionsBoundToAnOwnerAreNotReported() {
    var recording = Scene.dropped(3)
    recording.edit { snapshot in
      for index in snapshot.slots.indices { snapshot.slots[index].owner = 7 }
    }
    #expect(recording.findings.isEmpty)
  }

  @Test func endedSubscriptionsAreNotReported() {
    #expect(Scene.dropped(0, ended: 3).findings.isEmpty)
  }

  @Test func withoutRecordsTheCountersShowDroppedDisposables() throws {
    var recording = Scene.dropped(3, ended: 2)
    recording.edit { $0.records.removeAll { $0.kind == .disposableReleased } }
    let finding = try #require(recording.findings.first)
    #expect(finding.level == .suspect)
    #expect(finding.sentence.hasSuffix("according to the counters."))
    #expect(finding.evidence.events.isEmpty)
    #expect(finding.evidence.counters.contains("disposables dropped 5"))
  }

  @Test func aSharedSignalIsRecognisedAsEndlessByItsDescription() {
    var recording = Recording()
    let root = recording.site("subscribe", 22, .root)
    let publish = recording.site("publish", 21)
    let interval = recording.site("interval", 20, [.timer, .endless])
    var ids: [TraceID] = []
    for _ in 0..<2 {
      let chain = recording.chain([root, publish], at: 0)
      recording.dropDisposable(chain[0], at: 0)
      ids.append(chain[1])
    }
    recording.subscribe(recording.site("subscribe", 90, .root), at: 20)
    #expect(recording.findings.isEmpty)
    recording.edit { snapshot in
      var source = TraceSlot()
      (source.id, source.serial, source.kind, source.site) = (
        TraceID(rawValue: 900), 900, .signal, interval
      )
      var shared = source
      (shared.id, shared.serial, shared.site) = (TraceID(rawValue: 901), 901, publish)
      shared.link = source.id
      snapshot.slots += [source, shared]
      for index in snapshot.slots.indices where ids.contains(snapshot.slots[index].id) {
        snapshot.slots[index].signal = shared.id.rawValue
      }
    }
    #expect(recording.findings.map(\.level) == [.info])
  }
}
