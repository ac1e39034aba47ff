import Reactive
import ReactiveTesting
import Testing

/// Contract rule 11: when nothing can send any more, subscriptions end without an event.
@Suite struct Rule11SourceGoneTests {
  @Test func droppingASubjectEndsItsSubscriptions() {
    let seen = Recorder<Int, Never>()
    let lives = LifeCount()
    do {
      let subject = Subject<Int, Never>()
      seen.record(subject.signal.doNext { [token = lives.token()] _ in token.touch() })
      subject.send(1)
    }
    #expect(seen.events == [.next(1)])
    #expect(seen.isDisposed)
    #expect(lives.count == 0)
  }

  @Test func droppingAReplaySubjectEndsItsSubscriptions() {
    let seen = Recorder<Int, Never>()
    do {
      let subject = ReplaySubject<Int, Never>()
      subject.send(1)
      seen.record(subject.signal)
    }
    #expect(seen.events == [.next(1)])
    #expect(seen.isDisposed)
  }

  @Test func aSubscriptionMadeAfterTheSubjectIsGoneEndsAtOnce() {
    let signal = Subject<Int, Never>().signal
    let seen = signal.recorded()
    #expect(seen.events.isEmpty)
    #expect(seen.isDisposed)
  }

  @Test func droppingTheObserverEndsTheSubscription() {
    let box = Box<Observer<Int, Never>>()
    let seen = Signal<Int, Never>.create { box.value = $0 }.recorded()
    box.value?.send(1)
    #expect(!seen.isDisposed)
    box.value = nil
    #expect(seen.events == [.next(1)])
    #expect(seen.isDisposed)
  }

  @Test func neverStaysActiveUntilDisposed() {
    let lives = LifeCount()
    let seen = Recorder<Int, Never>()
    do {
      let never = Signal<Int, Never>.never()
      seen.record(never.doDisposed { [token = lives.token()] in token.touch() })
    }
    #expect(!seen.isDisposed)
    #expect(lives.count == 1)
    seen.dispose()
    #expect(lives.count == 0)
    #expect(seen.events.isEmpty)
  }

  /// An operator with several inputs ends only when none of them can send any more.
  @Test(arguments: ["merge", "combineLatest", "flatMap", "concat"])
  func operatorsOfSeveralInputsEndWhenTheLastIsGone(_ name: String) {
    var first: Subject<Int, Never>? = Subject()
    var second: Subject<Int, Never>? = Subject()
    guard let a = first?.signal, let b = second?.signal else { return }
    let signal: Signal<Int, Never> =
      switch name {
      case "merge": .merge([a, b])
      case "combineLatest": combineLatest(a, b).map { $0.0 }
      case "flatMap": Signal.from([a, b]).flatMap { $0 }
      default: Signal.from([a, b]).flatten(limit: 2)
      }
    let seen = signal.recorded()
    first = nil
    #expect(!seen.isDisposed)
    second?.send(1)
    second = nil
    #expect(seen.isDisposed)
    #expect(!seen.hasEnded)
    withExtendedLifetime((first, second)) {}
  }

  @Test func zipEndsWhenAnInputIsGoneAndItsValuesAreUsed() {
    var first: Subject<Int, Never>? = Subject()
    let second = Subject<Int, Never>()
    guard let a = first?.signal else { return }
    let seen = zip(a, second.signal).map { $0.0 + $0.1 }.recorded()
    first?.send(1)
    first = nil
    #expect(!seen.isDisposed)
    second.send(10)
    #expect(seen.events == [.next(11)])
    #expect(seen.isDisposed)
    withExtendedLifetime(first) {}
  }

  @Test func zipCompletesIfOneOfItsExhaustedInputsHasCompleted() {
    var first: Subject<Int, Never>? = Subject()
    let (second, third) = (Subject<Int, Never>(), Subject<Int, Never>())
    guard let a = first?.signal else { return }
    let seen = zip([a, second.signal, third.signal]).recorded()
    first?.send(1)
    first = nil
    second.send(10)
    second.complete()
    third.send(100)
    #expect(seen.events == [.next([1, 10, 100]), .completed])
    withExtendedLifetime(first) {}
  }

  @Test func aCompletedInputAndAReleasedOneEndWithoutAnEvent() {
    let seen = Recorder<Int, Never>()
    let first = Subject<Int, Never>()
    do {
      let second = Subject<Int, Never>()
      seen.record(first.signal.merge(with: second.signal))
      first.complete()
    }
    #expect(seen.isDisposed)
    #expect(seen.events.isEmpty)
  }

  @Test(arguments: ["delay", "debounce", "deliver"])
  func operatorsWithASchedulerDeliverHeldValuesAndThenEnd(_ name: String) {
    let time = TestScheduler()
    let seen = Recorder<Int, Never>()
    do {
      let subject = Subject<Int, Never>()
      switch name {
      case "delay": seen.record(subject.signal.delay(.seconds(1), on: time))
      case "debounce": seen.record(subject.signal.debounce(.seconds(1), on: time))
      default: seen.record(subject.signal.deliver(on: time))
      }
      subject.send(1)
    }
    time.run()
    #expect(seen.events == [.next(1)])
    #expect(seen.isDisposed)
  }
}
