import Reactive
import ReactiveTesting
import Testing

/// Contract rule 9: `dispose()` immediately lets no further event pass, cancels work and disposes
/// of the upstream; closures and buffers are freed when the delivery under way has returned.
@Suite struct Rule09DisposalTests {
  @Test func disposalCancelsTimers() {
    let time = TestScheduler()
    let seen = Signal.interval(.seconds(1), on: time).recorded()
    let delayed = Signal<Int, Never>.just(1).delay(.seconds(1), on: time).recorded()
    #expect(time.pendingCount == 2)
    seen.dispose()
    delayed.dispose()
    #expect(time.pendingCount == 0)
  }

  @Test func disposalReachesTheSourceThroughEveryOperator() {
    let time = TestScheduler()
    let disposals = Counter()
    let source = Signal<Int, Never>.never().doDisposed { disposals.add() }
    let whole = Signal.merge([
      source.map { $0 }.filter { $0 > 0 }.take(2),
      Signal.just(source).flatten(),
      Signal.just(source).switchToLatest(),
      source.concat(.just(1)),
      source.delay(.seconds(1), on: time),
      source.deliver(on: time),
      combineLatest(source, source).map { $0.0 },
      zip(source, source).map { $0.0 },
    ])
    whole.subscribe().dispose()
    #expect(disposals.value == 10)
  }

  @Test func anObserversDisposablesAreDisposedOfInTheOrderOfInsertion() {
    let order = Recorder<Int, Never>()
    let box = Box<Observer<Int, Never>>()
    let signal = Signal<Int, Never>.create { observer in
      box.value = observer
      for number in 1...4 { observer.onDispose { order.next(number) } }
      observer.disposables.add(ActionDisposable { order.next(5) })
    }
    let disposable = signal.subscribe()
    #expect(order.values.isEmpty)
    disposable.dispose()
    #expect(order.values == [1, 2, 3, 4, 5])
  }

  // MARK: From inside every handler

  @Test func aValueHandlerThatDisposesIsFreedWhenItReturns() {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    let disposable = SerialDisposable()
    let isAlive = Box<Bool>()
    disposable.inner = subject.signal.map { $0 }.subscribe { [token = lives.token()] _ in
      disposable.dispose()
      isAlive.value = lives.count == 1
      token.touch()
    }
    subject.send(1)
    #expect(isAlive.value == true)
    #expect(lives.count == 0)
  }

  @Test func aFailureHandlerThatDisposesIsFreedWhenItReturns() {
    let lives = LifeCount()
    let subject = Subject<Int, TestFailure>()
    let disposable = SerialDisposable()
    disposable.inner = subject.signal.subscribe(
      failed: { [token = lives.token()] _ in
        disposable.dispose()
        token.touch()
      }
    )
    subject.fail(TestFailure())
    #expect(lives.count == 0)
  }

  @Test func aCompletionHandlerThatDisposesIsFreedWhenItReturns() {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    let disposable = SerialDisposable()
    disposable.inner = subject.signal.subscribe(
      completed: { [token = lives.token()] in
        disposable.dispose()
        token.touch()
      }
    )
    subject.complete()
    #expect(lives.count == 0)
  }

  @Test(arguments: ["map", "filter", "scan", "flatMap", "doNext", "distinct", "merge", "zip"])
  func disposalFromInsideAClosureOfAnOperatorDropsItsResult(_ name: String) {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    let disposable = SerialDisposable()
    let seen = Recorder<Int, Never>()
    do {
      let dispose: @Sendable () -> Void = { [token = lives.token()] in
        disposable.dispose()
        token.touch()
      }
      disposable.inner = disposing(name, subject.signal, dispose).subscribe {
        [token = lives.token()] value in
        token.touch()
        seen.next(value)
      }
    }
    subject.send(1)
    subject.send(2)
    subject.send(3)
    // Rule 2: nothing arrives after `dispose()`, not even the closure's result. Only `distinct`
    // lets one value pass, because it calls its closure for the first time at the second value.
    #expect(seen.count == (name == "distinct" ? 1 : 0))
    #expect(disposable.isDisposed)
    #expect(lives.count == 0)
  }

