import Testing

@testable import ReactiveTrace
import TraceReading

/// Tests when a subscription counts as released.
@Suite struct ReleaseTests {
  @Test(arguments: [true, false])
  func aSubscriptionIsReleasedOnceItHasEndedAndAllHoldersReleasedIt(_ endsFirst: Bool) async {
    await #expect(processExitsWith: .success) { [endsFirst] in
      try Recording.start()
      let id = Recording.subscription()
      Tracer.held(id)
      if endsFirst { Tracer.ended(id, .cancelled) }
      Tracer.release(id)
      #expect(try Recording.snapshot().slot(id) != nil)
      #expect(try Recording.snapshot().record(.subscriptionReleased) == nil)
      Tracer.release(id)
      if !endsFirst {
        #expect(try Recording.snapshot().slot(id)?.state == .active, "it has not ended")
        Tracer.ended(id, .cancelled)
      }
      let now = try Recording.snapshot()
      #expect(now.slot(id) == nil)
      #expect(
        now.records(.ended).map(\.id) + now.records(.subscriptionReleased).map(\.id)
          == [id.rawValue, id.rawValue]
      )
      let row = try #require(now.site("map"))
      #expect(row.live == 0)
      #expect(row.ended[Int(EndReason.cancelled.rawValue)] == 1)
      #expect(row.released == 1)
    }
  }

  /// Some of these counts exceed the number of subscriptions that end under one lock, or whose
  /// records fit into one segment.
  @Test(arguments: [3, 16, 17, 3000])
  func subscriptionsPutBeforeOthersEndWithOneCall(_ count: Int) async {
    await #expect(processExitsWith: .success) { [count] in
      try Recording.start(size: 4 << 20)
      var ids = [Recording.subscription()]
      while ids.count < count {
        let site = Recording.site("map")
        let id = Tracer.subscribed(site: site, signal: .none, downstream: ids[ids.count - 1])
        Tracer.put(id, before: ids[ids.count - 1])
        ids.append(id)
      }
      // Some are released before the end, others after it.
      for id in ids where id.rawValue % 3 != 0 { Tracer.release(id) }
      Tracer.ended(ids[count - 1], by: Recording.Type.self)
      for id in ids where id.rawValue % 3 == 0 { Tracer.release(id) }
      let now = try Recording.snapshot()
      let latestFirst = ids.reversed().map(\.rawValue)
      #expect(now.records(.ended).map(\.id) == latestFirst)
      #expect(now.records(.failed).map(\.id) == latestFirst)
      // The cause is recorded once in each segment, a block of records of one thread.
      let segments = Set(now.records(.ended).map { Packing.position(ofRecord: $0.number).epoch })
      let causes = now.records(.tearDown)
      #expect(causes.count == segments.count)
      #expect(Set(causes.map { Packing.position(ofRecord: $0.number).epoch }) == segments)
      #expect(
        causes.compactMap(\.tearDown).allSatisfy {
          $0.cause == .event && $0.by == ids[count - 1] && $0.downstream == .none && $0.chain == 0
        }
      )
      #expect(Set(now.records(.subscriptionReleased).map(\.id)) == Set(latestFirst))
      #expect(now.records(.subscriptionReleased).count == count)
      #expect(Set(now.slots.map(\.id)).isDisjoint(with: ids))
      let row = try #require(now.site("map"))
      #expect(row.live == 0)
      #expect(row.ended[Int(EndReason.failed.rawValue)] == UInt64(count))
      #expect(row.released == UInt64(count))
      // The records of each subscription are in order.
      let lives = Dictionary(grouping: now.records.filter { $0.kind != .entityStatus }, by: \.id)
      for id in ids {
        let kinds = lives[id.rawValue]?.map(\.kind)
        #expect(kinds == [.subscribed, .failed, .ended, .subscriptionReleased])
      }
    }
  }

  /// During a teardown, in which subscriptions end together, the recorder remembers the releases;
  /// some of these counts exceed the number that it can remember.
  @Test(arguments: [0, 1, 16, 40])
  func subscriptionsReleasedDuringATeardownAreReleasedWithIt(_ count: Int) async {
    await #expect(processExitsWith: .success) { [count] in
      try Recording.start()
      let whole = Recording.subscription()
      let over = (0..<count).map { _ in Recording.subscription() }
      for id in over { Tracer.ended(id, .cancelled) }
      Tracer.beginTeardown()
      for id in over { Tracer.release(id) }
      Tracer.release(whole)
      Tracer.ended(whole, .cancelled)
      Tracer.release(.none)
      Tracer.endTeardown()
      var now = try Recording.snapshot()
      #expect(now.site("map")?.released == UInt64(count + 1))

      // The same is true of a nested teardown in which no subscription ends.
      let late = Recording.subscription()
      Tracer.ended(late, .cancelled)
      Tracer.beginTeardown()
      Tracer.beginTeardown()
      Tracer.release(late)
      Tracer.endTeardown()
      Tracer.endTeardown()
      now = try Recording.snapshot()
      #expect(now.slot(late) == nil)
      #expect(now.site("map")?.released == UInt64(count + 2))
    }
  }

  @Test func subscriptionsReleasedWhileStoppedAreReleasedWhenRecordingResumes() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      var options = TraceOptions()
      options.size = 1 << 20
      options.path = Trace.path
      let ended = Recording.subscription()
      let alive = Recording.subscription()
      let both = Recording.subscription()
      let torn = Recording.subscription()
      Tracer.put(both, before: torn)
      Tracer.ended(ended, .cancelled)
      Trace.stop()
      for id in [ended, alive, both] { Tracer.release(id) }
      Tracer.beginTeardown()
      Tracer.release(torn)
      Tracer.ended(both, .cancelled)
      Tracer.endTeardown()
      try Trace.start(options)
      let now = try Recording.snapshot()
      #expect(now.slot(ended) == nil)
      #expect(now.slot(alive)?.state == .active)
      #expect(now.slot(both) == nil)
      #expect(now.slot(torn) == nil)
      #expect(now.site("map")?.released == 3)
      #expect(now.site("map")?.live == 1)
      Tracer.ended(alive, .cancelled)
      #expect(try Recording.snapshot().slot(alive) == nil)
    }
  }

  @Test func holdersOfManyThreadsReleaseEachOnce() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 4 << 20)
      let site = Recording.site("map")
      for _ in 0..<200 {
        let ids = (0..<8).map { _ in
          Tracer.subscribed(site: site, signal: .none, downstream: .none)
        }
        for id in ids { for _ in 0..<7 { Tracer.held(id) } }
        for index in 1..<8 { Tracer.put(ids[index], before: ids[index - 1]) }
        Recording.onThreads(9) { thread in
          if thread == 8 { return Tracer.ended(ids[7], .cancelled) }
          for id in ids { Tracer.release(id) }
        }
      }
      let row = try #require(try Recording.snapshot().site("map"))
      #expect(row.subscribed == 1600)
      #expect(row.ended[Int(EndReason.cancelled.rawValue)] == 1600)
      #expect(row.released == 1600)
      #expect(row.live == 0)
    }
  }
}
