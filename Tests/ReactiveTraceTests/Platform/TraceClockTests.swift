import Testing
import TraceReading

@testable import ReactiveTrace

@Suite struct TraceClockTests {
  /// A clock that started at zero and counted three ticks per nanosecond for a second.
  private func clock() throws -> TraceClock {
    let clock = try TraceClock(start: ClockReading())
    clock.measure(ClockReading(ticks: 3_000_000_000, monotonic: 1_000_000_000))
    return clock
  }

  @Test func convertsBothWays() throws {
    let clock = try clock()
    guard clock.countsCycles == 1 else {
      // In this case, ticks are nanoseconds.
      return #expect(clock.nanoseconds(7) == 7 && clock.ticks(nanoseconds: 7) == 7)
    }
    for nanoseconds: UInt64 in [1000, 500_000_000, 1_000_000_000_000, 1 << 50] {
      let ticks = clock.ticks(nanoseconds: nanoseconds)
      #expect(abs(Double(ticks) / Double(nanoseconds) - 3) < 0.01)
      #expect(abs(Double(clock.nanoseconds(ticks)) / Double(nanoseconds) - 1) < 0.01)
    }
  }

  @Test func noClockReadingCausesAnOverflow() throws {
    let clock = try clock()
    let extremes: [UInt64] = [0, 1, 5, 1 << 31, 1 << 32, 1 << 63, .max]
    for ticks in extremes {
      for monotonic in extremes {
        clock.measure(ClockReading(ticks: ticks, monotonic: monotonic))
        for value in extremes {
          _ = clock.nanoseconds(value)
          _ = clock.ticks(nanoseconds: value)
        }
      }
    }
    clock.measure(ClockReading(ticks: 3_000_000_000, monotonic: 1_000_000_000))
    #expect(clock.nanoseconds(clock.ticks(nanoseconds: 1_000_000)) <= 1_000_000)
  }

  @Test func aProgramMayMoveTheClockOfItsRecording() async {
    await #expect(processExitsWith: .success) {
      Trace.takeOverClock()
      try Recording.start()
      let hour = Duration.seconds(3600)
      Trace.mark("early")
      Trace.advanceClock(by: hour)
      Trace.mark("late")
      Trace.stop()
      let snapshot = try Recording.snapshot()
      let times = snapshot.marks.filter { $0.kind == .program }.map(\.ticks)
      #expect(times.count == 2 && times[1] - times[0] == 3_600_000_000_000)
      // The recorded date advances as well, except for the time between two readings of the clocks.
      let (start, latest) = (snapshot.header.start, snapshot.header.latest)
      #expect(latest.monotonic - start.monotonic >= 3_600_000_000_000)
      #expect(latest.realtime - start.realtime >= 3_590_000_000_000)
    }
  }
}
