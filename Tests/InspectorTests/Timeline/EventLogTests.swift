import Testing
import TraceModel
import TraceReading

/// Rows of events far from the record that says which line of code they belong to.
@Suite struct EventLogTests {
  @Test func anEventOfAnEndedSubscriptionIsNamedHoweverLongBeforeItTheSubscriptionBegan() {
    var trace = TraceSimulator()
    let root = trace.site("subscribe", "Feed.swift", 12, [.root])
    let subscription = trace.subscribe(root)
    for _ in 0..<210_000 { trace.next(subscription) }
    trace.release(subscription)
    let log = EventLog(trace.finish(), first: 0)
    #expect(log.rows([205_000]).map(\.subjectText) == ["subscribe@Feed.swift:12 #1"])
  }
}
