import Reactive
import ReactiveTesting
import Testing

@Suite struct DoAllTests {
  private func watched(
    _ signal: Signal<Int, TestFailure>,
    _ order: Recorder<String, Never>
  ) -> Signal<Int, TestFailure> {
    signal.do(
      started: { order.next("started") },
      next: { order.next("do \($0)") },
      failed: { order.next("failed \($0.code)") },
      completed: { order.next("completed") },
      disposed: { order.next("disposed") }
    )
  }

  @Test func everythingRunsBeforeItIsForwarded() {
    let order = Recorder<String, Never>()
    watched(.just(1), order).subscribe(
      next: { order.next("next \($0)") },
      failed: { _ in },
      completed: { order.next("end") }
    )
    #expect(order.values == ["started", "do 1", "next 1", "disposed", "completed", "end"])
  }

  @Test func aFailureRunsFailed() {
    let order = Recorder<String, Never>()
    watched(.failed(TestFailure(code: 4)), order).subscribe(failed: { _ in order.next("end") })
    #expect(order.values == ["started", "disposed", "failed 4", "end"])
  }

  @Test func disposalRunsDisposedOnce() {
    let order = Recorder<String, Never>()
    let disposable = watched(.never(), order).subscribe(failed: { _ in })
    disposable.dispose()
    disposable.dispose()
    #expect(order.values == ["started", "disposed"])
  }

  @Test func disposalByTheStartedHandlerRunsDisposedAndReachesNoSource() {
    let order = Recorder<String, Never>()
    let held = SerialDisposable()
    let starts = Counter()
    Signal<Int, Never>.create { _ in starts.add() }
      .do(started: { held.dispose() }, disposed: { order.next("disposed") })
      .subscribe(started: { held.inner = $0 }, next: { _ in })
    #expect(order.values == ["disposed"])
    #expect(starts.value == 0)
  }

  @Test func changesNothing() {
    expectMarbles("-1-2-|", "-1-2-|") { $0.do() }
    expectMarbles("-1-2-#", "-1-2-#") { $0.do() }
  }

  @Test func obeysTheOperatorContract() { checkOperatorContract("do") { $0.do() } }
}
