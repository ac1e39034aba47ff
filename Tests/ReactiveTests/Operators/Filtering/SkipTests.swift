import Reactive
import ReactiveTesting
import Testing

@Suite struct SkipTests {
  @Test func skipsTheFirstValues() {
    expectMarbles("-1-2-3-4-|", "-----3-4-|") { $0.skip(2) }
  }

  @Test func skippingNoneForwardsAll() {
    expectMarbles("-1-2-|", "-1-2-|") { $0.skip(0) }
  }

  @Test func skippingMoreValuesThanTheSourceSendsIsEmpty() {
    expectMarbles("-1-2-|", "-----|") { $0.skip(9) }
    expectMarbles("-1-2-#", "-----#") { $0.skip(9) }
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().skip(-1) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("skip") { $0.skip(1) }
  }
}
