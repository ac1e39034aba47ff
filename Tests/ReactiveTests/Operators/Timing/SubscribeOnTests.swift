import Reactive
import ReactiveTesting
import Testing

@Suite struct SubscribeOnTests {
  @Test func subscribesOnTheScheduler() {
    let time = TestScheduler()
    let starts = Counter()
    let signal = Signal<Int, Never>.create { observer in
      observer.send(starts.add())
      observer.complete()
    }
    let seen = signal.subscribe(on: time).recorded()
    #expect(starts.value == 0)
    time.run()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func disposalBeforeTheWorkRunsCancelsTheSubscription() {
    let time = TestScheduler()
    let starts = Counter()
    let signal = Signal<Int, Never>.create { _ in starts.add() }
    let seen = signal.subscribe(on: time).recorded()
    seen.dispose()
    #expect(time.pendingCount == 0)
    time.run()
    #expect(starts.value == 0)
  }

  @Test func eventsAreNotDeliveredOnTheScheduler() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.subscribe(on: time).recorded()
    subject.send(1)
    time.run()
    subject.send(2)
    #expect(seen.values == [2])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("subscribe(on:)") { signal, time in signal.subscribe(on: time) }
  }
}
