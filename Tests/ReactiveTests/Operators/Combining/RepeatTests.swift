import Reactive
import ReactiveTesting
import Testing

@Suite struct RepeatTests {
  @Test func countIsTheTotalNumberOfSubscriptions() {
    expectMarbles("-1|", "-1-1-1|") { $0.repeat(3) }
    expectMarbles("-1|", "-1|") { $0.repeat(1) }
  }

  @Test func zeroTimesCompletesWithoutSubscribing() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1|", on: time)
    #expect(source.signal.repeat(0).recorded().events == [.completed])
    #expect(source.subscriptions.isEmpty)
  }

  @Test func withoutACountItRepeatsForEver() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1|", on: time)
    let seen = source.signal.repeat().recorded()
    time.advance(by: .frames(50))
    #expect(source.subscriptions.count == 26)
    #expect(source.activeCount == 1)
    #expect(!seen.hasEnded)
    seen.dispose()
    #expect(source.activeCount == 0)
    #expect(time.pendingCount == 0)
  }

  @Test func aFailureEndsIt() {
    expectMarbles("-1-#", "-1-#") { $0.repeat() }
    expectMarbles("-1-#", "-1-#") { $0.repeat(3) }
  }

  @Test func canBeEndedFromInsideAValue() {
    let seen = Signal<Int, Never>.from([1, 2]).repeat().take(5).recorded()
    #expect(seen.events == [1, 2, 1, 2, 1].map { .next($0) } + [.completed])
  }

  @Test func disposalFromInsideAValueEndsIt() {
    let disposable = SerialDisposable()
    let start = Subject<Void, Never>()
    let seen = Counter()
    disposable.inner = start.signal.flatMap { Signal<Int, Never>.just(1).repeat() }.subscribe { _ in
      if seen.add() == 7 { disposable.dispose() }
    }
    start.send()
    #expect(seen.value == 7)
  }

  @Test func anEmptySignalCanBeDisposedOfFromInsideASubscription() {
    let disposable = SerialDisposable()
    let start = Subject<Void, Never>()
    let subscriptions = Counter()
    let empty = Signal<Int, Never>.create { observer in
      if subscriptions.add() == 5 { disposable.dispose() }
      observer.complete()
    }
    disposable.inner = start.signal.flatMap { empty.repeat() }.subscribe()
    start.send()
    #expect(subscriptions.value == 5)
  }

  @Test func disposalFreesEverything() {
    let lives = LifeCount()
    let first = Subject<Int, Never>()
    let seen = Signal<Int, Never>
      .create { [signal = first.signal, token = lives.token()] observer in
        token.touch()
        let inner = signal.subscribe { observer.send($0) }
        observer.disposables.add(inner)
      }
      .repeat()
      .recorded()
    first.send(1)
    seen.dispose()
    #expect(seen.values == [1])
    #expect(lives.count == 0)
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().repeat(-1) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("repeat") { $0.repeat(1) }
  }
}
