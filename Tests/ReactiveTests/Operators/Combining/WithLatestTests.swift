import Reactive
import ReactiveTesting
import Testing

@Suite struct WithLatestTests {
  private static func joined<Failure>(
    _ signal: Signal<(String, String), Failure>
  ) -> Signal<String, Failure> { signal.map { $0.0 + $0.1 } }

  @Test func eachValueComesWithTheLatestOfTheOther() {
    expectMarbles("-1---2-3---|", "---a----b-|", "-----A-B---|", where: ["A": "2a", "B": "3a"]) {
      Self.joined($0.withLatest(from: $1))
    }
  }

  @Test func theLatestValueIsStillUsedAfterTheOtherHasCompleted() {
    expectMarbles("---1-2-|", "-a|", "---A-B-|", where: ["A": "1a", "B": "2a"]) {
      Self.joined($0.withLatest(from: $1))
    }
  }

  @Test func withoutAValueOfTheOtherSignalNothingIsSentUntilTheEnd() {
    expectMarbles("-1-2---|", "--|", "-------|") { Self.joined($0.withLatest(from: $1)) }
  }

  @Test func itEndsWithTheSource() {
    expectMarbles("-1-|", "a-a-a-a-a", "-A-|", where: ["A": "1a"]) {
      Self.joined($0.withLatest(from: $1))
    }
    expectMarbles("-1-#", "a-a-a-a-a", "-A-#", where: ["A": "1a"]) {
      Self.joined($0.withLatest(from: $1))
    }
  }

  @Test func aFailureOfTheOtherIsForwarded() {
    expectMarbles("-1-1-1-|", "a---#", "-A-A#", where: ["A": "1a"]) {
      Self.joined($0.withLatest(from: $1))
    }
  }

  @Test func aCurrentValueOfTheOtherIsUsedForTheFirstValue() {
    let seen = Signal<Int, Never>.just(1).withLatest(from: .just(2)).map { $0.0 + $0.1 }.recorded()
    #expect(seen.events == [.next(3), .completed])
  }

  @Test func theOtherSignalMayBeUnableToFail() {
    let source = Signal<Int, TestFailure>.from([1, 2])
    let seen = source.withLatest(from: Signal<Int, Never>.just(5)).map { $0.0 * $0.1 }.recorded()
    #expect(seen.events == [.next(5), .next(10), .completed])
  }

  @Test func theOtherIsDisposedOfWithTheSource() {
    let time = TestScheduler()
    let other = MarbleSource(cold: "a", on: time)
    _ = time.cold("---|").withLatest(from: other.signal).recorded()
    time.run()
    #expect(other.subscriptions.map(\.ended) == [.frames(3)])
  }

  @Test func anotherSignalThatFailsAtOnceKeepsTheSourceFromBeingSubscribedTo() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-|", on: time)
    let failed = Signal<String, MarbleFailure>.failed(MarbleFailure())
    #expect(source.signal.withLatest(from: failed).recorded().failure != nil)
    #expect(source.subscriptions.isEmpty)
  }

  @Test func aValueSentFromInsideADeliveryFollowsIt() {
    let source = Subject<Int, Never>()
    let other = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    let subscription = source.signal.withLatest(from: other.signal).subscribe { value, latest in
      if value == 1 {
        other.send(20)
        source.send(2)
        other.send(30)
      }
      seen.next([value, latest])
    }
    other.send(10)
    source.send(1)
    source.send(3)
    #expect(seen.values == [[1, 10], [2, 30], [3, 30]])
    subscription.dispose()
  }

  @Test func theLatestValueIsFreed() {
    let lives = LifeCount()
    let other = Subject<LifeCount.Token, Never>()
    let subscription = Signal<Int, Never>.never().withLatest(from: other.signal).subscribe()
    other.send(lives.token())
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("withLatest(from:)") { source in
      source.withLatest(from: Signal<Int, ContractFailure>.just(1))
    }
    checkOperatorContract("withLatest(from:)") { source in
      source.withLatest(from: Signal<Int, Never>.just(1))
    }
    checkOperatorContract("withLatest(from:)") { $0.withLatest(from: $0) }
  }
}
