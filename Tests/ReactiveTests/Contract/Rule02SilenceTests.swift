import Reactive
import ReactiveTesting
import Testing

/// Contract rule 2: after `dispose()` returns, the same thread delivers nothing more.
///
/// Another thread delivers at most the event under way. Waiting events are dropped.
@Suite struct Rule02SilenceTests {
  @Test func nothingArrivesAfterDisposal() {
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal.map { $0 }.recorded()
    subject.send(1)
    seen.dispose()
    subject.send(2)
    subject.complete()
    #expect(seen.events == [.next(1)])
  }

  @Test func nothingArrivesAfterDisposalFromInsideAValue() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let disposable = SerialDisposable()
    disposable.inner = subject.signal.subscribe(
      next: { value in
        seen.next(value)
        disposable.dispose()
      },
      completed: { seen.complete() }
    )
    subject.send(1)
    subject.send(2)
    subject.complete()
    #expect(seen.events == [.next(1)])
  }

  @Test func eventsThatWaitInAGateAreDropped() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let disposable = SerialDisposable()
    disposable.inner = subject.signal.merge(with: .never()).subscribe { value in
      seen.next(value)
      if value == 1 {
        subject.send(2)
        subject.send(3)
      }
      if value == 2 { disposable.dispose() }
    }
    subject.send(1)
    #expect(seen.values == [1, 2])
  }

  @Test func eventsThatWaitForASchedulerAreDropped() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.deliver(on: time).recorded()
    subject.send(1)
    subject.complete()
    seen.dispose()
    time.run()
    #expect(seen.events.isEmpty)
    #expect(time.pendingCount == 0)
  }

  @Test func aSynchronousSourceStopsWhenDisposedOfFromInside() {
    let asked = Counter()
    let seen = Recorder<Int, Never>()
    let observed = Box<Observer<Int, Never>>()
    let source = Signal<Int, Never>.create { observer in
      observed.value = observer
      while !observer.isDisposed, asked.add() < 100 { observer.send(asked.value) }
    }
    let disposable = SerialDisposable()
    let trigger = Subject<Void, Never>()
    disposable.inner = source.take(until: trigger.signal).subscribe { value in
      seen.next(value)
      if value == 3 { trigger.send() }
    }
    #expect(seen.values == [1, 2, 3])
    #expect(asked.value < 10)
  }

  /// Another thread may still deliver the event under way, but none after it, even while eight
  /// threads send.
  @Test(.tags(.stress)) func afterDisposalOnlyTheEventUnderWayArrivesThoughEightThreadsSend() {
    for _ in 0..<scaledCount(400) {
      let subject = Subject<Int, Never>()
      let afterwards = Counter()
      let isSilent = Box(false)
      let disposable = subject.signal.map { $0 + 1 }.merge(with: .never()).subscribe { _ in
        if isSilent.value == true { afterwards.add() }
      }
      onPlainThreads(9) { index in
        if index == 8 {
          disposable.dispose()
          isSilent.value = true
        } else {
          for value in 0..<50 { subject.send(value) }
        }
      }
      // At most the event that was under way when the flag was set is counted.
      #expect(afterwards.value <= 1)
      #expect(disposable.isDisposed)
    }
  }

  /// If no handler may run after disposal, the rule recommends disposing on the scheduler that
  /// delivers the events.
  @Test(.tags(.stress)) func disposalOnTheSchedulerOfTheEventsRunsAfterTheLastHandler() {
    for _ in 0..<scaledCount(200) {
      let queue = QueueScheduler(label: "test.rule2")
      let subject = Subject<Int, Never>()
      let isOver = Box(false)
      let afterwards = Counter()
      let disposable = subject.signal.deliver(on: queue).subscribe { _ in
        if isOver.value == true { afterwards.add() }
      }
      onPlainThreads(2) { index in
        if index == 0 {
          for value in 0..<50 { subject.send(value) }
        } else {
          queue.schedule {
            disposable.dispose()
            isOver.value = true
          }
        }
      }
      let latch = Latch()
      queue.schedule { latch.signal() }
      #expect(latch.wait())
      #expect(isOver.value == true)
      #expect(afterwards.value == 0)
    }
  }
}
