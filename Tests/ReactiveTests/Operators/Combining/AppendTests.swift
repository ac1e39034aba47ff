import Reactive
import ReactiveTesting
import Testing

@Suite struct AppendTests {
  @Test func valuesFollowCompletion() {
    expectMarbles("-1-2-|", "-1-2-(89|)") { $0.endWith("8", "9") }
    expectMarbles("-1-#", "-1-#") { $0.endWith("9") }
  }

  @Test func noValueFollowsDisposal() {
    let seen = Signal<Int, Never>.just(1).endWith(2, 3, 4).take(2).recorded()
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func anotherSignalIsAppended() {
    expectMarbles("-1-|", "-2-|", "-1--2-|") { $0.append($1) }
    expectMarbles("-1-#", "-2-|", "-1-#") { $0.append($1) }
  }

  @Test func anotherSignalIsPrepended() {
    expectMarbles("-1-|", "-2-|", "-2--1-|") { $0.prepend($1) }
    expectMarbles("-1-|", "-2-#", "-2-#") { $0.prepend($1) }
  }

  @Test func theSourceIsNotSubscribedToBeforeThePrependedOneHasCompleted() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-|", on: time)
    _ = source.signal.prepend(time.cold("---|")).recorded()
    time.run()
    #expect(source.subscriptions.map(\.began) == [.frames(3)])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("endWith") { $0.endWith(9) }
    checkOperatorContract("append") { $0.append(.empty()) }
    checkOperatorContract("prepend") { $0.prepend(.empty()) }
  }
}
