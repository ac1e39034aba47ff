import Reactive
import ReactiveTesting
import Testing

@Suite struct ScopedDisposableTests {
  @Test func disposesOfTheInnerDisposableWhenItIsReleased() {
    let inner = ActionDisposable {}
    do {
      let scoped = ScopedDisposable(inner)
      #expect(!scoped.isDisposed)
    }
    #expect(inner.isDisposed)
  }

  @Test func canBeDisposedOfBeforeItIsReleased() {
    let calls = Counter()
    do {
      let scoped = ActionDisposable { calls.add() }.scoped()
      scoped.dispose()
      #expect(scoped.isDisposed)
    }
    #expect(calls.value == 1)
  }
}
