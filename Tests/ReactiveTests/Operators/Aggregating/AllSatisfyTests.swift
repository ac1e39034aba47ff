import Reactive
import ReactiveTesting
import Testing

@Suite struct AllSatisfyTests {
  private static let legend: [Character: String] = ["t": "true", "f": "false"]

  @Test func sendsTheAnswerAsSoonAsItIsKnown() {
    expectMarbles("-1-2-3-|", "---(f|)", where: Self.legend) { $0.allSatisfy { $0 < "2" } }
    expectMarbles("-1-2-3-|", "-------(t|)", where: Self.legend) { $0.allSatisfy { $0 < "9" } }
  }

  @Test func anEmptySourceGivesTrue() {
    expectMarbles("--|", "--(t|)", where: Self.legend) { $0.allSatisfy { _ in false } }
  }

  @Test func aFailureIsForwardedWithoutAnAnswer() {
    expectMarbles("-1-#", "---#") { $0.allSatisfy { _ in true } }
  }

  @Test func endsItsSourceWithTheAnswer() {
    let calls = Counter()
    let seen = endless().allSatisfy { value in calls.add() > 0 && value < 2 }.recorded()
    #expect(seen.events == [.next(false), .completed])
    #expect(calls.value == 3)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("allSatisfy", .endsEarly) { $0.allSatisfy { $0 < 2 } }
    checkOperatorContract("allSatisfy") { $0.allSatisfy { _ in true } }
  }
}
