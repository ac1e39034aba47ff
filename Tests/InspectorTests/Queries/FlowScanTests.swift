import ReactiveTrace
import Testing
import TraceModel
import TraceReading

/// Values that a program sends to a signal outside of handlers of values.
@Suite struct FlowScanTests {
  /// How often each line sent to each signal.
  ///
  /// In the trace, a root subscription ends during a delivery, a subject is then sent a value, and
  /// later a timer of the program fires and sends to a source.
  private static func sent(_ reason: Int, traits: Int) throws -> [UInt64: UInt64] {
    let hot = SiteTraits.hot.rawValue
    let source = SiteTraits.source.rawValue
    let file = try WrittenTrace(
      """
      header state=stopped clock=monotonic slotBits=8 generation=1 startTicks=1 stopTicks=9000 latestTicks=9000
      site name="subscribe" file="App/Main.swift" line=1 traits=\(traits)
      site name="Subject" file="App/Main.swift" line=2 traits=\(hot)
      site name="create" file="App/Main.swift" line=3 traits=\(source)
      site name="schedule(after:)" file="App/Main.swift" line=4
      scheduler 1 kind=serialQueue name="work"
      thread 1 systemID=41 isMain=1
      segment thread=1
        +1 subscribed subscription=0x101 site=1 downstream=0 serial=1 signal=0 schedulerAndChain=0
        +1 subscribed subscription=0x202 site=2 downstream=0 serial=2 signal=0 schedulerAndChain=0
        +1 subscribed subscription=0x303 site=3 downstream=0 serial=3 signal=0 schedulerAndChain=0
        +2 timer-armed timer=0x404 site=4 subscription=0 serial=4 period=0 schedulerAndChain=0
        +3 hop-began hop=1 scheduler=1
        +3 turn-began entity=0x303 thread=1
        +4 ended subscription=0x101 reason=\(reason)
        +5 turn-began entity=0x202 thread=1
        +6 turn-ended entity=0x202
        +6 turn-ended entity=0x303
        +7 hop-ended hop=1
        +8 hop-began hop=2 scheduler=1
        +8 timer-fired timer=0x404 fires=1
        +8 next subscription=0x303 sequence=1
        +9 hop-ended hop=2
      """
    )
    let snapshot = try TraceReader(path: file.path).snapshot()
    return FlowScan.report(from: .zero, to: .seconds(1), snapshot).sent
  }

  private static let byTimer = Packing.pair(high: 4, low: 3)
  private static let byEnd = Packing.pair(high: 1, low: 2)

  @Test func handlersOfTerminalEventsAndScheduledWorkSend() throws {
    let handlesEnd = Int(SiteTraits([.root, .handlesEnd]).rawValue)
    let failed = Int(EndReason.failed.rawValue)
    let completed = Int(EndReason.completed.rawValue)
    #expect(try Self.sent(failed, traits: 1) == [Self.byEnd: 1, Self.byTimer: 1])
    #expect(try Self.sent(completed, traits: handlesEnd) == [Self.byEnd: 1, Self.byTimer: 1])
  }

  @Test func aDisposedSubscriptionOrOneWithoutATerminalHandlerSendsNothing() throws {
    let unhandled = Int(SiteTraits([.root, .unhandled]).rawValue)
    #expect(try Self.sent(Int(EndReason.cancelled.rawValue), traits: 1) == [Self.byTimer: 1])
    #expect(try Self.sent(Int(EndReason.completed.rawValue), traits: 1) == [Self.byTimer: 1])
    #expect(try Self.sent(Int(EndReason.failed.rawValue), traits: unhandled) == [Self.byTimer: 1])
  }

  /// The signals of an action get what its executions send, even over the action's scheduler; other
  /// signals do not, if something else sends to them during the delivery.
  @Test(arguments: [true, false])
  func anExecutionSendsToTheSignalsOfItsAction(isPart: Bool) throws {
    let hot = SiteTraits.hot.rawValue
    let executes = SiteTraits.executes.rawValue
    let file = try WrittenTrace(
      """
      header state=stopped clock=monotonic slotBits=8 generation=1 startTicks=1 stopTicks=9000 latestTicks=9000
      site name="execution" file="App/Main.swift" line=1 traits=\(executes)
      site name="Action" file="App/Main.swift" line=2 traits=\(hot)
      argument 1 kind=\(isPart ? "part text=\"values\"" : "closure")
      scheduler 1 kind=serialQueue name="work"
      thread 1 systemID=41 isMain=1
      segment thread=1
        +1 signal-created signal=0x101 site=2 upstream=0x100000000 serial=1
        +2 subscribed subscription=0x202 site=1 downstream=0 serial=2 signal=0 schedulerAndChain=0
        +3 hop-began hop=1 scheduler=1
        +3 next subscription=0x202 sequence=1
        +3 hop-scheduled hop=2 chain=0 scheduler=1 subscription=0
        +4 hop-ended hop=1
        +5 hop-began hop=2 scheduler=1
        +5 turn-began entity=0x101 thread=1
        +6 turn-ended entity=0x101
        +6 hop-ended hop=2
      """
    )
    let snapshot = try TraceReader(path: file.path).snapshot()
    let sent = FlowScan.report(from: .zero, to: .seconds(1), snapshot).sent
    #expect(sent == (isPart ? [Packing.pair(high: 1, low: 2): 1] : [:]))
  }
}
