import Reactive
import ReactiveTesting
import Testing

@Suite struct DelayTests {
  @Test func forwardsValuesAndCompletionLater() {
    expectMarbles("-1-2-|", "----1-2-|") { signal, time in signal.delay(.frames(3), on: time) }
    expectMarbles("(12)-|", "---(12)-|") { signal, time in signal.delay(.frames(3), on: time) }
  }

  @Test func forwardsAFailureAtOnce() {
    expectMarbles("-1-2-#", "----1#") { signal, time in signal.delay(.frames(3), on: time) }
  }

  @Test func oneTimerServesAllWaitingValues() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.delay(.seconds(1), on: time).recorded()
    for value in 0..<100 { subject.send(value) }
    #expect(time.pendingCount == 1)
    time.run()
    #expect(seen.values == Array(0..<100))
    seen.dispose()
  }

  @Test func aDelayOfZeroStillGoesThroughTheScheduler() {
    let time = TestScheduler()
    let seen = Signal<Int, Never>.just(1).delay(.zero, on: time).recorded()
    #expect(seen.events.isEmpty)
    time.run()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("delay") { signal, time in signal.delay(.seconds(1), on: time) }
  }
}
