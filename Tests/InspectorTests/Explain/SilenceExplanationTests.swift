import Testing
@testable import TraceFindings
@testable import TraceModel
import TraceReading

@Suite struct SilenceExplanationTests {
  private func refusal(_ serial: UInt64, in recording: Recording) -> String {
    do throws(ExplainError) {
      return try SilenceExplanation.of(serial, in: recording.snapshot).answer
    } catch {
      return error.description
    }
  }

  @Test func aNumberOfSomethingElseIsReportedWithWhatItNames() {
    var recording = Recording()
    let site = recording.site("Subject", 1, [.hot, .endless])
    _ = recording.signal(site, at: 0)
    let gone = recording.signal(site, at: 0)
    _ = recording.arm(recording.site("schedule(every:)", 2, .timer), every: 1, at: 0)
    _ = recording.owner(recording.site("DisposableBag", 3), at: 0)
    recording.releaseSignal(gone, at: 1)
    let texts = [
      "#1 is a signal, Subject@Feed.swift:1, not a subscription;",
      "#2 was a signal, Subject@Feed.swift:1, not a subscription;",
      "#3 is a timer, schedule(every:)@Feed.swift:2, not a subscription;",
      "#4 is an owner of subscriptions, DisposableBag@Feed.swift:3, not a subscription;",
      "the trace has no record of subscription #5;",
    ]
    for (place, text) in texts.enumerated() {
      let said = refusal(UInt64(place) + 1, in: recording)
      #expect(said.hasPrefix(text), "\(said)")
    }
  }

