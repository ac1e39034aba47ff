import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// Tests `subscribe(_:)` with a subject or an observer.
@Suite struct SubscribeReceiverTests {
  @Test func aSubjectGetsTheValuesAndTheEnd() {
    let completing = Subject<Int, TestFailure>()
    let first = completing.signal.recorded()
    Signal<Int, TestFailure>.from([1, 2]).subscribe(completing)
    #expect(first.events == [.next(1), .next(2), .completed])
    let failing = BehaviorSubject<Int, TestFailure>(0)
    Signal<Int, TestFailure>.failed(TestFailure()).subscribe(failing)
    #expect(failing.signal.recorded().events == [.next(0), .failed(TestFailure())])
  }

  @Test func everyKindOfSubjectCanSubscribeToASignal() {
    let replay = ReplaySubject<Int, Never>()
    let last = AsyncSubject<Int, Never>()
    Signal<Int, Never>.from([1, 2]).subscribe(replay)
    Signal<Int, Never>.from([1, 2]).subscribe(last)
    #expect(replay.signal.recorded().events == [.next(1), .next(2), .completed])
    #expect(last.signal.recorded().events == [.next(2), .completed])
  }

  @Test func theFirstSignalThatEndsEndsTheOthersToo() {
    let time = TestScheduler()
    let short = MarbleSource(cold: "-1-|", on: time)
    let long = MarbleSource(cold: "--a-b-c-|", on: time)
    let subject = Subject<String, MarbleFailure>()
    let seen = subject.signal.recorded()
    long.signal.subscribe(subject)
    short.signal.subscribe(subject)
    time.run()
    #expect(seen.events == [.next("1"), .next("a"), .completed])
    #expect(long.activeCount == 0)
    let later = long.signal.subscribe(subject)
    #expect(later.isDisposed)
    #expect(long.subscriptions.count == 1)
  }

  @Test func completingTheSubjectEndsTheForwarding() {
    let source = Subject<Int, Never>()
    let subject = Subject<Int, Never>()
    let disposable = source.signal.subscribe(subject)
    subject.complete()
    #expect(disposable.isDisposed)
  }

  /// A receiver of events whose signal does not send them.
  private final class Hub: EventHub {
    let taken = Recorder<Int, Never>()
    let signal: Signal<Int, Never>
    init(_ signal: Signal<Int, Never>) { self.signal = signal }
    func send(_ value: Int) { taken.next(value) }
    func complete() { taken.complete() }
  }

  @Test func aHubThatCanSendNoMoreStillReceivesForwardedEvents() {
    let source = Subject<Int, Never>()
    let sent = Box(Subject<Int, Never>())
    let hub = Hub(sent.value!.signal)
    let forwarding = source.signal.subscribe(hub)
    sent.value = nil
    source.send(1)
    #expect(hub.taken.values == [1])
    source.complete()
    #expect(hub.taken.isCompleted)
    #expect(forwarding.isDisposed)
  }

  @Test func disposingEndsTheForwardingOnly() {
    let source = Subject<Int, Never>()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.recorded()
    let disposable = source.signal.subscribe(subject)
    source.send(1)
    disposable.dispose()
    source.send(2)
    source.complete()
    subject.send(3)
    #expect(seen.values == [1, 3])
    #expect(!seen.hasEnded)
  }

  @Test func aSubjectCanBeSentEvents() {
    let events: [Event<Int, TestFailure>] = [.next(1), .failed(TestFailure())]
    let failing = Subject<Int, TestFailure>()
    let seen = failing.signal.recorded()
    for event in events { failing.send(event) }
    #expect(seen.events == events)
    let last = AsyncSubject<Int, TestFailure>()
    for event in [.next(1), .next(2), .completed] as [Event<Int, TestFailure>] { last.send(event) }
    #expect(last.signal.recorded().events == [.next(2), .completed])
  }

