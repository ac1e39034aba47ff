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

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("distinctUntilChanged") { $0.distinctUntilChanged(by: ==) }
    checkOperatorContract("distinctUntilChanged") { $0.distinctUntilChanged() }
  }
}
