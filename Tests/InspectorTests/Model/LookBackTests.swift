import Foundation
import ReactiveTrace
import Testing
import TraceModel
import TraceReading

/// How far a ring, which overwrites its oldest records, looks back, and which size it would need to
/// look back further.
@Suite(.serialized) struct LookBackTests {
  private static func start(_ wish: UInt32, size: Int, _ path: String) throws {
    var options = TraceOptions()
    options.size = size
    options.lookBack = wish
    options.path = path
    try Trace.start(options)
  }

  private static func subscription() -> TraceID {
    let site = Tracer.site("map", traits: [], file: "App/File.swift", line: 1, column: 1)
    let signal = Tracer.signalCreated(site: site)
    return Tracer.subscribed(site: site, signal: signal, downstream: .none)
  }

  /// Runs a program that overwrites its ring of 256K several times in about half a second.
  private static func run(_ wish: UInt32) async throws -> ProgramInfo {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "rxtrace-test-\(UUID().uuidString).rxtrace").path
    defer { unlink(path) }
    await #expect(processExitsWith: .success) {
      [wish = wish as UInt32, path = path as String] in
      try Self.start(wish, size: 256 << 10, path)
      let id = Self.subscription()
      for _ in 0..<50 {
        for _ in 0..<2_000 { Tracer.next(id) }
        usleep(10_000)
        Tracer.tick()
      }
    }
    let trace = try TraceReader(path: path).snapshot()
    #expect(trace.header.lookBack == wish)
    return ProgramInfo(trace, window: nil)
  }

  @Test func theRequiredSizeFollowsFromWhatTheRingKeeps() async throws {
    let program = try await Self.run(60)
    let size = try #require(program.sizeForLookBack)
    #expect(program.missedLookBack == 60)
    #expect(program.reachText == "1 min would take size=\(size >> 20)M")
    // 100 000 records of 16 bytes in slightly more than half a second are some 180 MB in a minute.
    #expect((20 << 20...1 << 30).contains(size))
  }

  @Test func nothingIsReportedIfNothingWasRequested() async throws {
    #expect(try await Self.run(0).reachText == nil)
  }

  @Test func aRingThatHasOverwrittenNothingKeepsAll() async throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "rxtrace-test-\(UUID().uuidString).rxtrace").path
    defer { unlink(path) }
    await #expect(processExitsWith: .success) {
      [path = path as String] in
      try Self.start(3600, size: 1 << 20, path)
      Tracer.next(Self.subscription())
    }
    #expect(ProgramInfo(try TraceReader(path: path).snapshot(), window: nil).missedLookBack == nil)
  }

  @Test(
    arguments: [
      (30, 12_000, 64 << 20, 180 << 20, "30 s would take size=180M"),
      (30, 29_000, 64 << 20, 73 << 20, "30 s would take size=73M"),
      (
        60, 1, 1 << 20, nil,
        "1 min is more than the largest ring (size=16G) would keep; mode=stream keeps all"
      ),
      (7200, 3_600_000, 4 << 30, 9100 << 20, "2 h would take size=9100M"),
      (
        5, 0, 1 << 20, nil,
        "5 s is more than the largest ring (size=16G) would keep; mode=stream keeps all"
      ),
    ] as [(UInt32, Int, UInt64, UInt64?, String)]
  )
  func theRequiredSizeGrowsWithTheRequestedTime(
    _ wish: UInt32,
    _ milliseconds: Int,
    _ size: UInt64,
    _ expected: UInt64?,
    _ sentence: String
  ) {
    let found = RingEstimate.size(
      for: .seconds(wish),
      where: size,
      lasts: .milliseconds(milliseconds)
    )
    #expect(found == expected)
    #expect(RingEstimate.sentence(for: wish, found) == sentence)
  }
}
