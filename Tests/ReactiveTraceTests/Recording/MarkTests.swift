import Glibc
import Testing

@testable import ReactiveTrace
import TracePlatform
import TraceReading

@Suite struct MarkTests {
  @Test func countsLiveEntitiesAtAMark() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      // A mark is an instant whose live counts are stored. On a busy machine, the first automatic
      // mark may become due during the test, so it is postponed.
      try #require(Recorder.current).pointee.marks.state.pointee.due += 3_600_000_000_000
      let signals = (1...3).map { line in
        Tracer.signalCreated(site: Recording.site("create", line: UInt32(line)))
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
      // The period of the first mark includes a time before there was any subscription.
      #expect(now.marks.map { $0.minimumLive[map] } == [0, 2])
      #expect(now.sites[map].minimumLive == 6)
      let records = now.records(.mark)
      #expect(records.map(\.id) == [1, 2])
      #expect(records.map { now.string($0.argument) } == ["before", "after"])
      #expect(records[0].ticks == now.marks[0].ticks)
    }
  }

  @Test func automaticMarksAreSetHalfAsOftenWhenTheTableIsFull() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let recorder = try #require(Recorder.current)
      let site = Recording.site("map")
      let capacity = recorder.pointee.marks.region.capacity
      #expect(capacity == 32)
      // Live counts rise by one from mark to mark. Before the third mark, another subscription
      // begins and ends at once.
      for index in 0..<capacity {
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
      // Of the 31 automatic marks, every second one is left.
      #expect(
        marks.map { $0.live[Int(site)] } == [
          1, 3, 5, 7, 9, 11, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32,
        ]
      )
      #expect(marks.map { $0.minimumLive[Int(site)] }.prefix(4) == [0, 1, 3, 5])
      #expect(marks.map(\.kind).firstIndex(of: .program) == 5)
      #expect(marks.map(\.ticks) == marks.map(\.ticks).sorted())
      #expect(recorder.pointee.marks.interval == 2 * MarkTable.firstInterval)
    }
  }

  /// Records a subscription without the calls that set an automatic mark if the test is slow.
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

  @Test(arguments: [256 << 10, 64 << 20])
  func thousandsOfMarksSpanTheWholeRunAndNoneIsCountedAsLost(size: Int) async {
    await #expect(processExitsWith: .success) { [size] in
      try Recording.start(size: size)
      let recorder = try #require(Recorder.current)
      let site = Recording.site("map")
      // A small recording has room for about a thousand entities.
      let count = size > 1 << 20 ? 10_000 : 900
      for round in 1...count {
        try Self.subscribe(site)
        Trace.mark("round \(round)")
        if round % 100 == 0 {
          recorder.pointee.tables.withLock {
            _ = recorder.pointee.marks.add(name: 0, .automatic, at: recorder.pointee.clock.now)
          }
        }
      }
      let now = try Recording.snapshot()
      #expect(now.problems == [])
      #expect(now.header.lost.values.allSatisfy { $0 == 0 })
      let rounds = now.marks.filter { $0.kind == .program }
      #expect(rounds.first?.ordinal == 1)
      #expect(rounds.last?.ordinal == UInt32(count))
      let live = rounds.map { Int($0.live[Int(site)]) }
      #expect(live == rounds.map { Int($0.ordinal) })
      // The distances between marks are equal, except for that to the newest mark.
      let steps = zip(live, live.dropFirst()).map { $1 - $0 }.dropLast()
      #expect(steps.count >= 6)
      #expect(Set(steps).count == 1)
      let automatic = now.marks.filter { $0.kind == .automatic }
      #expect(automatic.count >= 6)
      #expect(automatic.first?.ordinal == 1)
      // The period of each mark begins at the previous mark.
      for (before, mark) in zip(now.marks, now.marks.dropFirst()) {
        #expect(mark.since == before.ticks)
        #expect(mark.minimumLive[Int(site)] == before.live[Int(site)])
      }
    }
  }

  @Test func marksOfEachNameAreThinnedSeparately() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      Trace.mark("start")
      for round in 0..<1000 {
        Trace.mark("before \(round)")
        Trace.mark("after \(round)")
      }
      let marks = try Recording.snapshot().marks
      #expect(marks.first?.name == "start")
      for name in ["before", "after"] {
        let rounds = marks.filter { $0.name.hasPrefix(name) }
        let steps = zip(rounds, rounds.dropFirst()).map { $1.ordinal - $0.ordinal }.dropLast()
        #expect(rounds.count >= 5)
        #expect(Set(steps).count == 1)
        #expect(rounds.last?.ordinal == 1000)
      }
    }
  }

  @Test func marksOfEverNewNamesAreThinnedTogether() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      for number in 0..<5000 {
        let letters = String(number, radix: 10).map {
          Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0.wholeNumberValue ?? 0)))
        }
        Trace.mark("a name of some length " + String(letters))
      }
      let now = try Recording.snapshot()
      #expect(now.header.lost.values.allSatisfy { $0 == 0 })
      #expect(now.marks.count >= 16)
      #expect(now.marks.first?.name == "a name of some length a")
      #expect(now.problems == [])
    }
  }

  @Test func aProcessKilledWhileItThinsItsMarksLosesNone() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let recorder = try #require(Recorder.current)
      let site = Recording.site("map")
      for round in 0..<20 {
        try Self.subscribe(site)
        Trace.mark("round \(round)")
      }
      let table = recorder.pointee.marks
      let region = table.region
      let before = try Recording.snapshot().marks
      // This drops the second mark, and moves each later mark up by one row.
      table.giveUp { $0 == 1 }
      let after = try Recording.snapshot().marks
      #expect(after.map(\.name) == before.map(\.name).filter { $0 != "round 1" })
      #expect(after[1].minimumLive[Int(site)] == before[1].minimumLive[Int(site)])
      // This is the state before `used` is decreased: the last mark is there twice.
      region.used += 1
      #expect(try Recording.snapshot().marks.map(\.name) == after.map(\.name))
      region.used -= 1
      // This is the state in which the row of the last mark is being written: readers skip it.
      let row = region.entry(18)
      table.open(row)
      let last = try Recording.snapshot().marks
      #expect(last.map(\.name) == after.dropLast().map(\.name))
      table.close(row)
    }
  }

  @Test func marksAreSetAutomatically() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(level: .graph)
      // The program sets no mark, but only makes subscriptions; half a second has to pass before an
      // automatic mark is due.
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
