import Reactive
import ReactiveTesting
import Testing

@Suite struct IsEmptyTests {
  private static let legend: [Character: String] = ["t": "true", "f": "false"]

  @Test func sendsTheAnswerAsSoonAsItIsKnown() {
    expectMarbles("-1-2-|", "-(f|)", where: Self.legend) { $0.isEmpty() }
    expectMarbles("--|", "--(t|)", where: Self.legend) { $0.isEmpty() }
  }

  @Test func aFailureIsForwardedWithoutAnAnswer() {
    expectMarbles("--#", "--#") { $0.isEmpty() }
  }

  @Test func endsItsSourceWithTheAnswer() {
    #expect(endless().isEmpty().recorded().events == [.next(false), .completed])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("isEmpty", .endsEarly) { $0.isEmpty() }
    checkOperatorContract("isEmpty") { $0.filter { _ in false }.isEmpty() }
  }
}
