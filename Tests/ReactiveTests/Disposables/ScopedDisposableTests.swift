import Reactive
import ReactiveTesting
import Testing

@Suite struct ScopedDisposableTests {
  @Test func disposesOfTheInnerOneWhenItIsReleased() {
    let inner = ActionDisposable {}
    do {
      let scoped = ScopedDisposable(inner)
      #expect(!scoped.isDisposed)
    }
    #expect(inner.isDisposed)
  }

  @Test func disposesEarlierWhenAsked() {
    let calls = Counter()
    do {
      let scoped = ActionDisposable { calls.add() }.scoped()
      scoped.dispose()
      #expect(scoped.isDisposed)
    }
    #expect(calls.value == 1)
  }
}
