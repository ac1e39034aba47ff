import Reactive
import ReactiveTesting
import Testing

@Suite struct FilterTests {
  @Test func forwardsTheValuesThatPass() {
    expectMarbles("-1-2-3-4-|", "-----3-4-|") { $0.filter { $0 > "2" } }
  }

  @Test func forwardsTheEndUnchanged() {
    expectMarbles("-1-#", "---#") { $0.filter { _ in false } }
    expectMarbles("-1-|", "---|") { $0.filter { _ in false } }
  }

  @Test func testsEachValueOnce() {
    let calls = Counter()
    _ = Signal<Int, Never>.from([1, 2, 3]).filter { _ in calls.add() > 0 }.recorded()
    #expect(calls.value == 3)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("filter") { $0.filter { $0 != 2 } }
  }
}