  @Test func anEndedSubscriptionIsReportedWithItsEndAndLine() {
    var recording = Recording()
    let id = recording.subscribe(recording.site("subscribe", 9, .root), at: 0)
    recording.next(id, at: 1)
    recording.end(id, .completed, at: 4)
    recording.release(id, at: 5)
    let name = "subscription #1, subscribe@Feed.swift:9,"
    #expect(refusal(1, in: recording).hasPrefix("\(name) ended at 4.000 s;"))
    recording.edit { $0.records.removeAll { $0.kind == .ended } }
    #expect(
      refusal(1, in: recording).hasPrefix(
        "\(name) is not alive at the end of the trace, and no record tells when it ended;"
      )
    )
  }

  @Test func theOldestLiveSubscriptionOfALineIsExplained() throws {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Feed.swift", 9, .root)
    let map = recording.site("map", "App/Feed.swift", 9)
    let subject = recording.site("Subject", "App/Feed.swift", 3, [.hot, .endless])
    _ = recording.site("filter", "App/Feed.swift", 7)
    let chains = (0..<3).map { recording.chain([root, map, subject], at: Double($0)) }
    recording.end(chains[2], at: 4)
    for place in ["Feed.swift:9", "App/Feed.swift:9", "subscribe@Feed.swift:9"] {
      let answer = try SilenceExplanation.of(place: place, in: recording.snapshot)
      #expect(answer.title.hasPrefix("subscription #1: subscribe@Feed.swift:9,"), "\(answer)")
      #expect(
        answer.known.first
          == "it is the oldest of 2 subscriptions made at \(place) that are alive; the newest is #4"
      )
    }
    let stage = try SilenceExplanation.of(place: "map@Feed.swift:9", in: recording.snapshot)
    #expect(stage.title.hasPrefix("subscription #2: map@Feed.swift:9,"))
    for id in chains[1] { recording.end(id, .completed, at: 5) }
    let only = try SilenceExplanation.of(place: "Feed.swift:9", in: recording.snapshot)
    #expect(only.title.hasPrefix("subscription #1: "))
    #expect(!only.known.contains { $0.contains("oldest") })
    for id in chains[0] { recording.end(id, .completed, at: 6) }
    let refusals = [
      "subscribe@Feed.swift:9":
        "none of the 3 subscriptions made at 'subscribe@Feed.swift:9' is alive at the end of the "
        + "trace: 2 completed, 1 cancelled;",
      "Feed.swift:7": "nothing was subscribed to at 'Feed.swift:7';",
      "Feed.swift:8": "nothing in the trace was made at 'Feed.swift:8';",
      "": "nothing in the trace was made at '';",
    ]
    for (place, text) in refusals {
      do throws(ExplainError) {
        _ = try SilenceExplanation.of(place: place, in: recording.snapshot)
        Issue.record("\(place) is explained")
      } catch {
        #expect(error.description.hasPrefix(text), "\(error)")
      }
    }
  }

  @Test func aLineInAClosureGetsTheNearestLineAboveAsASuggestion() {
    var recording = Recording()
    let inner = recording.site("task", "App/Mail.swift", 48, .source)
    let root = recording.site("subscribe", "App/Mail.swift", 54, .root)
    let stage = recording.site("moved", "App/Mail.swift", 54, .passes)
    _ = recording.site("unused", "App/Mail.swift", 56)
    recording.chain([root, stage, inner], at: 0)
    recording.subscribe(recording.site("subscribe", "App/Main.swift", 56, .root), at: 0)
    func refusal(_ place: String) -> String {
      do throws(ExplainError) {
        return try SilenceExplanation.of(place: place, in: recording.snapshot).title
      } catch {
        return error.description
      }
    }
    for place in ["Mail.swift:57", "App/Mail.swift:57", "print@Mail.swift:57", "Mail.swift:84"] {
      #expect(
        refusal(place)
          == "nothing in the trace was made at '\(place)'; the nearest line above where something was made is "
          + "subscribe@Mail.swift:54, and rxtop --once shows all that there are"
      )
    }
    #expect(refusal("Mail.swift:50").contains("is task@Mail.swift:48,"))
    for place in ["Mail.swift:47", "Mail.swift:85", "Other.swift:55", "Mail.swift"] {
      #expect(refusal(place).contains("; a place is a file and a line"), "\(place)")
    }
  }

  @Test func theEndOfTheLatestWithoutAValueIsExplainedIfNoneIsAlive() throws {
    func trace(_ isSilent: [Bool]) throws -> TraceSnapshot {
      let lines = isSilent.enumerated().map { place, isSilent in
        let id = "0x\(place + 1)0\(place + 1)"
        return """
            +\(place) subscribed subscription=\(id) site=1 downstream=0 serial=\(place + 1) signal=0 schedulerAndChain=0
            \(isSilent ? "" : "+\(place) next subscription=\(id)")
            +\(place) tear-down chain=0 cause=disposed by=0 downstream=0
            +\(place) ended subscription=\(id) reason=cancelled
          """
      }
      let count = isSilent.count
      let site = "name=\"subscribe\" file=\"App/Main.swift\" line=9"
      let text = """
        site \(site) subscribed=\(count) ended.2=\(count) released=\(count)
        segment thread=1
        \(lines.joined(separator: "\n"))
        """
      let written = try WrittenTrace(text)
      defer { withExtendedLifetime(written) {} }
      return try TraceReader(path: written.path).snapshot()
    }
    let ended =
      "none of the 3 subscriptions made at 'Main.swift:9' is alive at the end of the trace: 3 cancelled"
    let answers: [([Bool], number: Int, String)] = [
      ([false, true, false], 2, "the only one without a value"),
      ([true, true, false], 2, "the latest of 2 without a value"),
      ([false, false, false], 3, "the latest of them"),
    ]
    for (isSilent, number, which) in answers {
      let answer = try SilenceExplanation.of(place: "Main.swift:9", in: trace(isSilent))
      #expect(answer.title.hasPrefix("subscription #\(number): subscribe@Main.swift:9,"))
      #expect(answer.answer == "It ended: cancelled, disposed of by the program.")
      #expect(answer.known.first == "\(ended); this is \(which)")
    }
  }

  @Test func anEndForAGoneObjectIsNotCalledAnEndByItself() throws {
    func answer(_ reason: String) throws -> Explanation {
      let written = try WrittenTrace(
        """
        site name="bind(to:)" file="App/Main.swift" line=9 subscribed=1
        segment thread=1
          +1 subscribed subscription=0x101 site=1 downstream=0 serial=1 signal=0 schedulerAndChain=0
          +3 tear-down chain=0 cause=operator by=0x101 downstream=0
          +3 ended subscription=0x101 reason=\(reason)
        """
      )
      defer { withExtendedLifetime(written) {} }
      return try SilenceExplanation.of(1, in: TraceReader(path: written.path).snapshot())
    }
    let gone = try answer("ownerGone")
    #expect(gone.answer == "It ended because the object that it belonged to is gone.")
    #expect(gone.steps.map(\.note) == ["owner gone"])
    #expect(!gone.known.contains("the object that it belonged to is gone"))
    let completed = try answer("completed")
    #expect(completed.answer == "It ended: completed, ended by itself.")
  }

  @Test func whatIsKnownOfTheOperatorWhereItStopsIsSaid() throws {
    func explanation(_ operator: String, _ traits: SiteTraits, isPausing: Bool) throws
      -> Explanation
    {
      var recording = Recording()
      let root = recording.site("subscribe", 9, .root)
      let site = recording.site(`operator`, 8, traits)
      let ids = recording.chain([root, site], at: 0)
      if isPausing { _ = recording.arm(site, every: 0, for: ids[1], at: 4) }
      recording.mark("later", at: 10)
      return try SilenceExplanation.of(1, in: recording.snapshot)
    }
    let traits: SiteTraits = [.passes, .retries]
    let pause =
      "again@Feed.swift:8 pauses before it subscribes to its source again: its timer #3 was armed 6 s ago"
    let pausing = try explanation("again", traits, isPausing: true)
    #expect(pausing.known.contains(pause), "\(pausing)")
    #expect(!pausing.unknown.contains { $0.contains("waits for") })
    let waiting = try explanation("again", traits, isPausing: false)
    #expect(waiting.unknown.contains("what the source behind again@Feed.swift:8 waits for"))
    #expect(!waiting.known.contains { $0.contains("pauses") })

    var recording = Recording()
    let root = recording.site("subscribe", 9, .root)
    let drop = recording.site("distinct", 8, .drops)
    let ids = recording.chain([root, drop, recording.site("Subject", 7, [.hot, .endless])], at: 0)
    for id in ids.reversed() { recording.next(id, at: 1) }
    for time in 2...4 { recording.next(ids[2], at: Double(time)) }
    recording.mark("later", at: 10)
    let dropping = try SilenceExplanation.of(1, in: recording.snapshot)
    #expect(
      dropping.unknown.contains(
        "which values distinct@Feed.swift:8 dropped: RXTRACE=values records what they were"
      ),
      "\(dropping)"
    )
  }

  @Test func aStatusRecordShowsThatASubscriptionEndedButNotWhen() {
    var recording = Recording()
    let site = recording.site("subscribe", 9, .root)
    let id = recording.subscribe(site, at: 0)
    recording.end(id, at: 2)
    recording.release(id, at: 5)
    recording.edit { snapshot in
      var status = TraceRecord()
      status.number = 8192
      status.ticks = Recording.start + 4_000_000_000
      status.kind = .entityStatus
      (status.id, status.argument, status.thread) = (id.rawValue, site, 1)
      // The status of a subscription that has ended, with serial 1.
      status.more = (0x402, 1, 0, Recording.start, 0, 0)
      snapshot.records = [status]
    }
    #expect(
      refusal(1, in: recording).hasPrefix(
        "subscription #1, subscribe@Feed.swift:9, had ended by 4.000 s;"
      )
    )
  }

  @Test func agesOfARunningProgramCountUpToThePresent() throws {
    var recording = Recording()
    let id = recording.subscribe(recording.site("subscribe", 9, .root), at: 0)
    recording.next(id, at: 1)
    let ended = try SilenceExplanation.of(1, in: recording.snapshot)
    #expect(ended.title.hasSuffix("made 1 s ago"), "\(ended.title)")
    recording.edit { snapshot in
      snapshot.processStatus = .running
      snapshot.header.start.monotonic = MonotonicClock.nanoseconds() - 60_000_000_000
    }
    let explanation = try SilenceExplanation.of(1, in: recording.snapshot)
    #expect(explanation.title.hasSuffix("made 60 s ago"), "\(explanation.title)")
    #expect(explanation.answer.contains("59 s ago"), "\(explanation.answer)")
  }
}

