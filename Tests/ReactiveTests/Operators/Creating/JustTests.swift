import Reactive
import ReactiveTesting
import Testing

@Suite struct JustTests {
  @Test func justSendsOneValueAndCompletes() {
    #expect(Signal<Int, Never>.just(1).recorded().events == [.next(1), .completed])
  }

  @Test func emptyCompletes() {
    #expect(Signal<Int, Never>.empty().recorded().events == [.completed])
  }

  @Test func aFailedSignalFails() {
    let seen = Signal<Int, TestFailure>.failed(TestFailure(code: 3)).recorded()
    #expect(seen.events == [.failed(TestFailure(code: 3))])
  }

  @Test func disposalFromInsideItsValuePreventsCompletion() {
    let seen = Recorder<Int, Never>()
    let trigger = Subject<Void, Never>()
    let disposable = SerialDisposable()
    disposable.inner = trigger.signal.flatMap { Signal<Int, Never>.just(1) }.subscribe { value in
      seen.next(value)
      disposable.dispose()
    }
    trigger.send()
    #expect(seen.events == [.next(1)])
  }
}
