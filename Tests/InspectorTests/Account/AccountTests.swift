import InspectorUI
import ReactiveTrace
import Testing
import TraceModel

/// What the screen Detail shows about ends, owners, queues and work, and the keys that open it.
@Suite struct AccountTests {
  private func press(_ presses: String..., size: Size = Size(columns: 120, rows: 40)) throws
    -> String
  {
    try Gateway.press(presses, size: size).text
  }

  // MARK: Endings

  @Test func anEndIsShownWithItsWorkAndTheSubscriptionsThatEndedWithIt() throws {
    let text = try press("/", "Panel.swift:40", "<Enter>", "d", "/", "#5", "<Enter>", "<Enter>")
    #expect(
      text.contains("Subscription #5") && text.contains("How it ended, at 1.502 s"),
      "\(text)"
    )
    #expect(text.contains("disposed of by its owner DisposableBag@Panel.swift:12 #21"), "\(text)")
    #expect(text.contains("by            DisposableBag@Panel.swift:12 #21"))
    #expect(text.contains("in            hop 40 on main"))
    #expect(text.contains("ended above   debounce@Inlet.swift:9 #6, the first of 2"))
  }

  @Test func theRowOfAnEndOnEventsOpensTheSameAccount() throws {
    let text = try press("e", "/", "by its owner", "<Enter>", "<Enter>")
    #expect(text.contains("Subscription #7") && text.contains("How it ended"), "\(text)")
    #expect(text.contains("ended below   debounce@Inlet.swift:9 #6, the first of 2"), "\(text)")
    #expect(text.contains("owner         DisposableBag@Panel.swift:12 #21, of its root"), "\(text)")
  }

  @Test func anEndByAnOperatorNamesItsValueAndOpensIt() throws {
    let trace = """
      header state=stopped clock=monotonic slotBits=8 generation=1 startTicks=1 stopTicks=9000000 latestTicks=9000000
      site name="take" file="App/Main.swift" line=8
      site name="Subject" file="App/Main.swift" line=7
      slot 1 serial=1 kind=subscription state=active site=1 createdAt=1
      slot 2 serial=2 kind=subscription state=ended site=2 link=0x101 createdAt=1
      segment thread=1
        +1 subscribed subscription=0x101 site=1 downstream=0 serial=1 signal=0 schedulerAndChain=0
        +1 subscribed subscription=0x202 site=2 downstream=0x101 serial=2 signal=0 schedulerAndChain=0
        +2 turn-began entity=0x202 thread=1
        +3 next subscription=0x202 sequence=1
        +3 next subscription=0x101 sequence=1
        +4 tear-down chain=0 cause=operator by=0x101 downstream=0x101
        +4 ended subscription=0x202 reason=cancelled
        +5 turn-ended entity=0x202
      """
    let end = ["e", "/", "cancelled", "<Enter>", "<Enter>"]
    let text = try Gateway.press(end, of: trace).text
    #expect(text.contains("It ended: cancelled, ended by take@Main.swift:8 #1, at"), "\(text)")
    let value = try Gateway.press(end + ["/", "at  ", "<Enter>", "<Enter>"], of: trace).text
    #expect(value.contains("A value passed."), "\(value)")
  }

  @Test func anEndRecordedLaterAtTheSameTimeIsNotShownYet() throws {
    let text = try press("(", "e", "<Enter>")
    #expect(text.contains("state         active") && !text.contains("How it ended"), "\(text)")
    let later = try press("(", "e", ".", ".", "<Enter>")
    #expect(later.contains("How it ended, at 1.700 s"), "\(later)")
  }

  @Test func anEventOnDetailOpensTheContentOfItsRecord() throws {
    let text = try press(
      "u",
      "/",
      "Panel.swift:40",
      "<Enter>",
      "<Enter>",
      "/",
      "next №2",
      "<Enter>",
      "<Enter>"
    )
    #expect(text.contains("A value passed.") && text.contains("causes"), "\(text)")
  }

  @Test func onDetailTheKeyEOpensTheEventAndTheKeyCItsCauses() throws {
    let end = ["/", "Panel.swift:40", "<Enter>", "d", "/", "#5", "<Enter>", "<Enter>"]
    let shown = try press(end[0], end[1], end[2], end[3], end[4], end[5], end[6], end[7], "e")
    #expect(shown.contains("1.502") && shown.contains("replay paused"), "\(shown)")
    #expect(shown.contains("Events at #"), "\(shown)")
    let event = ["u", "/", "Panel.swift:40", "<Enter>", "<Enter>", "/", "next №2", "<Enter>"]
    let causes = try Gateway.press(event + ["<Enter>", "C"]).text
    #expect(causes.contains("events of #"), "\(causes)")
  }

  @Test func detailOfALineShowsTheOriginsAndEffectsOfItsEvents() throws {
    let text = try press("s", "/", "debounce", "<Enter>", "d")
    #expect(text.contains("What its events came from"), "\(text)")
    let subject = try press("s", "/", "Inlet.swift:8", "<Enter>", "d")
    #expect(subject.contains("What they led to, in the last"), "\(subject)")
    #expect(subject.contains(" to subscribe@Panel.swift:40"), "\(subject)")
  }

  @Test func theOwnerAndTheWorkOfAnEndOpenFromIt() throws {
    let end = ["/", "Panel.swift:40", "<Enter>", "d", "/", "#5", "<Enter>", "<Enter>"]
    let owner = try Gateway.press(end + ["/", "by   ", "<Enter>", "<Enter>"]).text
    #expect(owner.contains("Owner #21") && owner.contains("ended at 1.503 s"), "\(owner)")
    let work = try Gateway.press(end + ["/", "hop 40", "<Enter>", "<Enter>"]).text
    #expect(work.contains("Hop 40") && work.contains("debounce@Inlet.swift:9 #6"), "\(work)")
  }

  @Test func missingRecordsAreMentioned() throws {
    #expect(
      try press(":", "owner nobody", "<Enter>").contains("No owner with 'nobody' in its name")
    )
    #expect(try press(":", "queue nowhere", "<Enter>").contains("there are main, gateway.net."))
    #expect(try press(":", "module Nope", "<Enter>").contains("there are Gateway, Net."))
    #expect(try press(":", "diff x.rxtrace", "<Enter>").contains("There is no other recording."))
  }

  // MARK: Owners

  @Test func anOwnerListsItsSubscriptionsAndOpensThem() throws {
    let text = try press(":", "owner #20", "<Enter>")
    #expect(text.contains("Owner #20") && text.contains("Holds now: 1"), "\(text)")
    #expect(text.contains("subscribe@Panel.swift:40 #1  active"))
    let both = try press(":", "owner disposablebag", "<Enter>")
    #expect(both.contains("Owners with 'disposablebag' in their name: 2"))
    #expect(both.contains("#20  holds 1 now, 1 ever") && both.contains("#21  holds 0 now"))
    let opened = try press(":", "owner #20", "<Enter>", "/", "Panel.swift:40", "<Enter>", "<Enter>")
    #expect(opened.contains("Subscription #1") && opened.contains("owner         DisposableBag"))
  }

  @Test func withoutANameAllOwnersAreListedLargestFirst() throws {
    let text = try press(":", "owner", "<Enter>")
    #expect(text.contains("detail of all owners") && text.contains("Owners: 2"), "\(text)")
    let lines = text.split(separator: "\n")
    let first = lines.firstIndex { $0.contains("#20  holds 1 now") }
    let second = lines.firstIndex { $0.contains("#21  holds 0 now") }
    #expect(try #require(first) < #require(second))
  }

  @Test func anOwnerAtAnEarlierMomentHasTheSubscriptionsOfThatMoment() throws {
    let text = try press(":", "goto 1.2s", "<Enter>", ":", "owner #21", "<Enter>")
    #expect(text.contains("holds         1 subscription now, 1 ever"), "\(text)")
  }

  // MARK: Work

  @Test func everyRowOfEventsOpens() throws {
    let model = try Gateway.press(["e"]).model
    for index in 0..<model.inspection.events.count {
      let text = try press("e", "g", String(repeating: "j", count: index), "<Enter>")
      #expect(!text.contains("opens nothing") && !text.contains("There is no row"), "\(text)")
      #expect(text.contains("›") && !text.contains("Looking at the records"), "\(text)")
    }
  }

  @Test func theQueueOfANodeIsSelectedOnQueues() throws {
    let text = try press("/", "Health.swift:5", "<Enter>", "h", "<Enter>")
    #expect(text.contains("Queue gateway.net"), "\(text)")
  }

  @Test func aQueueOpensFromTheAccountOfAHop() throws {
    let hop = ["e", "/", "hop 50 on gateway.net", "<Enter>", "<Enter>"]
    let text = try Gateway.press(hop + ["/", "queue", "<Enter>", "<Enter>"]).text
    #expect(text.contains("Queue gateway.net") && text.contains("Running now: 1"), "\(text)")
  }

  @Test func detailShowsTheQueuesOfASubscriptionsValues() throws {
    let trace = """
      header state=stopped clock=monotonic slotBits=8 generation=1 startTicks=1 stopTicks=9000000 latestTicks=9000000
      site name="subscribe" file="App/Main.swift" line=8 traits=0x1
      scheduler 1 kind=main name="main"
      scheduler 2 kind=serialQueue name="App.work"
      thread 1 systemID=41 isMain=1
      thread 2 systemID=42
      slot 1 serial=1 kind=subscription state=active site=1 createdAt=1
      segment thread=1
        +1 subscribed subscription=0x101 site=1 downstream=0 serial=1 signal=0 schedulerAndChain=0
        +2 next subscription=0x101 sequence=1
        +3 hop-began hop=1 scheduler=1
        +3 next subscription=0x101 sequence=2
        +4 hop-ended hop=1
      segment thread=2
        +1 next subscription=0x101 sequence=3
        +1 hop-ended hop=7
        +5 hop-began hop=2 scheduler=2
        +5 next subscription=0x101 sequence=4
        +6 hop-ended hop=2
        +7 next subscription=0x101 sequence=5
      """
    let text = try Gateway.press(["u", "<Enter>"], of: trace).text
    #expect(text.contains("made on       outside of scheduled work"), "\(text)")
    #expect(text.contains("runs on       main, 2 values"), "\(text)")
    #expect(text.contains("              App.work, 1 value"), "\(text)")
    #expect(text.contains("              thread 42, 1 value"), "\(text)")
    #expect(text.contains("not known for 1 value: the record of where is missing"), "\(text)")
    let queue = try Gateway.press(
      ["u", "<Enter>", "/", "App.work", "<Enter>", "<Enter>"],
      of: trace
    ).text
    #expect(queue.contains("Queue App.work"), "\(queue)")
  }

  @Test func detailNamesTheLevelThatWouldRecordMissingEvents() throws {
    let trace = Gateway.text().replacing(
      "startLevel=values control=0x103",
      with: "startLevel=graph control=0x101"
    )
    let queue = try Gateway.press([":", "queue net", "<Enter>"], of: trace).text
    #expect(queue.contains("not recorded at level 'graph': level 'events' records it"), "\(queue)")
  }

  @Test func tabCompletesTheNamesOfOwnersQueuesAndModules() throws {
    #expect(try press(":", "owner Disp", "<Tab>").contains(":owner DisposableBag@Panel.swift:12"))
    #expect(try press(":", "queue gate", "<Tab>").contains(":queue gateway.net"))
    #expect(try press(":", "module G", "<Tab>").contains(":module Gateway"))
  }

  @Test func anOperatorShowsTheOwnersOfItsRoots() throws {
    let text = try press("/", "debounce", "<Enter>", "d")
    #expect(
      text.contains("DisposableBag@Panel.swift:12 #20  holds 1 of the line, 1 now"),
      "\(text)"
    )
  }

  @Test func theBorderOfANodeWhereTheSchedulerChangesOpensTheQueue() throws {
    var inspection = MapFixture.queues()
    var scheduler = SchedulerRow()
    (scheduler.id, scheduler.name) = (1, "decoder")
    inspection.schedulers = [scheduler]
    var model = MapGoldenTests.model(("queues", inspection, nil), Size(columns: 200, rows: 60))
    let frame = model.frame()
    let found = (3..<50).first { frame.line($0).contains("⇢ decoder") }
    let row = try #require(found)
    let line = frame.line(row)
    let sign = line.firstIndex(of: "⇢")
    let column = line.distance(from: line.startIndex, to: try #require(sign))
    for _ in 0..<2 { _ = model.update(.mouse(MouseAction(.press, row: row, column: column))) }
    #expect(model.place.screen == .detail)
    #expect(model.frame().text.contains("detail of decoder"))
  }

  @Test func aSettingHidesThePreviewBelowLists() {
    let (settings, problems) = Settings.parse("preview = off")
    #expect(problems == [] && !settings.preview)
    #expect(settings.text.contains("preview = off"))
  }

  // MARK: The preview below lists

  @Test func tallScreensShowAPreviewBelowAListAndKHidesIt() throws {
    let text = try press("u", "/", "Panel.swift:40", "<Enter>")
    #expect(text.contains("owner     DisposableBag@Panel.swift:12 #20"), "\(text)")
    #expect(text.contains("value     42 C"))
    #expect(try !press("u", "/", "Panel.swift:40", "<Enter>", "K").contains("owner     Disp"))
    #expect(try press("h", "/", "net", "<Enter>").contains("hop 50  for 200 ms"))
    let low = try press("u", "/", "Panel.swift:40", "<Enter>", size: Size(columns: 80, rows: 24))
    #expect(!low.contains("owner     DisposableBag"))
  }

  @Test func thePreviewBelowEventsShowsTheWholeSelectedEvent() throws {
    let work = try press("e", "/", "hop-began", "<Enter>")
    #expect(work.contains("means     "), "\(work)")
    #expect(work.contains("Hop 40") && work.contains("queue         main"), "\(work)")
    let value = try press("e", "/", "Panel.swift:40 #1", "<Enter>")
    #expect(value.contains("subscribe@Panel.swift:40 #1  active"), "\(value)")
    let failure = try press("e", "/", "failed", "<Enter>")
    #expect(failure.contains("d shows what is known of it"), "\(failure)")
    #expect(try !press("e", "/", "hop-began", "<Enter>", "K").contains("means     "))
    let low = try press("e", "/", "hop-began", "<Enter>", size: Size(columns: 80, rows: 24))
    #expect(!low.contains("means     "))
  }

  // MARK: Modules

  @Test func anotherModuleIsOneNodeUntilZUnfoldsIt() throws {
    let folded = [":", "module Gateway", "<Enter>", "/", "Net", "<Enter>"]
    let text = try Gateway.press(folded).text
    #expect(text.contains("2 lines of module Net  z shows each"), "\(text)")
    let unfolded = try Gateway.press(folded + ["z"]).text
    #expect(unfolded.contains("Health.swift:4") && unfolded.contains("Health.swift:5"))
    let all = try Gateway.press(folded + [":", "module", "<Enter>"]).text
    #expect(all.contains("Health.swift:5") && all.contains("All modules again."))
  }

  @Test func filtersAlsoCompareColumnsThatOnlyExportsHave() throws {
    let text = try press("s", "\\", "file~panel", "<Enter>")
    #expect(text.contains("Panel.swift:40") && !text.contains("debounce"), "\(text)")
  }
}
