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

  @Test func otherWorkOfTheSchedulerRunsBetweenManyOverdueValues() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let count = Counter()
    let countBefore = Box<Int>()
    let handle = subject.signal.delay(.seconds(1), on: time).subscribe { value in
      count.add()
      if value == 0 { time.schedule { countBefore.value = count.value } }
    }
    for value in 0..<2_000 { subject.send(value) }
    time.run()
    #expect(count.value == 2_000)
    #expect((1..<2_000).contains(countBefore.value ?? 0))
    handle.dispose()
  }

  @Test func onTheTrampolineOtherWorkRunsBetweenValuesThatAreAlwaysDue() {
    let subject = Subject<Int, Never>()
    let count = Counter()
    TrampolineScheduler.shared.schedule {
      let handle = subject.signal.delay(.zero, on: .trampoline).subscribe { value in
        count.add()
        if count.value < 100_000 { subject.send(value + 1) }
      }
      subject.send(0)
      TrampolineScheduler.shared.schedule { handle.dispose() }
    }
    #expect(count.value > 0 && count.value < 100_000)
  }

  @Test func aDelayBeyondTheRangeOfNanosecondsNeverEnds() {
    for seconds in [1e10, 1e19] {
      let seen = Signal<Int, Never>.just(1).delay(.seconds(seconds), on: .background).recorded()
      seen.dispose()
      #expect(seen.events.isEmpty)
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("delay") { signal, time in signal.delay(.seconds(1), on: time) }
  }
}
