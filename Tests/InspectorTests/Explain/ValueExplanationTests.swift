import ReactiveTrace
import Testing
import TraceFindings
import TraceReading

@Suite struct ValueExplanationTests {
  private typealias Chain = (root: TraceID, stage: TraceID, source: TraceID)

  /// A chain in which `subscribe` is downstream of the stage, and the stage downstream of `map`.
  private func chain(_ stage: String, _ recording: inout Recording) -> Chain {
    let sites = [
      recording.site("subscribe", 3, .root), recording.site(stage, 2), recording.site("map", 1),
    ]
    let ids = recording.chain(sites, at: 0)
    return (ids[0], ids[1], ids[2])
  }

  /// The explanation of the first value of a subscription.
  private func fate(ofFirst source: TraceID, in recording: Recording) throws -> Explanation {
    let value = recording.snapshot.records.first { $0.kind == .next && $0.entity == source }
    return try ValueExplanation.of(try #require(value).number, in: recording.snapshot)
  }

  private func number(_ kind: RecordKind, of id: TraceID, in recording: Recording) -> UInt64? {
    recording.snapshot.records.first { $0.kind == kind && $0.entity == id }?.number
  }

  // MARK: Ends by a value

  @Test(arguments: ["tryMap", "tryFilter", "buffer"])
  func aValueMakesItsStageFail(stage: String) throws {
    var recording = Recording()
    let ids = chain(stage, &recording)
    let queue = recording.scheduler("feed", .serialQueue)
    recording.hop(on: queue, thread: 1, at: 1) { recording in
      recording.next(ids.source, at: 1)
      recording.end(ids.source, at: 1)
      recording.fail([ids.root, ids.stage], "Refusal", at: 1)
    }
    let explanation = try fate(ofFirst: ids.source, in: recording)
    #expect(explanation.answer == "It made \(stage) at Feed.swift:2 fail with Refusal.")
    #expect(explanation.steps.last?.note == "failed")
    #expect(explanation.steps.last?.event == number(.failed, of: ids.stage, in: recording))
    #expect(explanation.known.isEmpty && explanation.unknown.isEmpty)
  }

  @Test(arguments: ["take(until:)", "take(while:)"])
  func aValueEndsItsStage(stage: String) throws {
    var recording = Recording()
    let ids = chain(stage, &recording)
    let site = recording.site("Subject", 9, [.hot, .endless])
    let subject = recording.signal(site, at: 0)
    let trigger = recording.subscribe(site, to: ids.stage, of: subject, at: 0)
    let other = recording.signal(site, at: 0)
    recording.turn(subject, at: 1) { recording in
      recording.next(trigger, at: 1)
      // Meanwhile another subject delivers a value, which must not change the explanation.
      recording.turn(other, at: 1)
      recording.end([ids.source, trigger], at: 1)
      recording.appendRecord(.completed, ids.stage, at: 1)
      recording.end(ids.stage, .completed, at: 1)
    }
    let explanation = try fate(ofFirst: trigger, in: recording)
    #expect(
      explanation.answer == "It ended \(stage) at Feed.swift:2: that completed because of it."
    )
    #expect(explanation.steps.last?.note == "completed")
    #expect(explanation.steps.last?.event == number(.completed, of: ids.stage, in: recording))
    #expect(explanation.known.isEmpty && explanation.unknown.isEmpty)
  }

  // MARK: Ends by something else

