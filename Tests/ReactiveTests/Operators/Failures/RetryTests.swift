import Reactive
import ReactiveTesting
import Testing

@Suite struct RetryTests {
  @Test func countIsTheNumberOfRetries() {
    expectMarbles("-1-#", "-1--1-#") { $0.retry(1) }
    expectMarbles("-1-#", "-1-#") { $0.retry(0) }
  }

  @Test func completionIsNotRetried() {
    expectMarbles("-1-|", "-1-|") { $0.retry(3) }
    expectMarbles("-1-|", "-1-|") { $0.retry() }
  }

  @Test func withoutACountItRetriesForEver() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "1#", on: time)
    let seen = source.signal.retry().recorded()
    time.advance(by: .frames(50))
    #expect(source.subscriptions.count > 40)
    #expect(source.activeCount == 1)
    #expect(!seen.hasEnded)
    seen.dispose()
    #expect(source.activeCount == 0)
    #expect(time.pendingCount == 0)
  }

  @Test func disposalFromInsideARetryEndsIt() {
    let tries = Counter()
    let disposable = SerialDisposable()
    let start = Subject<Void, Never>()
    let failing = Signal<Int, TestFailure>.create { observer in
      if tries.add() == 5 { disposable.dispose() }
      observer.fail(TestFailure())
    }
    disposable.inner = start.signal.flatMap { failing.retry() }.subscribe(failed: { _ in })
    start.send()
    #expect(tries.value == 5)
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().retry(-1) }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("retry", .handlesFailure) { $0.retry(2) }
    checkOperatorContract("retry", .handlesFailure) { $0.retry() }
    checkOperatorContract("retry") { $0.retry(0) }
  }
}
