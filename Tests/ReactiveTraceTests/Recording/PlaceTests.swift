import Glibc
import ReactiveTrace
import Testing
import TraceReading

/// Tests places (modules, files and lines) that have levels of their own.
@Suite(.serialized) struct PlaceTests {
  private static func start(_ text: String, size: Int = 1 << 20) throws {
    try Recording.reportingErrors {
      var options = try #require(try TraceOptions.parse(text))
      options.size = size
      options.startupSize = options.level == .graph ? 0 : nil
      options.path = "/tmp/rxtrace-test-\(getpid()).rxtrace"
      try Trace.start(options)
    }
    atexit { _ = unlink("/tmp/rxtrace-test-\(getpid()).rxtrace") }
  }

  private static func subscription(_ file: StaticString, line: UInt32 = 1) -> TraceID {
    let site = Tracer.site("map", traits: [], file: file, line: line, column: 1)
    let signal = Tracer.signalCreated(site: site)
    return Tracer.subscribed(site: site, signal: signal, downstream: .none)
  }

  private static func send(_ value: some Any, _ id: TraceID) {
    Tracer.next(id)
    if Tracer.mayRecordValues(of: id) { Tracer.value(id, value) }
  }

  @Test func eachPlaceHasExactlyTheRecordsOfItsLevel() async {
    await #expect(processExitsWith: .success) {
      try Self.start("events,values:Checkout.swift,graph:Noise")
      let (shown, silent, plain) = (
        Self.subscription("Shop/Checkout.swift"), Self.subscription("Noise/Ticks.swift"),
        Self.subscription("Shop/Cart.swift")
      )
      let described = Witness()
      for count in 1...3 {
        Self.send("shown \(count)", shown)
        Self.send(described, silent)
        Self.send(described, plain)
      }
      for id in [shown, silent, plain] {
        Tracer.depth(id, 4)
        Tracer.turnBegan(id)
        Tracer.turnEnded(id)
      }
      let trace = try Recording.snapshot()
      func kinds(_ id: TraceID) -> [RecordKind] {
        trace.records.filter { $0.entity == id && $0.kind != .entityStatus }.map(\.kind)
      }
      #expect(
        kinds(shown) == [
          .subscribed, .next, .value, .next, .value, .next, .value, .depth, .turnBegan, .turnEnded,
        ]
      )
      #expect(kinds(silent) == [.subscribed])
      #expect(kinds(plain) == [.subscribed, .next, .next, .next, .depth, .turnBegan, .turnEnded])
      #expect(
        trace.records(.value).map { $0.valueText?.text } == ["shown 1", "shown 2", "shown 3"]
      )
      #expect(described.count == 0, "what is not recorded is not described")
      // Events are counted everywhere.
      for id in [shown, silent, plain] {
        #expect(trace.slot(id)?.eventCount == 3)
        #expect(trace.slot(id)?.depth == 4)
      }
      let levels = trace.sites.dropFirst().map(\.level)
      #expect(levels == [.values, .graph, nil])
      #expect(trace.header.level == .events && trace.header.maximumLevel == .events)
      #expect(trace.header.places == "values:Checkout.swift,graph:Noise")
    }
  }

  /// Counts how often its description is requested.
  private final class Witness: CustomStringConvertible {
    var count = 0
    var description: String {
      count += 1
      return "described"
    }
  }

  @Test func timersFollowTheLevelOfTheirPlace() async {
    await #expect(processExitsWith: .success) {
      try Self.start("graph,events:Shop")
      for file: StaticString in ["Shop/A.swift", "Noise/B.swift"] {
        let site = Tracer.site("timer", traits: .timer, file: file, line: 1, column: 1)
        let timer = Tracer.timerArmed(
          site: site,
          subscription: .none,
          microseconds: 10,
          scheduler: 0
        )
        Tracer.timerReturned(timer, Tracer.timerFired(timer))
      }
      let trace = try Recording.snapshot()
      let fired = trace.records(.timerFired)
      #expect(fired.count == 1)
      #expect(fired.first.map { trace.slot($0.entity)?.site } == trace.site("timer")?.index)
      #expect(trace.sites.map(\.timerFires) == [0, 1, 1])
    }
  }

  @Test func hopsAreRecordedIfAnyPlaceRecordsEvents() async {
    await #expect(processExitsWith: .success) {
      try Self.start("graph,events:Shop")
      let hop = Tracer.hopScheduled(scheduler: 0, subscription: .none)
      Tracer.hopEnded(hop, Tracer.hopBegan(hop))
      let kinds = try Recording.snapshot().records.map(\.kind)
      #expect(kinds == [.hopScheduled, .hopBegan, .hopEnded])
    }
  }

  /// Which records are written depends only on the level in force and on the places, whatever the
  /// order of the calls, even when the ring has been overwritten many times.
  @Test(arguments: ["events,graph:A,values:B", "graph,events:A,graph:B", "graph,values:A,events:B"])
  func theLevelInForceNeverChangesThatOfAPlace(text: String) async {
    await #expect(processExitsWith: .success) { [text = text as String] in
      try Self.start(text, size: 256 << 10)
      let places = try #require(try TraceOptions.parse(text)).places
      let ids = ["A", "B", "C"].map { module in
        (0..<3).map { line in
          switch module {
          case "A": Self.subscription("A/One.swift", line: UInt32(line + 1))
          case "B": Self.subscription("B/Two.swift", line: UInt32(line + 1))
          default: Self.subscription("C/Three.swift", line: UInt32(line + 1))
          }
        }
      }
      let own: [TraceLevel?] = ["A", "B", "C"].map { name in
        places.first { $0.module == name }?.level
      }
      var random = Random(seed: 7)
      var expected: [[UInt32]] = []
      var counts: [TraceID: UInt32] = [:]
      for step in 0..<60_000 {
        if step % 97 == 0 {
          Trace.level = [.off, .graph, .events, .graph, .events][Int(random.next(below: 5))]
        }
        let module = Int(random.next(below: 3))
        let id = ids[module][Int(random.next(below: 3))]
        if random.next(below: 16) == 0 { Tracer.tick() }
        Tracer.next(id)
        guard Trace.level != .off else { continue }
        counts[id, default: 0] += 1
        if own[module] ?? Trace.level >= .events {
          expected.append([id.rawValue, counts[id] ?? 0])
        }
      }
      Trace.level = .graph
      let trace = try Recording.snapshot()
      let found = trace.records(.next).map { [$0.id, $0.argument] }
      #expect(found.count > 5_000 && trace.header.recycledSegments > 0)
      #expect(found == Array(expected.suffix(found.count)))
      #expect(trace.header.lostRecords == 0)
      for id in ids.joined() { #expect(trace.slot(id)?.eventCount == UInt64(counts[id] ?? 0)) }
    }
  }

  @Test func aLeaseDoesNotRaiseTheLevelOfAPlace() async {
    await #expect(processExitsWith: .success) {
      try Self.start("graph,graph:Noise.swift")
      let (silent, plain) = (
        Self.subscription("Shop/Noise.swift"), Self.subscription("Shop/Cart.swift")
      )
      let lease = try TraceLease.take(path: try #require(Trace.path), level: .events)
      for id in [silent, plain] { Tracer.next(id) }
      lease.release()
      for id in [silent, plain] { Tracer.next(id) }
      #expect(try Recording.snapshot().records(.next).map(\.entity) == [plain])
    }
  }

  /// The place of a failure is not known yet when the failure is described.
  @Test(
    arguments: [
      ("values", 1), ("values,graph:Noise", 0), ("events,values:Shop", 0),
      ("values,values:Shop", 1),
    ]
  )
  func failuresAreDescribedIfNoPlaceIsBelowValues(_ text: String, _ count: Int) async {
    await #expect(processExitsWith: .success) { [text = text as String, count = count as Int] in
      struct Secret: Error {}
      try Self.start(text)
      Tracer.failure(Secret())
      #expect(try Recording.snapshot().records(.failureText).count == count)
    }
  }

  @Test func valuesOfOtherPlacesNeverReachTheFile() async throws {
    await #expect(processExitsWith: .success) {
      let secret = "hunter2-" + String(getpid())
      try Self.start("events,values:Checkout.swift")
      Self.send(secret, Self.subscription("Shop/Login.swift"))
      let path = try #require(Trace.path)
      // Another process may write into the file, but this must not cause values to be recorded.
      let file = open(path, O_RDWR)
      let trace = try TraceReader(path: path).snapshot()
      let region = try #require(trace.header.regions[.sites])
      let row = region.offset + UInt64(trace.sites.count - 1) * UInt64(Layout.Site.byteCount)
      var level = TraceLevel.values.rawValue
      #expect(pwrite(file, &level, 4, off_t(row) + off_t(Layout.Site.level.offset)) == 4)
      close(file)
      Self.send(secret, Self.subscription("Shop/Login.swift"))
      #expect(try Recording.snapshot().records(.value).isEmpty)
      #expect(try Recording.snapshot().records(.next).count == 2)
    }
  }
}
