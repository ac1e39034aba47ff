import Testing
@testable import TraceFindings
@testable import TraceModel
import TraceReading

/// The explanation of a silent subscription contains the findings about it.
@Suite struct ReasonsTests {
  @Test func theMissingInputIsInTheAnswer() throws {
    let scene = Scene.meeting(left: Scene.times(20, from: 0.1, to: 4), right: [])
    let explanation = try SilenceExplanation.of(place: "Meeting.swift:9", in: scene.snapshot)
    #expect(
      explanation.answer.hasPrefix(
        "rights@Meeting.swift:7 is the first that is silent: it has sent nothing since it was subscribed to 4 s ago. "
          + "combineLatest@Meeting.swift:8 is to blame (SUSPECT, values arrive, nothing passes): 20 values came here"
      ),
      "\(explanation.answer)"
    )
    #expect(explanation.answer.contains("rights at Meeting.swift:7 has sent none yet"))
    #expect(explanation.answer.contains("give it a first value: startWith"))
  }

  private static let asked = Scene.times(16, from: 0.2, to: 3.8)

  @Test func aRefusedExecutionIsInTheAnswer() throws {
    let scene = Scene.refusals(at: Self.asked, isReleased: true)
    let explanation = try SilenceExplanation.of(place: "Desk.swift:49", in: scene.snapshot)
    #expect(
      explanation.answer.hasPrefix(
        "It has ended: nothing arrives any more. The execution that it asked for was refused. "
          + "Action@Orders.swift:15 is to blame (SUSPECT, every execution is refused): All 16 executions"
      ),
      "\(explanation.answer)"
    )
    #expect(
      explanation.known.contains("of 16 executions asked for at Desk.swift:49, 16 were refused")
    )
    // A subscription to the values of the action gets nothing for the same reason.
    let values = try SilenceExplanation.of(place: "Desk.swift:27", in: scene.snapshot)
    #expect(values.answer.contains("Action@Orders.swift:15 is to blame"), "\(values.answer)")
  }

  @Test func aRefusedExecutionIsExplainedWithoutAFinding() throws {
    let scene = Scene.refusals(at: Array(Self.asked.prefix(3)))
    let explanation = try SilenceExplanation.of(place: "Desk.swift:49", in: scene.snapshot)
    #expect(
      explanation.answer
        == "It has ended: nothing arrives any more. The execution that it asked for was refused, "
        + "because Action at Orders.swift:15 was not enabled. distinct at Orders.swift:14, "
        + "which says whether it is, sent 1 value in all, the last at 0.000 s."
    )
    #expect(
      explanation.known.first
        == "none of the 3 subscriptions made at 'Desk.swift:49' is alive at the end of the trace: "
        + "3 failed; this is the latest of 3 without a value"
    )
    // An execution was running when the second one was refused, so that it is unknown why.
    let busy = Scene.refusals(at: [0.55], begun: [0.5])
    let answer = try SilenceExplanation.of(place: "Desk.swift:49", in: busy.snapshot).answer
    #expect(answer.contains("was refused: its action or command was not enabled. "), "\(answer)")
  }

  /// The handler of a binding has received nothing, so that no record says what it sets.
  @Test func aSilentPropertyNamesTheSilentHandlersOfItsFile() throws {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Desk.swift", 28, .root)
    let property = recording.site("saved", "App/Orders.swift", 11, [.hot, .endless])
    let binding = recording.site("bind", "App/Orders.swift", 19, .root)
    let other = recording.site("bind", "App/Search.swift", 15, .root)
    let signal = recording.signal(property, at: 0)
    recording.chain([binding], at: 0)
    recording.chain([other], at: 0)
    let listening = recording.subscribe(root, at: 0.1)
    let stage = recording.subscribe(property, to: listening, of: signal, at: 0.1)
    recording.next(stage, at: 0.1)
    recording.next(listening, at: 0.1)
    recording.mark("later", at: 4)
    let explanation = try SilenceExplanation.of(place: "Desk.swift:28", in: recording.snapshot)
    #expect(
      explanation.known.contains(
        "bind@Orders.swift:19 #2, in the same file as saved@Orders.swift:11, has received nothing; "
          + "which signals a handler sends to is recorded only when it sends"
      ),
      "\(explanation.known)"
    )
    #expect(!explanation.known.contains { $0.contains("Search.swift") })
  }

  @Test func theInputThatEndedWithoutAValueIsInTheAnswer() throws {
    let times = Scene.times(20, from: 0.1, to: 4)
    let scene = Scene.meeting(left: times, right: [], rightEndsAt: 0.5)
    let explanation = try SilenceExplanation.of(place: "Meeting.swift:9", in: scene.snapshot)
    #expect(explanation.answer.contains("is to blame (LEAK, values arrive, nothing passes)"))
    #expect(explanation.answer.contains("rights at Meeting.swift:7 has ended without a value"))
  }

  /// A subscription that failed and, with `isThere`, a later one made by the same line, which still
  /// gets values.
  private func dying(besides isThere: Bool) -> Recording {
    var recording = Scene.dying()
    guard isThere else { return recording }
    let site = recording.snapshot.sites.first { $0.name == "subscribe" }?.index ?? 0
    let source = recording.snapshot.sites.first { $0.name == "Subject" }?.index ?? 0
    let ids = recording.chain([site, source], at: 2)
    for value in 1...10 {
      for id in ids.reversed() { recording.next(id, at: 2 + Double(value) / 10) }
    }
    return recording
  }

  @Test func anEndedSubscriptionIsExplainedIfAFindingAccusesIt() throws {
    let scene = dying(besides: false)
    let explanation = try SilenceExplanation.of(place: "Pull.swift:9", in: scene.snapshot)
    #expect(explanation.title.hasPrefix("subscription #2"), "\(explanation.title)")
    #expect(explanation.answer.hasPrefix("It has ended: nothing arrives any more."))
    #expect(
      explanation.answer.contains(
        "flatMap@Pull.swift:8 is to blame (SUSPECT, stream ended by a failure): The failure App.Refusal from request at Pull.swift:7"
      ),
      "\(explanation.answer)"
    )
    #expect(explanation.known.first == "it has ended, and a finding accuses it")
  }

  @Test func anAccusedSubscriptionIsChosenBeforeAHealthyLiveOne() throws {
    let scene = dying(besides: true)
    let explanation = try SilenceExplanation.of(place: "Pull.swift:9", in: scene.snapshot)
    #expect(explanation.title.hasPrefix("subscription #2"), "\(explanation.title)")
    #expect(explanation.answer.contains("flatMap@Pull.swift:8 is to blame"))
    let healthy = try #require(
      scene.snapshot.slots.first { $0.kind == .subscription && $0.createdAt > 2_000_000_000 }
    )
    #expect(
      explanation.known.first
        == "it has ended, and a finding accuses it; another one made at Pull.swift:9 is alive: #\(healthy.serial)"
    )
    let other = try SilenceExplanation.of(healthy.serial, in: scene.snapshot)
    #expect(!other.answer.contains("to blame"), "\(other.answer)")
  }

  @Test func amongLiveSubscriptionsTheAccusedOneIsChosen() throws {
    var scene = Recording()
    let root = scene.site("subscribe", 9, .root)
    let debounce = scene.site("debounce", 8, .keepsLatest)
    let subject = scene.site("Subject", 3, [.hot, .endless])
    let healthy = scene.chain([root, subject], at: 0)
    let starved = scene.chain([root, debounce, subject], at: 0)
    for value in 1...60 {
      let time = Double(value) * 0.05
      scene.next(starved[2], at: time)
      for id in healthy.reversed() { scene.next(id, at: time) }
    }
    let explanation = try SilenceExplanation.of(place: "Feed.swift:9", in: scene.snapshot)
    #expect(explanation.title.hasPrefix("subscription #3:"), "\(explanation.title)")
    #expect(
      explanation.known.first
        == "of 2 subscriptions made at Feed.swift:9 that are alive it is the oldest that a finding accuses"
    )
    let stage = try SilenceExplanation.of(1, in: scene.snapshot)
    #expect(stage.answer.hasPrefix("Nothing is held up"), "\(stage.answer)")
  }

  /// A stage that runs one inner signal after the other: each of the first ones sent a value and
  /// completed, and the last one sends nothing, so that others wait.
  private func downloads(isStalled: Bool = true) -> Recording {
    var recording = Recording()
    let root = recording.site("subscribe", 54, .root)
    let queue = recording.site("oneByOne", 47, [.merging, .flattens, .queuesInner])
    let subject = recording.site("Subject", 42, [.hot, .endless, .subject])
    let work = recording.site("task", 48, .source)
    let ids = recording.chain([root, queue, subject], at: 0)
    for value in 1...40 {
      let time = Double(value) / 10
      recording.next(ids[2], at: time)
      if value <= 8 || !isStalled {
        let one = recording.subscribe(work, to: ids[1], at: time)
        for id in [one, ids[1], ids[0]] { recording.next(id, at: time + 0.05) }
        recording.end(one, .completed, at: time + 0.05)
      } else if value == 9 {
        recording.subscribe(work, to: ids[1], at: time)
      } else {
        recording.depth(ids[1], UInt32(value - 9), at: time)
      }
    }
    return recording
  }

  @Test func aLiveSubscriptionThatOthersWaitForIsChosenBeforeACompletedOne() throws {
    let scene = downloads()
    #expect(scene.findings.map(\.kind) == [.stall])
    let explanation = try SilenceExplanation.of(place: "Feed.swift:48", in: scene.snapshot)
    #expect(explanation.title.hasPrefix("subscription #12: task@Feed.swift:48, made 3.1 s ago"))
    #expect(
      explanation.answer.hasPrefix(
        "task@Feed.swift:48 is the first that is silent: it has sent nothing since it was subscribed to 3.1 s ago. "
          + "Found for what is downstream: oneByOne@Feed.swift:47 (SUSPECT, stall): 31 inner signals wait here for task at Feed.swift:48 to end"
      ),
      "\(explanation)"
    )
    #expect(!explanation.answer.contains("to blame"))
  }

  @Test func nothingDownstreamIsToBlameForACompletion() throws {
    let scene = downloads()
    let explanation = try SilenceExplanation.of(5, in: scene.snapshot)
    #expect(!explanation.answer.contains("to blame"), "\(explanation.answer)")
    #expect(
      explanation.answer.contains(
        " Found for what is downstream: oneByOne@Feed.swift:47 (SUSPECT, stall): 31 "))
    // The stage itself has not completed.
    let stage = try SilenceExplanation.of(place: "Feed.swift:47", in: scene.snapshot)
    #expect(stage.answer.contains("oneByOne@Feed.swift:47 is to blame (SUSPECT, stall)"))
  }

  @Test func aCompletionInPlaceOfAFailureIsBlamedOnItsCause() throws {
    var scene = Recording()
    let root = scene.site("subscribe", 38, .root)
    let moved = scene.site("moved", 37, [.queues, .switchesQueue])
    let rescue = scene.site("rescue", 36, .passes)
    let flatMap = scene.site("flatMap", 35, [.merging, .flattens])
    let request = scene.site("request", 12, .source)
    let source = scene.site("Subject", 26, [.hot, .endless, .subject])
    let subject = scene.signal(source, at: 0)
    let ids = scene.chain([root, moved, rescue, flatMap], at: 0)
    let button = scene.subscribe(source, to: ids[3], of: subject, at: 0)
    for value in 1...5 {
      let time = Double(value) / 10
      scene.turn(subject, at: time) { $0.next(button, at: time) }
      let answer = scene.subscribe(request, to: ids[3], at: time)
      for id in [answer] + ids.reversed() { scene.next(id, at: time + 0.02) }
      scene.end(answer, .completed, at: time + 0.02)
    }
    let last = scene.subscribe(request, to: ids[3], at: 0.6)
    scene.fail([ids[3], last], "App.Refusal", at: 0.7)
    scene.end(button, at: 0.7)
    for id in [ids[2], ids[1], ids[0]] { scene.end(id, .completed, at: 0.7) }
    for value in 8...14 { scene.turn(subject, at: Double(value) / 10) }
    scene.mark("later", at: 3)
    #expect(scene.findings.map(\.kind) == [.endedByFailure])
    for line in [36, 37, 38] {
      let one = try SilenceExplanation.of(place: "Feed.swift:\(line)", in: scene.snapshot)
      #expect(one.answer.contains(" is to blame (SUSPECT, stream ended by"), "\(one.answer)")
    }
    // The first request completed while everything downstream went on.
    let first = try SilenceExplanation.of(7, in: scene.snapshot)
    #expect(!first.answer.contains("to blame"), "\(first)")
  }
}
