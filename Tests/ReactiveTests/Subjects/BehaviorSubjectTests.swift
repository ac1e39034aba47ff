import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

@Suite struct BehaviorSubjectTests {
  @Test func aNewSubscriberGetsTheValueFirst() {
    let subject = BehaviorSubject<Int, Never>(0)
    let first = subject.signal.recorded()
    subject.send(1)
    subject.send(2)
    let second = subject.signal.recorded()
    subject.send(3)
    #expect(first.values == [0, 1, 2, 3])
    #expect(second.values == [2, 3])
  }

  @Test func settingTheValueSendsIt() {
    let subject = BehaviorSubject<Int, Never>(0)
    let seen = subject.signal.recorded()
    subject.value = 1
    #expect(subject.value == 1)
    #expect(seen.values == [0, 1])
  }

  @Test func theValueIsSetImmediatelyWhileItsEventWaits() {
    let subject = BehaviorSubject<Int, Never>(0)
    let seen = Recorder<Int, Never>()
    let read = Recorder<Int, Never>()
    let subscription = subject.signal.subscribe { value in
      if value == 1 {
        subject.send(2)
        read.next(subject.value)
      }
      seen.next(value)
    }
    subject.send(1)
    #expect(read.values == [2])
    #expect(seen.values == [0, 1, 2])
    subscription.dispose()
  }

  /// Contract rule 3: a subscriber receives only events newer than the value that it got at first.
  @Test func aSubscriberGetsEachValueOnceWhileEventsWait() {
    let subject = BehaviorSubject<Int, Never>(0)
    let late = Recorder<Int, Never>()
    let subscription = subject.signal.subscribe { value in
      guard value == 1 else { return }
      subject.send(2)
      late.record(subject.signal)
      #expect(late.values == [2])
      subject.send(3)
    }
    subject.send(1)
    #expect(late.values == [2, 3])
    subscription.dispose()
  }

  @Test func aValueSentFromInsideTheFirstValueFollowsIt() {
    let subject = BehaviorSubject<Int, Never>(0)
    let order = Recorder<String, Never>()
    let subscription = subject.signal.subscribe { value in
      order.next("begin \(value)")
      if value < 2 { subject.send(value + 1) }
      order.next("end \(value)")
    }
    #expect(order.values == ["begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2"])
    subscription.dispose()
  }

  @Test func aLateSubscriberGetsTheValueAndTheEnd() {
    let failed = BehaviorSubject<Int, TestFailure>(0)
    failed.send(1)
    failed.fail(TestFailure())
    failed.send(2)
    #expect(failed.value == 1)
    #expect(failed.signal.recorded().events == [.next(1), .failed(TestFailure())])
    let completed = BehaviorSubject<Int, Never>(0)
    completed.complete()
    completed.value = 2
    #expect(completed.signal.recorded().events == [.next(0), .completed])
  }

  @Test func aSubscriberThatDisposesAtTheFirstValueGetsNoMore() {
    let subject = BehaviorSubject<Int, Never>(0)
    let seen = subject.signal.take(1).recorded()
    subject.send(1)
    #expect(seen.events == [.next(0), .completed])
  }

  @Test func anOptionalValueMayBeNil() {
    let subject = BehaviorSubject<Int?, Never>(nil)
    let seen = subject.signal.recorded()
    subject.send(1)
    subject.send(nil)
    #expect(seen.values == [nil, 1, nil])
    #expect(subject.value == nil)
  }

  @Test func releasingTheSubjectEndsItsSubscriptionsWithoutAnEventAndFreesItsValue() {
    let lives = LifeCount()
    let seen = Recorder<LifeCount.Token, Never>()
    do {
      let subject = BehaviorSubject<LifeCount.Token, Never>(lives.token())
      seen.record(subject.signal)
      subject.send(lives.token())
      #expect(seen.count == 2)
      seen.reset()
      #expect(lives.count == 1)
    }
    #expect(seen.isDisposed)
    #expect(!seen.hasEnded)
    #expect(lives.count == 0)
  }

  /// The `deinit` of the value reads the subject, so it must not run under the subject's lock.
  @Test func aValueMayUseTheSubjectWhenItIsReleased() {
    let reads = Counter()
    let box = Box<BehaviorSubject<ReleaseNote?, Never>>()
    let subject = BehaviorSubject<ReleaseNote?, Never>(
      ReleaseNote { if box.value?.value == nil { reads.add() } }
    )
    box.value = subject
    subject.send(nil)
    #expect(reads.value == 1)
    box.value = nil
  }

  @Test func onAPlainThreadTheValueIsDeliveredOnTheScheduler() {
    let subject = BehaviorSubject<Int, Never>(0)
    let seen = Recorder<Int, Never>()
    let latch = Latch()
    onPlainThread {
      subject.signal.subscribe(next: { seen.next($0) }, completed: { latch.signal() })
      subject.send(1)
      subject.complete()
    }
    #expect(latch.wait())
    #expect(seen.values == [0, 1])
  }

  @Test func takeEndsAnEndlessSignalMadeFromItsValue() {
    let subject = BehaviorSubject<Int, Never>(0)
    #expect(subject.signal.flatMap { _ in endless() }.take(3).recorded().values == [0, 1, 2])
  }

  @Test func itsEventsAreTracedAsTurnsOfItsSignal() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = BehaviorSubject<Int, Never>(0)
      let seen = subject.signal.recorded()
      subject.send(1)
      #expect(seen.values == [0, 1])
      let path = try #require(Trace.path)
      let snapshot = try TraceReader(path: path).snapshot()
      #expect(snapshot.records.count { $0.kind == .turnBegan } == 1)
    }
  }
}
