import Reactive
import ReactiveTesting
import Testing

/// Releasing a value can run its `deinit`, which may dispose of the subscription that held the
/// value.
@Suite struct ReleasedValuesTests {
  @Test(arguments: [
    "debounce", "when", "throttle", "audit", "delay", "collect", "buffer", "sample",
  ])
  func aValueMayDisposeOfTheSubscriptionThatDropsIt(_ name: String) {
    let time = TestScheduler()
    let subject = Subject<ReleaseNote, Never>()
    let second = Duration.seconds(1)
    let values = Counter()
    let signal: Signal<ReleaseNote, Never> =
      switch name {
      case "debounce": subject.signal.debounce(second, on: time)
      case "when": subject.signal.debounce(second, on: time) { _ in values.add() == 1 }
      case "throttle": subject.signal.throttle(second, on: time)
      case "audit": subject.signal.audit(second, on: time)
      case "delay": subject.signal.delay(second, on: time)
      case "collect": subject.signal.collect(every: second, on: time).map { $0[0] }
      case "buffer": subject.signal.buffer(2, whenFull: .dropOldest, on: time)
      default: subject.signal.sample(every: second, on: time)
      }
    let subscription = SerialDisposable()
    let releases = Counter()
    subscription.inner = signal.subscribe()
    for _ in 0..<4 {
      subject.send(
        ReleaseNote {
          releases.add()
          subscription.dispose()
        }
      )
    }
    subscription.dispose()
    #expect(releases.value == 4)
    #expect(time.pendingCount == 0)
  }
}
