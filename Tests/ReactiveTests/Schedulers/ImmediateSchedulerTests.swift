import Reactive
import ReactiveTesting
import Testing

@Suite struct ImmediateSchedulerTests {
  @Test func runsWorkBeforeItReturns() {
    let calls = Counter()
    ImmediateScheduler.shared.schedule { calls.add() }
    #expect(calls.value == 1)
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
