import Reactive
import ReactiveTesting
import Testing

/// Contract rule 4: a failure overtakes values that an operator holds, but not values in
/// `deliver(on:)`, in a replay buffer, or in the queue of a gate, which puts the events of several
/// senders in order.
@Suite struct Rule04FailuresFirstTests {
  @Test func failureOvertakesDelayedValues() {
    expectMarbles("-1-2-#", "----1#") { signal, time in signal.delay(.frames(3), on: time) }
  }

  @Test func failureDropsTheValueThatDebounceHolds() {
    expectMarbles("-1--#", "----#") { signal, time in signal.debounce(.frames(10), on: time) }
  }

  @Test func failureDropsValuesWithoutAPartner() {
    expectMarbles("-1-2-3-#", "--a", "--a----#") { zip($0, $1).map { $0.1 } }
    expectMarbles("-1-2-3-#", "-------", "-------#") { zip($0, $1).map { $0.1 } }
  }

  @Test func failureDropsTheSignalsThatWaitInConcat() {
    let outer = Subject<Signal<Int, TestFailure>, TestFailure>()
    let first = Subject<Int, TestFailure>()
    let starts = Counter()
    let waiting = Signal<Int, TestFailure>.create { _ in starts.add() }
    let seen = outer.signal.concat().recorded()
    outer.send(first.signal)
    outer.send(waiting)
    outer.fail(TestFailure())
    #expect(seen.events == [.failed(TestFailure())])
    #expect(starts.value == 0)
  }

  @Test func failureDoesNotOvertakeAGatesQueue() {
    let first = Subject<Int, TestFailure>()
    let second = Subject<Int, TestFailure>()
    let seen = Recorder<Int, TestFailure>()
    first.signal.merge(with: second.signal).subscribe(
      next: { value in
        seen.next(value)
        if value == 1 {
          second.send(2)
          second.fail(TestFailure())
          first.send(3)
        }
      },
      failed: { seen.fail($0) }
    )
    first.send(1)
    #expect(seen.events == [.next(1), .next(2), .failed(TestFailure())])
  }

  @Test func failureDoesNotOvertakeDeliverOn() {
    let time = TestScheduler()
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal.deliver(on: time).recorded()
    subject.send(1)
    subject.send(2)
    subject.fail(TestFailure())
    #expect(seen.events.isEmpty)
    time.run()
    #expect(seen.events == [.next(1), .next(2), .failed(TestFailure())])
  }

  @Test func failureDoesNotOvertakeAReplayBuffer() {
    let subject = ReplaySubject<Int, TestFailure>(capacity: 2)
    for value in 1...3 { subject.send(value) }
    subject.fail(TestFailure())
    #expect(subject.signal.recorded().events == [.next(2), .next(3), .failed(TestFailure())])
  }
}
