import Reactive
import ReactiveTesting
import Testing

@Suite struct RefCountDisposableTests {
  @Test func theInnerDisposableIsDisposedOfWithTheLastDependent() {
    let inner = BooleanDisposable()
    let all = RefCountDisposable(inner)
    let first = all.dependent()
    let second = all.dependent()
    all.dispose()
    #expect(all.isDisposed)
    first.dispose()
    first.dispose()
    #expect(!inner.isDisposed)
    second.dispose()
    #expect(inner.isDisposed)
  }

  @Test func dependentsAloneDoNotDisposeOfIt() {
    let inner = BooleanDisposable()
    let all = RefCountDisposable(inner)
    all.dependent().dispose()
    #expect(!inner.isDisposed)
    all.dispose()
    #expect(inner.isDisposed)
  }

  @Test func aDependentMadeAfterTheEndIsAlreadyDisposed() {
    let all = RefCountDisposable(BooleanDisposable())
    all.dispose()
    #expect(all.dependent().isDisposed)
  }

  @Test func theInnerDisposableIsFreedWhenItIsDisposedOf() {
    let lives = LifeCount()
    let all = RefCountDisposable(ActionDisposable { [token = lives.token()] in token.touch() })
    all.dispose()
    #expect(lives.count == 0)
  }

  @Test(.tags(.stress)) func manyThreadsDisposeOfItOnce() {
    for _ in 0..<scaledCount(500) {
      let calls = Counter()
      let all = RefCountDisposable(ActionDisposable { calls.add() })
      let dependents = (0..<8).map { _ in all.dependent() }
      onPlainThreads(8) { index in
        dependents[index].dispose()
        all.dispose()
        all.dependent().dispose()
      }
      #expect(calls.value == 1)
    }
  }
}
