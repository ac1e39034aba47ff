import Reactive
import ReactiveTesting
import Testing

@Suite struct DelaySubscriptionTests {
  @Test func subscribesLater() {
    expectMarbles("-1-2-|", "----1-2-|") { signal, time in
      signal.delaySubscription(.frames(3), on: time)
    }
    expectMarbles("-1-#", "----1-#") { signal, time in
      signal.delaySubscription(.frames(3), on: time)
    }
  }

  @Test func missesValuesThatAHotSignalSendsMeanwhile() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.delaySubscription(.seconds(1), on: time).recorded()
    subject.send(1)
    time.advance(by: .seconds(1))
    subject.send(2)
    #expect(seen.values == [2])
  }

  @Test func disposalDuringTheDelayCancelsTheSubscription() {
    let time = TestScheduler()
    let starts = Counter()
    let signal = Signal<Int, Never>.create { _ in starts.add() }
    let seen = signal.delaySubscription(.seconds(1), on: time).recorded()
    #expect(time.pendingCount == 1)
    seen.dispose()
    #expect(time.pendingCount == 0)
    time.run()
    #expect(starts.value == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("delaySubscription") { signal, time in
      signal.delaySubscription(.seconds(1), on: time)
    }
  }
}
