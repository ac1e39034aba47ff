import Glibc
import ReactiveTrace
import Testing
import TraceReading

@Suite struct SlabTests {
  @Test func countsEntitiesWithoutASlot() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let site = Recording.site("create")
      let signals = (0..<1023).map { _ in Tracer.signalCreated(site: site) }
      #expect(signals.allSatisfy { $0 != .none })
      #expect(Set(signals).count == 1023)
      #expect(Tracer.signalCreated(site: site) == .none)
      #expect(Tracer.subscribed(site: site, signal: signals[0], downstream: .none) == .none)
      // Calls for signals and subscriptions that are not traced do nothing.
      Tracer.next(.none)
      Tracer.ended(.none, .completed)
      Tracer.signalReleased(.none)
      let now = try Recording.snapshot()
      #expect(now.slots.count == 1023)
      #expect(now.header.lost[.slab] == 2)
      #expect(now.site("create")?.signalsCreated == 1023)
      #expect(now.site("create")?.subscribed == 0)
      #expect(now.slot(signals[0])?.depth == 0)
      Tracer.signalReleased(signals[5])
      #expect(Tracer.signalCreated(site: site) != .none)
    }
  }

  @Test func reusesSlotsInTheOrderOfTheirRelease() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let site = Recording.site("create")
      let signals = (0..<1023).map { _ in Tracer.signalCreated(site: site) }
      let released = [700, 3, 512]
      for index in released { Tracer.signalReleased(signals[index]) }
      let again = released.map { _ in Tracer.signalCreated(site: site) }
      let slot: (TraceID) -> UInt32 = { $0.rawValue & 1023 }
      #expect(again.map(slot) == released.map { slot(signals[$0]) })
      #expect(zip(again, released).allSatisfy { $0 != signals[$1] })
      // The old identifiers are no longer valid.
      for index in released { Tracer.signalReleased(signals[index]) }
      #expect(try Recording.snapshot().slots.count == 1023)
    }
  }

  @Test func callsForAReleasedSignalDoNotAffectTheNextEntityInItsSlot() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let site = Recording.site("create")
      let signals = (0..<1023).map { _ in Tracer.signalCreated(site: site) }
      Tracer.signalReleased(signals[4])
      let other = Tracer.signalCreated(site: Recording.site("other"))
      #expect(other.rawValue & 1023 == signals[4].rawValue & 1023)
      // A subject's gate, which puts its events in order, may outlive its signal and make these
      // calls.
      Tracer.turnBegan(signals[4])
      Tracer.depth(signals[4], 4)
      Tracer.completed(signals[4])
      Tracer.turnEnded(signals[4])
      let now = try Recording.snapshot()
      #expect(now.records(.entityStatus).isEmpty)
      #expect(now.record(.completed) == nil && now.record(.depth) == nil)
      #expect(now.slot(other)?.depth == 0 && now.slot(other)?.lastEventAt == 0)
    }
  }

  @Test func reusesRowsOfUpstreams() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let site = Recording.site("merge")
      let source = Tracer.signalCreated(site: site)
      // The table of upstreams has 256 rows, of which one means "none", and each of these signals
      // takes four.
      for _ in 0..<500 {
        let merged = Tracer.signalCreated(
          site: site,
          upstream: source,
          others: [source, source, source, source]
        )
        #expect(merged != .none)
        Tracer.signalReleased(merged)
      }
      #expect(try Recording.snapshot().header.lost[.upstreams] ?? 0 == 0)
      let many = Tracer.signalCreated(
        site: site,
        upstream: source,
        others: [TraceID](repeating: source, count: 299)
      )
      let now = try Recording.snapshot()
      #expect(now.header.lost[.upstreams] == 44)
      #expect(now.slot(many)?.moreUpstreams.count == 255)
      #expect(now.problems == [])
    }
  }

  @Test func aReleasedSignalKeepsItsSlotUntilItsSubscriptionEnds() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let site = Recording.site("create")
      let filler = (0..<1021).map { _ in Tracer.signalCreated(site: site) }
      let signal = Tracer.signalCreated(site: site)
      let id = Tracer.subscribed(site: site, signal: signal, downstream: .none)
      Tracer.signalReleased(signal)
      #expect(Tracer.signalCreated(site: site) == .none)
      Tracer.signalReleased(filler[0])
      let other = Tracer.signalCreated(site: site)
      #expect(other.rawValue & 1023 == filler[0].rawValue & 1023)
      Tracer.ended(id, .completed)
      let next = Tracer.signalCreated(site: site)
      #expect(next.rawValue & 1023 == signal.rawValue & 1023)
      #expect(next != signal)
    }
  }

  /// For example, a command whose signal was not kept may begin its execution later.
  @Test func aSubscriptionToAReleasedSignalDoesNotAffectTheNextSignalInItsSlot() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let site = Recording.site("create")
      let filler = (0..<1020).map { _ in Tracer.signalCreated(site: site) }
      let signal = Tracer.signalCreated(site: site)
      Tracer.signalReleased(signal)
      let id = Tracer.subscribed(site: site, signal: signal, downstream: .none)
      _ = Tracer.signalCreated(site: site)
      // This signal gets the slot of the released one, and then a subscription of its own.
      let other = Tracer.signalCreated(site: site)
      #expect(other.rawValue & 1023 == signal.rawValue & 1023)
      Tracer.signalReleased(filler[0])
      _ = Tracer.subscribed(site: site, signal: other, downstream: .none)
      Tracer.ended(id, .completed)
      let slot = try #require(try Recording.snapshot().slot(other))
      #expect(slot.depth == 1 && slot.state == .active)
    }
  }

  /// A snapshot that is updated while entities are created and released has the same slots as a new
  /// one.
  @Test func aSnapshotKeepsUpWithTheSlab() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 1 << 20)
      let site = Recording.site("create")
      let reader = try TraceReader(path: try #require(Trace.path))
      var followed = try reader.snapshot()
      var random = Random(seed: 5)
      var alive: [TraceID] = []
      var subscriptions: Set<TraceID> = []
      for _ in 0..<60 {
        for _ in 0..<random.next(below: 40) {
          alive.append(Tracer.signalCreated(site: site))
        }
        for _ in 0..<random.next(below: 40) where !alive.isEmpty {
          let index = Int(random.next(below: UInt64(alive.count)))
          let one = alive.remove(at: index)
          if subscriptions.remove(one) != nil {
            Tracer.ended(one, .cancelled)
            Tracer.subscriptionReleased(one)
          } else {
            Tracer.signalReleased(one)
          }
        }
        if let one = alive.first {
          let subscription = Tracer.subscribed(site: site, signal: one, downstream: .none)
          Tracer.next(subscription)
          alive.append(subscription)
          subscriptions.insert(subscription)
        }
        try reader.update(&followed)
        let fresh = try reader.snapshot()
        #expect(followed.slots.map(\.id) == fresh.slots.map(\.id))
        #expect(followed.slots.map(\.serial) == fresh.slots.map(\.serial))
        #expect(followed.slots.map(\.eventCount) == fresh.slots.map(\.eventCount))
        #expect(followed.slots.map(\.depth) == fresh.slots.map(\.depth))
        #expect(Set(fresh.slots.map(\.id)).isSuperset(of: alive))
      }
    }
  }
}
