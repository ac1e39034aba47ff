import Reactive
import ReactiveTesting
import Testing

@Suite struct DoTests {
  @Test func doNextRunsBeforeTheValueIsForwarded() {
    let order = Recorder<String, Never>()
    Signal<Int, Never>.from([1, 2])
      .doNext { order.next("do \($0)") }
      .subscribe { order.next("next \($0)") }
    #expect(order.values == ["do 1", "next 1", "do 2", "next 2"])
  }

  @Test func doFailedRunsBeforeTheFailureIsForwarded() {
    let order = Recorder<String, Never>()
    Signal<Int, TestFailure>.failed(TestFailure(code: 4))
      .doFailed { order.next("do \($0.code)") }
      .doCompleted { order.next("not this") }
      .subscribe(failed: { order.next("failed \($0.code)") })
    #expect(order.values == ["do 4", "failed 4"])
  }

  @Test func doCompletedRunsBeforeCompletionIsForwarded() {
    let order = Recorder<String, Never>()
    Signal<Int, TestFailure>.empty()
      .doCompleted { order.next("do") }
      .doFailed { _ in order.next("not this") }
      .subscribe(completed: { order.next("completed") })
    #expect(order.values == ["do", "completed"])
  }

  @Test(arguments: ["completed", "failed", "disposed", "gone"])
  func doDisposedRunsOnceHoweverTheSubscriptionEnds(_ way: String) {
    let calls = Counter()
    do {
      let subject = Subject<Int, TestFailure>()
      let disposable = subject.signal.doDisposed { calls.add() }.subscribe(failed: { _ in })
      #expect(calls.value == 0)
      switch way {
      case "completed": subject.complete()
      case "failed": subject.fail(TestFailure())
      case "disposed": disposable.dispose()
      default: break
      }
      if way != "gone" {
        subject.complete()
        disposable.dispose()
      }
    }
    #expect(calls.value == 1)
  }

  @Test func doDisposedRunsBeforeTheEndIsForwarded() {
    let order = Recorder<String, Never>()
    Signal<Int, Never>.empty()
      .doDisposed { order.next("disposed") }
      .subscribe(completed: { order.next("completed") })
    #expect(order.values == ["disposed", "completed"])
  }

  @Test func changesNothing() {
    expectMarbles("-1-2-|", "-1-2-|") { signal in
      signal.doNext { _ in }.doFailed { _ in }.doCompleted {}.doDisposed {}
    }
    expectMarbles("-1-2-#", "-1-2-#") { signal in
      signal.doNext { _ in }.doFailed { _ in }.doCompleted {}.doDisposed {}
    }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("doNext") { $0.doNext { _ in } }
    checkOperatorContract("doFailed") { $0.doFailed { _ in } }
    checkOperatorContract("doCompleted") { $0.doCompleted {} }
    checkOperatorContract("doDisposed") { $0.doDisposed {} }
  }
}
