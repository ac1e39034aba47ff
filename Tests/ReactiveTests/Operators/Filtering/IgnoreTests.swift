import Reactive
import ReactiveTesting
import Testing

@Suite struct IgnoreTests {
  @Test func skipsEqualValues() {
    expectMarbles("-1-0-2-0-|", "-1---2---|") { $0.ignore("0") }
    expectMarbles("-0-#", "---#") { $0.ignore("0") }
  }

  @Test func ignoresNil() {
    let seen = Signal<Int?, Never>.from([1, nil, 2, nil]).ignore(nil).recorded()
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func obeysTheOperatorContract() { checkOperatorContract("ignore") { $0.ignore(2) } }
}
