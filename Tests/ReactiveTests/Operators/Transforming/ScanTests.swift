import Reactive
import ReactiveTesting
import Testing

@Suite struct ScanTests {
  @Test func sendsEachResult() {
    expectMarbles("-1-2-3-|", "-1-b-c-|", where: ["b": "12", "c": "123"]) { $0.scan("", +) }
  }

  @Test func anEmptySourceGivesAnEmptySignal() {
    expectMarbles("--|", "--|") { $0.scan("0", +) }
    expectMarbles("--#", "--#") { $0.scan("0", +) }
  }

  @Test func eachSubscriptionBeginsAnew() {
    let sums = Signal<Int, Never>.from([1, 2, 3]).scan(0, +)
    #expect(sums.recorded().values == [1, 3, 6])
    #expect(sums.recorded().values == [1, 3, 6])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("scan") { $0.scan(0, +) }
  }
}
