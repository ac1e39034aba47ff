import Reactive
import ReactiveTesting
import Testing

@Suite struct BoundedBufferTests {
  /// The events that are received if 1…5 and then the end are sent before the scheduler runs.
  private func play(
    _ overflow: BufferOverflow<TestFailure>,
    then end: (Subject<Int, TestFailure>) -> Void
  ) -> [Event<Int, TestFailure>] {
    let time = TestScheduler()
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal.buffer(2, whenFull: overflow, on: time).recorded()
    for value in 1...5 { subject.send(value) }
    end(subject)
    #expect(seen.events.isEmpty)
    #expect(time.pendingCount == 1)
    time.run()
    return seen.events
  }

  @Test func dropOldestKeepsTheNewestValues() {
    #expect(play(.dropOldest) { $0.complete() } == [.next(4), .next(5), .completed])
  }

  @Test func dropNewestKeepsTheOldestValues() {
    #expect(play(.dropNewest) { $0.complete() } == [.next(1), .next(2), .completed])
  }

  @Test func failsOnOverflowIfNoValueMayBeLost() {
    let failure = TestFailure(code: 7)
    #expect(play(.fail(failure)) { $0.complete() } == [.failed(failure)])
    #expect(play(.fail(failure)) { $0.fail(TestFailure()) } == [.failed(failure)])
  }

  @Test func aFailureDropsWaitingValues() {
    #expect(play(.dropOldest) { $0.fail(TestFailure()) } == [.failed(TestFailure())])
  }

  @Test func overflowEndsTheSourceAtOnce() {
    let time = TestScheduler()
    let disposals = Counter()
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal.doDisposed { disposals.add() }
      .buffer(1, whenFull: .fail(TestFailure()), on: time).recorded()
    subject.send(1)
    #expect(disposals.value == 0)
    subject.send(2)
    #expect(disposals.value == 1)
    #expect(seen.events.isEmpty)
    time.run()
    #expect(seen.events == [.failed(TestFailure())])
  }

  @Test func anEndlessSourceIsEndedByOverflow() {
    let time = TestScheduler()
    let seen = endless().promoteFailure(to: TestFailure.self)
      .buffer(3, whenFull: .fail(TestFailure()), on: time).recorded()
    time.run()
    #expect(seen.events == [.failed(TestFailure())])
  }

  @Test func theValueThatIsBeingHandledDoesNotCount() {
    let time = TestScheduler()
    let subject = Subject<Int, TestFailure>()
    let seen = Recorder<Int, TestFailure>()
    let subscription = subject.signal.buffer(1, whenFull: .dropNewest, on: time).subscribe(
      next: { value in
        seen.next(value)
        if value == 1 {
          subject.send(2)
          subject.send(3)
        }
      },
      failed: { seen.fail($0) }
    )
    subject.send(1)
    #expect(time.step())
    #expect(seen.values == [1])
    time.run()
    #expect(seen.values == [1, 2])
    subscription.dispose()
  }

  @Test func losesNoValueWhileThereIsRoom() {
    let time = TestScheduler()
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal.buffer(10, whenFull: .dropOldest, on: time).recorded()
    for value in 0..<100 {
      subject.send(value)
      if value % 10 == 9 { time.run() }
    }
    #expect(seen.values == Array(0..<100))
    seen.dispose()
  }

  @Test func manyValuesOnASchedulerThatRunsWorkAtOnceDoNotGrowTheStack() {
    let scheduler = ReentrantScheduler()
    let subject = Subject<Int, TestFailure>()
    let seen = Counter()
    let subscription = subject.signal.buffer(1, whenFull: .dropNewest, on: scheduler).subscribe(
      next: { value in
        seen.add()
        if value < scaledDepth(100_000) { subject.send(value + 1) }
      },
      failed: { _ in }
    )
    subject.send(1)
    scheduler.runNext()
    #expect(seen.value == scaledDepth(100_000))
    subscription.dispose()
  }

  @Test func freesHeldValues() {
    expectHeldValuesToBeFreed(failsLater: true) { signal, time in
      signal.buffer(2, whenFull: .dropOldest, on: time)
    }
  }

  @Test(.tags(.stress)) func isBoundedAndInOrderOnRealThreads() {
    let count = scaledCount(20_000)
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let ended = Latch()
    subject.signal.buffer(8, whenFull: .dropOldest, on: .background).subscribe(
      next: { seen.next($0) },
      completed: { ended.signal() }
    )
    onPlainThreads(8) { index in
      for value in 0..<count / 8 { subject.send(index * count + value) }
    }
    subject.send(-1)
    subject.complete()
    #expect(ended.wait())
    let values = seen.values
    #expect(values.last == -1)
    #expect(Set(values).count == values.count)
    for index in 0..<8 {
      let own = values.filter { $0 >= 0 && $0 / count == index }
      #expect(own == own.sorted())
    }
  }

  @Test func aCapacityOfZeroTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Signal<Int, Never>.never().buffer(0, whenFull: .dropOldest, on: TestScheduler())
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("buffer") { signal, time in
      signal.buffer(2, whenFull: .dropOldest, on: time)
    }
    checkOperatorContract("buffer") { signal, time in
      signal.buffer(1, whenFull: .fail(ContractFailure()), on: time)
    }
    checkOperatorContract("buffer") { $0.buffer(1, whenFull: .dropNewest, on: .immediate) }
  }
}
