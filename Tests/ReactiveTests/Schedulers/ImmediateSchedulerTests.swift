import Reactive
import ReactiveTesting
import Testing

@Suite struct ImmediateSchedulerTests {
  @Test func runsWorkBeforeItReturns() {
    let calls = Counter()
    ImmediateScheduler.shared.schedule { calls.add() }
    #expect(calls.value == 1)
  }

  @Test func aTimerThatIsAlwaysDueDoesNotRecurse() {
    let latch = Latch()
    Signal.interval(.nanoseconds(1), on: .immediate).take(20_000)
      .subscribe(next: { _ in }, completed: { latch.signal() })
    #expect(latch.wait())
  }

  @Test func doesNotBlockForADelay() {
    let latch = Latch()
    let caller = threadNumber()
    let runner = Box<UInt>()
    ImmediateScheduler.shared.schedule(after: .milliseconds(5)) {
      runner.value = threadNumber()
      latch.signal()
    }
    #expect(latch.wait())
    #expect(runner.value != caller)
  }
}
