import InspectorUI
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct InspectionTests {
  @Test func chainsLeadToTheirRoot() throws {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let work = trace.scheduler("work", .serialQueue)
    let sites = [
      trace.site("subscribe", "Feed.swift", 3, [.root]), trace.site("map", "Feed.swift", 2),
      trace.site("interval", "Feed.swift", 1, [.endless]),
    ]
    let root = trace.subscribe(sites[0])
    let map = trace.subscribe(sites[1], downstream: root)
    let source = trace.subscribe(sites[2], downstream: map, scheduler: work)
    trace.wait(.seconds(3))
    trace.next(source)
    let inspection = Inspection(snapshot: trace.finish())
    let rows = inspection.subscriptions
    #expect(rows.map(\.key.id) == [root, map, source])
    #expect(rows.map(\.level) == [0, 1, 2])
    #expect(rows.allSatisfy { $0.root?.id == root })
    #expect(rows[0].upstreams.map(\.id) == [map])
    #expect(rows[0].isRoot)
    #expect(rows[2].scheduler == "work")
    #expect(rows[2].age == .seconds(3))
    #expect(rows[2].lastEventAge == .zero)
    #expect(rows[0].lastEventAge == nil)
    #expect(rows[2].location == "Feed.swift:1")
  }

  @Test func aChainWithAMissingEndHasNoRoot() {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let root = trace.site("subscribe", "Feed.swift", 3, [.root])
    let site = trace.site("map", "Feed.swift", 2)
    let outer = trace.subscribe(root)
    _ = trace.subscribe(site, downstream: outer)
    trace.release(outer)
    let row = Inspection(snapshot: trace.finish()).subscriptions.first
    #expect(row?.root == nil)
    #expect(row?.downstream == EntityKey(id: outer, serial: 0))
  }

  @Test func sitesSumUpTheEntitiesOfALine() throws {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("subscribe", "Feed.swift", 3, [.root])
    let first = trace.subscribe(site)
    trace.wait(.seconds(10))
    trace.mark("round")
    trace.wait(.seconds(1))
    let second = trace.subscribe(site)
    for _ in 0..<4 { trace.next(first) }
    trace.end(second, .completed)
    let third = trace.subscribe(site)
    trace.next(third)
    let row = try #require(Inspection(snapshot: trace.finish()).site(site))
    #expect(row.live == 2)
    #expect(row.subscribed == 3)
    #expect(row.endedByReason[Int(EndReason.completed.rawValue)] == 1)
    #expect(row.events == 5)
    #expect(row.oldestAge == .seconds(11))
    // The second subscription has begun and ended since the mark: it is neither new nor gone.
    #expect(row.newSinceMark == 1 && row.goneSinceMark == 0)
    #expect(row.growthSinceMark == 1)
    // There were five events in the last two seconds.
    #expect(row.rate == 2.5)
  }

  @Test func subscriptionsThatBeginAndEndAfterAMarkAreNeitherNewNorGone() throws {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("subscribe", "Feed.swift", 3, [.root])
    let kept = (0..<3).map { _ in trace.subscribe(site) }
    trace.wait(.seconds(1))
    trace.mark("round")
    trace.wait(.seconds(1))
    for _ in 0..<50 {
      let brief = trace.subscribe(site)
      trace.end(brief, .completed)
      trace.release(brief)
      trace.wait(.seconds(1))
    }
    trace.end(kept[0], .cancelled)
    _ = trace.subscribe(site)
    _ = trace.subscribe(site)
    let row = try #require(Inspection(snapshot: trace.finish()).site(site))
    #expect(row.newSinceMark == 2 && row.goneSinceMark == 1 && row.growthSinceMark == 1)
  }

  @Test func ratesAreUnknownIfRecordsAreMissing() {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("subscribe", "Feed.swift", 3)
    let subscription = trace.subscribe(site)
    trace.wait(.seconds(5))
    trace.next(subscription)
    var snapshot = trace.finish()
    #expect(Inspection(snapshot: snapshot).sites.first?.rate == 0.5)
    snapshot.header.level = .graph
    #expect(Inspection(snapshot: snapshot).sites.first?.rate == nil)
    #expect(Inspection(snapshot: snapshot).subscriptions.first?.rate == nil)
  }

  @Test func eventsHaveAKindAndASubject() {
    var trace = TraceSimulator()
    let thread = trace.thread("pool-1")
    let site = trace.site("map", "Feed.swift", 3)
    let subscription = trace.subscribe(site, thread: thread)
    trace.next(subscription, thread: thread)
    trace.refuse(subscription, .completed, thread: thread)
    trace.end(subscription, .sourceGone, thread: thread)
    trace.release(subscription, thread: thread)
    let events = Inspection(snapshot: trace.finish()).events
    #expect(events.map(\.kind) == [.subscribed, .next, .refused, .ended, .subscriptionReleased])
    #expect(events.map(\.text) == ["", "", "late completed", "source gone", ""])
    #expect(events.map(\.ordinal) == [nil, 1, nil, nil, nil])
    // The subscription has been released, but its events still show its name.
    #expect(events.allSatisfy { $0.subjectText == "map@Feed.swift:3 #1" })
    #expect(events.allSatisfy { $0.thread == "pool-1" && !$0.isPartial })
  }

  @Test func rowsAreFoundByKey() {
    let inspection = Inspection(snapshot: RandomLifetimes(seed: 5).snapshot)
    #expect(!inspection.subscriptions.isEmpty)
    for row in inspection.subscriptions {
      #expect(inspection.subscription(row.key)?.key == row.key)
    }
    for row in inspection.signals { #expect(inspection.signal(row.key)?.key == row.key) }
    for row in inspection.timers { #expect(inspection.timer(row.key)?.key == row.key) }
    #expect(inspection.subscription(EntityKey(id: TraceID(rawValue: 1), serial: 1 << 40)) == nil)
  }

  @Test func timersShowPeriodAndIdleness() throws {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("schedule(every:)", "Pane.swift", 9, [.timer])
    let sink = trace.site("map", "Pane.swift", 8)
    let subscription = trace.subscribe(sink)
    let timer = trace.arm(site, every: .milliseconds(50))
    trace.fire(timer) { $0.next(subscription) }
    for _ in 0..<7 { trace.fire(timer) }
    let inspection = Inspection(snapshot: trace.finish())
    let row = try #require(inspection.timers.first)
    #expect(row.period == .milliseconds(50))
    #expect(row.fires == 8)
    #expect(row.idleFires == 7)
    #expect(row.isOfUserCode == true)
    #expect(inspection.site(site)?.timersLive == 1)
  }

  @Test func aLineThatMakesOwnersCountsThem() throws {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let site = trace.site("DisposableBag", "Pane.swift", 9)
    let owners = (0..<3).map { _ in trace.own(site) }
    trace.endOwner(owners[1])
    let inspection = Inspection(snapshot: trace.finish())
    let row = try #require(inspection.site(site))
    #expect(row.ownersLive == 2 && row.ownersCreated == 3)
    let text = BatchText(screen: .sites, filter: "Bag", columns: 120, glyphs: .ascii, palette: nil)
      .render(inspection)
    let line = try #require(text.split(separator: "\n").first { $0.contains("DisposableBag@") })
    let cells = line.split(separator: " ").map(String.init)
    #expect(cells.dropFirst().starts(with: ["2", "-", "-", "3"]), "live, new, gone, ever: \(line)")
  }

  @Test func lossesAreReportedInSentences() {
    var trace = TraceSimulator()
    _ = trace.site("map", "Pane.swift", 8)
    var snapshot = trace.finish()
    #expect(!Inspection(snapshot: snapshot).program.isIncomplete)
    snapshot.header.lostRecords = 1214
    snapshot.header.lost = [.slab: 1]
    snapshot.missingSegments = 1
    let program = Inspection(snapshot: snapshot).program
    #expect(program.isIncomplete)
    #expect(
      program.losses == [
        "1214 records found no free segment and were dropped; a larger size= keeps more",
        "1 segment of the ring is missing or unreadable: what happened in them is unknown",
        "1 signal, subscription or timer dropped: it is not in this trace at all; a larger size= keeps more",
      ]
    )
  }
}
