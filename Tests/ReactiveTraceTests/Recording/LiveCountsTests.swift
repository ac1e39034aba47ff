import ReactiveTrace
import Testing

@Suite struct LiveCountsTests {
  @Test func countEntitiesThatHaveNotEnded() async {
    await #expect(processExitsWith: .success) {
      #expect(LiveCounts.now() == nil, "nothing was ever recorded")
      try Recording.start(level: .graph)
      let root = Recording.site("subscribe", traits: .root)
      let roots = (0..<3).map { _ in
        Tracer.subscribed(site: root, signal: .none, downstream: .none)
      }
      let inner = Recording.subscription("map", line: 2)
      Tracer.ended(roots[0], .cancelled)
      let live = try #require(LiveCounts.now())
      #expect(live.rootSubscriptions == 2)
      #expect(live.subscriptions == 3, "that of an operator, too")
      #expect(live.signals == 1 && live.timers == 0)
      Tracer.ended(inner, .completed)
      Trace.stop()
      #expect(LiveCounts.now()?.subscriptions == 2, "also when it has stopped")
    }
  }
}
