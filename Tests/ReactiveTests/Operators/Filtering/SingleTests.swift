import Reactive
import ReactiveTesting
import Testing

@Suite struct SingleTests {
  private func single(of values: [Int], then end: Event<Int, TestFailure> = .completed) -> [Event<
    Int, TestFailure
  >] {
    let subject = Subject<Int, TestFailure>()
    let seen = subject.signal
      .single { TestFailure(code: $0 == .noValue ? 0 : 2) }
      .recorded()
    for value in values { subject.send(value) }
    if case .failed(let error) = end { subject.fail(error) } else { subject.complete() }
    return seen.events
  }

  @Test func forwardsTheOnlyValueWithCompletion() {
    expectMarbles("-1-|", "---(1|)") { $0.single { _ in MarbleFailure() } }
    #expect(single(of: [7]) == [.next(7), .completed])
  }

  @Test func noValueIsAFailureOnCompletion() {
    expectMarbles("---|", "---#") { $0.single { _ in MarbleFailure() } }
    #expect(single(of: []) == [.failed(TestFailure(code: 0))])
  }

  @Test func aSecondValueIsAFailureAtOnce() {
    expectMarbles("-1-2-3-|", "---#") { $0.single { _ in MarbleFailure() } }
    #expect(single(of: [1, 2, 3]) == [.failed(TestFailure(code: 2))])
  }

  @Test func aFailureOfTheSourceIsForwardedUnchanged() {
    let failure = TestFailure(code: 9)
    #expect(single(of: [], then: .failed(failure)) == [.failed(failure)])
    #expect(single(of: [1], then: .failed(failure)) == [.failed(failure)])
  }

  @Test func endsItsSourceWithTheSecondValue() {
    let seen = endless().promoteFailure(to: TestFailure.self)
      .single { _ in TestFailure(code: 2) }
      .recorded()
    #expect(seen.events == [.failed(TestFailure(code: 2))])
  }

  @Test func aNilIsAValue() {
    let seen = Signal<Int?, TestFailure>.just(nil).single { _ in TestFailure() }.recorded()
    #expect(seen.events == [.next(nil), .completed])
  }

  @Test func holdsTheValueAndNoneAfterDisposal() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, TestFailure>()
    let subscription = subject.signal.single { _ in TestFailure() }.subscribe(failed: { _ in })
    subject.send(lives.token())
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("single") { source in
      source.filter { $0 == 2 }.single { _ in ContractFailure() }
    }
  }
}
