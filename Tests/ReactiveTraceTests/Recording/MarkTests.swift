import Glibc
import Testing

@testable import ReactiveTrace

@Suite struct MarkTests {
  @Test func countsWhatIsAliveAtAMark() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let signals = (1...3).map { line in
        Tracer.signalCreated(
          site: Recording.site("create", line: UInt32(line)),
          upstreams: []
        )
      }
      let site = Recording.site("map")
      var ids = (0..<5).map { _ in
        Tracer.subscribed(site: site, signal: signals[0], downstream: .none)
      }
      Trace.mark("before")
      for id in ids.prefix(3) { Tracer.ended(id, .completed) }
      ids = (0..<4).map { _ in
        Tracer.subscribed(site: site, signal: signals[0], downstream: .none)
      }
      let late = Tracer.subscribed(
        site: Recording.site("late"),
        signal: signals[1],
        downstream: .none
      )
      _ = Tracer.timerArmed(site: site, subscription: late, microseconds: 1, scheduler: 0)
      Trace.mark("after")
      let now = try Recording.snapshot()
      #expect(now.marks.map(\.name) == ["before", "after"])
      #expect(now.marks.allSatisfy { $0.kind == .program })
      #expect(now.marks.map(\.liveSubscriptions) == [5, 7])
      #expect(now.marks.map(\.liveSignals) == [3, 3])
      #expect(now.marks.map(\.liveTimers) == [0, 1])
      let map = Int(site)
      #expect(now.marks.map { $0.live[map] } == [5, 6])
      // The first mark knows of a time before there was any subscription.
      #expect(now.marks.map { $0.minimumLive[map] } == [0, 2])
      #expect(now.sites[map].minimumLive == 6)
      let records = now.records(.mark)
      #expect(records.map(\.id) == [1, 2])
      #expect(records.map { now.string($0.argument) } == ["before", "after"])
      #expect(records[0].ticks == now.marks[0].ticks)
    }
  }

  @Test func mergesAutomaticMarksWhenTheTableIsFull() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let recorder = try #require(Recorder.current)
      let site = Recording.site("map")
      let capacity = recorder.pointee.marks.region.capacity
      #expect(capacity == 32)
      // Live counts rise by one from mark to mark; the third mark had a minimum of none in between.
      for index in 0..<(capacity + 1) {
        if index == 2 {
          try Self.subscribe(site, ends: true)
        }
        try Self.subscribe(site)
        if index == 10 {
          Trace.mark("kept")
        } else {
          recorder.pointee.tables.withLock {
            _ = recorder.pointee.marks.add(name: 0, .automatic, at: recorder.pointee.clock.now)
          }
        }
      }
      let marks = try Recording.snapshot().marks
      // Ten before the mark of the program become five, 21 behind it become eleven, and one came last.
      #expect(marks.count == 5 + 1 + 11 + 1)
      #expect(
        marks.map { $0.live[Int(site)] } == [
          2, 4, 6, 8, 10, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 32, 33,
        ]
      )
      #expect(marks.map { $0.minimumLive[Int(site)] }.prefix(4) == [0, 2, 4, 6])
      #expect(marks.map(\.kind).firstIndex(of: .program) == 5)
      #expect(marks.map(\.ticks) == marks.map(\.ticks).sorted())
      #expect(recorder.pointee.marks.interval == 2 * MarkTable.firstInterval)
    }
  }

  /// A subscription behind the calls that would set a mark of their own if the test is slow.
  private static func subscribe(_ site: UInt32, ends: Bool = false) throws {
    let (recorder, thread) = try #require(Recorder.enter())
    let id = recorder.pointee.subscribed(
      thread,
      site: site,
      signal: .none,
      downstream: .none,
      from: 0
    )
    if ends { recorder.pointee.ended(thread, id, .completed) }
    Recorder.leave(thread)
  }

  @Test func keepsMarksOfTheProgramAsLongAsPossible() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let recorder = try #require(Recorder.current)
      // No two automatic marks are neighbours.
      for index in 0..<32 {
        if index % 2 == 0 {
          Trace.mark("\(index)")
        } else {
          recorder.pointee.tables.withLock {
            _ = recorder.pointee.marks.add(name: 0, .automatic, at: recorder.pointee.clock.now)
          }
        }
      }
      Trace.mark("32")
      var now = try Recording.snapshot()
      #expect(now.marks.filter { $0.kind == .program }.map(\.name) == (0...16).map { "\(2 * $0)" })
      #expect(now.header.lost[.marks] ?? 0 == 0)
      for index in 0..<100 { Trace.mark("again \(index)") }
      now = try Recording.snapshot()
      #expect(now.marks.last?.name == "again 99")
      #expect(now.header.lost[.marks].map { $0 > 50 } == true)
      #expect(now.problems == [])
    }
  }

  @Test func setsMarksByItself() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(level: .graph)
      // Nothing but subscriptions; half a second has to go by before a mark is due.
      let start = MonotonicTime.nanoseconds
      while try Recording.snapshot().marks.count < 2 {
        let id = Recording.subscription()
        Tracer.ended(id, .completed)
        Tracer.subscriptionReleased(id)
        try #require(MonotonicTime.nanoseconds - start < 20_000_000_000)
      }
      let now = try Recording.snapshot()
      #expect(now.marks.allSatisfy { $0.kind == .automatic && $0.name.isEmpty })
      let apart =
        now.nanoseconds(from: now.marks[1].ticks) - now.nanoseconds(from: now.marks[0].ticks)
      #expect(apart > 400_000_000)
      #expect(now.records(.mark).isEmpty)
    }
  }
}
