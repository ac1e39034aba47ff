import Reactive
import ReactiveTesting
import Testing

@Suite struct SubjectTests {
  @Test func sendsToAllCurrentSubscribers() {
    let subject = Subject<Int, Never>()
    subject.send(0)
    let first = subject.signal.recorded()
    subject.send(1)
    let second = subject.signal.recorded()
    subject.send(2)
    subject.complete()
    #expect(first.events == [.next(1), .next(2), .completed])
    #expect(second.events == [.next(2), .completed])
  }

  @Test func subscribersAreNotifiedInTheOrderOfSubscription() {
    let subject = Subject<Void, Never>()
    let order = Recorder<Int, Never>()
    for number in 0..<20 { subject.signal.subscribe { order.next(number) } }
    subject.send()
    #expect(order.values == Array(0..<20))
  }

  @Test func theOrderIsKeptWhenSubscribersDispose() {
    let subject = Subject<Void, Never>()
    let order = Recorder<Int, Never>()
    let all = (0..<40).map { number in subject.signal.subscribe { order.next(number) } }
    for number in stride(from: 1, to: 40, by: 2) { all[number].dispose() }
    subject.send()
    #expect(order.values == Array(stride(from: 0, to: 40, by: 2)))
  }

  @Test func aLateSubscriberGetsTheEnd() {
    let completed = Subject<Int, TestFailure>()
    completed.complete()
    #expect(completed.signal.recorded().events == [.completed])
    let failed = Subject<Int, TestFailure>()
    failed.fail(TestFailure(code: 2))
    #expect(failed.signal.recorded().events == [.failed(TestFailure(code: 2))])
  }

  @Test func aFailureIsKeptForLateSubscribersAndReleasedWithTheSubject() {
    struct Failing: Error {
      let token: LifeCount.Token
    }
    let lives = LifeCount()
    var subject: Subject<Int, Failing>? = Subject()
    subject?.fail(Failing(token: lives.token()))
    #expect(lives.count == 1)
    var failures = 0
    for _ in 0..<2 where subject?.signal.recorded().failure != nil { failures += 1 }
    #expect(failures == 2)
    subject = nil
    #expect(lives.count == 0)
  }

  @Test func aSubscriberThatDisposesDuringADeliveryGetsNoMoreOfIt() {
    let subject = Subject<Int, Never>()
    let second = SerialDisposable()
    let seen = Recorder<Int, Never>()
    subject.signal.subscribe { _ in second.dispose() }
    second.inner = subject.signal.subscribe { seen.next($0) }
    subject.send(1)
    #expect(seen.values.isEmpty)
  }

  @Test func allSubscribersMayDisposeDuringADelivery() {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    let all = CompositeDisposable()
    for _ in 0..<30 {
      all.add(
        subject.signal.subscribe { [token = lives.token()] _ in
          token.touch()
          all.dispose()
        }
      )
    }
    subject.send(1)
    subject.send(2)
    #expect(lives.count == 0)
  }

  @Test func itsSignalDoesNotRetainIt() {
    let lives = LifeCount()
    let signal: Signal<Int, Never>
    do {
      let subject = Subject<Int, Never>()
      signal = subject.signal
      signal.subscribe { [token = lives.token()] _ in token.touch() }
      #expect(lives.count == 1)
    }
    #expect(lives.count == 0)
    #expect(signal.recorded().isDisposed)
  }

  @Test func droppingTheSubjectFromInsideADeliveryEndsItAfterwards() {
    let box = Box<Subject<Int, Never>>(Subject())
    let seen = Recorder<Int, Never>()
    let disposable = box.value?.signal.subscribe { value in
      box.value = nil
      seen.next(value)
    }
    box.value?.send(1)
    #expect(seen.values == [1])
    #expect(disposable?.isDisposed == true)
  }

  @Test func itKnowsWhetherItHasSubscribers() {
    let subject = Subject<Int, Never>()
    #expect(!subject.hasObservers)
    let first = subject.signal.subscribe { _ in }
    let second = subject.signal.map { $0 }.subscribe { _ in }
    first.dispose()
    #expect(subject.hasObservers)
    second.dispose()
    #expect(!subject.hasObservers)
    subject.signal.subscribe { _ in }
    subject.complete()
    #expect(!subject.hasObservers)
    subject.signal.subscribe { _ in }
    #expect(!subject.hasObservers)
  }

  @Test func everyKindOfSubjectKnowsWhetherItHasSubscribers() {
    let replay = ReplaySubject<Int, Never>()
    let behavior = BehaviorSubject<Int, Never>(0)
    let last = AsyncSubject<Int, Never>()
    let all = [
      (replay.signal, { replay.hasObservers }), (behavior.signal, { behavior.hasObservers }),
      (last.signal, { last.hasObservers }),
    ]
    for (signal, hasObservers) in all {
      #expect(!hasObservers())
      let subscription = signal.subscribe { _ in }
      #expect(hasObservers())
      subscription.dispose()
      #expect(!hasObservers())
    }
  }

  @Test func aDisposedHandlerSeesThatTheSubjectHasNoSubscribersLeft() {
    let subject = Subject<Int, Never>()
    let handle = SingleAssignmentDisposable()
    let seen = Recorder<Bool, Never>()
    handle.set(
      subject.signal.subscribe { _ in
        handle.dispose()
        seen.next(subject.hasObservers)
        subject.signal.subscribe { _ in }
        seen.next(subject.hasObservers)
      }
    )
    subject.send(1)
    #expect(seen.values == [false, true])
  }

  @Test func aSignalForwardedToASubjectIsNotAnObserver() {
    let source = Subject<Int, Never>()
    let subject = Subject<Int, Never>()
    let forwarding = source.signal.subscribe(subject)
    #expect(source.hasObservers)
    #expect(!subject.hasObservers)
    let subscription = subject.signal.subscribe { _ in }
    #expect(subject.hasObservers)
    subscription.dispose()
    forwarding.dispose()
    #expect(!subject.hasObservers)
    subject.signal.subscribe { _ in }
    #expect(subject.hasObservers)
  }

  @Test func itDisposesOfTheGivenDisposableWhenItEnds() {
    let order = Recorder<String, Never>()
    let completing = Subject<Int, TestFailure>(
      disposing: ActionDisposable { order.next("disposed") }
    )
    completing.signal.subscribe(completed: { order.next("completed") })
    completing.send(1)
    #expect(order.values.isEmpty)
    #expect(completing.hasObservers)
    completing.complete()
    completing.fail(TestFailure())
    #expect(order.values == ["disposed", "completed"])

    let ends = Counter()
    var released: Subject<Int, TestFailure>? = Subject(disposing: ActionDisposable { ends.add() })
    #expect(released?.hasObservers == false)
    released = nil
    #expect(ends.value == 1)
  }

  /// Delivering the end to a late subscriber does not delay others that subscribe meanwhile.
  @Test func aHandlerOfALateEndMaySubscribeAgainAtOnce() {
    let order = Recorder<String, Never>()
    let subject = Subject<Int, Never>()
    subject.complete()
    subject.signal.subscribe(completed: {
      subject.signal.subscribe(completed: { order.next("again") })
      order.next("first")
    })
    #expect(order.values == ["again", "first"])
  }
}
