import Reactive
import ReactiveTesting
import Testing

@Suite struct FailIfEmptyTests {
  @Test func failsWhereNoValueCame() {
    expectMarbles("---|", "---#") { $0.failIfEmpty(MarbleFailure()) }
  }

  @Test func isNotAskedWhereOneCame() {
    expectMarbles("-1-|", "-1-|") { $0.failIfEmpty(MarbleFailure()) }
  }

  @Test func aFailureOfTheSourceIsForwardedAsItIs() {
    let seen = Signal<Int, TestFailure>.failed(TestFailure(code: 1))
      .failIfEmpty(TestFailure(code: 2))
      .recorded()
    #expect(seen.events == [.failed(TestFailure(code: 1))])
  }

  @Test func makesAFaultOfAValueThatIsMissing() {
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
