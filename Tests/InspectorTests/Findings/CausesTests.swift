import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Findings that explain why something grows or is stuck.
///
/// Each kind is tested with recordings that have the fault and with similar ones that do not.
@Suite struct CausesTests {
  private func only(_ recording: Recording, _ kind: FindingKind) throws -> Finding {
    let findings = recording.findings
    #expect(findings.map(\.kind) == [kind])
    return try #require(findings.first)
  }

  // MARK: Owners

  @Test func aSubscriptionThatOutlivesItsOwnerIsALeak() throws {
    let finding = try only(Scene.outlived(2), .outlivedOwner)
    #expect(finding.level == .leak)
    #expect(
      finding.sentence.hasPrefix("2 subscriptions made here live on although what owned them")
    )
    // The evidence is the binding of each subscription, the release of its disposable, and the end
    // of the owner.
    #expect(finding.evidence.eventCount == 5)
  }

  @Test func aSubscriptionWithALiveOwnerOrAKeptDisposableIsNotALeak() {
    #expect(Scene.outlived(2, ownerEnds: false).findings.isEmpty)
    #expect(Scene.outlived(2, drops: false).findings.isEmpty)
  }

  @Test(arguments: [RecordKind.ownerEnded, .disposableReleased])
  func withoutTheEndOfTheOwnerNothingIsReported(kind: RecordKind) {
    var recording = Scene.outlived(2)
    recording.edit { $0.records.removeAll { $0.kind == kind } }
    #expect(recording.findings.isEmpty)
  }

  // MARK: Subjects

  @Test func aSilentSubjectWithMoreAndMoreObserversIsASuspect() throws {
    let recording = Scene.silence(observersAt: Scene.times(6, from: 1.2, to: 5))
    let finding = try only(recording, .silentSubject)
    #expect(finding.level == .suspect)
    #expect(finding.location == "Quotes.swift:20")
    #expect(finding.sentence.contains("6 of 7 observers came since"))
    #expect(finding.sentence.contains("40 times as long as usual"))
    #expect(finding.sentence.contains("subscribe at Quotes.swift:22"))
  }

  @Test func aSilentSubjectAloneIsNotReported() {
    // Nothing is reported if the observers were there before, came all at once or left again, or if
    // the subject has often been silent for as long.
    #expect(Scene.silence(observersAt: Scene.times(6, from: 0.1, to: 0.9)).findings.isEmpty)
    #expect(Scene.silence(observersAt: Scene.times(6, from: 1.2, to: 1.3)).findings.isEmpty)
    let gone = Scene.silence(observersAt: Scene.times(6, from: 1.2, to: 5), endsThem: true)
    #expect(gone.findings.isEmpty)
    #expect(Scene.silence(observersAt: Scene.times(6, from: 1, to: 2), for: 1).findings.isEmpty)
  }

  // MARK: Inner signals

  @Test func innerSignalsThatDoNotEndAreASuspect() throws {
    let finding = try only(Scene.inner(at: Scene.times(40, from: 0, to: 4)), .innerGrowth)
    #expect(finding.level == .suspect)
    #expect(finding.name == "flatMap")
    #expect(finding.sentence.contains("40 inner signals run here at once"))
    #expect(finding.sentence.contains("10, 10, 10, 10. Of the 40 that began, 0 have ended."))
    #expect(finding.evidence.eventCount == 40)
    #expect(finding.remedy.contains("flatMapLatest"))
  }

  @Test func innerSignalsThatEndOrStayConstantInNumberAreNotReported() {
    #expect(Scene.inner(at: Scene.times(400, from: 0, to: 4), endingAfter: 0.5).findings.isEmpty)
    #expect(Scene.inner(at: Scene.times(60, from: 0, to: 0.5)).findings.isEmpty)
    #expect(Scene.inner(at: Scene.times(30, from: 0, to: 4)).findings.isEmpty)
  }

  // MARK: Backlogs

  @Test func aZipWithOneInputAheadIsASuspect() throws {
    let recording = Scene.zip(left: Scene.times(150, from: 0, to: 4), right: [0.5, 1.5])
    let finding = try only(recording, .backlog)
    #expect(finding.level == .suspect)
    #expect(
      finding.sentence.hasPrefix(
        "148 values wait here for a partner: there were 150 from left at Pairs.swift:6"
      )
    )
    #expect(finding.cap == nil)
  }

  @Test func aZipThatCatchesUpIsNotReported() {
    let left = Scene.times(300, from: 0, to: 2)
    #expect(Scene.zip(left: left, right: Scene.times(300, from: 2, to: 4)).findings.isEmpty)
    // A single burst is not growth; if its values stay pending, it is a stall.
    let once = Scene.zip(left: Scene.times(150, from: 0, to: 0.1), right: []).findings
    #expect(!once.contains { $0.kind == .backlog })
  }

  @Test func withoutRecordsOnlyALargeBacklogIsReported() throws {
    var recording = Scene.zip(left: Scene.times(1500, from: 0, to: 4), right: [0.5])
    recording.edit {
      $0.records = []
      $0.firstExactGeneration = nil
    }
    let finding = try only(recording, .backlog)
    #expect(finding.cap?.contains("not in this trace") == true)
    var small = Scene.zip(left: Scene.times(150, from: 0, to: 4), right: [0.5])
    small.edit {
      $0.records = []
      $0.firstExactGeneration = nil
    }
    #expect(small.findings.isEmpty)
  }

  @Test(arguments: [(0.05, true), (0.01, false)])
  func aQueueThatFallsBehindItsValuesIsASuspect(each: Double, isBehind: Bool) {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Belt.swift", 9, .root)
    let belt = recording.site("deliver(on:)", "App/Belt.swift", 8)
    let source = recording.site("Subject", "App/Belt.swift", 7, .hot)
    let ids = recording.chain([root, belt, source], at: 0)
    let sent = (0..<200).map { (Double($0) * 0.02, ids[2]) }
    let delivered = (0..<200).map { (Double($0) * max(each, 0.02) + 0.001, ids[1]) }
    for (time, id) in (sent + delivered).filter({ $0.0 < 4 }).sorted(by: { $0.0 < $1.0 }) {
      recording.next(id, at: time)
    }
    recording.mark("later", at: 4)
    let findings = recording.findings
    #expect(findings.map(\.kind) == (isBehind ? [.backlog] : []))
    #expect(findings.allSatisfy { $0.sentence.contains("120 values wait here for a queue") })
  }

  @Test func aGrowingNumberOfWaitingInnerSignalsIsASuspect() throws {
    let finding = try only(Scene.queue(at: Scene.times(150, from: 0, to: 4)), .backlog)
    #expect(finding.sentence.hasPrefix("150 inner signals wait here for their turn"))
    #expect(finding.sentence.contains("line at Orders.swift:7"))
    // The evidence is the record of each doubling: 1, 2, 4 … 128.
    #expect(finding.evidence.eventCount == 8)
  }

  @Test func aBurstOfInnerSignalsOrOneThatDrainedIsNotABacklog() {
    let once = Scene.queue(at: Scene.times(150, from: 0, to: 0.1)).findings
    #expect(!once.contains { $0.kind == .backlog })
    let times = Scene.times(150, from: 0, to: 3)
    #expect(Scene.queue(at: times, drainsAt: 3.9).findings.isEmpty)
  }

  // MARK: Caches

  @Test func aCacheThatGrowsIsASuspect() throws {
    let finding = try only(Scene.keeper(at: Scene.times(1500, from: 0, to: 4)), .cache)
    #expect(finding.level == .suspect)
    #expect(finding.sentence.hasPrefix("1024 values or more are kept here"))
    #expect(finding.remedy.contains("capacity"))
  }

  @Test func aBoundedCacheOrOneFilledAtOnceIsNotReported() {
    #expect(Scene.keeper(at: Scene.times(1500, from: 0, to: 4), capacity: 64).findings.isEmpty)
    #expect(Scene.keeper(at: Scene.times(1500, from: 0, to: 0.2)).findings.isEmpty)
    #expect(Scene.keeper(at: Scene.times(200, from: 0, to: 4)).findings.isEmpty)
  }

  @Test func aSharedSubscriptionWithoutSubscribersIsASuspect() throws {
    let finding = try only(Scene.connection(visits: [(0.1, 0.5)], until: 2), .orphanConnection)
    #expect(finding.level == .suspect)
    #expect(finding.name == "replayLast")
    #expect(finding.sentence.contains("149 values came in the 1.5 s"))
  }

  @Test func aSharedSubscriptionWithOccasionalSubscribersIsNotReported() {
    #expect(Scene.connection(visits: [(0.1, nil)]).findings.isEmpty)
    #expect(Scene.connection(visits: []).findings.isEmpty)
    let visits = [(begin: 0.1, end: Double?(0.2)), (begin: 1.2, end: 1.3), (begin: 2.3, end: 2.4)]
    #expect(Scene.connection(visits: visits).findings.isEmpty)
  }

  /// The signal of a shared subscription is listed until the subscription ends, even if the program
  /// has released the signal.
  @Test func aSharedSubscriptionWhoseSignalIsReleasedIsASuspectWithoutAnySubscriber() throws {
    var recording = Scene.connection(visits: [], until: 2)
    recording.edit { snapshot in
      for place in snapshot.slots.indices where snapshot.slots[place].kind == .signal {
        snapshot.slots[place].owner = 1
      }
    }
    let finding = try only(recording, .orphanConnection)
    #expect(finding.sentence.contains("although nobody can subscribe to what it feeds"))
  }

  // MARK: Observers and bags

  @Test func aLineThatSubscribesAgainAndAgainIsASuspect() throws {
    let finding = try only(Scene.observers(at: Scene.times(20, from: 0, to: 4)), .observerLoop)
    #expect(finding.level == .suspect)
    #expect(finding.location == "News.swift:18")
    #expect(
      finding.sentence.contains("20 subscriptions made here to map at News.swift:16 live at once")
    )
    #expect(finding.evidence.eventCount == 20)
    let inOneBag = Scene.observers(at: Scene.times(20, from: 0, to: 4), owners: 1)
    #expect(inOneBag.findings.map(\.kind) == [.observerLoop])
  }

  @Test func aLoopWhoseDisposablesAreDroppedIsOneFinding() throws {
    let recording = Scene.observers(at: Scene.times(10, from: 0, to: 0.005), drops: true)
    let finding = try only(recording, .observerLoop)
    #expect(finding.sentence.contains("10 of their disposables are gone"))
  }

  @Test func subscriptionsOfCellsWorkersAndFanOutAreNotReported() {
    let times = Scene.times(40, from: 0, to: 4)
    // The growing number of subscriptions is reported as a finding of another kind.
    #expect(Scene.observers(at: times, owners: 40).findings.map(\.kind) == [.growth])
    #expect(Scene.observers(at: times, signals: 40).findings.map(\.kind) == [.growth])
    #expect(Scene.observers(at: Scene.times(40, from: 0, to: 0.005)).findings.isEmpty)
  }

  @Test func growthCausedByALoopIsReportedOnce() throws {
    var recording = Recording()
    let root = recording.site("subscribe", 5, .root)
    let target = recording.signal(recording.site("map", 4), at: 0)
    for round in 0..<10 {
      for _ in 0..<3 { recording.subscribe(root, of: target, at: Double(round)) }
      recording.mark("round \(round)", at: Double(round) + 0.5)
    }
    let finding = try only(recording, .observerLoop)
    #expect(finding.level == .leak)
    #expect(finding.sentence.contains("Their number only grows: 30 live of 30"))
  }

  @Test func aBagThatIsNeverEmptiedIsASuspect() throws {
    let finding = try only(Scene.bag(at: Scene.times(40, from: 0, to: 4)), .crowdedBag)
    // One line fills the bag, so that line is what has to change.
    #expect(finding.name == "subscribe")
    #expect(finding.sentence.contains("ever put into DisposableBag at Users.swift:4 live"))
    #expect(finding.evidence.eventCount == 40)
  }

  @Test func aBagThatIsEmptiedOrFilledAtTheStartIsNotReported() {
    #expect(Scene.bag(at: Scene.times(400, from: 0, to: 4), endingAfter: 0.5).findings.isEmpty)
    #expect(Scene.bag(at: Scene.times(60, from: 0, to: 0.1)).findings.isEmpty)
  }

  // MARK: Signals

  @Test func aSignalThatWasNeverSubscribedToIsReportedAsInfo() throws {
    let finding = try only(Scene.plans(3), .neverStarted)
    #expect(finding.level == .info)
    // `create` is not accused, because `map` was made from it.
    #expect(finding.name == "map")
    #expect(finding.sentence.contains("beginning with create at Save.swift:3"))
    #expect(finding.evidence.eventCount == 6)
  }

  @Test func aSignalThatIsSubscribedToOrKeptOrDoesNoWorkIsNotReported() {
    #expect(Scene.plans(3, subscribed: true).findings.isEmpty)
    #expect(Scene.plans(3, released: false).findings.isEmpty)
    #expect(Scene.plans(3, source: []).findings.isEmpty)
  }

  // MARK: Stalls

  @Test func aQueueThatDoesNotRunIsASuspect() throws {
    let finding = try only(Scene.belt(delivered: 20, holding: 4, silentFor: 3), .stall)
    #expect(finding.level == .suspect)
    #expect(finding.sentence.hasPrefix("4 events or more wait here to be delivered"))
    #expect(finding.sentence.contains("where one came every 10 ms before"))
    #expect(finding.evidence.eventCount == 2)
  }

  @Test func anIdleOrSlightlyLateQueueIsNotReported() {
    #expect(Scene.belt(delivered: 20, holding: 0, silentFor: 60).findings.isEmpty)
    #expect(Scene.belt(delivered: 20, holding: 4, silentFor: 0.3).findings.isEmpty)
  }

  @Test func anInnerSignalThatHangsIsASuspect() throws {
    let finding = try only(Scene.queue(at: [0.2, 0.3], before: 10), .stall)
    #expect(
      finding.sentence.hasPrefix("2 inner signals wait here for line at Orders.swift:7 to end")
    )
    let slow = Scene.queue(at: [0.2, 0.3], innerSends: Scene.times(40, from: 0, to: 4))
    #expect(slow.findings.isEmpty)
  }

  @Test func aPartnerThatStoppedIsASuspect() throws {
    let left = Scene.times(50, from: 0, to: 4)
    let finding = try only(Scene.zip(left: left, right: Scene.times(10, from: 0, to: 1)), .stall)
    #expect(finding.sentence.contains("right at Pairs.swift:7 has sent nothing for"))
    #expect(Scene.zip(left: left, right: Scene.times(45, from: 0, to: 4)).findings.isEmpty)
  }

  // MARK: Queues

  @Test func someValuesOnAnotherQueueAreASuspect() throws {
    let finding = try only(Scene.queues((0..<40).map { $0 % 8 != 5 }), .wrongQueue)
    #expect(finding.level == .suspect)
    #expect(
      finding.sentence
        == "5 of 40 values were handled here on queue 'network', all others on the main queue."
    )
    #expect(finding.evidence.eventCount == 5)
  }

  @Test func valuesOnAnotherQueueAreAddedUpOverTheCallersOfALine() throws {
    let recording = Scene.queues((0..<40).map { $0 % 8 != 5 }, callers: 2)
    let finding = try only(recording, .wrongQueue)
    #expect(finding.sentence.hasPrefix("10 of 80 values were handled here on queue 'network'"))
    #expect(finding.evidence.eventCount == 10)
  }

  @Test func aHandlerOnAnotherQueueOrOnBothIsNotReported() {
    #expect(Scene.queues([Bool](repeating: false, count: 60)).findings.isEmpty)
    #expect(Scene.queues((0..<60).map { $0 % 2 == 0 }).findings.isEmpty)
    #expect(Scene.queues((0..<60).map { $0 != 5 }).findings.isEmpty)
    // The first value arrives at once, on the thread that subscribes.
    #expect(Scene.queues((0..<60).map { $0 == 0 }).findings.isEmpty)
  }

  @Test func theMainQueueIsRecognisedOnAnyThread() {
    #expect(Scene.queues([Bool](repeating: true, count: 60), mainThread: 3).findings.isEmpty)
    // An operator with a timer chooses its own queue, so values on that queue are no fault.
    let values = (0..<40).map { $0 == 0 || $0 % 8 != 5 }
    #expect(Scene.queues(values, keeper: .keepsLatest).findings.isEmpty)
    #expect(Scene.queues(values, keeper: .switchesQueue).findings.count == 1)
  }

  @Test func aMainActorSchedulerThatRunsElsewhereIsAViolation() throws {
    let recording = Scene.queues([true, false, true], name: "subscribeOnMainActor")
    #expect(try only(recording, .wrongQueue).level == .violation)
  }

  @Test func sendingOftenFromInsideIsASuspectAndSeldomIsInfo() throws {
    let finding = try only(Scene.circle(turns: 40, nested: 30), .reentrancy)
    #expect(finding.level == .suspect)
    #expect(finding.sentence.contains("30 of 40 values sent here were sent from inside a handler"))
    #expect(Scene.circle(turns: 400, nested: 30).findings.map(\.level) == [.info])
    #expect(Scene.circle(turns: 40, nested: 2).findings.isEmpty)
  }

  @Test func threadsThatSendAtTheSameTimeAreNotReentrancy() {
    #expect(Scene.circle(turns: 40, nested: 30, thread: 2).findings.isEmpty)
  }

  // MARK: Failures

  @Test func aFailureThatNobodyHandlesIsASuspect() throws {
    let finding = try only(Scene.failing(2, of: 3), .unhandledError)
    #expect(finding.level == .suspect)
    #expect(
      finding.sentence
        == "2 of 3 subscriptions made here ended with a failure that nothing handles: App.Refusal from create at "
        + "Page.swift:7."
    )
    #expect(finding.evidence.eventCount == 6)
  }

  @Test func aFailureThatIsHandledIsNotReported() {
    #expect(Scene.failing(2, of: 3, handled: true).findings.isEmpty)
    #expect(Scene.failing(0, of: 3).findings.isEmpty)
  }

  @Test func withoutItsRecordsAFailureIsCountedOnly() throws {
    var recording = Scene.failing(2, of: 3)
    recording.edit { $0.records.removeAll { $0.kind == .failed } }
    let finding = try only(recording, .unhandledError)
    #expect(finding.sentence.hasSuffix("nothing handles, according to the counters."))
    #expect(finding.cap?.contains("not in this trace") == true)
  }
}
