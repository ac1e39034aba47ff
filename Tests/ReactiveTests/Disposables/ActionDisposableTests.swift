import Reactive
import ReactiveTesting
import Testing

@Suite struct ActionDisposableTests {
  @Test func runsItsActionOnce() {
    let calls = Counter()
    let disposable = ActionDisposable { calls.add() }
    #expect(!disposable.isDisposed)
    disposable.dispose()
    disposable.dispose()
    #expect(calls.value == 1)
    #expect(disposable.isDisposed)
  }

  @Test func releasesItsActionAfterItRan() {
    let lives = LifeCount()
    let disposable = ActionDisposable { [token = lives.token()] in token.touch() }
    #expect(lives.count == 1)
    disposable.dispose()
    #expect(lives.count == 0)
  }

  @Test func droppingItDoesNotRunTheAction() {
    let calls = Counter()
    do { _ = ActionDisposable { calls.add() } }
    #expect(calls.value == 0)
  }

  @Test func isDisposedWhileItsActionRuns() {
    let box = Box<ActionDisposable>()
    let seen = Box<Bool>()
    box.value = ActionDisposable { seen.value = box.value?.isDisposed }
    box.value?.dispose()
    #expect(seen.value == true)
    box.value = nil
  }

  @Test(.tags(.stress)) func runsOnceThoughSeveralThreadsDispose() {
    for _ in 0..<scaledCount(500) {
      let calls = Counter()
      let disposable = ActionDisposable { calls.add() }
      onPlainThreads(4) { _ in disposable.dispose() }
      #expect(calls.value == 1)
    }
  }
}
