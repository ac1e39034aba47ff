import Reactive
import ReactiveTesting
import Testing

@Suite struct LazyMapTests {
  @Test func onlyTheLatestValueIsTransformed() {
    let time = TestScheduler()
    let calls = Recorder<Int, Never>()
    let subject = Subject<Int, Never>()
    let seen = subject.signal
      .lazyMap(on: time) { value in
        calls.next(value)
        return value * 10
      }
      .recorded()
    for value in 1...3 { subject.send(value) }
    #expect(calls.values.isEmpty)
    time.run()
    #expect(calls.values == [3])
    subject.send(4)
    time.run()
    #expect(seen.values == [30, 40])
  }

  @Test func completionWaitsForTheLastValue() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.lazyMap(on: time) { $0 }.recorded()
    subject.send(1)
    subject.complete()
    #expect(seen.events.isEmpty)
    time.run()
    #expect(seen.events == [.next(1), .completed])
    let empty = Signal<Int, Never>.empty().lazyMap(on: time) { $0 }.recorded()
    #expect(empty.events == [.completed])
  }

  @Test func aFailureOvertakesTheWaitingValue() {
    let time = TestScheduler()
    let calls = Counter()
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal.lazyMap(on: time) { _ in calls.add() }.recorded()
    subject.send(1)
    subject.fail(TestFailure())
    #expect(seen.events == [.failed(TestFailure())])
    time.run()
    #expect(calls.value == 0)
    #expect(time.pendingCount == 0)
  }

  @Test func onlyTheLatestValueThatArrivesWhileTheFunctionRunsIsTransformed() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal
      .lazyMap(on: time) { value in
        if value == 1 { for later in 2...4 { subject.send(later) } }
        return value
      }
      .recorded()
    subject.send(1)
    time.step()
    #expect(seen.values == [1])
    time.step()
    #expect(seen.values == [1, 4])
    #expect(!time.step())
    seen.dispose()
  }

  @Test func completionOfTheSourceWaitsForTheRunningFunction() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal
      .lazyMap(on: time) { value in
        subject.complete()
        return value
      }
      .recorded()
    subject.send(1)
    time.run()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func disposalCancelsTheWorkAndFreesTheValue() {
    let time = TestScheduler()
    let lives = LifeCount()
    let calls = Counter()
    let subject = Subject<LifeCount.Token, Never>()
    let subscription = subject.signal.lazyMap(on: time) { _ in calls.add() }.subscribe()
    subject.send(lives.token())
    subject.send(lives.token())
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0)
    #expect(time.pendingCount == 0)
    time.run()
    #expect(calls.value == 0)
  }

  @Test func onTheImmediateSchedulerItDoesNotGrowTheStack() {
    let subject = Subject<Int, Never>()
    let seen = Counter()
    let subscription = subject.signal.lazyMap(on: .immediate) { $0 }.subscribe { value in
      seen.add()
      if value < scaledDepth(100_000) { subject.send(value + 1) }
    }
    subject.send(0)
    #expect(seen.value == scaledDepth(100_000) + 1)
    subscription.dispose()
  }

  @Test func itEndsAfterTheLastValueWhenItsSourceIsGone() {
    let time = TestScheduler()
    let seen = Recorder<Int, Never>()
    do {
      let subject = Subject<Int, Never>()
      seen.record(subject.signal.lazyMap(on: time) { $0 })
      subject.send(1)
    }
    #expect(!seen.isDisposed)
    time.run()
    #expect(seen.events == [.next(1)])
    #expect(seen.isDisposed)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("lazyMap(on:)") { source, time in source.lazyMap(on: time) { $0 * 2 } }
  }
}
