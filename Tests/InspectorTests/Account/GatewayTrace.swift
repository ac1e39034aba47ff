import InspectorUI
import ReactiveTrace
import TraceFindings
import TraceModel
import TraceReading

/// The trace of a program of two modules, whose panels show what a gateway requests over a network.
///
/// Panel 1 is open. Panel 2 was closed at 1.5 s, and its bag disposed of its subscription. The
/// queue `gateway.net` has been running one piece of work since 1.8 s, while another waits. A
/// health check of the module `Net` failed at 1.7 s.
enum Gateway {
  static func text(health: Int = 5) -> String {
    """
    header state=stopped clock=monotonic slotBits=8 generation=1 startLevel=values control=0x103 processID=4711
    header programName="gateway" lastSerial=30 stopTicks=3000000000
    header startTicks=1000000000 startMonotonic=1000000000 startRealtime=1700000000000000000
    header latestTicks=3000000000 latestMonotonic=3000000000 latestRealtime=1700000002000000000
    string 1 "TimeOut"
    site 1 name="Subject" file="Gateway/Inlet.swift" line=8 column=5 subscribed=2 ended.2=1
    site 2 name="debounce" file="Gateway/Inlet.swift" line=9 column=5 subscribed=2 ended.2=1
    site 3 name="subscribe" file="Gateway/Panel.swift" line=40 column=5 traits=0x1 subscribed=2 ended.2=1
    site 4 name="DisposableBag" file="Gateway/Panel.swift" line=12 column=5 ownersCreated=2 ownersEnded=1
    site 5 name="interval" file="Net/Health.swift" line=4 column=5 subscribed=2 ended.1=1
    site 6 name="subscribe" file="Net/Health.swift" line=\(health) column=5 traits=0x1 subscribed=2 ended.1=1
    thread 1 systemID=4711 isMain=1 name="main"
    thread 2 systemID=4712 name="net-1"
    scheduler 1 name="main" kind=main scheduled=1 begun=1
    scheduler 2 name="gateway.net" kind=serialQueue scheduled=2 begun=1
    slot 1 serial=1 kind=subscription state=active site=3 scheduler=1 createdAt=1010000000 eventCount=2 lastEventAt=2600000000 owner=\(id(20))
    slot 2 serial=2 kind=subscription state=active site=2 link=\(id(1)) scheduler=1 createdAt=1010000000 eventCount=2 lastEventAt=2600000000
    slot 3 serial=3 kind=subscription state=active site=1 link=\(id(2)) scheduler=1 createdAt=1010000000 eventCount=2 lastEventAt=2600000000
    slot 9 serial=9 kind=subscription state=active site=6 scheduler=2 createdAt=1030000000
    slot 10 serial=10 kind=subscription state=active site=5 link=\(id(9)) scheduler=2 createdAt=1030000000
    slot 20 serial=20 kind=owner state=active site=4 createdAt=1010000000 depth=1 eventCount=1
    segment 0 epoch=1 generation=1 baseTicks=1000000000 thread=1
    \(main.joined(separator: "\n"))
    segment 1 epoch=2 generation=1 baseTicks=1000000000 thread=2
    \(net.joined(separator: "\n"))
    """
  }

  private static func at(_ milliseconds: Int, _ record: String) -> String {
    "  +\(milliseconds * 1_000_000) \(record)"
  }

  private static func id(_ slot: Int) -> Int { Story.id(slot) }

  private static func subscribed(_ id: Int, _ site: Int, _ downstream: Int, _ time: Int) -> String {
    at(
      time,
      "subscribed subscription=\(Self.id(id)) site=\(site) downstream=\(Self.id(downstream)) serial=\(id) schedulerAndChain=\((site < 5 ? 1 : 2) << 32)"
    )
  }

  /// Opens a panel and binds its subscription to its bag.
  private static func open(_ root: Int, _ owner: Int, _ time: Int) -> [String] {
    [
      subscribed(root, 3, 0, time), subscribed(root + 1, 2, root, time),
      subscribed(root + 2, 1, root + 1, time),
      at(time, "owner-created owner=\(id(owner)) site=4 scheduler=0 serial=\(owner)"),
      at(time, "owner-bound subscription=\(id(root)) owner=\(id(owner))"),
    ]
  }

  /// A value and its description of at most six bytes.
  private static func value(_ subscription: Int, _ number: Int, _ text: String, _ time: Int)
    -> [String]
  {
    let word = text.utf8.reversed().reduce(0) { $0 << 8 | Int($1) }
    return [
      at(time, "next subscription=\(id(subscription)) sequence=\(number)"),
      at(time, "value subscription=\(id(subscription)) bytes=\(text.utf8.count) text0=\(word)"),
    ]
  }

  private static let main: [String] =
    open(1, 20, 10) + open(5, 21, 20)
    + [at(1000, "turn-began entity=\(id(3)) thread=1")]
    + value(3, 1, "19 C", 1000) + value(2, 1, "19 C", 1000) + value(1, 1, "19 C", 1000)
    + [at(1001, "turn-ended entity=\(id(3))")]
    + [
      at(1500, "hop-scheduled hop=40 chain=0 scheduler=1 subscription=\(id(6))"),
      at(1501, "hop-began hop=40 scheduler=1"),
      at(1502, "tear-down chain=0 cause=owner by=\(id(21)) downstream=0"),
      at(1502, "ended subscription=\(id(7)) reason=cancelled"),
      at(1502, "ended subscription=\(id(6)) reason=cancelled"),
      at(1502, "ended subscription=\(id(5)) reason=cancelled"),
      at(1503, "owner-ended owner=\(id(21))"),
      at(1504, "hop-ended hop=40"),
      at(1790, "hop-scheduled hop=50 chain=0 scheduler=2 subscription=\(id(2))"),
      at(1900, "hop-scheduled hop=51 chain=0 scheduler=2 subscription=\(id(2))"),
      at(1950, "turn-began entity=\(id(3)) thread=1"),
    ] + value(3, 2, "42 C", 1950) + value(2, 2, "42 C", 1950) + value(1, 2, "42 C", 1950)
    + [at(1951, "turn-ended entity=\(id(3))")]

  private static let net: [String] = [
    subscribed(9, 6, 0, 30), subscribed(10, 5, 9, 30), subscribed(11, 6, 0, 40),
    subscribed(12, 5, 11, 40),
    at(1700, "failed subscription=\(id(12)) error=1"),
    at(1700, "failed subscription=\(id(11)) error=1"),
    at(1700, "ended subscription=\(id(12)) reason=failed"),
    at(1700, "ended subscription=\(id(11)) reason=failed"),
    at(1800, "hop-began hop=50 scheduler=2"),
  ]

  /// Presses keys on the map, one after another; text after `/` or `:` counts as one press.
  static func press(
    _ presses: [String],
    of trace: String = text(),
    size: Size = Size(columns: 120, rows: 40),
    comparing other: String? = nil
  ) throws -> (text: String, model: Model) {
    let file = try WrittenTrace(trace)
    let source = StorySource(file: file, source: try TraceSource(path: file.path))
    var terminal = HeadlessTerminal(size: size, keys: presses.joined())
    var helpers = ScreenHelpers.none()
    if let other {
      let before = try WrittenTrace(other)
      var earlier = try TraceSource(path: before.path)
      let inspection = try earlier.inspection(at: .end)
      helpers.compare = { name, later in SiteBase(inspection, of: later, name: name) }
    }
    var loop = ScreenLoop(model: Model(size: size, screen: .map), source: source, helpers: helpers)
    try loop.run(on: &terminal)
    return (terminal.screen.text, loop.model)
  }
}
