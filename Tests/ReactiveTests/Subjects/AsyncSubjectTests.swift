import Reactive
import ReactiveTesting
import Testing

@Suite struct AsyncSubjectTests {
  @Test func sendsTheLastValueWhenItCompletes() {
    let subject = AsyncSubject<Int, Never>()
    let seen = subject.signal.recorded()
    for value in 1...3 { subject.send(value) }
    #expect(seen.events.isEmpty)
    subject.complete()
    #expect(seen.events == [.next(3), .completed])
  }

  @Test func aLateSubscriberGetsTheValueAndTheEnd() {
    let subject = AsyncSubject<Int, Never>()
    subject.send(1)
    subject.complete()
    subject.send(2)
    subject.complete()
    #expect(subject.signal.recorded().events == [.next(1), .completed])
  }

  @Test func aFailureSendsNoValue() {
    let subject = AsyncSubject<Int, TestFailure>()
    let seen = subject.signal.recorded()
    subject.send(1)
    subject.fail(TestFailure())
    subject.complete()
    #expect(seen.events == [.failed(TestFailure())])
    #expect(subject.signal.recorded().events == [.failed(TestFailure())])
  }

  @Test func withoutAValueItOnlyCompletes() {
    let subject = AsyncSubject<Int, Never>()
    let seen = subject.signal.recorded()
    subject.complete()
    #expect(seen.events == [.completed])
    #expect(subject.signal.recorded().events == [.completed])
  }

  @Test func nilIsAValue() {
    let subject = AsyncSubject<Int?, Never>()
    let seen = subject.signal.recorded()
    subject.send(nil)
    subject.complete()
    #expect(seen.events == [.next(nil), .completed])
  }

  @Test func replacedValuesAreFreedAndReleasingTheSubjectEndsItsSubscriptions() {
    let lives = LifeCount()
    let seen = Recorder<LifeCount.Token, Never>()
    do {
      let subject = AsyncSubject<LifeCount.Token, Never>()
      seen.record(subject.signal)
      subject.send(lives.token())
      subject.send(lives.token())
      #expect(lives.count == 1)
    }
    #expect(lives.count == 0)
    #expect(seen.isDisposed)
    #expect(!seen.hasEnded)
  }
}
