import Reactive
import ReactiveTesting
import Testing

@Suite struct DistinctUntilChangedTests {
  @Test(
    arguments: [
      ("-1-1-2-2-1-|", "-1---2---1-|"),
      ("-1-1-2-#", "-1---2-#"),
      ("|", "|"),
    ] as [(Marbles, Marbles)]
  )
  func forwardsOnlyChanges(source: Marbles, expected: Marbles) {
    expectMarbles(source, expected) { $0.distinctUntilChanged(by: ==) }
    expectMarbles(source, expected) { $0.distinctUntilChanged() }
  }

  @Test func comparesWithTheLastForwardedValue() {
    let drift = Signal<Int, Never>.from([0, 1, 2, 3, 4, 5])
    let seen = drift.distinctUntilChanged { abs($0 - $1) < 3 }.recorded()
    #expect(seen.values == [0, 3])
  }

  @Test func comparesOneProperty() {
    let words = Signal<String, Never>.from(["a", "b", "cc", "dd", "e"])
    #expect(words.distinctUntilChanged(by: \.count).recorded().values == ["a", "cc", "e"])
    let optional = Signal<[Int], Never>.from([[], [], [1], [1, 2], []])
    #expect(optional.distinctUntilChanged(by: \.first).recorded().values == [[], [1], []])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("distinctUntilChanged") { $0.distinctUntilChanged(by: ==) }
    checkOperatorContract("distinctUntilChanged") { $0.distinctUntilChanged() }
    checkOperatorContract("distinctUntilChanged") { $0.distinctUntilChanged(by: \.self) }
  }
}
