import Reactive
import ReactiveTesting
import Testing

@Suite struct CollectTests {
  @Test func sendsAllValuesAsOneArrayOnCompletion() {
    expectMarbles("-1-2-3-|", "-------(a|)", where: ["a": "[\"1\", \"2\", \"3\"]"]) { $0.collect() }
  }

  @Test func anEmptySourceGivesAnEmptyArray() {
    expectMarbles("--|", "--(a|)", where: ["a": "[]"]) { $0.collect() }
  }

  @Test func aFailureOvertakesTheValuesHeld() {
    expectMarbles("-1-2-#", "-----#") { $0.collect() }
  }

  @Test func nothingIsSentIfTheSourceIsGone() {
    let seen = Recorder<[Int], Never>()
    do {
      let subject = Subject<Int, Never>()
      seen.record(subject.signal.collect())
      subject.send(1)
    }
    #expect(seen.events.isEmpty)
    #expect(seen.isDisposed)
  }

  @Test func disposalFromInsideTheArrayPreventsCompletion() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    let subscription = SerialDisposable()
    subscription.inner = subject.signal.collect().subscribe(
      next: { values in
        seen.next(values)
        subscription.dispose()
      },
      completed: { seen.complete() }
    )
    subject.send(1)
    subject.complete()
    #expect(seen.events == [.next([1])])
  }

  @Test func eachSubscriptionCollectsSeparately() {
    let signal = Signal<Int, Never>.from([1, 2]).collect()
    #expect(signal.recorded().values == [[1, 2]])
    #expect(signal.recorded().values == [[1, 2]])
  }

  @Test func holdsAllValuesAndNoneAfterTheEnd() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, TestFailure>()
    let disposed = subject.signal.collect().subscribe(failed: { _ in })
    for _ in 1...3 { subject.send(lives.token()) }
    #expect(lives.count == 3)
    disposed.dispose()
    #expect(lives.count == 0)
    subject.signal.collect().subscribe(failed: { _ in })
    for _ in 1...3 { subject.send(lives.token()) }
    subject.fail(TestFailure())
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() { checkOperatorContract("collect") { $0.collect() } }
}
