import Reactive
import ReactiveTesting
import Testing

@Suite struct LastWhereTests {
  @Test func forwardsTheLastValueThatPassesWithCompletion() {
    expectMarbles("-1-2-3-4-|", "---------(2|)") { $0.last(where: { $0 < "3" }) }
  }

  @Test func isEmptyIfNoValuePasses() {
    expectMarbles("-1-2-|", "-----|") { $0.last(where: { _ in false }) }
  }

  @Test func aFailureOvertakesTheValueHeld() {
    expectMarbles("-1-2-#", "-----#") { $0.last(where: { _ in true }) }
  }

  @Test func aNilThatPassesIsForwarded() {
    let seen = Signal<Int?, Never>.from([1, nil]).last(where: { _ in true }).recorded()
    #expect(seen.events == [.next(nil), .completed])
  }

  @Test func holdsOneValueAndNoneAfterDisposal() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let subscription = subject.signal.last(where: { _ in true }).subscribe()
    for _ in 1...3 { subject.send(lives.token()) }
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("last(where:)") { $0.last(where: { $0 < 3 }) }
  }
}
