import Reactive
import ReactiveTesting
import Testing

@Suite struct ZipTests {
  @Test func pairsValuesInTheOrderOfTheirArrival() {
    expectMarbles(
      "-1-2-----3-|",
      "---a-b-|",
      "---A-B-|",
      where: ["A": "1a", "B": "2b"]
    ) { zip($0, $1).map { $0.0 + $0.1 } }
  }

  @Test func completesAsSoonAsNoPairIsPossible() {
    expectMarbles("-1-|", "-----a-b-", "-----(A|)", where: ["A": "1a"]) {
      zip($0, $1).map { $0.0 + $0.1 }
    }
    expectMarbles("---|", "-a--------", "---|") { zip($0, $1).map { $0.0 + $0.1 } }
  }

  @Test func aFailureOfEitherIsForwardedAtOnce() {
    expectMarbles("-1-2-#", "-------a", "-----#") { zip($0, $1).map { $0.0 + $0.1 } }
  }

  @Test func zipsThreeAndFourSignals() {
    let numbers = Signal<Int, Never>.from([1, 2])
    let letters = Signal<String, Never>.from(["a", "b", "c"])
    let three = zip(numbers, letters, numbers).map { "\($0.0)\($0.1)\($0.2)" }.recorded()
    #expect(three.events == [.next("1a1"), .next("2b2"), .completed])
    let four = zip(numbers, letters, numbers, letters)
      .map { "\($0.0)\($0.1)\($0.2)\($0.3)" }
      .recorded()
    #expect(four.events == [.next("1a1a"), .next("2b2b"), .completed])
  }

  @Test func theSameSignalTwiceIsSubscribedToTwice() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-|", on: time)
    let seen = source.signal.zip(with: source.signal).map { $0.0 + $0.1 }.recorded()
    time.run()
    #expect(source.subscriptions.count == 2)
    #expect(seen.values == ["11"])
  }

  @Test(arguments: [true, false]) func aValueSentFromInsideADeliveryFollowsIt(isLeft: Bool) {
    let left = Subject<Int, Never>()
    let right = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    let subscription = zip(left.signal, right.signal).subscribe { a, b in
      if a == 0 {
        if isLeft { left.send(1) } else { right.send(1) }
        #expect(seen.count == 0)
      }
      seen.next([a, b])
    }
    // The handler runs in a delivery of `last` and sends to `first`, which is not delivering;
    // `last` would queue the value.
    let (first, last) = isLeft ? (left, right) : (right, left)
    first.send(0)
    last.send(0)
    #expect(seen.values == [[0, 0]])
    last.send(1)
    #expect(seen.values == [[0, 0], [1, 1]])
    subscription.dispose()
  }

  @Test func waitingValuesAreNotPairedAfterDisposal() {
    let left = Subject<Int, Never>()
    let right = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let held = SerialDisposable()
    held.inner = zip(left.signal, right.signal).subscribe { a, b in
      seen.next(a + b)
      right.send(1)
      held.dispose()
    }
    right.send(0)
    left.send(0)
    left.send(1)
    #expect(seen.values == [0])
  }

  @Test(arguments: [true, false]) func theValuesOfAnInputThatIsGoneAreStillUsed(isLeft: Bool) {
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    do {
      let gone = Subject<Int, Never>()
      let (left, right) = isLeft ? (gone, other) : (other, gone)
      seen.record(zip(left.signal, right.signal).map { $0.0 + $0.1 })
      gone.send(1)
      gone.send(2)
    }
    #expect(!seen.isDisposed)
    other.send(10)
    #expect(!seen.isDisposed)
    other.send(20)
    #expect(seen.values == [11, 22])
    #expect(seen.isDisposed)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("zip") { zip($0, $0) }
    checkOperatorContract("zip") { zip($0, $0, $0, $0) }
    checkOperatorContract("zip", .outlivesSource) { source in
      source.zip(with: Signal<Int, ContractFailure>.from(0...100))
    }
  }
}
