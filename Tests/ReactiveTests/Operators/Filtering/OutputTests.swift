import Reactive
import ReactiveTesting
import Testing

@Suite struct OutputTests {
  @Test func forwardsTheValuesInARange() {
    expectMarbles("-1-2-3-4-|", "---2-(3|)") { $0.output(in: 1...2) }
    expectMarbles("-1-2-3-4-|", "---2-(3|)") { $0.output(in: 1..<3) }
    expectMarbles("-1-2-3-4-|", "-1-(2|)") { $0.output(in: ..<2) }
    expectMarbles("-1-2-3-4-|", "-1-2-(3|)") { $0.output(in: ...2) }
  }

  @Test func withoutAnUpperBoundTheSourceEndsIt() {
    expectMarbles("-1-2-3-4-|", "-----3-4-|") { $0.output(in: 2...) }
    expectMarbles("-1-2-3-#", "-----3-#") { $0.output(in: 2...) }
  }

  @Test func aShorterSourceEndsAsItDoes() {
    expectMarbles("-1-2-|", "---2-|") { $0.output(in: 1...9) }
    expectMarbles("-1-2-#", "---2-#") { $0.output(in: 1...9) }
  }

  @Test func anEmptyRangeCompletesWithoutSubscribing() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-|", on: time)
    let seen = source.signal.output(in: 3..<3).recorded()
    #expect(seen.events == [.completed])
    #expect(source.subscriptions.isEmpty)
  }

  @Test func endsItsSourceWithTheLastValue() {
    #expect(endless().output(in: 3...4).recorded().events == [.next(3), .next(4), .completed])
  }

  @Test func theLargestPositionIsTreatedAsNoBound() {
    expectMarbles("-1-2-3-|", "---2-3-|") { $0.output(in: 1...Int.max) }
    expectMarbles("-1-2-3-|", "-1-2-3-|") { $0.output(in: ...Int.max) }
    expectMarbles("-1-2-3-|", "---2-3-|") { $0.output(in: 1..<Int.max) }
  }

  @Test func aNegativePositionTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().output(in: -1...2) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("output(in:)", .endsEarly) { $0.output(in: 1...1) }
    checkOperatorContract("output(in:)") { $0.output(in: 1...) }
  }
}
