import Reactive
import ReactiveTesting
import Testing

/// Tests `doStarted`, `finally` and `doTerminated`.
@Suite struct StartAndEndTests {
  @Test func doStartedRunsOncePerSubscriptionBeforeTheSourceStarts() {
    let order = Recorder<String, Never>()
    let signal = Signal<Int, Never>.create { observer in
      order.next("source")
      observer.complete()
    }
    .doStarted { order.next("inner") }
    .doStarted { order.next("outer") }
    #expect(order.values.isEmpty)
    signal.subscribe()
    #expect(order.values == ["outer", "inner", "source"])
    signal.subscribe()
    #expect(order.values.count == 6)
  }

  @Test func onAPlainThreadNoValueOfAHotSourceIsMissed() {
    let subject = Subject<Int, Never>()
    let starts = Counter()
    let seen = Recorder<Int, Never>()
    onPlainThread {
      seen.record(subject.signal.doStarted { starts.add() })
      subject.send(1)
    }
    #expect(starts.value == 1)
    #expect(seen.values == [1])
  }

  @Test func aSubscriptionThatDoStartedEndsDoesNotReachTheSource() {
    let source = Counter()
    let stop = Subject<Void, Never>()
    let seen = Signal<Int, Never>.create { observer in
      source.add()
      observer.send(1)
    }
    .doStarted { stop.send() }
    .take(until: stop.signal)
    .recorded()
    #expect(seen.events == [.completed])
    #expect(source.value == 0)
  }

  @Test(arguments: ["completed", "failed", "disposed", "gone"])
  func finallyAndDoTerminatedRunOnTerminalEventsOnly(_ way: String) {
    let order = Recorder<String, Never>()
    do {
      let subject = Subject<Int, TestFailure>()
      let disposable = subject.signal
        .doTerminated { failure in order.next(failure.map { "failure \($0.code)" } ?? "none") }
        .finally { order.next("finally") }
        .subscribe(
          failed: { _ in order.next("failed") },
          completed: { order.next("completed") }
        )
      switch way {
      case "completed": subject.complete()
      case "failed": subject.fail(TestFailure(code: 3))
      case "disposed": disposable.dispose()
      default: break
      }
    }
    switch way {
    case "completed": #expect(order.values == ["none", "finally", "completed"])
    case "failed": #expect(order.values == ["failure 3", "finally", "failed"])
    default: #expect(order.values.isEmpty)
    }
  }

  @Test func theSourceIsTornDownBeforeFinally() {
    let order = Recorder<String, Never>()
    Signal<Int, Never>.empty()
      .doDisposed { order.next("disposed") }
      .finally { order.next("finally") }
      .subscribe()
    #expect(order.values == ["disposed", "finally"])
  }

  @Test func changesNothing() {
    expectMarbles("-1-2-|", "-1-2-|") { $0.doStarted {}.finally {}.doTerminated { _ in } }
    expectMarbles("-1-2-#", "-1-2-#") { $0.doStarted {}.finally {}.doTerminated { _ in } }
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("doStarted") { $0.doStarted {} }
    checkOperatorContract("finally") { $0.finally {} }
    checkOperatorContract("doTerminated") { $0.doTerminated { _ in } }
  }
}
