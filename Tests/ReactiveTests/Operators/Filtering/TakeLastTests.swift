import Reactive
import ReactiveTesting
import Testing

@Suite struct TakeLastTests {
  @Test func forwardsTheLastValuesWithCompletion() {
    expectMarbles("-1-2-3-|", "-------(23|)") { $0.take(last: 2) }
    expectMarbles("-1-2-3-|", "-------(3|)") { $0.take(last: 1) }
  }

  @Test func forwardsAllOfAShorterSource() {
    expectMarbles("-1-2-|", "-----(12|)") { $0.take(last: 5) }
    expectMarbles("--|", "--|") { $0.take(last: 5) }
  }

  @Test func aFailureOvertakesTheValuesHeld() {
    expectMarbles("-1-2-#", "-----#") { $0.take(last: 2) }
  }

  @Test func takingNoneWaitsForTheEnd() {
    expectMarbles("-1-2-|", "-----|") { $0.take(last: 0) }
    expectMarbles("-1-2-#", "-----#") { $0.take(last: 0) }
  }

  @Test func disposalFromInsideAHeldValueDropsTheRest() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let passed = Counter()
    let subscription = SerialDisposable()
    subscription.inner = subject.signal.take(last: 3).doNext { _ in passed.add() }.subscribe(
      next: { value in
        seen.next(value)
        if value == 2 { subscription.dispose() }
      },
      completed: { seen.complete() }
    )
    for value in 1...3 { subject.send(value) }
    subject.complete()
    #expect(seen.events == [.next(1), .next(2)])
    #expect(passed.value == 2)
  }

  @Test func aTakeDownstreamEndsTheRest() {
    let seen = Signal<Int, Never>.from(1...9).take(last: 4).take(2).recorded()
    #expect(seen.events == [.next(6), .next(7), .completed])
  }

  @Test func nothingIsForwardedIfTheSourceIsGone() {
    let seen = Recorder<Int, Never>()
    do {
      let subject = Subject<Int, Never>()
      seen.record(subject.signal.take(last: 2))
      subject.send(1)
    }
    #expect(seen.events.isEmpty)
    #expect(seen.isDisposed)
  }

  @Test func holdsNoMoreThanItMayForwardAndNothingAfterTheEnd() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let subscription = subject.signal.take(last: 2).subscribe()
    for _ in 1...5 { subject.send(lives.token()) }
    #expect(lives.count == 2)
    subscription.dispose()
    #expect(lives.count == 0)
    subject.signal.take(last: 2).subscribe()
    for _ in 1...5 { subject.send(lives.token()) }
    subject.complete()
    #expect(lives.count == 0)
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().take(last: -1) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("take(last:)") { $0.take(last: 2) }
    checkOperatorContract("take(last:)") { $0.take(last: 0) }
  }
}
