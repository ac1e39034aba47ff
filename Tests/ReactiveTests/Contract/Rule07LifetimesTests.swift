import Reactive
import ReactiveTesting
import Testing

/// Contract rule 7: dropping the disposable does not cancel its subscription, and nothing has to be
/// retained.
@Suite struct Rule07LifetimesTests {
  @Test func droppingTheDisposableDoesNotCancel() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    _ = subject.signal.map { $0 }.subscribe { seen.next($0) }
    subject.send(1)
    #expect(seen.values == [1])
  }

  @Test func droppingTheSignalsDoesNotCancel() {
    let time = TestScheduler()
    let seen = Recorder<Int, Never>()
    do {
      let ticks = Signal.interval(.seconds(1), on: time)
      ticks.map { $0 * 10 }.take(2).subscribe { seen.next($0) }
    }
    time.run()
    #expect(seen.values == [0, 10])
  }

  @Test func aTimerKeepsASubscriptionAlive() {
    let time = TestScheduler()
    let seen = Recorder<Int, Never>()
    Signal<Int, Never>.just(1).delay(.seconds(5), on: time).subscribe { seen.next($0) }
    time.run()
    #expect(seen.values == [1])
  }

  @Test func aScopedDisposableCancelsWhenItIsReleased() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    do {
      let scoped = subject.signal.subscribe { seen.next($0) }.scoped()
      withExtendedLifetime(scoped) { subject.send(1) }
    }
    subject.send(2)
    #expect(seen.values == [1])
  }
}
