import Reactive
import ReactiveTesting
import Testing

@Suite struct ReplaySubjectTests {
  @Test func keepsTheLatestValues() {
    let subject = ReplaySubject<Int, Never>(capacity: 2)
    for value in 1...4 { subject.send(value) }
    let seen = subject.signal.recorded()
    subject.send(5)
    subject.complete()
    #expect(seen.events == [.next(3), .next(4), .next(5), .completed])
  }

  @Test func keepsEverythingByDefault() {
    let subject = ReplaySubject<Int, Never>()
    for value in 0..<1_000 { subject.send(value) }
    #expect(subject.signal.recorded().values == Array(0..<1_000))
  }

  @Test func aCapacityOfZeroKeepsOnlyTheEnd() {
    let subject = ReplaySubject<Int, Never>(capacity: 0)
    subject.send(1)
    subject.complete()
    #expect(subject.signal.recorded().events == [.completed])
  }

  @Test func aSubscriberAfterTheEndGetsTheKeptValuesAndTheEnd() {
    let subject = ReplaySubject<Int, TestFailure>(capacity: 1)
    subject.send(1)
    subject.fail(TestFailure())
    subject.send(2)
    #expect(subject.signal.recorded().events == [.next(1), .failed(TestFailure())])
  }

  @Test func disposalDuringTheReplayStopsIt() {
    let subject = ReplaySubject<Int, Never>()
    for value in 0..<10 { subject.send(value) }
    #expect(subject.signal.take(3).recorded().events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func aValueSentDuringTheReplayArrivesAfterIt() {
    let subject = ReplaySubject<Int, Never>()
    subject.send(1)
    subject.send(2)
    let seen = Recorder<Int, Never>()
    let subscription = subject.signal.subscribe { value in
      seen.next(value)
      if value == 1 { subject.send(3) }
    }
    #expect(seen.values == [1, 2, 3])
    subscription.dispose()
  }

  @Test func completionDuringTheReplayArrivesAfterIt() {
    let subject = ReplaySubject<Int, Never>()
    subject.send(1)
    subject.send(2)
    let seen = Recorder<Int, Never>()
    subject.signal.subscribe(
      next: { value in
        seen.next(value)
        if value == 1 { subject.complete() }
      },
      completed: { seen.complete() }
    )
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func aNegativeCapacityTraps() async {
    await #expect(processExitsWith: .failure) { _ = ReplaySubject<Int, Never>(capacity: -1) }
  }

  @Test func aSubjectOfVoidSendsWithoutAnArgument() {
    let subject = ReplaySubject<Void, Never>(capacity: 1)
    subject.send()
    #expect(subject.signal.recorded().count == 1)
  }

  @Test func keepsValuesForTheGivenDuration() {
    let time = TestScheduler()
    let subject = ReplaySubject<Int, Never>(lasting: .seconds(4), on: time)
    subject.send(1)
    time.advance(by: .seconds(3))
    subject.send(2)
    #expect(subject.signal.recorded().values == [1, 2])
    time.advance(by: .seconds(1))
    #expect(subject.signal.recorded().values == [2])
    time.advance(by: .seconds(3))
    subject.complete()
    #expect(subject.signal.recorded().events == [.completed])
    #expect(time.pendingCount == 0)
  }

  @Test func keepsTheValuesOfTheGivenDurationUpToTheCapacity() {
    let time = TestScheduler()
    let subject = ReplaySubject<Int, Never>(capacity: 2, lasting: .seconds(4), on: time)
    for value in 1...3 { subject.send(value) }
    #expect(subject.signal.recorded().values == [2, 3])
    time.advance(by: .seconds(2))
    subject.send(4)
    #expect(subject.signal.recorded().values == [3, 4])
    time.advance(by: .seconds(2))
    #expect(subject.signal.recorded().values == [4])
  }

  @Test func valuesThatAreTooOldAreReleasedWhenTheNextIsSent() {
    let time = TestScheduler()
    let lives = LifeCount()
    let subject = ReplaySubject<LifeCount.Token, Never>(lasting: .seconds(1), on: time)
    for _ in 0..<3 { subject.send(lives.token()) }
    time.advance(by: .seconds(1))
    subject.send(lives.token())
    #expect(lives.count == 1)
  }
}
