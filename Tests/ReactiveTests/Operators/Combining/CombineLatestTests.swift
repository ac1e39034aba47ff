import Reactive
import ReactiveTesting
import Testing

@Suite struct CombineLatestTests {
  @Test func sendsTheLatestOfBothOnceBothHaveSent() {
    expectMarbles(
      "-1---2------|",
      "---a---b-|",
      "---A-B-C----|",
      where: ["A": "1a", "B": "2a", "C": "2b"]
    ) { combineLatest($0, $1).map { $0.0 + $0.1 } }
  }

  @Test func completesWhenBothHave() {
    expectMarbles("|", "--|", "--|") { combineLatest($0, $1).map { $0.0 + $0.1 } }
    expectMarbles("--|", "|", "--|") { combineLatest($0, $1).map { $0.0 + $0.1 } }
  }

  @Test func anInputThatCompletesWithoutAValueLeavesItOpenUntilAllHaveCompleted() {
    expectMarbles("-|", "--1-2-|", "------|") { combineLatest($0, $1).map { $0.0 + $0.1 } }
    expectMarbles("--1-2-#", "-|", "------#") { combineLatest($0, $1).map { $0.0 + $0.1 } }
  }

  @Test func aFailureOfEitherIsForwardedAtOnce() {
    expectMarbles("-1-#", "--a----|", "--A#", where: ["A": "1a"]) {
      combineLatest($0, $1).map { $0.0 + $0.1 }
    }
    expectMarbles("-1-----|", "---#", "---#") { combineLatest($0, $1).map { $0.0 + $0.1 } }
  }

  @Test func combinesThreeAndFourSignals() {
    let one = Signal<Int, Never>.just(1)
    let two = Signal<Int, Never>.just(2)
    let many = Signal<Int, Never>.from([3, 4])
    let three = combineLatest(one, two, many).map { [$0.0, $0.1, $0.2] }.recorded()
    #expect(three.events == [.next([1, 2, 3]), .next([1, 2, 4]), .completed])
    let four = combineLatest(one, two, two, many).map { [$0.0, $0.1, $0.2, $0.3] }.recorded()
    #expect(four.events == [.next([1, 2, 2, 3]), .next([1, 2, 2, 4]), .completed])
  }

  @Test func aFirstSignalThatFailsAtOnceKeepsTheSecondFromBeingSubscribedTo() {
    let time = TestScheduler()
    let second = MarbleSource(cold: "-1-|", on: time)
    let failed = Signal<String, MarbleFailure>.failed(MarbleFailure())
    let seen = failed.combineLatest(with: second.signal).map { $0.0 }.recorded()
    #expect(seen.failure != nil)
    #expect(second.subscriptions.isEmpty)
  }

  @Test(arguments: [true, false]) func aValueOfTheOtherInputSentFromInsideADeliveryFollowsIt(
    isLeft: Bool
  ) {
    let left = Subject<Int, Never>()
    let right = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    let subscription = combineLatest(left.signal, right.signal).subscribe { a, b in
      if a + b == 0 {
        if isLeft { left.send(1) } else { right.send(1) }
        #expect(seen.count == 0)
      }
      seen.next([a, b])
    }
    if isLeft {
      left.send(0)
      right.send(0)
    } else {
      right.send(0)
      left.send(0)
    }
    #expect(seen.values == [[0, 0], isLeft ? [1, 0] : [0, 1]])
    subscription.dispose()
  }

  @Test(arguments: [true, false]) func waitingValuesAreNotCombinedAfterDisposal(isLeft: Bool) {
    let left = Subject<Int, Never>()
    let right = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let held = SerialDisposable()
    held.inner = combineLatest(left.signal, right.signal).subscribe { a, b in
      seen.next(a + b)
      if isLeft { left.send(1) } else { right.send(1) }
      held.dispose()
    }
    if isLeft {
      left.send(0)
      right.send(0)
    } else {
      right.send(0)
      left.send(0)
    }
    #expect(seen.values == [0])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("combineLatest", .outlivesSource) { source in
      source.combineLatest(with: .just(1))
    }
    checkOperatorContract("combineLatest") { combineLatest($0, $0) }
    checkOperatorContract("combineLatest") { source in
      combineLatest(source, source, source, source)
    }
  }
}
