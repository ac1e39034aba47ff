import ReactiveTrace
import Testing
import TraceReading

@Suite struct OwnerTests {
  @Test func recordsTheOwnerOfASubscription() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let owner = Tracer.ownerCreated(site: Recording.site("DisposableBag", line: 7))
      let ids = (0..<3).map { _ in Recording.subscription() }
      for id in ids { Tracer.ownerBound(id, owner) }
      Tracer.ownerBound(ids[0], owner)
      Tracer.ended(ids[2], .completed)
      let now = try Recording.snapshot()
      let slot = try #require(now.slot(owner))
      #expect(slot.kind == .owner && slot.state == .active)
      #expect(slot.depth == 2, "one has ended")
      #expect(slot.eventCount == 3, "bound twice counts once")
      #expect(now.sites[Int(slot.site)].line == 7)
      #expect(now.slot(ids[0])?.owner == owner.rawValue)
      #expect(now.records(.ownerBound).map(\.owner) == [owner, owner, owner])
      #expect(now.record(.ownerCreated)?.site == slot.site)
      Tracer.ownerEnded(owner)
      let after = try Recording.snapshot()
      #expect(after.slot(owner) == nil)
      #expect(after.record(.ownerEnded)?.entity == owner)
    }
  }

  @Test func aSiteCountsItsOwners() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(level: .graph)
      let site = Recording.site("DisposableBag", line: 7)
      let owners = (0..<3).map { _ in Tracer.ownerCreated(site: site) }
      Tracer.ownerEnded(owners[0])
      Tracer.ownerEnded(owners[0])
      let row = try Recording.snapshot().sites[Int(site)]
      #expect(row.ownersCreated == 3)
      #expect(row.ownersEnded == 1, "it ends once")
      #expect(row.subscribed == 0, "owners are no subscriptions")
    }
  }

  @Test func aLaterOwnerTakesOver() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(level: .graph)
      let first = Tracer.ownerCreated(site: Recording.site("DisposableBag"))
      let second = Tracer.ownerCreated(site: Recording.site("CompositeDisposable"))
      let id = Recording.subscription()
      Tracer.ownerBound(id, first)
      Tracer.ownerBound(id, second)
      let now = try Recording.snapshot()
      #expect(now.slot(id)?.owner == second.rawValue)
      #expect(now.slot(first)?.depth == 0)
      #expect(now.slot(second)?.depth == 1)
    }
  }

  @Test func anOwnerThatEndsWhileStoppedHasEndedWhenRecordingResumes() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let owner = Tracer.ownerCreated(site: Recording.site("DisposableBag"))
      let path = try #require(Trace.path)
      Trace.stop()
      Tracer.ownerEnded(owner)
      #expect(try Recording.snapshot().slot(owner) != nil)
      try Recording.start(path: path)
      let now = try Recording.snapshot()
      #expect(now.slot(owner) == nil)
      #expect(now.sites.reduce(0) { $0 + $1.ownersEnded } == 1)
    }
  }

  /// A generation (a stretch of a trace that can be read without the earlier records) that does not
  /// contain the creation of an owner contains its status.
  @Test func aLaterGenerationHasTheOwnersStatus() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let owner = Tracer.ownerCreated(site: Recording.site("DisposableBag", line: 9))
      let id = Recording.subscription()
      for _ in 0..<30_000 { Tracer.next(id) }
      Tracer.ownerEnded(owner)
      let now = try Recording.snapshot()
      #expect(now.records(.ownerCreated).isEmpty)
      let index = try #require(now.records.firstIndex { $0.kind == .ownerEnded })
      let status = try #require(now.records[index - 1].status)
      #expect(status.kind == .owner && now.sites[Int(status.site)].line == 9)
    }
  }
}
