import Reactive
import ReactiveTrace
import Testing
import TraceReading

@Suite struct OwnerTraceTests {
  private static func snapshot() throws -> TraceSnapshot {
    try TraceReader(path: try #require(Trace.path)).snapshot()
  }

  @Test func aBagIsTheOwnerOfItsSubscriptions() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      do {
        let bag = DisposableBag()
        for _ in 0..<3 { subject.signal.subscribe().store(in: bag) }
        let now = try Self.snapshot()
        let owner = try #require(now.slots.first { $0.kind == .owner })
        #expect(owner.depth == 3)
        let site = now.sites[Int(owner.site)]
        #expect(site.name == "DisposableBag")
        #expect(site.file == "ReactiveTests/OwnerTraceTests.swift")
        #expect(now.slots.count { $0.owner == owner.id.rawValue } == 3)
        withExtendedLifetime(bag) {}
      }
      let after = try Self.snapshot()
      #expect(!after.slots.contains { $0.kind == .owner })
      // The subscriptions end before their owner.
      let order = after.records.filter { $0.kind == .ended || $0.kind == .ownerEnded }.map(\.kind)
      #expect(order.last == .ownerEnded)
      // Each subscription has a root and one stage upstream of it.
      #expect(order.count { $0 == .ended } == 6)
    }
  }

  @Test func aCompositeEndsAsAnOwnerWhenItIsDisposedOf() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      let all = CompositeDisposable([subject.signal.subscribe()])
      #expect(try Self.snapshot().slots.contains { $0.kind == .owner })
      all.dispose()
      #expect(try !Self.snapshot().slots.contains { $0.kind == .owner })
    }
  }

  @Test func anEmptyBagIsNotRecorded() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let bag = DisposableBag()
      bag.add(ActionDisposable {})
      #expect(try !Self.snapshot().slots.contains { $0.kind == .owner })
      bag.empty()
    }
  }
}
