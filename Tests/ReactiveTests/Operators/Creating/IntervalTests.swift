import Reactive
import ReactiveTesting
import Testing

/// A scheduler with virtual time that records each leeway it is given.
private final class LenientClock: Scheduler {
  let time = TestScheduler()
  private let leewayRecorder = Recorder<Duration, Never>()

  var identity: SchedulerIdentity { time.identity }
  var now: Duration { time.now }
  var leeways: [Duration] { leewayRecorder.values }

  func run(_ work: ScheduledWork) { time.run(work) }
  func run(_ work: ScheduledWork, after delay: Duration) { time.run(work, after: delay) }

  func run(_ work: ScheduledWork, after delay: Duration, leeway: Duration) {
    leewayRecorder.next(leeway)
    time.run(work, after: delay)
  }
}

@Suite struct IntervalTests {
  @Test func countsFromZeroAfterOneInterval() {
    let time = TestScheduler()
    let seen = Signal.interval(.seconds(2), on: time).recorded(at: time)
    time.advance(by: .seconds(7))
    #expect(seen.values == [0, 1, 2])
    #expect(seen.entries.map(\.time) == [.seconds(2), .seconds(4), .seconds(6)])
    seen.dispose()
  }

  @Test func everySubscriptionHasASeparateTimer() {
    let time = TestScheduler()
    let ticks = Signal.interval(.seconds(2), on: time)
    let first = ticks.recorded(at: time)
    time.advance(by: .seconds(3))
    let second = ticks.recorded(at: time)
    time.advance(by: .seconds(3))
    #expect(first.values == [0, 1, 2])
    #expect(second.entries.map(\.time) == [.seconds(5)])
    first.dispose()
    second.dispose()
  }

  @Test func missedTicksAreSkippedAndTheNumbersContinue() {
    let clock = ManualClock()
    let seen = Signal.interval(.seconds(1), on: clock).recorded()
    clock.runNext(at: .seconds(1))
    clock.runNext(at: .milliseconds(4_500))
    clock.runNext(at: .seconds(5))
    #expect(seen.values == [0, 1, 2])
    #expect(clock.nextDelay == .seconds(1))
    seen.dispose()
  }

  @Test func disposalStopsTheTimer() {
    let time = TestScheduler()
    let seen = Signal.interval(.seconds(1), on: time).take(2).recorded()
    #expect(time.run())
    #expect(seen.events == [.next(0), .next(1), .completed])
    #expect(time.now == .seconds(2))
  }

  @Test func passesItsLeewayToTheScheduler() {
    let clock = LenientClock()
    let exact = Signal.interval(.seconds(1), on: clock).recorded()
    #expect(clock.leeways.isEmpty)
    exact.dispose()
    let seen = Signal.interval(.seconds(1), on: clock, leeway: .milliseconds(100)).recorded()
    clock.time.advance(by: .seconds(2))
    #expect(seen.values == [0, 1])
    #expect(clock.leeways == [.milliseconds(100), .milliseconds(100), .milliseconds(100)])
    seen.dispose()
  }

  @Test func aNegativeLeewayTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal.interval(.seconds(1), on: TestScheduler(), leeway: .seconds(-1))
    }
  }

  @Test func anIntervalOfZeroTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal.interval(.zero, on: TestScheduler())
    }
  }
}
