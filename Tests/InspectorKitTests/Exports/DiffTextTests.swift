import InspectorKit
import ReactiveTrace
import Testing

@Suite struct DiffTextTests {
  /// The cells of the row of an operator, from the change on; nil if there is none.
  private func cells(_ text: String, _ name: String) -> [Substring]? {
    let line = text.split(separator: "\n").first { $0.contains("\(name)@") }
    return line.map { Array($0.split(separator: " ").drop { !$0.contains("@") }.dropFirst()) }
  }

  @Test func countsTimersAndOwnersOfLinesThatHaveOnlyThose() {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let timers = trace.site("schedule(every:)", "Pane.swift", 9, [.timer])
    let owners = trace.site("DisposableBag", "Pane.swift", 3)
    let interval = trace.site("interval", "Feed.swift", 1, [.timer])
    let subscription = trace.subscribe(interval)
    let timer = trace.arm(timers, every: .seconds(1))
    let owner = trace.own(owners)
    let before = SiteBase(Inspection(snapshot: trace.finish()))
    trace.wait(.seconds(1))
    for _ in 0..<2 { _ = trace.arm(timers, every: .seconds(1)) }
    trace.fire(timer)
    trace.endOwner(owner)
    // Counted by its subscriptions, however many timers it arms.
    _ = trace.arm(interval, every: .seconds(1), for: subscription)
    let text = DiffText(columns: 120).render(Inspection(snapshot: trace.finish()), before)
    #expect(text.hasPrefix("since 0.000 s: 1 more, 1 fewer, 1 as they were\n"), "\(text)")
    #expect(cells(text, "schedule(every:)") == ["+2", "1", "3", "2", "1", "more"])
    #expect(cells(text, "DisposableBag") == ["-1", "1", "0", "0", "0", "fewer"])
    #expect(cells(text, "interval") == nil)
  }

  @Test func countsThemInAnotherTraceToo() {
    func run(_ line: UInt32, _ count: Int) -> Inspection {
      var trace = TraceSimulator()
      _ = trace.thread("main", isMain: true)
      let timers = trace.site("schedule(every:)", "Pane.swift", 9, [.timer])
      let owners = trace.site("DisposableBag", "Pane\(line).swift", line)
      for _ in 0..<count {
        _ = trace.arm(timers, every: .seconds(1))
        _ = trace.own(owners)
      }
      return Inspection(snapshot: trace.finish())
    }
    let (before, after) = (run(3, 1), run(4, 4))
    let base = SiteBase(before, of: after, name: "before")
    let text = DiffText(columns: 120).render(after, base, before: before)
    #expect(text.hasPrefix("since 'before': 2 more, 1 fewer, 0 as they were\n"), "\(text)")
    #expect(cells(text, "schedule(every:)")?.prefix(3) == ["+3", "1", "4"])
    #expect(text.contains("DisposableBag@Pane3.swift:3") && text.contains("gone"))
    #expect(text.contains("DisposableBag@Pane4.swift:4") && text.contains("new line"))
  }
}
