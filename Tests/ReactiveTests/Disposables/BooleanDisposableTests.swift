import Reactive
import Testing

@Suite struct BooleanDisposableTests {
  @Test func remembersThatItWasDisposedOf() {
    let disposable = BooleanDisposable()
    #expect(!disposable.isDisposed)
    disposable.dispose()
    disposable.dispose()
    #expect(disposable.isDisposed)
    #expect(BooleanDisposable(isDisposed: true).isDisposed)
  }

  @Test func workMayCheckWhetherItIsDisposedOf() {
    let flag = BooleanDisposable()
    var rounds = 0
    while !flag.isDisposed {
      rounds += 1
      if rounds == 3 { flag.dispose() }
    }
    #expect(rounds == 3)
  }
}
