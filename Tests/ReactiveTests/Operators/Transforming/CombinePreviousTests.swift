import Reactive
import ReactiveTesting
import Testing

@Suite struct CombinePreviousTests {
  @Test func theFirstValueSendsNoPair() {
    expectMarbles("-1-2-3-|", "---x-y-|", where: ["x": "12", "y": "23"]) {
      $0.combinePrevious().map { $0.previous + $0.current }
    }
    expectMarbles("-1-|", "---|") { $0.combinePrevious().map { $0.previous + $0.current } }
    expectMarbles("-1-#", "---#") { $0.combinePrevious().map { $0.previous + $0.current } }
  }

  @Test func aFirstValueCanBeGiven() {
    expectMarbles("-1-2-|", "-x-y-|", where: ["x": "01", "y": "12"]) {
      $0.combinePrevious("0").map { $0.previous + $0.current }
    }
    expectMarbles("|", "|") { $0.combinePrevious("0").map { $0.previous + $0.current } }
  }

  @Test func nilCanBeThePreviousValue() {
    let pairs = Signal<Int?, Never>.from([nil, 1]).combinePrevious().recorded()
    #expect(pairs.values.map(\.previous) == [nil])
    #expect(pairs.values.map(\.current) == [1])
  }

  @Test func eachSubscriptionBeginsAnew() {
    let pairs = Signal<Int, Never>.from([1, 2]).combinePrevious(0).map { $0.previous }
    #expect(pairs.recorded().values == [0, 1])
    #expect(pairs.recorded().values == [0, 1])
  }

  @Test func theValueItKeepsIsFreed() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let subscription = subject.signal.combinePrevious().subscribe()
    subject.send(lives.token())
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("combinePrevious") { $0.combinePrevious() }
    checkOperatorContract("combinePrevious") { $0.combinePrevious(0) }
  }
}