  private func expectUnseen(_ source: TraceID, in recording: Recording, ended: String) throws {
    let explanation = try fate(ofFirst: source, in: recording)
    let stage = "combineLatest at Feed.swift:2"
    #expect(explanation.answer == "It went to \(stage) and was not seen any further.")
    #expect(explanation.steps.last?.note == "not seen")
    #expect(explanation.steps.last?.event == nil)
    #expect(explanation.known.count == 1)
    #expect(explanation.known.first?.hasPrefix("\(stage) ended \(ended), at event #") == true)
    #expect(
      explanation.unknown == [
        "whether \(stage) kept it until then, dropped it, or made something else of it"
      ]
    )
  }

  @Test func anEndLongAfterAValueIsNotCausedByIt() throws {
    var recording = Recording()
    let ids = chain("combineLatest", &recording)
    recording.turn(ids.source, at: 1) { $0.next(ids.source, at: 1) }
    recording.end(ids.stage, at: 61)
    try expectUnseen(ids.source, in: recording, ended: "60 s later")
  }

  @Test func anEndAfterOtherWorkOfTheThreadIsNotCausedByTheValue() throws {
    var recording = Recording()
    let ids = chain("combineLatest", &recording)
    recording.turn(ids.source, at: 1) { $0.next(ids.source, at: 1) }
    recording.fail([ids.root, ids.stage], "Refusal", at: 4)
    try expectUnseen(ids.source, in: recording, ended: "3 s later")
  }

  @Test func theEndOfASourceIsForwarded() throws {
    var recording = Recording()
    let ids = chain("combineLatest", &recording)
    let queue = recording.scheduler("feed", .serialQueue)
    recording.hop(on: queue, thread: 1, at: 1) { recording in
      recording.next(ids.source, at: 1)
      for id in [ids.source, ids.stage] {
        recording.appendRecord(.completed, id, at: 1)
        recording.end(id, .completed, at: 1)
      }
    }
    try expectUnseen(ids.source, in: recording, ended: "at the same moment")
  }

  @Test func anotherSourceMayHaveEndedTheStage() throws {
    var recording = Recording()
    let ids = chain("combineLatest", &recording)
    let other = recording.subscribe(recording.site("map", 8), to: ids.stage, at: 0)
    let queue = recording.scheduler("feed", .serialQueue)
    recording.hop(on: queue, thread: 1, at: 1) { recording in
      recording.next(ids.source, at: 1)
      recording.next(other, at: 1)
      recording.fail([ids.root, ids.stage], "Refusal", at: 1)
    }
    try expectUnseen(ids.source, in: recording, ended: "at the same moment")
    let explanation = try fate(ofFirst: other, in: recording)
    #expect(explanation.answer == "It made combineLatest at Feed.swift:2 fail with Refusal.")
  }

  @Test func nothingIsConcludedAboutALiveStage() throws {
    var recording = Recording()
    let ids = chain("combineLatest", &recording)
    recording.turn(ids.source, at: 1) { $0.next(ids.source, at: 1) }
    let explanation = try fate(ofFirst: ids.source, in: recording)
    let stage = "combineLatest at Feed.swift:2"
    #expect(explanation.answer == "It went to \(stage) and was not seen any further.")
    #expect(explanation.known.isEmpty)
    #expect(
      explanation.unknown == ["whether \(stage) keeps it, drops it, or makes something else of it"]
    )
  }

  // MARK: Operators whose effect on a value is known

  @Test(arguments: ["debounce", "delay", "deliver(on:)", "buffer", "zip"])
  func aHeldValueIsDroppedWhenItsStageEnds(stage: String) throws {
    var recording = Recording()
    let ids = chain(stage, &recording)
    recording.turn(ids.source, at: 1) { recording in
      recording.next(ids.source, at: 1)
      recording.depth(ids.stage, 1, at: 1)
    }
    recording.end(ids.stage, at: 1.5)
    let explanation = try fate(ofFirst: ids.source, in: recording)
    #expect(
      explanation.answer
        == "It was dropped by \(stage) at Feed.swift:2 when that ended, before its turn had come."
    )
    #expect(explanation.unknown.isEmpty)
  }

  @Test(arguments: ["filter", "skip(while:)"])
  func aValueDroppedByAFilterIsReportedEvenIfTheFilterEnds(stage: String) throws {
    var recording = Recording()
    let ids = chain(stage, &recording)
    recording.turn(ids.source, at: 1) { $0.next(ids.source, at: 1) }
    recording.end(ids.stage, at: 1.5)
    let explanation = try fate(ofFirst: ids.source, in: recording)
    #expect(explanation.answer == "It was filtered by \(stage) at Feed.swift:2.")
    #expect(explanation.known.isEmpty && explanation.unknown.isEmpty)
  }

  @Test func aKeptValueIsFollowedToWhereItIsSentLater() throws {
    var recording = Recording()
    let ids = chain("debounce", &recording)
    let queue = recording.scheduler("feed", .serialQueue)
    for time in [1.0, 2] {
      recording.hop(on: queue, thread: 1, at: time) { $0.next(ids.source, at: time) }
    }
    recording.hop(on: queue, thread: 1, at: 2.5) { recording in
      recording.next(ids.stage, at: 2.5)
      recording.next(ids.root, at: 2.5)
    }
    let first = try fate(ofFirst: ids.source, in: recording)
    #expect(first.answer == "It was replaced by the next value in debounce at Feed.swift:2.")
    let second = try #require(
      recording.snapshot.records.last { $0.kind == .next && $0.entity == ids.source }
    )
    let explanation = try ValueExplanation.of(second.number, in: recording.snapshot)
    #expect(explanation.answer == "It was delivered to the program at subscribe at Feed.swift:3.")
    #expect(explanation.steps.map(\.note) == ["sent", "sent later", "passed"])
    #expect(explanation.known == ["debounce at Feed.swift:2 kept it for 500 ms"])
  }

  @Test func aCombinedValueIsFollowedToTheResult() throws {
    var recording = Recording()
    let ids = chain("buffer(count:)", &recording)
    recording.turn(ids.source, at: 1) { $0.next(ids.source, at: 1) }
    let taken =
      "It was taken by buffer(count:) at Feed.swift:2, which makes one value from several;"
    #expect(
      try fate(ofFirst: ids.source, in: recording).answer == "\(taken) it has sent none since."
    )
    recording.turn(ids.source, at: 2) { recording in
      recording.next(ids.source, at: 2)
      recording.next(ids.stage, at: 2)
    }
    let explanation = try fate(ofFirst: ids.source, in: recording)
    let sent = try #require(number(.next, of: ids.stage, in: recording))
    #expect(explanation.answer == "\(taken) the next that it sent is event #\(sent).")
    #expect(explanation.unknown.isEmpty)
  }

  @Test func aValueThatBecameASignalIsNotCalledFiltered() throws {
    var recording = Recording()
    let ids = chain("flatMapFirst", &recording)
    let inner = recording.site("just", 7)
    recording.turn(ids.source, at: 1) { recording in
      recording.next(ids.source, at: 1)
      recording.subscribe(inner, to: ids.stage, at: 1)
    }
    let explanation = try fate(ofFirst: ids.source, in: recording)
    #expect(
      explanation.answer
        == "flatMapFirst at Feed.swift:2 made the signal of just at Feed.swift:7 from it and subscribed to that."
    )
  }
}
