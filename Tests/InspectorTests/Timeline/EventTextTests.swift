import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// The texts of rows of the event log.
@Suite struct EventTextTests {
  @Test func showsValuesAndTheStateOfTheRecording() throws {
    // The texts are "secret" and "01234523456789…": six bytes are in the first word, the next
    // eight in the second.
    let trace = try WrittenTrace(
      """
      site name="bag" file="App/Main.swift" line=3
      slot 1 serial=1 kind=owner state=active site=1 createdAt=1
      slot 2 serial=2 kind=subscription state=active site=1 owner=0x101 createdAt=2
      segment thread=1
        +1 owner-created owner=0x101 site=1 scheduler=0 serial=1
        +2 subscribed subscription=0x202 site=1 downstream=0 serial=2 signal=0 schedulerAndChain=0
        +3 owner-bound subscription=0x202 owner=0x101
        +4 next subscription=0x202 sequence=1
        +4 value subscription=0x202 bytes=6 text0=0x746572636573
        +5 next subscription=0x202 sequence=2
        +5 value subscription=0x202 bytes=900 text0=0x353433323130 text1=0x3938373635343332
        +6 fork fork=2
        +7 tail-ended why=2 error=0
      """
    )
    var source = try TraceSource(path: trace.path)
    let events = try source.inspection(at: .end).events
    let texts = events.map(\.text)
    #expect(texts.contains("secret"))
    #expect(texts.contains { $0.hasPrefix("01234523456789") && $0.hasSuffix("…") })
    #expect(texts.contains("fork 2, of which nothing is recorded"))
    #expect(texts.contains("the file no longer grows"))
    #expect(events.first { $0.kind == .ownerCreated }?.subjectText.hasPrefix("bag") == true)
  }

  /// The first execution is refused; the second one subscribes to a signal, which fails.
  @Test func theFailureOfAnExecutionThatWasRefusedSaysSo() throws {
    let trace = try WrittenTrace(
      """
      site name="execution" file="App/Main.swift" line=9 traits=\(SiteTraits.executes.rawValue)
      site name="write" file="App/Main.swift" line=7
      segment thread=1
        +1 subscribed subscription=0x101 site=1 downstream=0 serial=1 signal=0 schedulerAndChain=0
        +2 tear-down chain=0 cause=event by=0x101 downstream=0
        +2 failed subscription=0x101 error="Swift.Error"
        +2 ended subscription=0x101 reason=failed
        +3 subscribed subscription=0x202 site=1 downstream=0 serial=2 signal=0 schedulerAndChain=0
        +3 subscribed subscription=0x303 site=2 downstream=0x202 serial=3 signal=0 schedulerAndChain=0
        +4 tear-down chain=0 cause=event by=0x303 downstream=0
        +4 failed subscription=0x303 error="App.DiskFull"
        +4 ended subscription=0x303 reason=failed
        +4 failed subscription=0x202 error="App.DiskFull"
        +4 ended subscription=0x202 reason=failed
      """
    )
    var source = try TraceSource(path: trace.path)
    let events = try source.inspection(at: .end).events
    #expect(
      events.filter { $0.kind == .failed }.map(\.text)
        == ["refused", "failure App.DiskFull", "failure App.DiskFull"]
    )
    let ends = events.filter { $0.kind == .ended }.map(\.text)
    #expect(ends.first == "refused" && ends.dropFirst().allSatisfy { $0.hasPrefix("failed") })
  }

  @Test func theRowOfAnEndShowsWhatEndedTheSubscription() throws {
    let trace = try WrittenTrace(
      """
      site name="bag" file="App/Main.swift" line=3
      site name="subscribe" file="App/Main.swift" line=9
      site name="take" file="App/Main.swift" line=8
      site name="Subject" file="App/Main.swift" line=7
      segment thread=1
        +1 owner-created owner=0x101 site=1 scheduler=0 serial=1
        +2 subscribed subscription=0x202 site=2 downstream=0 serial=2 signal=0 schedulerAndChain=0
        +2 subscribed subscription=0x303 site=3 downstream=0x202 serial=3 signal=0 schedulerAndChain=0
        +2 subscribed subscription=0x404 site=4 downstream=0x303 serial=4 signal=0 schedulerAndChain=0
        +3 tear-down chain=0 cause=operator by=0x303 downstream=0x303
        +3 ended subscription=0x404 reason=cancelled
        +3 subscription-released subscription=0x404
        +3 tear-down chain=7 cause=owner by=0x101 downstream=0
        +3 ended subscription=0x303 reason=cancelled
        +3 ended subscription=0x202 reason=cancelled
        +4 owner-ended owner=0x101
        +5 ended subscription=0x505 reason=cancelled
      """
    )
    var source = try TraceSource(path: trace.path)
    let inspection = try source.inspection(at: .end)
    #expect(!inspection.events.contains { $0.kind == .tearDown })
    let ends = inspection.events.filter { $0.kind == .ended }
    #expect(
      ends.map(\.text) == [
        "cancelled, ended by take@Main.swift:8 #3",
        "cancelled, disposed of by its owner bag@Main.swift:3 #1",
        "cancelled, disposed of by its owner bag@Main.swift:3 #1", "cancelled",
      ]
    )
    #expect(ends.map(\.endCause) == [.operator, .owner, .owner, nil])
    #expect(ends.map { $0.endedBy?.serial } == [3, 1, 1, nil])
    #expect(ends.map(\.chain) == [0, 7, 7, 0])
    let explanation = try SilenceExplanation.of(4, in: TraceReader(path: trace.path).snapshot())
    #expect(explanation.answer == "It ended: cancelled, ended by take@Main.swift:8 #3.")
  }
}
