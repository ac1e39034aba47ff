import Reactive
import ReactiveTesting
import Testing

@Suite struct DeliverOnTests {
  @Test func deliversEverythingInOrderOnTheScheduler() {
    let time = TestScheduler()
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal.deliver(on: time).recorded()
    subject.send(1)
    subject.send(2)
    subject.complete()
    #expect(seen.events.isEmpty)
    time.run()
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func oneHopDeliversAllWaitingEvents() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.deliver(on: time).recorded()
    // Seven events are few enough to be delivered in one turn, even on a slow machine.
    for value in 0..<7 { subject.send(value) }
    #expect(time.pendingCount == 1)
    #expect(time.step())
    #expect(seen.values == Array(0..<7))
    seen.dispose()
  }

  @Test func eventsThatArriveDuringADeliveryAreDeliveredInAnotherHop() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = subject.signal.deliver(on: time).subscribe { value in
      seen.next(value)
      if value == 1 { subject.send(2) }
    }
    subject.send(1)
    #expect(time.step())
    #expect(seen.values == [1])
    #expect(time.step())
    #expect(seen.values == [1, 2])
    #expect(!time.step())
    subscription.dispose()
  }

  @Test func manyEventsOnASchedulerThatRunsWorkAtOnceDoNotGrowTheStack() {
    let scheduler = ReentrantScheduler()
    let subject = Subject<Int, Never>()
    let seen = Counter()
    let subscription = subject.signal.deliver(on: scheduler).subscribe { value in
      seen.add()
      if value < scaledDepth(100_000) { subject.send(value + 1) }
    }
    subject.send(1)
    scheduler.runNext()
    #expect(seen.value == scaledDepth(100_000))
    subscription.dispose()
  }

  @Test func runsOnTheQueueItWasGiven() {
    let queue = QueueScheduler(label: "test.deliver")
    let main = threadNumber()
    let thread = Box<UInt>()
    let latch = Latch()
    Signal<Int, Never>.just(1).deliver(on: queue).subscribe(
      next: { _ in thread.value = threadNumber() },
      completed: { latch.signal() }
    )
    #expect(latch.wait())
    #expect(thread.value != main)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("deliver(on:)") { signal, time in signal.deliver(on: time) }
    checkOperatorContract("deliver(on:)") { $0.deliver(on: .immediate) }
  }

  @Test func otherWorkOfTheSchedulerRunsBetweenManyEvents() {
    let time = TestScheduler()
    let numbers = Subject<Int, Never>()
    let seen = numbers.signal.deliver(on: time).recorded()
    numbers.send(0)
    let before = Counter()
    time.schedule { before.add(seen.count) }
    for number in 1..<1_000 { numbers.send(number) }
    numbers.complete()
    time.run()
    #expect(before.value > 0)
    #expect(before.value <= 256)
    #expect(seen.values == Array(0..<1_000))
    #expect(seen.isCompleted)
  }

  @Test func disposalDropsTheRemainingEventsOfATurn() {
    let time = TestScheduler()
    let lives = LifeCount()
    let tokens = Subject<LifeCount.Token, Never>()
    let seen = Counter()
    let subscription = tokens.signal.deliver(on: time).subscribe { _ in seen.add() }
    for _ in 0..<1_000 { tokens.send(lives.token()) }
    time.schedule { subscription.dispose() }
    time.run()
    #expect(seen.value <= 256)
    #expect(lives.count == 0)
  }
}
