import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// Tests `subscribe(started:)`, `subscribe(with:)` and `subscribe()`.
@Suite struct SubscribeFormsTests {
  private final class Board: Sendable {
    let seen = Recorder<Int, TestFailure>()
  }

  // MARK: started

  @Test func theDisposablePassedToStartedEndsAnEndlessSignalFromItsFirstValue() {
    let held = SerialDisposable()
    let seen = Recorder<Int, Never>()
    endless().subscribe(
      started: { held.inner = $0 },
      next: { value in
        seen.next(value)
        if value == 2 { held.dispose() }
      }
    )
    #expect(seen.values == [0, 1, 2])
  }

  @Test func disposalInStartedKeepsTheSourceFromBeingSubscribedTo() {
    let starts = Counter()
    let signal = Signal<Int, Never>.create { observer in
      starts.add()
      observer.send(1)
    }
    let seen = Recorder<Int, Never>()
    let disposable = signal.subscribe(started: { $0.dispose() }, next: { seen.next($0) })
    #expect(disposable.isDisposed)
    #expect(starts.value == 0)
    #expect(seen.values.isEmpty)
  }

  @Test func startedGetsTheDisposableThatIsReturned() {
    let given = Box<any Disposable>()
    let subject = Subject<Int, TestFailure>()
    let seen = Recorder<Int, TestFailure>()
    let returned = subject.signal.subscribe(
      started: { given.value = $0 },
      next: { seen.next($0) },
      failed: { seen.fail($0) }
    )
    #expect(given.value === returned)
    subject.send(1)
    subject.fail(TestFailure())
    #expect(seen.events == [.next(1), .failed(TestFailure())])
  }

  @Test func theSubscriptionIsTraced() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      let disposable = subject.signal.subscribe(started: { _ in }, next: { _ in })
      subject.send(1)
      disposable.dispose()
      let path = try #require(Trace.path)
      let rows = try TraceReader(path: path).snapshot().sites.filter { $0.name == "subscribe" }
      #expect(rows.map(\.subscribed) == [1])
      #expect(rows.map(\.live) == [0])
    }
  }

  @Test func aValueAfterTheEndOfTheSubscriptionIsRefusedAndTraced() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let held = SerialDisposable()
      let seen = Recorder<Int, Never>()
      let subject = Subject<Int, Never>()
      // `doNext` disposes of the subscription, and then forwards the value.
      subject.signal.doNext { if $0 == 2 { held.dispose() } }
        .subscribe(started: { held.inner = $0 }, next: { seen.next($0) })
      subject.send(1)
      subject.send(2)
      #expect(seen.values == [1])
      let reader = try TraceReader(path: try #require(Trace.path))
      let rows = try reader.snapshot().sites.filter { $0.name == "subscribe" }
      #expect(rows.map(\.refused) == [1])
    }
  }

  // MARK: No handlers

  @Test func withoutHandlersTheSideEffectsHappen() {
    let effects = Counter()
    Signal<Int, Never>.from([1, 2]).doNext { effects.add($0) }.subscribe()
    #expect(effects.value == 3)
  }

  // MARK: with

  @Test func theOwnerGetsTheEvents() {
    let board = Board()
    let subject = Subject<Int, TestFailure>()
    subject.signal.subscribe(
      with: board,
      next: { $0.seen.next($1) },
      failed: { $0.seen.fail($1) },
      completed: { $0.seen.complete() }
    )
    subject.send(1)
    subject.fail(TestFailure(code: 2))
    #expect(board.seen.events == [.next(1), .failed(TestFailure(code: 2))])
    Signal<Int, TestFailure>.empty().subscribe(
      with: board,
      next: { _, _ in },
      completed: { $0.seen.complete() }
    )
    #expect(board.seen.isCompleted)
  }

  @Test func theSubscriptionEndsAtTheFirstValueAfterItsOwnerWasReleased() {
    let subject = Subject<Int, TestFailure>()
    let calls = Counter()
    let disposable: any Disposable
    do {
      let board = Board()
      disposable = subject.signal.subscribe(
        with: board,
        next: { board, value in
          board.seen.next(value)
          calls.add()
        },
        failed: { _, _ in calls.add() }
      )
      subject.send(1)
    }
    #expect(!disposable.isDisposed)
    subject.send(2)
    #expect(disposable.isDisposed)
    #expect(calls.value == 1)
  }

  @Test func theOwnerIsNotRetained() {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    do {
      let owner = lives.token()
      subject.signal.subscribe(with: owner) { owner, _ in owner.touch() }
      #expect(lives.count == 1)
    }
    #expect(lives.count == 0)
  }

  @Test func aReleasedOwnerGetsNoEndEvent() {
    let calls = Counter()
    let subject = Subject<Int, TestFailure>()
    do {
      let board = Board()
      subject.signal.subscribe(
        with: board,
        next: { _, _ in },
        failed: { _, _ in calls.add() },
        completed: { _ in calls.add() }
      )
    }
    subject.complete()
    #expect(calls.value == 0)
  }
}
