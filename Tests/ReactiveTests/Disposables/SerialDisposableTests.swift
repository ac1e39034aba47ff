import Reactive
import ReactiveTesting
import Testing

@Suite struct SerialDisposableTests {
  @Test func settingAnInnerDisposableDisposesOfTheOldOne() {
    let first = ActionDisposable {}
    let second = ActionDisposable {}
    let serial = SerialDisposable(first)
    serial.inner = second
    #expect(first.isDisposed)
    #expect(!second.isDisposed)
    serial.inner = nil
    #expect(second.isDisposed)
    #expect(!serial.isDisposed)
  }

  @Test func settingTheCurrentDisposableAgainDoesNotDisposeOfIt() {
    let one = ActionDisposable {}
    let serial = SerialDisposable(one)
    serial.inner = one
    #expect(!one.isDisposed)
  }

  @Test func disposesOfAnInnerDisposableThatIsSetAfterDisposal() {
    let serial = SerialDisposable()
    serial.dispose()
    let late = ActionDisposable {}
    serial.inner = late
    #expect(late.isDisposed)
    #expect(serial.isDisposed)
    #expect(serial.inner == nil)
  }

  @Test func replacingDoesNotDisposeOfTheOldOne() {
    let first = ActionDisposable {}
    let serial = SerialDisposable(first)
    let old = serial.replace(with: ActionDisposable {})
    #expect(old === first)
    #expect(!first.isDisposed)
  }

  @Test(.tags(.stress)) func everyInnerDisposableIsDisposedOfWhenSettingRacesDisposal() {
    for _ in 0..<scaledCount(300) {
      let serial = SerialDisposable()
      let calls = Counter()
      onPlainThreads(4) { index in
        if index == 0 { return serial.dispose() }
        for _ in 0..<20 { serial.inner = ActionDisposable { calls.add() } }
      }
      #expect(calls.value == 60)
    }
  }
}
