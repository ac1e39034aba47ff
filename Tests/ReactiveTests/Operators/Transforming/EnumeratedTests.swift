import Reactive
import ReactiveTesting
import Testing

@Suite struct EnumeratedTests {
  @Test func numbersTheValuesFromZero() {
    expectMarbles("-a-b-|", "-x-y-|", where: ["x": "0a", "y": "1b"]) {
      $0.enumerated().map { "\($0.index)\($0.value)" }
    }
    expectMarbles("-a-#", "-0-#") { $0.enumerated().map(\.index) }
    expectMarbles("|", "|") { $0.enumerated().map(\.index) }
  }

  @Test func eachSubscriptionCountsFromZero() {
    let numbered = Signal<String, Never>.from(["a", "b"]).enumerated().map { $0.index }
    #expect(numbered.recorded().values == [0, 1])
    #expect(numbered.recorded().values == [0, 1])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("enumerated") { $0.enumerated() }
  }
}
