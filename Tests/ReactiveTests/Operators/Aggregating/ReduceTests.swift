import Reactive
import ReactiveTesting
import Testing

@Suite struct ReduceTests {
  @Test func sendsTheResultOnCompletion() {
    expectMarbles("-1-2-3-|", "-------(6|)") { $0.reduce(0) { $0 + (Int($1) ?? 0) } }
    expectMarbles("-1-2-3-|", "-------(6|)") { $0.reduce(into: 0) { $0 += Int($1) ?? 0 } }
  }

  @Test func anEmptySourceGivesTheInitialResult() {
    expectMarbles("--|", "--(7|)") { $0.reduce("7") { $0 + $1 } }
    expectMarbles("--|", "--(7|)") { $0.reduce(into: "7") { $0 += $1 } }
  }

  @Test func aFailureOvertakesTheResult() {
    expectMarbles("-1-2-#", "-----#") { $0.reduce("") { $0 + $1 } }
    expectMarbles("-1-2-#", "-----#") { $0.reduce(into: "") { $0 += $1 } }
  }

  @Test func eachSubscriptionBeginsAnew() {
    let signal = Signal<Int, Never>.from([1, 2]).reduce(into: []) { $0.append($1) }
    #expect(signal.recorded().values == [[1, 2]])
    #expect(signal.recorded().values == [[1, 2]])
  }

  @Test func holdsTheResultAndNothingAfterDisposal() {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    let subscription = subject.signal
      .reduce(into: [LifeCount.Token]()) { tokens, _ in tokens.append(lives.token()) }
      .subscribe()
    subject.send(1)
    subject.send(2)
    #expect(lives.count == 2)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("reduce") { $0.reduce(0, +) }
    checkOperatorContract("reduce(into:)") { $0.reduce(into: 0) { $0 += $1 } }
  }
}
