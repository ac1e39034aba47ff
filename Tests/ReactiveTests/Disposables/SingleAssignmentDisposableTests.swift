import Reactive
import ReactiveTesting
import Testing

@Suite struct SingleAssignmentDisposableTests {
  @Test func disposesOfTheInnerDisposable() {
    let single = SingleAssignmentDisposable()
    let inner = BooleanDisposable()
    single.set(inner)
    #expect(!single.isDisposed)
    single.dispose()
    #expect(single.isDisposed)
    #expect(inner.isDisposed)
  }

  @Test func disposesOfAnInnerDisposableThatIsSetAfterDisposal() {
    let single = SingleAssignmentDisposable()
    single.dispose()
    let inner = BooleanDisposable()
    single.set(inner)
    #expect(inner.isDisposed)
  }

  @Test func aHandlerMayDisposeOfItsSubscriptionBeforeItIsKnown() {
    let single = SingleAssignmentDisposable()
    let seen = Recorder<Int, Never>()
    let subject = Subject<Int, Never>()
    let disposable = Signal.merge([.from([1, 2]), subject.signal]).subscribe { value in
      seen.next(value)
      if value == 2 { single.dispose() }
    }
    single.set(disposable)
    subject.send(3)
    #expect(seen.values == [1, 2])
    #expect(disposable.isDisposed)
  }

  @Test func releasesTheInnerDisposableAfterDisposingOfIt() {
    let lives = LifeCount()
    let single = SingleAssignmentDisposable()
    single.set(ActionDisposable { [token = lives.token()] in token.touch() })
    #expect(lives.count == 1)
    single.dispose()
    #expect(lives.count == 0)
  }

  @Test func settingItTwiceTraps() async {
    await #expect(processExitsWith: .failure) {
      let single = SingleAssignmentDisposable()
      single.set(BooleanDisposable())
      single.set(BooleanDisposable())
    }
  }
}
