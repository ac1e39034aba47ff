import Reactive
import ReactiveTesting
import Testing

@Suite struct SkipWhileTests {
  @Test func forwardsEverythingFromTheFirstValueThatFailsTheTest() {
    expectMarbles("-1-2-3-1-|", "-----3-1-|") { $0.skip(while: { $0 < "3" }) }
  }

  @Test func forwardsTheEndUnchanged() {
    expectMarbles("-1-2-|", "-----|") { $0.skip(while: { _ in true }) }
    expectMarbles("-1-2-#", "-----#") { $0.skip(while: { _ in true }) }
  }

  @Test func testsNothingAfterTheDecidingValue() {
    let calls = Counter()
    let numbers = Signal<Int, Never>.from([1, 2, 3, 4])
    let seen = numbers.skip(while: { value in calls.add() > 0 && value < 2 }).recorded()
    #expect(seen.values == [2, 3, 4])
    #expect(calls.value == 2)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("skip(while:)") { $0.skip(while: { $0 < 2 }) }
    checkOperatorContract("skip(while:)") { $0.skip(while: { _ in true }) }
  }
}