/// A pause between two values is not mistaken for a stop.
@Suite struct PauseExplanationTests {
  /// The explanation for a filter that has forwarded every seventh of 70 values, sent 10 ms apart,
  /// and then none of `refused` further values.
  private func answer(refused: Int) throws -> String {
    var recording = Recording()
    let sites = [
      recording.site("subscribe", 9, .root), recording.site("filter", 7),
      recording.site("Subject", 3, [.hot, .endless]),
    ]
    let ids = recording.chain(sites, at: 0)
    for value in 1...70 + refused {
      let time = Double(value) / 100
      recording.next(ids[2], at: time)
      if value % 7 == 0, value <= 70 {
        recording.next(ids[1], at: time)
        recording.next(ids[0], at: time)
      }
    }
    return try SilenceExplanation.of(1, in: recording.snapshot).answer
  }

  @Test(arguments: [0, 1, 3, 6])
  func aFilterBetweenTwoValuesIsNotBlamed(refused: Int) throws {
    let answer = try answer(refused: refused)
    #expect(answer.hasPrefix("Nothing is held up:"), "\(answer)")
  }

  @Test func aFilterSilentForLongerThanEverIsBlamed() throws {
    let answer = try answer(refused: 100)
    #expect(answer.hasPrefix("filter@Feed.swift:7 is where it stops: nothing has passed for 1"))
  }

