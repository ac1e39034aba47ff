import Reactive
import ReactiveTesting
import Testing

/// Contract rule 6: a failure or completion ends the subscription that receives it and tears down
/// its upstream, then notifies downstream.
@Suite struct Rule06EndsTests {
  @Test func theHandlerOfCompletionSeesTheDisposableDisposed() {
    let subject = Subject<Int, Never>()
    let disposable = Box<any Disposable>()
    let seen = Box<Bool>()
    disposable.value = subject.signal.subscribe(
      completed: { seen.value = disposable.value?.isDisposed }
    )
    subject.complete()
    #expect(seen.value == true)
  }

  @Test func theHandlerOfAFailureSeesTheDisposableDisposed() {
    let subject = Subject<Int, TestFailure>()
    let disposable = Box<any Disposable>()
    let seen = Box<Bool>()
    disposable.value = subject.signal.subscribe(
      failed: { _ in seen.value = disposable.value?.isDisposed }
    )
    subject.fail(TestFailure())
    #expect(seen.value == true)
  }

  @Test func upstreamIsTornDownBeforeDownstreamIsNotified() {
    let order = Recorder<String, Never>()
    let subject = Subject<Int, Never>()
    subject.signal
      .doDisposed { order.next("upstream disposed") }
      .take(1)
      .doCompleted { order.next("downstream notified") }
      .subscribe()
    subject.send(1)
    #expect(order.values == ["upstream disposed", "downstream notified"])
  }

  @Test func retryAndCatchTearDownEachInnerSubscription() {
    let disposals = Counter()
    let failing = Signal<Int, TestFailure>.failed(TestFailure()).doDisposed { disposals.add() }
    let retried = failing.retry(2).recorded()
    #expect(disposals.value == 3)
    #expect(retried.events == [.failed(TestFailure())])
    let caught = failing.catch { _ in Signal<Int, Never>.just(1) }.recorded()
    #expect(disposals.value == 4)
    #expect(caught.events == [.next(1), .completed])
  }

  @Test func deliverOnEndsWhenItsTerminalEventIsDelivered() {
    let time = TestScheduler()
    let subject = Subject<Int, Never>()
    let seen = subject.signal.deliver(on: time).recorded()
    subject.complete()
    #expect(!seen.isDisposed)
    time.run()
    #expect(seen.isDisposed)
    #expect(seen.isCompleted)
  }

  @Test(.tags(.stress)) func aSubscriptionEndsOnceWhenDisposalRacesCompletion() {
    for _ in 0..<scaledCount(1_000) {
      let subject = Subject<Int, Never>()
      let ends = Counter()
      let cleanups = Counter()
      let disposable = subject.signal
        .doDisposed { cleanups.add() }
        .subscribe(completed: { ends.add() })
      onPlainThreads(3) { $0 == 0 ? subject.complete() : disposable.dispose() }
      #expect(ends.value <= 1)
      #expect(cleanups.value == 1)
      #expect(disposable.isDisposed)
    }
  }
}
