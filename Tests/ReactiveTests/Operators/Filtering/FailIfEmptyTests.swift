import Reactive
import ReactiveTesting
import Testing

@Suite struct FailIfEmptyTests {
  @Test func failsIfThereWasNoValue() {
    expectMarbles("---|", "---#") { $0.failIfEmpty(MarbleFailure()) }
  }

  @Test func doesNotFailIfThereWasAValue() {
    expectMarbles("-1-|", "-1-|") { $0.failIfEmpty(MarbleFailure()) }
  }

  @Test func aFailureOfTheSourceIsForwardedUnchanged() {
    let seen = Signal<Int, TestFailure>.failed(TestFailure(code: 1))
      .failIfEmpty(TestFailure(code: 2))
      .recorded()
    #expect(seen.events == [.failed(TestFailure(code: 1))])
  }

  @Test func turnsAMissingElementIntoAFailure() {
    let seen = Signal<Int, TestFailure>.from([1, 2])
      .element(at: 7)
      .failIfEmpty(TestFailure(code: 3))
      .recorded()
    #expect(seen.events == [.failed(TestFailure(code: 3))])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("failIfEmpty") { $0.failIfEmpty(ContractFailure()) }
  }
}
