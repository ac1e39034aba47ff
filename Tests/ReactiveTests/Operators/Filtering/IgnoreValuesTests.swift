import Reactive
import ReactiveTesting
import Testing

@Suite struct IgnoreValuesTests {
  @Test func forwardsOnlyTheEnd() {
    expectMarbles("-1-2-|", "-----|") { $0.ignoreValues() }
    expectMarbles("-1-2-#", "-----#") { $0.ignoreValues() }
  }

  @Test func itsValueTypeCanBeChosen() {
    let first = Signal<Int, Never>.from([1, 2])
    let seen = first.ignoreValues(as: String.self).concat(.just("a")).recorded()
    #expect(seen.events == [.next("a"), .completed])
  }

  @Test func retainsNoValue() {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    subject.signal.ignoreValues().subscribe()
    subject.send(lives.token())
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("ignoreValues") { $0.ignoreValues() }
    checkOperatorContract("ignoreValues") { $0.ignoreValues(as: String.self) }
  }
}
