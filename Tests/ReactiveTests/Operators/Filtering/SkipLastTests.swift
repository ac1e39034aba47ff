import Reactive
import ReactiveTesting
import Testing

@Suite struct SkipLastTests {
  @Test func forwardsEachValueWhenEnoughHaveComeAfterIt() {
    expectMarbles("-1-2-3-4-|", "-----1-2-|") { $0.skip(last: 2) }
    expectMarbles("-1-2-3-|", "---1-2-|") { $0.skip(last: 1) }
  }

  @Test func skippingNoneForwardsAll() {
    expectMarbles("-1-2-|", "-1-2-|") { $0.skip(last: 0) }
  }

  @Test func aShorterSourceIsEmpty() {
    expectMarbles("-1-2-|", "-----|") { $0.skip(last: 2) }
  }

  @Test func completionAndFailureDropTheValuesHeld() {
    expectMarbles("-1-2-#", "---1-#") { $0.skip(last: 1) }
    expectMarbles("-1-2-|", "---1-|") { $0.skip(last: 1) }
  }

  @Test func anEndlessSourceIsForwarded() {
    #expect(endless().skip(last: 3).take(2).recorded().events == [.next(0), .next(1), .completed])
  }

  @Test func holdsItsCountAndNothingAfterDisposal() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    let subscription = subject.signal.skip(last: 2).subscribe()
    for _ in 1...5 { subject.send(lives.token()) }
    #expect(lives.count == 2)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().skip(last: -1) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("skip(last:)") { $0.skip(last: 1) }
    checkOperatorContract("skip(last:)") { $0.skip(last: 0) }
  }
}
