import Reactive
import ReactiveTesting
import Testing

@Suite struct DistinctTests {
  @Test func forwardsEachValueOnce() {
    expectMarbles("-1-2-1-3-2-|", "-1-2---3---|") { $0.distinct() }
    expectMarbles("-1-1-#", "-1---#") { $0.distinct() }
  }

  @Test func comparesKeys() {
    let numbers = Signal<Int, Never>.from([1, 3, 2, 5, 4])
    #expect(numbers.distinct(by: { $0 % 2 }).recorded().values == [1, 2])
    let words = Signal<String, Never>.from(["a", "bb", "c", "dd", "eee"])
    #expect(words.distinct(by: \.count).recorded().values == ["a", "bb", "eee"])
  }

  @Test func eachSubscriptionRemembersKeysSeparately() {
    let numbers = Signal<Int, Never>.from([1, 1, 2]).distinct()
    #expect(numbers.recorded().values == [1, 2])
    #expect(numbers.recorded().values == [1, 2])
  }

  @Test func theKeysAreFreedWithTheSubscription() {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    let subscription = subject.signal.distinct(by: { CountedKey($0, lives) }).subscribe()
    for value in [1, 2, 1, 3] { subject.send(value) }
    #expect(lives.count == 3)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("distinct") { $0.distinct() }
    checkOperatorContract("distinct") { $0.distinct(by: { $0 % 2 }) }
  }
}

/// A key whose token shows whether the key has been freed.
private struct CountedKey: Hashable, Sendable {
  let number: Int
  let token: LifeCount.Token

  init(_ number: Int, _ lives: LifeCount) {
    self.number = number
    token = lives.token()
  }

  static func == (left: CountedKey, right: CountedKey) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
