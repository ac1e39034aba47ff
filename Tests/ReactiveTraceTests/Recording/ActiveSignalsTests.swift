import Glibc
import ReactiveTrace
import Testing
import TraceReading

@Suite struct ActiveSignalsTests {
  @Test func followsASignalFromItsCreationToItsRelease() async {
    await #expect(processExitsWith: .success) {
      #expect(ActiveSignals.snapshot().signals.isEmpty, "nothing is recorded yet")
      #expect(!ActiveSignals.snapshot().isRecorded)
      #expect(ActiveSignals.snapshot().description.hasPrefix("nothing is recorded: set RXTRACE=1"))
      try Recording.start(level: .graph)
      #expect(ActiveSignals.snapshot().isRecorded, "there are none")
      #expect(ActiveSignals(of: try Recording.snapshot()).isRecorded)
      let site = Recording.site("map", line: 12)
      let signal = Tracer.signalCreated(site: site)
      Tracer.signalNamed(signal, "ticks")
      var now = ActiveSignals.snapshot()
      #expect((now.created, now.active, now.inactive, now.released) == (1, 0, 0, 0))
      #expect(now.description == "1 signal: 1 created, 0 active, 0 inactive; 0 released")
      #expect(
        now.signals.first?.description
          == "ticks @ Tests/File.swift:12: created, 0 of 0 subscriptions"
      )
      let ids = (0..<2).map { _ in Tracer.subscribed(site: site, signal: signal, downstream: .none)
      }
      now = ActiveSignals.snapshot()
      #expect((now.created, now.active, now.inactive) == (0, 1, 0))
      #expect(now.signals.first?.subscriptions == 2)
      Tracer.ended(ids[0], .completed)
      #expect(ActiveSignals.snapshot().signals.first?.subscriptions == 1)
      Tracer.ended(ids[1], .cancelled)
      now = ActiveSignals.snapshot()
      #expect((now.active, now.inactive) == (0, 1))
      #expect(now.signals.first?.subscriptionsEver == 2)
      Tracer.signalReleased(signal)
      now = ActiveSignals.snapshot()
      #expect(now.signals.isEmpty)
      #expect(now.released == 1)
    }
  }

  @Test func aSignalThatIsReleasedIsListedUntilItsLastSubscriptionHasEnded() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let site = Recording.site("map", line: 12)
      let signal = Tracer.signalCreated(site: site)
      let ids = (0..<2).map { _ in Tracer.subscribed(site: site, signal: signal, downstream: .none)
      }
      Tracer.signalReleased(signal)
      #expect(ActiveSignals.snapshot().signals.map(\.subscriptions) == [2])
      #expect(try Recording.snapshot().slots.first { $0.kind == .signal }?.owner == 1)
      Tracer.ended(ids[0], .completed)
      #expect(ActiveSignals.snapshot().signals.map(\.state) == [.active])
      #expect(ActiveSignals.snapshot().released == 0)
      Tracer.ended(ids[1], .cancelled)
      #expect(ActiveSignals.snapshot().signals.isEmpty)
      #expect(ActiveSignals.snapshot().released == 1)
      let now = try Recording.snapshot()
      #expect(
        now.records.last { $0.kind == .ended || $0.kind == .signalReleased }?.kind
          == .signalReleased
      )
      #expect(now.records.filter { $0.kind == .signalReleased }.map(\.id) == [signal.rawValue])
    }
  }

  @Test func saysTheSameInProcessAndFromTheTrace() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      var signals: [TraceID] = []
      for line in 1...200 {
        let site = Recording.site(line % 2 == 0 ? "map" : "filter", line: UInt32(line))
        let signal = Tracer.signalCreated(site: site)
        if line % 5 == 0 { Tracer.signalNamed(signal, "signal \(line)") }
        for _ in 0..<(line % 3) {
          let id = Tracer.subscribed(site: site, signal: signal, downstream: .none)
          if line % 4 == 0 { Tracer.ended(id, .completed) }
        }
        signals.append(signal)
      }
      for signal in signals.prefix(50) { Tracer.signalReleased(signal) }
      let inside = ActiveSignals.snapshot()
      let outside = ActiveSignals(of: try Recording.snapshot())
      // Released signals stay listed while they have a subscription.
      let kept = (1...50).count { $0 % 3 != 0 && $0 % 4 != 0 }
      #expect(inside.signals.count == 150 + kept)
      #expect(inside.signals.map(\.description) == outside.signals.map(\.description))
      #expect(inside.signals.map(\.id) == outside.signals.map(\.id))
      #expect(
        (inside.created, inside.active, inside.inactive) == (
          outside.created, outside.active, outside.inactive
        )
      )
      #expect(inside.released == UInt64(50 - kept) && outside.released == inside.released)
    }
  }

  @Test func canBeReadWhileSignalsAreMadeAndReleased() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      Recording.onThreads(3) { index in
        for round in 0..<2000 {
          if index < 2 {
            let site = Recording.site("map", line: UInt32(index + 1))
            let signal = Tracer.signalCreated(site: site)
            Tracer.signalReleased(signal)
          } else if round % 20 == 0 {
            for entry in ActiveSignals.snapshot().signals where entry.name != "map" {
              Issue.record("a signal of no site: \(entry)")
            }
          }
        }
      }
      #expect(ActiveSignals.snapshot().released == 4000)
    }
  }
}
