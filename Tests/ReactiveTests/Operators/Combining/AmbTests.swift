import Reactive
import ReactiveTesting
import Testing

@Suite struct AmbTests {
  @Test func theFirstToSendIsForwarded() {
    expectMarbles("---1-2-|", "-3---4-5-|", "-3---4-5-|") { .amb([$0, $1]) }
    expectMarbles("-1-2-|", "---4-5-|", "-1-2-|") { $0.amb(with: $1) }
  }

  @Test func theFirstSignalToEndIsForwardedToo() {
    expectMarbles("-|", "---4-5-|", "-|") { $0.amb(with: $1) }
    expectMarbles("---1-|", "-#", "-#") { $0.amb(with: $1) }
  }

  @Test func aFailureOfTheWinnerIsForwarded() {
    expectMarbles("-1-#", "--2-|", "-1-#") { $0.amb(with: $1) }
  }

  @Test func inTheSameFrameTheFirstSignalWins() {
    expectMarbles("--1-|", "--2-|", "--1-|") { $0.amb(with: $1) }
  }

  @Test func theOthersAreDisposedOfBeforeTheFirstEvent() {
    let time = TestScheduler()
    let slow = MarbleSource(cold: "---1-|", on: time)
    let slower = MarbleSource(cold: "-----1-|", on: time)
    let active = Recorder<Int, Never>()
    Signal.amb([slow.signal, time.cold("-2-|"), slower.signal])
      .subscribe(
        next: { _ in active.next(slow.activeCount + slower.activeCount) },
        failed: { _ in }
      )
    time.run()
    #expect(active.values == [0])
    #expect(slow.subscriptions.map(\.ended) == [.frames(1)])
  }

  @Test func signalsAfterOneThatSendsAtOnceAreNotSubscribedTo() {
    let time = TestScheduler()
    let later = MarbleSource(cold: "1|", on: time)
    let seen = Signal<String, MarbleFailure>.just("0").amb(with: later.signal).recorded()
    #expect(seen.values == ["0"])
    #expect(later.subscriptions.isEmpty)
  }

  @Test func anEndlessSignalWinsAndEnds() {
    let seen = endless().amb(with: endless()).take(3).recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func withoutSignalsItCompletes() {
    #expect(Signal<Int, Never>.amb([]).recorded().events == [.completed])
  }

  @Test func endsWithoutAnEventWhenNoneCanSend() {
    let a = Box<Subject<Int, Never>>(Subject())
    let b = Box<Subject<Int, Never>>(Subject())
    let seen = Signal.amb([a.value, b.value].compactMap { $0?.signal }).recorded()
    a.value = nil
    #expect(!seen.isDisposed)
    b.value = nil
    #expect(seen.isDisposed)
    #expect(seen.events.isEmpty)
  }

  @Test func itEndsWhenTheWinnerIsGone() {
    let a = Box<Subject<Int, Never>>(Subject())
    let b = Subject<Int, Never>()
    let seen = Signal.amb([a.value?.signal, b.signal].compactMap { $0 }).recorded()
    a.value?.send(1)
    a.value = nil
    #expect(seen.isDisposed)
    #expect(seen.events == [.next(1)])
  }

  @Test func disposalEndsAllSignals() {
    let time = TestScheduler()
    let sources = (0..<3).map { _ in MarbleSource(cold: "---1", on: time) }
    let seen = Signal.amb(sources.map(\.signal)).recorded()
    seen.dispose()
    #expect(sources.allSatisfy { $0.activeCount == 0 })
    #expect(time.pendingCount == 0)
  }

  @Test(arguments: 0..<20)
  func onlyValuesOfOneOfTwoThreadsAreForwarded(_ round: Int) {
    let subjects = (0..<2).map { _ in Subject<Int, Never>() }
    let seen = Recorder<Int, Never>()
    Signal.amb(subjects.map(\.signal)).subscribe { seen.next($0) }
    onPlainThreads(2) { index in for _ in 0..<50 { subjects[index].send(index) } }
    #expect(Set(seen.values).count == 1)
    #expect(seen.count == 50)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("amb") { $0.amb(with: $0) }
  }
}
