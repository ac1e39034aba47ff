import Reactive
import ReactiveTesting
import Testing

@Suite struct CompactMapTests {
  @Test func forwardsResultsThatAreNotNil() {
    expectMarbles("-1-x-2-|", "-1---2-|") { $0.compactMap { Int($0) } }
    expectMarbles("-x-#", "---#") { $0.compactMap { Int($0) } }
  }

  @Test func appliesItsFunctionOncePerValueAndSubscription() {
    let calls = Counter()
    let numbers = Signal<Int, Never>.from([1, 2, 3]).compactMap { calls.add() > 0 ? $0 : nil }
    _ = numbers.recorded()
    #expect(calls.value == 3)
    _ = numbers.recorded()
    #expect(calls.value == 6)
  }

  @Test func skipNilUnwrapsValuesThatAreNotNil() {
    expectMarbles("-1-x-2-|", "-1---2-|") { $0.map { Int($0) }.skipNil() }
    let seen: Recorder<Int, Never> = Signal<Int?, Never>.from([1, nil, 2]).skipNil().recorded()
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func skipNilUnwrapsOneLevel() {
    let inner: [Int??] = [.some(1), .some(nil), nil]
    let seen = Signal<Int??, Never>.from(inner).skipNil().recorded()
    #expect(seen.values == [1, nil])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("compactMap") { $0.compactMap { $0 == 2 ? nil : $0 } }
    checkOperatorContract("skipNil") { $0.map { $0 == 2 ? nil : $0 }.skipNil() }
  }
}
