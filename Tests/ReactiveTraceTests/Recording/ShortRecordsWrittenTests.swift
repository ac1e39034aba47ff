import ReactiveTrace
import Testing
import TraceReading

/// The recorder writes short records where they say all that the long ones would.
@Suite struct ShortRecordsWrittenTests {
  private static func lines(_ name: String) throws -> Int {
    let text = TraceText.dump(try TraceReader(path: Trace.path ?? ""))
    return text.split(separator: "\n").count { $0.contains(" \(name) ") }
  }

  @Test func aChainThatBeginsTakesOneBatch() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      // The first record of a segment is a long one.
      _ = Tracer.signalCreated(site: Recording.site("just"))
      let sites = (0..<5).map { Recording.site("map", traits: [], line: UInt32($0 + 1)) }
      var signals = [Tracer.signalCreated(site: sites[0])]
      for site in sites.dropFirst() {
        signals.append(
          Tracer.signalCreated(site: site, upstream: signals[signals.count - 1], passesOn: true)
        )
      }
      let root = Recording.site("subscribe", traits: [.root], line: 9)
      _ = Tracer.rootBegan(site: root, signal: signals[4])
      let now = try Recording.snapshot()
      let begun = now.records(.subscribed).compactMap { record in
        record.subscribing.map { (record, $0) }
      }
      #expect(begun.count == 6 && now.problems.isEmpty)
      for (record, subscribing) in begun {
        let slot = try #require(now.slot(record.entity))
        #expect(slot.serial == subscribing.serial && slot.signal == subscribing.signal.rawValue)
        #expect(slot.link == subscribing.downstream && slot.chain == subscribing.chain)
        #expect(slot.site == subscribing.site && slot.scheduler == subscribing.scheduler)
        #expect(slot.createdAt == record.ticks)
      }
      for record in now.records(.signalCreated) {
        let created = try #require(record.signalCreation)
        let slot = try #require(now.slot(record.entity))
        #expect(slot.serial == created.serial && slot.link == created.upstream)
      }
      #expect(try Self.lines("stages-subscribed") == 1)
      #expect(try Self.lines("subscribed") == 0)
      #expect(try Self.lines("source-created") == 1)
    }
  }

  /// Identifiers contain so few bits of the entity's serial number that they repeat.
  @Test func aSerialThatDoesNotFollowFromTheIdentifierIsWritten() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 8 << 20, level: .graph)
      let site = Recording.site("just")
      let bits = try Recording.snapshot().header.slotBits
      let span = 1 << (32 - Int(bits))
      // So many signals of another thread follow that identifiers repeat.
      _ = Tracer.signalCreated(site: site)
      Recording.onThreads(1) { _ in
        for _ in 0..<span { Tracer.signalReleased(Tracer.signalCreated(site: site)) }
      }
      let last = Tracer.signalCreated(site: site)
      let now = try Recording.snapshot()
      let record = try #require(now.records(.signalCreated).last { $0.entity == last })
      #expect(record.signalCreation?.serial == now.slot(last)?.serial)
      #expect(record.length == 2)
    }
  }
}
