import Reactive
import ReactiveTesting
import Testing

@Suite struct ThenTests {
  @Test func onlyTheOtherIsForwarded() {
    expectMarbles("-1-2-|", "-3-|", "------3-|") { $0.then($1) }
    expectMarbles("-1-2-|", "------3-|") { signal, time in signal.then { time.cold("-3-|") } }
  }

  @Test func aFailureKeepsTheOtherFromBeingSubscribedTo() {
    let time = TestScheduler()
    let other = MarbleSource(cold: "-3-|", on: time)
    let calls = Counter()
    let seen = time.cold("-1-#").then(other.signal).recorded()
    let lazy = time.cold("-1-#")
      .then { () -> Signal<String, MarbleFailure> in
        calls.add()
        return other.signal
      }
      .recorded()
    time.run()
    #expect(seen.events.count == 1 && seen.failure != nil)
    #expect(lazy.events.count == 1 && lazy.failure != nil)
    #expect(other.subscriptions.isEmpty)
    #expect(calls.value == 0)
  }

  @Test func theClosureRunsAfterCompletionOncePerSubscription() {
    let calls = Counter()
    let source = Subject<Int, Never>()
    let signal = source.signal.then { Signal<Int, Never>.just(calls.add()) }
    let first = signal.recorded()
    let second = signal.recorded()
    source.send(5)
    #expect(calls.value == 0)
    source.complete()
    #expect(first.events == [.next(1), .completed])
    #expect(second.events == [.next(2), .completed])
  }

  @Test func anEndlessSecondSignalThatBeginsInADeliveryEnds() {
    let first = Subject<Int, Never>()
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    Signal.merge([first.signal.then(endless()), other.signal]).take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -1 { first.complete() }
      },
      completed: { seen.complete() }
    )
    other.send(-1)
    #expect(seen.events == [.next(-1), .next(0), .next(1), .next(2), .completed])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("then") { $0.then(Signal<Int, ContractFailure>.empty()) }
    checkOperatorContract("then") { source in
      Signal<Int, ContractFailure>.empty().then { source }
    }
  }
}
