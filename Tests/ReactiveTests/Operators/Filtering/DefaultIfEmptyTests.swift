import Reactive
import ReactiveTesting
import Testing

@Suite struct DefaultIfEmptyTests {
  @Test func sendsTheDefaultIfThereWasNoValue() {
    expectMarbles("---|", "---(9|)") { $0.defaultIfEmpty("9") }
  }

  @Test func sendsNoDefaultIfThereWasAValue() {
    expectMarbles("-1-2-|", "-1-2-|") { $0.defaultIfEmpty("9") }
  }

  @Test func aFailureSendsNoDefault() {
    expectMarbles("---#", "---#") { $0.defaultIfEmpty("9") }
    expectMarbles("-1-#", "-1-#") { $0.defaultIfEmpty("9") }
  }

  @Test func disposalFromInsideTheValuePreventsCompletion() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = SerialDisposable()
    subscription.inner = subject.signal.defaultIfEmpty(9).subscribe(
      next: { value in
        seen.next(value)
        subscription.dispose()
      },
      completed: { seen.complete() }
    )
    subject.complete()
    #expect(seen.events == [.next(9)])
  }

  @Test func nothingIsSentIfTheSourceIsGone() {
    let seen = Recorder<Int, Never>()
    do {
      let subject = Subject<Int, Never>()
      seen.record(subject.signal.defaultIfEmpty(9))
    }
    #expect(seen.events.isEmpty)
    #expect(seen.isDisposed)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("defaultIfEmpty") { $0.defaultIfEmpty(9) }
    checkOperatorContract("defaultIfEmpty") { $0.filter { _ in false }.defaultIfEmpty(9) }
  }
}
