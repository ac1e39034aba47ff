import InspectorUI
import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct TimelineStepTests {
  @Test func stepsVisitEveryRecordExceptBookkeeping() {
    let lives = RandomLifetimes(seed: 99)
    let timeline = Timeline(lives.snapshot)
    var forward: [Position] = []
    var position = timeline.position(after: .time(.zero), .event)
    while let here = position {
      forward.append(here)
      position = timeline.position(after: here, .event)
    }
    #expect(forward == lives.truths.map { .event($0.number) })
    var backward: [Position] = []
    position = forward.last
    while let here = position {
      backward.append(here)
      position = timeline.position(before: here, .event)
    }
    #expect(backward == forward.reversed())
  }

  @Test func stepsByGraphChangeSkipEvents() {
    let trace = Self.trace()
    let timeline = Timeline(trace.snapshot)
    let kinds = { (position: Position?) -> RecordKind? in
      guard case .event(let number) = position else { return nil }
      return trace.snapshot.records.first { $0.number == number }?.kind
    }
    let first = timeline.position(after: .time(.zero), .graphChange)
    #expect(kinds(first) == .subscribed)
    let second = first.flatMap { timeline.position(after: $0, .graphChange) }
    #expect(kinds(second) == .disposeRequested)
    // At the end the last record is already shown, so the step goes to the one before it.
    #expect(kinds(timeline.position(before: .end, .graphChange)) == .disposeRequested)
    #expect(kinds(timeline.position(before: .end, .event)) == .disposeRequested)
  }

  @Test func theStateAtATimeOrAMarkCanBeShown() throws {
    let trace = Self.trace()
    var timeline = Timeline(trace.snapshot)
    let before = timeline.inspection(at: .time(.milliseconds(4)))
    #expect(before?.subscriptions.first?.events == 0)
    let marked = timeline.inspection(at: .mark(0))
    #expect(marked?.subscriptions.first?.events == 3)
    #expect(marked?.instant.time == .milliseconds(36))
    #expect(marked?.marks.count == 1)
    #expect(before?.marks.isEmpty == true)
    let start = timeline.inspection(at: .time(.zero))
    #expect(start?.subscriptions.isEmpty == true)
    #expect(start?.instant.event == nil)
  }

  @Test func missingRecordsAndMarksHaveNoState() {
    var timeline = Timeline(Self.trace().snapshot)
    #expect(timeline.inspection(at: .event(1 << 40)) == nil)
    #expect(timeline.inspection(at: .mark(3)) == nil)
    #expect(timeline.position(after: .event(1 << 40), .event) == nil)
    #expect(timeline.position(after: .end, .event) == nil)
  }

  @Test func beforeTheWindowOnlyConclusionsFromLaterRecordsAreKnown() throws {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("interval", "Feed.swift", 1)
    let old = trace.subscribe(site)
    trace.next(old)
    trace.wait(.seconds(1))
    let second = trace.subscribe(site)
    trace.wait(.seconds(1))
    trace.beginGeneration()
    trace.next(old)
    let wrapped = trace.finish().wrapped(after: 1)
    var timeline = Timeline(wrapped)
    let found = timeline.inspection(at: .time(.milliseconds(500)))
    let inspection = try #require(found)
    #expect(!inspection.instant.isExact)
    #expect(inspection.subscriptions.map(\.key.id) == [old])
    #expect(inspection.subscriptions[0].state == .active)
    #expect(inspection.subscriptions[0].events == nil)
    #expect(inspection.sites[0].live == nil)
    let later = timeline.inspection(at: .time(.milliseconds(1500)))
    // The second subscription had received no event even at the end, so it had none at this time.
    #expect(later?.subscriptions.map(\.key.id) == [old, second])
    #expect(later?.subscriptions[1].events == 0)
  }

  @Test func timersAndOwnersBeforeTheWindowAreKnownIfNoneHadEnded() throws {
    let (snapshot, lines) = Self.timersAndOwners()
    var timeline = Timeline(snapshot)
    let marked = timeline.inspection(at: .mark(0))
    let inspection = try #require(marked)
    #expect(!inspection.instant.isExact)
    let timers = try #require(inspection.site(lines.timers))
    #expect(timers.kind == .timers && timers.timersLive == 1 && timers.timersArmed == 1)
    #expect(timers.timerFires == nil)
    let bag = try #require(inspection.site(lines.bag))
    #expect(bag.kind == .owners && bag.ownersLive == 1)
    // One owner of this line had ended at an unknown time.
    let emptied = try #require(inspection.site(lines.emptied))
    #expect(emptied.kind == .owners && emptied.ownersLive == nil && emptied.ownersCreated == nil)
    // A mark counts only live subscriptions. A line that was first used later had no owner yet.
    let interval = try #require(inspection.site(lines.interval))
    #expect(interval.kind == .subscriptions && interval.live == 1)
    #expect(inspection.site(lines.later)?.ownersLive == 0)

    let unmarked = timeline.inspection(at: .time(.milliseconds(1500)))
    #expect(unmarked?.site(lines.timers)?.timersLive == 1)
    #expect(unmarked?.site(lines.interval)?.live == nil)
    #expect(unmarked?.site(lines.later)?.ownersLive == nil)
    // At the tick at which an owner was created, it is unknown whether the owner existed already.
    let first = timeline.inspection(at: .time(.zero))
    #expect(first?.site(lines.bag)?.ownersLive == nil)
  }

  @Test func beforeTheWindowSitesCountsEachLineByItsKind() throws {
    let (snapshot, _) = Self.timersAndOwners()
    var timeline = Timeline(snapshot)
    let marked = timeline.inspection(at: .mark(0))
    let text = BatchText(screen: .sites, filter: "", columns: 120, glyphs: .ascii, palette: nil)
      .render(try #require(marked))
    func live(_ place: String) -> Substring? {
      let line = text.split(separator: "\n").first { $0.contains("@\(place) ") }
      return line?.split(separator: " ").dropFirst().first
    }
    #expect(live("Pane.swift:9") == "1")
    #expect(live("Pane.swift:3") == "1")
    #expect(live("Pane.swift:4") == "?")
    #expect(live("Feed.swift:1") == "1")
    #expect(live("Late.swift:7") == "0")
  }

  @Test func lossesMoveTheWindowAfterTheirGeneration() throws {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("interval", "Feed.swift", 1)
    let old = trace.subscribe(site)
    trace.wait(.seconds(1))
    trace.write(.recordsLost, TraceID(rawValue: 5), thread: 1)
    trace.beginGeneration()
    trace.wait(.seconds(1))
    trace.next(old)
    var snapshot = trace.finish()
    snapshot.header.lostRecords = 5
    var timeline = Timeline(snapshot)
    #expect(timeline.inspection(at: .time(.milliseconds(500)))?.instant.isExact == false)
    #expect(timeline.inspection(at: .end)?.program.isIncomplete == true)
    let last = try #require(snapshot.records.last?.number)
    #expect(timeline.inspection(at: .event(last))?.instant.isExact == true)

    // If more records were lost than the records of losses account for, it is unknown when the
    // others were lost: no past moment is certain.
    snapshot.header.lostRecords = 6
    timeline = Timeline(snapshot)
    #expect(timeline.inspection(at: .event(last))?.instant.isExact == false)
    #expect(timeline.inspection(at: .end)?.subscriptions.first?.events == 1)
  }

  @Test func withoutRecordedEventsTheirCountsAreUnknownInThePast() throws {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("interval", "Feed.swift", 1)
    let old = trace.subscribe(site)
    trace.wait(.seconds(1))
    trace.next(old)
    _ = trace.subscribe(site)
    var snapshot = trace.finish()
    snapshot.header.level = .graph
    snapshot.records.removeAll { $0.kind == .next }
    var timeline = Timeline(snapshot)
    let last = try #require(snapshot.records.last?.number)
    let past = timeline.inspection(at: .event(last))
    #expect(past?.subscriptions.count == 2)
    #expect(past?.subscriptions.first?.events == nil)
    #expect(past?.sites.first?.events == nil)
    #expect(past?.sites.first?.live == 2)
    #expect(timeline.inspection(at: .end)?.sites.first?.events == 1)
  }

  @Test func manyRecordsAreReachedFromCheckpoints() throws {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("interval", "Feed.swift", 1)
    let subscription = trace.subscribe(site)
    for _ in 0..<9000 {
      trace.wait(.microseconds(1))
      trace.next(subscription)
    }
    let snapshot = trace.finish()
    var timeline = Timeline(snapshot)
    for row in [9000, 1, 4096, 4095, 2049, 2048, 2047, 8999, 0] {
      let inspection = timeline.inspection(at: .event(snapshot.records[row].number))
      #expect(inspection?.subscriptions.first?.events == UInt64(row))
    }
  }

  private struct Lines {
    var timers: UInt32
    var bag: UInt32
    var emptied: UInt32
    var interval: UInt32
    var later: UInt32
  }

  /// A mark after a second, then more timers and owners, and a window in which only a timer ends.
  private static func timersAndOwners() -> (snapshot: TraceSnapshot, lines: Lines) {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    var lines = Lines(
      timers: trace.site("schedule(every:)", "Pane.swift", 9, [.timer]),
      bag: trace.site("DisposableBag", "Pane.swift", 3),
      emptied: trace.site("DisposableBag", "Pane.swift", 4),
      interval: trace.site("interval", "Feed.swift", 1, [.timer]),
      later: 0
    )
    let subscription = trace.subscribe(lines.interval)
    _ = trace.arm(lines.interval, every: .seconds(1), for: subscription)
    _ = trace.arm(lines.timers, every: .seconds(1))
    _ = trace.own(lines.bag)
    let owner = trace.own(lines.emptied)
    trace.wait(.seconds(1))
    trace.mark("round")
    trace.wait(.seconds(1))
    lines.later = trace.site("DisposableBag", "Late.swift", 7)
    let timer = trace.arm(lines.timers, every: .seconds(1))
    trace.endOwner(owner)
    _ = trace.own(lines.emptied)
    let brief = trace.own(lines.later)
    trace.endOwner(brief)
    trace.wait(.seconds(1))
    trace.beginGeneration()
    trace.endTimer(timer)
    return (trace.finish().wrapped(after: 1), lines)
  }

  /// Three values, a mark, another value, and an end.
  private static func trace() -> (snapshot: TraceSnapshot, subscription: TraceID) {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("subscribe", "Feed.swift", 1, [.root])
    trace.wait(.milliseconds(1))
    let subscription = trace.subscribe(site)
    for _ in 0..<3 {
      trace.wait(.milliseconds(10))
      trace.next(subscription)
    }
    trace.wait(.milliseconds(5))
    trace.mark("round")
    trace.wait(.milliseconds(5))
    trace.next(subscription)
    trace.requestDisposal(subscription)
    trace.end(subscription)
    return (trace.finish(), subscription)
  }
}
