import Reactive
import ReactiveTesting
import Testing

@Suite struct MinMaxTests {
  @Test func sendTheExtremesOnCompletion() {
    expectMarbles("-2-1-3-|", "-------(1|)") { $0.min() }
    expectMarbles("-2-3-1-|", "-------(3|)") { $0.max() }
    expectMarbles("-2-1-3-|", "-------(3|)") { $0.min { $0 > $1 } }
    expectMarbles("-2-3-1-|", "-------(1|)") { $0.max { $0 > $1 } }
  }

  @Test func anEmptySourceGivesAnEmptyResult() {
    expectMarbles("--|", "--|") { $0.min() }
    expectMarbles("--|", "--|") { $0.max() }
  }

  @Test func aFailureOvertakesTheValueHeld() {
    expectMarbles("-1-2-#", "-----#") { $0.min() }
    expectMarbles("-1-2-#", "-----#") { $0.max(by: <) }
  }

  @Test func theFirstOfEqualValuesIsSent() {
    let words = Signal<String, Never>.from(["bb", "aa", "c", "d"])
    let byLength: @Sendable (String, String) -> Bool = { $0.count < $1.count }
    #expect(words.min(by: byLength).recorded().values == ["c"])
    #expect(words.max(by: byLength).recorded().values == ["bb"])
  }

  @Test func holdOneValueAndNoneAfterDisposal() {
    let lives = LifeCount()
    let subject = Subject<(Int, LifeCount.Token), Never>()
    let subscription = subject.signal.max { $0.0 < $1.0 }.subscribe()
    for number in [1, 3, 2] { subject.send((number, lives.token())) }
    #expect(lives.count == 1)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("min") { $0.min() }
    checkOperatorContract("min") { $0.min { $0 > $1 } }
    checkOperatorContract("max") { $0.max() }
    checkOperatorContract("max") { $0.max { $0 > $1 } }
  }
}