  @Test func theForwardingIsTraced() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let source = Subject<Int, Never>()
      let subject = Subject<Int, Never>()
      let seen = Recorder<Int, Never>()
      let reading = subject.signal.subscribe(started: { _ in }, next: { seen.next($0) })
      let forwarding = source.signal.map { $0 * 10 }.subscribe(subject)
      source.send(1)
      #expect(try Self.liveSubscriptions() == 2)
      forwarding.dispose()
      source.send(2)
      #expect(seen.values == [10])
      #expect(try Self.liveSubscriptions() == 1)
      reading.dispose()
      #expect(try Self.liveSubscriptions() == 0)
    }
  }

  private static func liveSubscriptions() throws -> UInt64 {
    let sites = try TraceReader(path: Trace.path ?? "").snapshot().sites
    return sites.filter { $0.name == "subscribe" }.map(\.live).reduce(0, +)
  }

  // MARK: Releasing the source or the subject

  @Test func theSourceKeepsTheSubjectAlive() {
    let source = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    do {
      let subject = Subject<Int, Never>()
      source.signal.subscribe(subject)
      seen.record(subject.signal)
    }
    source.send(1)
    #expect(seen.values == [1])
  }

  @Test func theSubjectContinuesWhenTheSourceIsGone() {
    let subject = Subject<Int, Never>()
    let seen = subject.signal.recorded()
    let disposable: any Disposable
    do {
      let source = Subject<Int, Never>()
      disposable = source.signal.subscribe(subject)
    }
    #expect(disposable.isDisposed)
    subject.send(1)
    #expect(seen.values == [1])
  }

  @Test func anUnreferencedSubjectIsReleasedWithItsLastSource() {
    let seen = Recorder<Int, Never>()
    do {
      let source = Subject<Int, Never>()
      let subject = Subject<Int, Never>()
      source.signal.subscribe(subject)
      seen.record(subject.signal)
    }
    #expect(seen.isDisposed)
    #expect(!seen.hasEnded)
  }

  // MARK: Observers

  @Test func severalSignalsCanBeForwardedToAnObserver() {
    let left = Subject<Int, Never>()
    let right = Subject<Int, Never>()
    let seen = Signal<Int, Never>.create { observer in
      left.signal.subscribe(observer)
      right.signal.map { -$0 }.subscribe(observer)
      observer.send(0)
    }
    .recorded()
    left.send(1)
    right.send(2)
    right.complete()
    left.send(3)
    #expect(seen.events == [.next(0), .next(1), .next(-2), .completed])
  }

  @Test func disposalEndsSignalsForwardedToAnObserver() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    let seen = Signal<String, MarbleFailure>.create { source.signal.subscribe($0) }.recorded()
    time.advance(by: .frames(2))
    seen.dispose()
    #expect(source.activeCount == 0)
    #expect(seen.values == ["1"])
  }

  @Test func anObserverEndsWithTheLastSignalForwardedToIt() {
    let seen = Recorder<Int, Never>()
    let source = Box<Subject<Int, Never>>(Subject())
    if let signal = source.value?.signal {
      seen.record(.create { observer in signal.subscribe(observer) })
    }
    source.value?.send(1)
    #expect(!seen.isDisposed)
    source.value = nil
    #expect(seen.isDisposed)
    #expect(seen.events == [.next(1)])
  }

  @Test func aForwardingThatWasDisposedOfIsFreed() {
    let lives = LifeCount()
    let observers = Box<Observer<Int, Never>>()
    let seen = Signal<Int, Never>.create { observers.value = $0 }.recorded()
    let source = Subject<Int, Never>()
    if let observer = observers.value {
      for _ in 0..<5 {
        let disposable = source.signal.doNext { [token = lives.token()] _ in token.touch() }
          .subscribe(observer)
        disposable.dispose()
      }
    }
    #expect(lives.count == 0)
    source.send(1)
    #expect(seen.events.isEmpty)
  }

  @Test func anEndlessSignalForwardedToAnObserverCanBeEnded() {
    let seen = Signal<Int, Never>.create { endless().subscribe($0) }.take(3).recorded()
    #expect(seen.values == [0, 1, 2])
  }

  @Test func forwardingToAnEndedObserverDoesNotSubscribe() {
    let observers = Box<Observer<Int, Never>>()
    let seen = Signal<Int, Never>.create { observers.value = $0 }.recorded()
    observers.value?.complete()
    let starts = Counter()
    let source = Signal<Int, Never>.create { _ in starts.add() }
    if let observer = observers.value {
      let forwarding = source.subscribe(observer)
      #expect(forwarding.isDisposed)
    }
    #expect(starts.value == 0)
    #expect(seen.events == [.completed])
  }

  /// Has only the members that `EventReceiver` requires.
  private struct Plain: EventReceiver {
    let seen: Recorder<Int, TestFailure>
    func send(_ value: Int) { seen.next(value) }
    func fail(_ error: TestFailure) { seen.fail(error) }
    func complete() { seen.complete() }
  }

  @Test func aReceiverNeedsNoSignal() {
    let completing = Recorder<Int, TestFailure>()
    Signal<Int, TestFailure>.from([1, 2]).subscribe(Plain(seen: completing))
    #expect(completing.events == [.next(1), .next(2), .completed])
    let failing = Recorder<Int, TestFailure>()
    let source = Subject<Int, TestFailure>()
    let subscription = source.signal.subscribe(Plain(seen: failing))
    source.send(1)
    source.fail(TestFailure())
    #expect(failing.events == [.next(1), .failed(TestFailure())])
    #expect(subscription.isDisposed)
  }
}
