import Reactive
import ReactiveTesting
import Testing

@Suite struct NeverTests {
  @Test func sendsNothingAndDoesNotEnd() {
    let seen = Signal<Int, TestFailure>.never().recorded()
    #expect(seen.events.isEmpty)
    #expect(!seen.isDisposed)
    seen.dispose()
    #expect(seen.isDisposed)
  }

  @Test func holdsItsSubscriberUntilItIsDisposedOf() {
    let lives = LifeCount()
    let disposable = Signal<Int, Never>.never().subscribe { [token = lives.token()] _ in
      token.touch()
    }
    #expect(lives.count == 1)
    disposable.dispose()
    #expect(lives.count == 0)
  }
}
