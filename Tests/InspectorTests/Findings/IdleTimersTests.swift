import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct IdleTimersTests {
  // MARK: Timers of operators

  @Test(arguments: [true, false])
  func aTimerThatOutlivesItsSubscriptionIsAViolation(released: Bool) throws {
    let recording = Scene.orphanTimer(firesAfterEnd: 5, released: released)
    let finding = try #require(recording.findings.first)
    #expect((finding.level, finding.kind) == (.violation, .idleTimer))
    // The evidence is the end, the release if there was one, and the five fires after the end.
    #expect(finding.evidence.eventCount == (released ? 7 : 6))
    #expect(finding.cap == nil)
  }

  @Test func withoutTheRecordOfTheEndATimerIsASuspect() throws {
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

  @Test func aTimerWithASubscriptionIsNotReported() {
    #expect(Scene.orphanTimer(firesAfterEnd: 60, ends: false).findings.isEmpty)
  }

  @Test func aFireInProgressWhenTheSubscriptionEndsIsNotReported() {
    var recording = Scene.orphanTimer(firesAfterEnd: 0)
    let timer = recording.snapshot.slots.first { $0.kind == .timer }
    recording.fire(timer?.id ?? .none, usefully: false, at: 0.75)
    #expect(recording.findings.isEmpty)
  }

  @Test func aTimerThatFiresOnceIsNotReported() {
    var recording = Recording()
    let site = recording.site("delay", 3, .timer)
    let root = recording.subscribe(site, at: 0)
    _ = recording.arm(site, every: 0, for: root, at: 0)
    recording.end(root, at: 1)
    recording.release(root, at: 1)
    #expect(recording.findings.isEmpty)
  }

  // MARK: Timers of programs

  @Test func timersThatHaveLostTheirSubscribersAreALeak() throws {
    let findings = Scene.timer(useful: 5, idle: 12, count: 3, feeds: true).findings
    let finding = try #require(findings.first)
    #expect(findings.count == 1)
    #expect((finding.level, finding.kind) == (.leak, .idleTimer))
    #expect(finding.summary == "3 timers, 36 fires in vain, 12 wakeups/s")
    #expect(finding.sentence.contains("send to where nobody is subscribed any more"))
    // The evidence is the idle fires, and for each timer the event that shows where it last sent a
    // value.
    #expect(finding.evidence.eventCount == 39)
    #expect(finding.subject == nil)
  }

  @Test func theEvidenceDistinguishesIdleFromLiveTimers() throws {
    var recording = Scene.timer(useful: 5, idle: 12, count: 3, feeds: true)
    let row = recording.snapshot.sites.first { $0.name == "schedule(every:)" }
    let site = try #require(row).index
    _ = recording.arm(site, every: 0.25, at: 5)
    recording.edit { snapshot in
      snapshot.sites[Int(site)].timersArmed += 1
      snapshot.sites[Int(site)].timersEnded += 1
    }
    let finding = try #require(recording.findings.first)
    #expect(finding.sentence.hasPrefix("3 timers armed here go on"))
    #expect(
      finding.evidence.counters == [
        "idle timers 3", "timers live 4", "timers armed 5", "timers ended 1",
        "fires since the last useful one 12, 12, 12",
      ]
    )
  }

  @Test func aSingleTimerWithoutSubscribersIsASuspect() throws {
    let finding = try #require(Scene.timer(useful: 5, idle: 12, feeds: true).findings.first)
    #expect(finding.level == .suspect)
    #expect(finding.summary == "1 timer, 12 fires in vain, 4 wakeups/s")
    #expect(finding.subject != nil)
  }

  @Test(arguments: [12, 60, 4000])
  func aPollDuringALullIsNotReported(idle: Int) {
    #expect(Scene.timer(useful: 5, idle: idle).findings.isEmpty)
    #expect(Scene.timer(useful: 5, idle: idle, count: 3).findings.isEmpty)
    let heard = Scene.timer(useful: 5, idle: idle, count: 3, feeds: true, isDeserted: false)
    #expect(heard.findings.isEmpty)
  }

  @Test func withoutRecordsOfATimersTargetNothingIsReported() {
    var recording = Scene.timer(useful: 5, idle: 60, count: 2, feeds: true)
    recording.edit { $0.records.removeAll { $0.kind == .turnBegan } }
    #expect(recording.findings.isEmpty)
  }

  @Test func aHeartbeatIsReportedAsInfo() {
    #expect(Scene.timer(useful: 0, idle: 12).findings.isEmpty)
    #expect(Scene.timer(useful: 0, idle: 400).findings.map(\.level) == [.info])
    #expect(Scene.timer(useful: 0, idle: 60, count: 2).findings.map(\.level) == [.info])
  }

  @Test func heartbeatsThatPileUpAreASuspect() {
    var recording = Recording()
    let site = recording.site("schedule(every:)", 7, [.timer, .endless])
    for number in 0..<8 {
      let timer = recording.arm(site, every: 0.1, at: Double(number))
      recording.fire(timer, times: 60, usefully: false, every: 0.1, until: 8)
    }
    #expect(recording.findings.map(\.level) == [.suspect])
  }

  @Test func aLullIsNotReported() {
    #expect(Scene.timer(useful: 100, idle: 9, feeds: true).findings.isEmpty)
    #expect(Scene.timer(useful: 5, idle: 60, usefulAtEnd: true, feeds: true).findings.isEmpty)
  }

  @Test func tenFiresWithinAMomentAreNotReported() {
    #expect(Scene.timer(useful: 1, idle: 90, feeds: true, every: 0.01).findings.isEmpty)
  }

  @Test func anOperatorTimerWhoseSubscriptionHasNoSlotIsNotReported() {
    var recording = Recording()
    let site = recording.site("interval", 7, [.timer, .endless])
    let timer = recording.arm(site, every: 0.25, at: 0)
    recording.fire(timer, times: 60, usefully: false, every: 0.25, until: 15)
    #expect(recording.findings.isEmpty)
  }
}
