import InspectorUI
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct DetailViewTests {
  /// The text of the Detail screen of a subscription.
  private func detail(_ serial: UInt64, of recording: Recording) -> String {
    detail(serial, in: recording.snapshot)
  }

  private func detail(_ serial: UInt64, in snapshot: TraceSnapshot) -> String {
    var model = Model(
      size: Size(columns: 160, rows: 60),
      screen: .subscriptions,
      filter: "subscr.=#\(serial)"
    )
    _ = model.update(.inspection(Inspection(snapshot: snapshot), at: .end))
    for key in Key.script("<Enter>") { _ = model.update(.key(key)) }
    let text = model.frame().text
    #expect(text.contains("Subscription #\(serial)"))
    return text
  }

  private func expect(_ text: String, root: String, feeds: String) {
    #expect(text.contains(" root          \(root)\n"), "\(text)")
    #expect(text.contains(" feeds         \(feeds)\n"), "\(text)")
  }

  @Test func subscriptionsOfASharedSignalShowTheirRootAndWhatTheyFeed() {
    var recording = Recording()
    let interval = recording.site("interval", 7)
    let publish = recording.site("publish", 8)
    let root = recording.site("subscribe", 9, .root)
    let clock = recording.signal(interval, at: 0)
    let shared = recording.signal(publish, of: clock, at: 0)
    let run = recording.subscribe(publish, of: shared, at: 1)
    recording.subscribe(interval, to: run, of: clock, at: 1)
    let pane = recording.subscribe(root, of: shared, at: 2)
    recording.subscribe(publish, to: pane, of: shared, at: 2)
    // No downstream is recorded for this subscription.
    recording.subscribe(publish, of: shared, at: 3)
    let (first, second) = ("publish@Feed.swift:8 #3", "subscribe@Feed.swift:9 #5")
    expect(
      detail(3, of: recording),
      root: "not known: it is shared",
      feeds: "all other subscriptions of its signal, which share it"
    )
    expect(detail(4, of: recording), root: "not known: \(first) below it is shared", feeds: first)
    expect(
      detail(5, of: recording),
      root: "this subscription is a root: the program made it",
      feeds: "the program's own code"
    )
    expect(detail(6, of: recording), root: second, feeds: second)
    let nothing = "not known: no subscription below it is recorded"
    expect(detail(7, of: recording), root: nothing, feeds: nothing)
  }

  @Test func theColumnRootSaysWhatBelongsToNoSingleRoot() {
    var recording = Recording()
    let (interval, publish) = (recording.site("interval", 7), recording.site("publish", 8))
    let root = recording.site("subscribe", 9, .root)
    let shared = recording.signal(publish, at: 0)
    let run = recording.subscribe(publish, of: shared, at: 1)
    recording.subscribe(interval, to: run, at: 1)
    let pane = recording.subscribe(root, of: shared, at: 2)
    recording.subscribe(publish, to: pane, of: shared, at: 2)
    // No downstream is recorded for this subscription, and it has no upstream.
    recording.subscribe(interval, at: 3)
    let inspection = Inspection(snapshot: recording.snapshot)
    let column = SubscriptionRow.columns.first { $0.id == "root" }
    let cells = inspection.subscriptions.map { column?.text(of: $0, dash: "–") }
    #expect(cells == ["many", "many", "root", "#4", "?"])
  }

  @Test func aFailureWithoutAnEventIsNotCalledTheLastEvent() {
    var recording = Recording()
    let root = recording.site("subscribe", 9, .root)
    let failed = recording.subscribe(root, at: 0)
    let live = recording.subscribe(root, at: 0)
    recording.subscribe(root, at: 0)
    recording.next(live, at: 2)
    recording.fail([failed], "Problem", at: 4)
    recording.edit { $0.slots[0].lastEventAt = Recording.start + 4_000_000_000 }
    recording.mark("later", at: 10)
    #expect(detail(1, of: recording).contains(" events        0, failed 6.0 s ago\n"))
    #expect(detail(2, of: recording).contains(" events        1, the last one 8.0 s ago\n"))
    #expect(detail(3, of: recording).contains(" events        0\n"))
  }

  @Test func anEndedSubscriptionShowsWhatEndedIt() throws {
    let trace = try WrittenTrace(
      """
      site name="take" file="App/Main.swift" line=8
      site name="Subject" file="App/Main.swift" line=7
      slot 1 serial=1 kind=subscription state=active site=1 createdAt=1
      slot 2 serial=2 kind=subscription state=ended site=2 link=0x101 createdAt=1
      segment thread=1
        +1 subscribed subscription=0x101 site=1 downstream=0 serial=1 signal=0 schedulerAndChain=0
        +1 subscribed subscription=0x202 site=2 downstream=0x101 serial=2 signal=0 schedulerAndChain=0
        +3 tear-down chain=7 cause=operator by=0x101 downstream=0x101
        +3 ended subscription=0x202 reason=cancelled
      """
    )
    let text = try detail(2, in: TraceReader(path: trace.path).snapshot())
    #expect(text.contains("  ended         cancelled, ended by take@Main.swift:8 #1\n"), "\(text)")
    #expect(text.contains("Asynchronous backtrace: where it was ended"))
  }

  @Test func aMissingDownstreamIsNotMistakenForTheProgram() {
    var recording = Recording()
    let root = recording.site("subscribe", 9, .root)
    let (map, create) = (recording.site("map", 8), recording.site("create", 7))
    let ids = recording.chain([root, map, create], at: 0)
    recording.end(ids[0], at: 1)
    recording.release(ids[0], at: 1)
    let reason = "not known: nothing is known of subscription #? below it"
    expect(detail(2, of: recording), root: reason, feeds: "subscription #?")
    expect(detail(3, of: recording), root: reason, feeds: "map@Feed.swift:8 #2")
  }

  @Test(
    arguments: [
      (33, 2, "2 others of its line lived at most 15 s"),
      (20, 1, "1 other of its line lived at most 2.1 ms"),
      (47, 100, "p99 lifetime of 100 others of its line 15 s"),
    ] as [(Int, Int, String)]
  )
  func noLifetimeExceedsTheRecording(power: Int, count: Int, text: String) throws {
    var recording = Recording()
    let site = recording.site("subscribe", 9, .root)
    recording.subscribe(site, at: 0)
    for _ in 0..<count { recording.end(recording.subscribe(site, at: 0), at: 0) }
    recording.edit { snapshot in
      snapshot.sites[Int(site)].lifetimes = [UInt32](repeating: 0, count: 48)
      snapshot.sites[Int(site)].lifetimes[power] = UInt32(count)
    }
    recording.mark("later", at: 15)
    #expect(detail(1, of: recording).contains("  age           15 s; \(text)\n"))
    let row = try #require(Inspection(snapshot: recording.snapshot).site(site))
    let longest = try #require(row.longLifetime)
    #expect(longest <= .seconds(15))
    #expect(row.medianLifetime == longest)
  }
}
