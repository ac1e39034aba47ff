import Reactive
import ReactiveTesting
import Testing

@Suite struct ZipTests {
  @Test func pairsTheFirstWithTheFirst() {
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

  @Test func zipsThreeAndFour() {
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

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("zip") { zip($0, $0) }
    checkOperatorContract("zip") { zip($0, $0, $0, $0) }
    checkOperatorContract("zip", .outlivesSource) { source in
      source.zip(with: Signal<Int, ContractFailure>.from(0...100))
    }
  }
}