  @Test func aDebounceThatNeverGetsAPauseIsNamed() throws {
    var recording = Recording()
    let root = recording.site("subscribe", 9, .root)
    let debounce = recording.site("debounce", 8, .keepsLatest)
    let subject = recording.site("Subject", 3, [.hot, .endless])
    let ids = recording.chain([root, debounce, subject], at: 0)
    for value in 1...60 { recording.next(ids[2], at: Double(value) * 0.05) }
    let explanation = try SilenceExplanation.of(1, in: recording.snapshot)
    #expect(explanation.answer.hasPrefix("debounce@Feed.swift:8 is where it stops"))
    #expect(explanation.answer.contains("60 values came here"))
    #expect(explanation.answer.contains("there was never a pause as long as it waits for"))
    #expect(explanation.answer.contains("Use throttle or sample instead of debounce at"))
    #expect(!explanation.unknown.contains { $0.contains("decides by") })
  }
}

/// What stages on the way do with values is said even if the last value arrived as usual.
@Suite struct StageExplanationTests {
  /// Values every 50 ms that a queue has to deliver, `held` of which still wait.
  private func queued(_ held: UInt32, hasHops: Bool = true) throws -> Explanation {
    var recording = Recording()
    let worker = recording.scheduler("worker", .serialQueue)
    let sites = [
      recording.site("subscribe", 35, .root),
      recording.site("moved", 34, [.queues, .switchesQueue]),
      recording.site("interval", 32, [.endless, .timer]),
    ]
    let ids = recording.chain(sites, at: 0)
    for value in 1...40 {
      let time = Double(value) / 20
      recording.next(ids[2], at: time)
      if value == 1, hasHops { recording.schedule(7, on: worker, for: ids[1], at: time) }
      for id in [ids[1], ids[0]] where value <= 40 - Int(held) { recording.next(id, at: time) }
    }
    recording.depth(ids[1], held, at: 2)
    return try SilenceExplanation.of(1, in: recording.snapshot)
  }

  @Test func aStageThatHoldsValuesIsNamedWithTheQueueThatTheyWaitFor() throws {
    #expect(
      try queued(2).answer
        == "The last value arrived 100 ms ago, as is usual here, but moved@Feed.swift:34 holds 2 values, which wait for the queue worker."
    )
    #expect(
      try queued(1, hasHops: false).answer.hasSuffix(" holds 1 value, which waits for its queue.")
    )
    let none = try queued(0).answer
    #expect(none == "Nothing is held up: the last value arrived 0 s ago, as is usual here.")
  }

  /// Pairs of values, each of which an operator turns into a signal that answers after 0.17 s; the
  /// second comes `apart` seconds after the first.
  private func pairs(apart: Double, lines: [UInt32] = [19]) throws -> Explanation {
    var recording = Recording()
    let root = recording.site("subscribe", 38, .root)
    let latest = recording.site("newest", 36, [.merging, .flattens])
    let source = recording.site("Subject", 31, [.hot, .endless, .subject])
    let inner = lines.map { recording.site("create", $0, .source) }
    let ids = recording.chain([root, latest, source], at: 0)
    for pair in 0..<4 {
      let first = Double(pair) * 0.8 + 0.1
      var running: TraceID?
      for (place, time) in [first, first + apart].enumerated() {
        if place == 1, let running, apart > 0.17 {
          for id in [running, ids[1], ids[0]] { recording.next(id, at: first + 0.17) }
          recording.end(running, .completed, at: first + 0.17)
        }
        recording.next(ids[2], at: time)
        if apart <= 0.17, let running { recording.end(running, at: time) }
        running = recording.subscribe(inner[pair % inner.count], to: ids[1], at: time)
      }
      guard let running else { continue }
      for id in [running, ids[1], ids[0]] { recording.next(id, at: first + apart + 0.17) }
      recording.end(running, .completed, at: first + apart + 0.17)
    }
    return try SilenceExplanation.of(1, in: recording.snapshot)
  }

  @Test func innerSignalsThatWereReplacedBeforeTheySentAreCounted() throws {
    let answer = try pairs(apart: 0.1).answer
    #expect(answer.hasPrefix("Nothing is held up: the last value arrived "), "\(answer)")
    #expect(
      answer.hasSuffix(
        " newest@Feed.swift:36 has cancelled 4 of 8 inner signals, made at create@Feed.swift:19, before they had sent a value, because the next one came."
      ),
      "\(answer)"
    )
    let lines = try pairs(apart: 0.1, lines: [19, 21]).answer
    #expect(lines.contains("made at create@Feed.swift:19 and 1 other line, before"), "\(lines)")
    #expect(try !pairs(apart: 0.3).answer.contains("cancelled"))
  }
}
