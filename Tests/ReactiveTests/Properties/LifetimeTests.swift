import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

@Suite struct LifetimeTests {
  @Test func endsWithItsTokenAndDisposesInOrder() {
    let order = Recorder<String, Never>()
    var token: Lifetime.Token? = Lifetime.Token()
    let lifetime = token?.lifetime
    lifetime?.add(ActionDisposable { order.next("first") })
    lifetime?.onEnd { [weak lifetime] in order.next("second, \(lifetime?.hasEnded == true)") }
    let subscription = lifetime?.ended.subscribe(completed: { order.next("ended") })
    #expect(lifetime?.hasEnded == false)
    token = nil
    #expect(order.values == ["first", "second, true", "ended"])
    #expect(subscription?.isDisposed == true)
    lifetime?.onEnd { order.next("late") }
    #expect(order.values.last == "late")
    #expect(lifetime?.ended.recorded().hasEnded == true)
  }

  @Test func aRemovedClosureIsNotRunAndIsFreed() {
    let lives = LifeCount()
    let runs = Counter()
    let token = Lifetime.Token()
    let forget = token.lifetime.onEnd { [t = lives.token()] in
      t.touch()
      runs.add()
    }
    #expect(lives.count == 1)
    forget.dispose()
    #expect(lives.count == 0)
    withExtendedLifetime(token) {}
    #expect(runs.value == 0)
  }

  @Test func endedDisposablesDoNotAccumulate() {
    let lives = LifeCount()
    let token = Lifetime.Token()
    for _ in 0..<1_000 {
      let note = lives.token()
      let disposable = ActionDisposable { note.touch() }
      token.lifetime.add(disposable)
      disposable.dispose()
    }
    #expect(lives.count == 0)
    withExtendedLifetime(token) {}
  }

  @Test func endsOnceThoughEightThreadsAddToIt() {
    for _ in 0..<scaledCount(200) {
      let disposed = Counter()
      let box = Box<Lifetime.Token>(Lifetime.Token())
      let lifetime = box.value?.lifetime
      onPlainThreads(8) { index in
        if index == 0 { box.value = nil } else { lifetime?.onEnd { disposed.add() } }
      }
      #expect(disposed.value == 7)
    }
  }

  @Test func itCanBeEndedExplicitlyOnce() {
    let order = Recorder<String, Never>()
    let token = Lifetime.Token()
    let source = Subject<Int, Never>()
    token.lifetime += ActionDisposable { order.next("added") }
    token.lifetime += nil
    source.signal.take(during: token.lifetime).subscribe(completed: { order.next("completed") })
    #expect(!token.isDisposed)
    token.dispose()
    token.dispose()
    #expect(token.isDisposed)
    #expect(token.lifetime.hasEnded)
    #expect(order.values == ["added", "completed"])
    #expect(!source.hasObservers)
  }

  @Test func itsTokenCanBeHeldByAnother() {
    let inner = Lifetime.Token()
    let outer = Lifetime.Token()
    outer.lifetime += inner
    outer.dispose()
    #expect(inner.lifetime.hasEnded)
  }
}

@Suite struct TakeDuringTests {
  @Test func completesWhenTheLifetimeEnds() {
    let source = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    do {
      let token = Lifetime.Token()
      seen.record(source.signal.take(during: token.lifetime))
      source.send(1)
      withExtendedLifetime(token) {}
    }
    source.send(2)
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func aLifetimeThatHasEndedSubscribesToNothing() {
    let lifetime = Lifetime.Token().lifetime
    let subscriptions = Counter()
    let source = Signal<Int, Never>.deferred {
      subscriptions.add()
      return .just(1)
    }
    #expect(source.take(during: lifetime).recorded().events == [.completed])
    #expect(subscriptions.value == 0)
  }

  @Test func theLifetimeMayEndFromInsideAValue() {
    let box = Box<Lifetime.Token>(Lifetime.Token())
    let seen = Recorder<Int, Never>()
    guard let lifetime = box.value?.lifetime else { return }
    seen.record(
      Signal<Int, Never>.from([1, 2, 3]).take(during: lifetime).doNext {
        if $0 == 2 { box.value = nil }
      }
    )
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func freesHeldValuesWhenTheLifetimeEnds() {
    let lives = LifeCount()
    let source = Subject<Int, Never>()
    do {
      let token = Lifetime.Token()
      source.signal.take(during: token.lifetime).subscribe { [t = lives.token()] _ in t.touch() }
      #expect(lives.count == 1)
      withExtendedLifetime(token) {}
    }
    #expect(lives.count == 0)
  }

  @Test func endsOnceThoughThreadsSendMeanwhile() {
    for _ in 0..<scaledCount(100) {
      let source = Subject<Int, Never>()
      let seen = Recorder<Int, Never>()
      let box = Box<Lifetime.Token>(Lifetime.Token())
      guard let lifetime = box.value?.lifetime else { return }
      source.signal.take(during: lifetime).subscribe(
        next: { seen.next($0) },
        completed: { seen.complete() }
      )
      onPlainThreads(8) { index in
        if index == 0 { box.value = nil } else { for value in 0..<20 { source.send(value) } }
      }
      #expect(seen.events.filter(\.isTerminal) == [.completed])
      #expect(seen.events.last == .completed)
    }
  }

  private static let forever = Lifetime.Token()

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("take(during:)", [.outlivesSource]) {
      $0.take(during: Self.forever.lifetime)
    }
  }
}