  private func disposing(
    _ name: String,
    _ source: Signal<Int, Never>,
    _ dispose: @escaping @Sendable () -> Void
  ) -> Signal<Int, Never> {
    switch name {
    case "map":
      source.map { value in
        dispose()
        return value
      }
    case "filter":
      source.filter { _ in
        dispose()
        return true
      }
    case "scan":
      source.scan(0) { _, value in
        dispose()
        return value
      }
    case "flatMap":
      source.flatMap { value in
        dispose()
        return .just(value)
      }
    case "distinct":
      source.distinctUntilChanged { _, _ in
        dispose()
        return false
      }
    case "merge": source.doNext { _ in dispose() }.merge(with: .never())
    case "zip": zip(source.doNext { _ in dispose() }, source).map { $0.0 }
    default: source.doNext { _ in dispose() }
    }
  }

  @Test func disposalFromInsideDoDisposedDoesNotRunItAgain() {
    let disposable = SerialDisposable()
    let calls = Counter()
    let subject = Subject<Int, Never>()
    disposable.inner = subject.signal
      .doDisposed {
        calls.add()
        disposable.dispose()
      }
      .subscribe()
    subject.complete()
    #expect(calls.value == 1)
    #expect(disposable.isDisposed)
  }

  @Test func disposalFromInsideTheBodyOfCreateFreesTheBody() {
    let lives = LifeCount()
    let disposable = SerialDisposable()
    let trigger = Subject<Void, Never>()
    disposable.inner = Signal<Int, Never>.create { [token = lives.token()] observer in
      trigger.send()
      observer.send(1)
      token.touch()
    }
    .take(until: trigger.signal)
    .subscribe()
    #expect(disposable.isDisposed == false)
    #expect(disposable.inner?.isDisposed == true)
    #expect(lives.count == 0)
  }

  // MARK: Freeing

  @Test func theBuffersOfOperatorsAreFreed() {
    let lives = LifeCount()
    let time = TestScheduler()
    let subject = Subject<LifeCount.Token, Never>()
    let never = Signal<LifeCount.Token, Never>.never()
    let all = [
      zip(subject.signal, never).map { $0.0 },
      combineLatest(subject.signal, never).map { $0.0 },
      subject.signal.delay(.seconds(1), on: time),
      subject.signal.debounce(.seconds(1), on: time),
      subject.signal.deliver(on: time),
      subject.signal.distinctUntilChanged { _, _ in false },
      subject.signal.scan(lives.token()) { $1 },
      subject.signal.map { Signal.just($0).concat(.never()) }.concat(),
    ]
    var disposables: [any Disposable] = []
    do { disposables = all.map { $0.subscribe() } }
    subject.send(lives.token())
    subject.send(lives.token())
    #expect(lives.count >= 3)
    for one in disposables { one.dispose() }
    // The seed of scan belongs to the signal, which still exists.
    #expect(lives.count == 1)
    withExtendedLifetime(all) {}
  }

  @Test func eventsThatWaitInAGateAreFreed() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let disposable = SerialDisposable()
    disposable.inner = subject.signal.merge(with: .never()).subscribe { _ in
      subject.send(lives.token())
      disposable.dispose()
    }
    subject.send(lives.token())
    #expect(lives.count == 0)
  }

  @Test func aReplaySubjectFreesItsValuesWhenItIsReleased() {
    let lives = LifeCount()
    do {
      let subject = ReplaySubject<LifeCount.Token, Never>(capacity: 2)
      for _ in 0..<5 { subject.send(lives.token()) }
      #expect(lives.count == 2)
    }
    #expect(lives.count == 0)
  }
}
