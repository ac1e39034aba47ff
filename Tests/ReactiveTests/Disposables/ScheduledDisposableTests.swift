import Reactive
import ReactiveTesting
import Testing

@Suite struct ScheduledDisposableTests {
  @Test func disposesOnItsScheduler() {
    let time = TestScheduler()
    let inner = BooleanDisposable()
    let disposable = ScheduledDisposable(inner, on: time)
    disposable.dispose()
    disposable.dispose()
    #expect(disposable.isDisposed)
    #expect(!inner.isDisposed)
    #expect(time.pendingCount == 1)
    time.run()
    #expect(inner.isDisposed)
  }

  @Test func releasesTheInnerDisposableAfterDisposingOfIt() {
    let time = TestScheduler()
    let lives = LifeCount()
    let disposable = ScheduledDisposable(
      ActionDisposable { [token = lives.token()] in token.touch() },
      on: time
    )
    disposable.dispose()
    time.run()
    #expect(lives.count == 0)
  }
}
