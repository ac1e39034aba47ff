import Reactive
import ReactiveTesting
import Testing

@Suite struct MapTests {
  @Test func appliesTheFunctionToEachValue() {
    expectMarbles("-1-2-3-|", "-a-b-c-|", where: ["a": "1x", "b": "2x", "c": "3x"]) {
      $0.map { $0 + "x" }
    }
  }

  @Test func forwardsTheEndUnchanged() {
    expectMarbles("|", "|") { $0.map { $0 } }
    expectMarbles("-1-#", "-1-#") { $0.map { $0 } }
    expectMarbles("---", "---") { $0.map { $0 } }
  }

  @Test func changesTheType() {
    #expect(Signal<Int, Never>.from([1, 2]).map { "\($0)" }.recorded().values == ["1", "2"])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("map") { $0.map { $0 * 10 } }
  }
}
