import InspectorKit
import ReactiveTrace
import Testing

@Suite struct IdleTimersTests {
  // MARK: Timers of operators

  @Test(arguments: [true, false])
  func aTimerThatOutlivesItsSubscriptionBreaksARule(released: Bool) throws {
    let recording = Scene.orphanTimer(firesAfterEnd: 5, released: released)
    let finding = try #require(recording.findings.first)
    #expect((finding.level, finding.kind) == (.violation, .idleTimer))
    // The end, the release if there was one, and the fires after it.
    #expect(finding.evidence.eventCount == (released ? 7 : 6))
    #expect(finding.cap == nil)
  }

  @Test func withoutTheRecordOfTheEndItIsASuspect() throws {
    var recording = Scene.orphanTimer(firesAfterEnd: 5)
    recording.edit { snapshot in
      snapshot.records.removeAll { [.ended, .subscriptionReleased].contains($0.kind) }
      for index in snapshot.slots.indices where snapshot.slots[index].kind == .timer {
        snapshot.slots[index].depth = 5
      }
    }
    let finding = try #require(recording.findings.first)
    #expect(finding.level == .suspect)
    #expect(finding.cap?.contains("not in this trace") == true)
    #expect(finding.evidence.events.isEmpty)
  }

  @Test func aTimerWithASubscriptionIsNone() {
    #expect(Scene.orphanTimer(firesAfterEnd: 60, ends: false).findings.isEmpty)
  }

  @Test func aFireOnItsWayWhileTheSubscriptionEndsIsNone() {
    var recording = Scene.orphanTimer(firesAfterEnd: 0)
    let timer = recording.snapshot.slots.first { $0.kind == .timer }
    recording.fire(timer?.id ?? .none, usefully: false, at: 0.75)
    #expect(recording.findings.isEmpty)
  }

  @Test func aTimerThatFiresOnceIsNone() {
    var recording = Recording()
    let site = recording.site("delay", 3, .timer)
    let root = recording.subscribe(site, at: 0)
    _ = recording.arm(site, every: 0, for: root, at: 0)
    recording.end(root, at: 1)
    recording.release(root, at: 1)
    #expect(recording.findings.isEmpty)
  }

  // MARK: Timers of programs

  @Test func aTimerThatWasUsefulAndNoLongerIsIsALeak() throws {
    let finding = try #require(Scene.timer(useful: 5, idle: 12).findings.first)
    #expect((finding.level, finding.kind) == (.leak, .idleTimer))
    #expect(finding.summary == "1 timer, 12 fires in vain, 4 wakeups/s")
    #expect(finding.evidence.eventCount == 12)
    #expect(finding.subject != nil)
  }

  @Test func timersOfOneLineAreOneFinding() throws {
    let findings = Scene.timer(useful: 5, idle: 12, count: 3).findings
    #expect(findings.count == 1)
    #expect(findings.first?.summary == "3 timers, 36 fires in vain, 12 wakeups/s")
    #expect(findings.first?.subject == nil)
  }

  @Test(arguments: [(0, 12, 1), (0, 400, 1), (0, 40, 2)])
  func aHeartbeatIsASuspectAtMost(useful: Int, idle: Int, count: Int) {
    let findings = Scene.timer(useful: useful, idle: idle, count: count).findings
    #expect(findings.map(\.level) == [.suspect])
  }

  @Test func heartbeatsThatPileUpAreALeak() {
    #expect(Scene.timer(useful: 0, idle: 60, count: 2).findings.map(\.level) == [.leak])
  }

  @Test func aLullIsNone() {
    #expect(Scene.timer(useful: 100, idle: 9).findings.isEmpty)
    #expect(Scene.timer(useful: 5, idle: 60, usefulAtEnd: true).findings.isEmpty)
  }

  @Test func tenFiresInNoTimeAreNone() {
    var recording = Recording()
    let site = recording.site("schedule(every:)", 7, [.timer, .endless])
    let timer = recording.arm(site, every: 0.01, at: 0)
    recording.fire(timer, usefully: true, at: 1)
    recording.fire(timer, times: 90, usefully: false, every: 0.01, until: 1.9)
    #expect(recording.findings.isEmpty)
  }

  @Test func anOperatorWhoseSubscriptionFoundNoSlotIsNone() {
    var recording = Recording()
    let site = recording.site("interval", 7, [.timer, .endless])
    let timer = recording.arm(site, every: 0.25, at: 0)
    recording.fire(timer, times: 60, usefully: false, every: 0.25, until: 15)
    #expect(recording.findings.isEmpty)
  }
}
