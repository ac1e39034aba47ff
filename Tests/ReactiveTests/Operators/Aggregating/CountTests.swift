import Reactive
import ReactiveTesting
import Testing

@Suite struct CountTests {
  @Test func sendsTheNumberOfValuesOnCompletion() {
    expectMarbles("-a-b-c-|", "-------(3|)") { $0.count() }
    expectMarbles("--|", "--(0|)") { $0.count() }
  }

  @Test func aFailureOvertakesTheNumber() {
    expectMarbles("-a-b-#", "-----#") { $0.count() }
  }

  @Test func obeysTheOperatorContract() { checkOperatorContract("count") { $0.count() } }
}
