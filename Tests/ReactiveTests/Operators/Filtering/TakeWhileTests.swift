import Reactive
import ReactiveTesting
import Testing

@Suite struct TakeWhileTests {
  @Test func completesWithTheFirstValueThatFailsTheTest() {
    expectMarbles("-1-2-3-1-|", "-1-2-|") { $0.take(while: { $0 < "3" }) }
    expectMarbles("-3-1-|", "-|") { $0.take(while: { $0 < "3" }) }
  }

  @Test func inclusiveForwardsTheDecidingValueToo() {
    expectMarbles("-1-2-3-1-|", "-1-2-(3|)") { $0.take(while: { $0 < "3" }, inclusive: true) }
    expectMarbles("-3-1-|", "-(3|)") { $0.take(while: { $0 < "3" }, inclusive: true) }
  }

  @Test func aSourceThatNeverFailsTheTestEndsIt() {
    expectMarbles("-1-2-|", "-1-2-|") { $0.take(while: { _ in true }) }
    expectMarbles("-1-2-#", "-1-2-#") { $0.take(while: { _ in true }, inclusive: true) }
  }

  @Test func testsNothingAfterTheDecidingValue() {
    let calls = Counter()
    let seen = endless().take(while: { value in calls.add() > 0 && value < 2 }).recorded()
    #expect(seen.events == [.next(0), .next(1), .completed])
    #expect(calls.value == 3)
  }

  @Test func endsItsSourceWithTheDecidingValue() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-2-3-|", on: time)
    _ = source.signal.take(while: { $0 < "2" }).recorded()
    time.run()
    #expect(source.subscriptions.map(\.ended) == [.frames(3)])
  }

  @Test func valuesSentFromInsideTheDecidingOneAreNotForwarded() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    subject.signal.take(while: { $0 < 2 }, inclusive: true).subscribe(
      next: { value in
        seen.next(value)
        subject.send(value + 1)
      },
      completed: { seen.complete() }
    )
    subject.send(1)
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func disposalFromInsideTheDecidingValuePreventsCompletion() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = SerialDisposable()
    subscription.inner = subject.signal.take(while: { _ in false }, inclusive: true).subscribe(
      next: { value in
        seen.next(value)
        subscription.dispose()
      },
      completed: { seen.complete() }
    )
    subject.send(1)
    #expect(seen.events == [.next(1)])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("take(while:)", .endsEarly) { $0.take(while: { $0 < 2 }) }
    checkOperatorContract("take(while:)", .endsEarly) {
      $0.take(while: { $0 < 2 }, inclusive: true)
    }
    checkOperatorContract("take(while:)") { $0.take(while: { _ in true }) }
  }
}
