import Reactive
import ReactiveTesting
import Testing

@Suite struct PromiseTests {
  private let time = TestScheduler()

  private func runPendingWork() { time.advance(by: .zero) }

  @Test func theWorkRunsOnceForAllSubscribers() {
    let runs = Counter()
    let promise = Promise<Int, Never>(on: time) { observer in
      observer.send(runs.add())
      observer.complete()
    }
    runPendingWork()
    #expect(runs.value == 0)
    let first = promise.deferred.recorded()
    let second = promise.deferred.recorded()
    promise.start()
    runPendingWork()
    let third = promise.start().recorded()
    runPendingWork()
    #expect(runs.value == 1)
    for seen in [first, second, third] { #expect(seen.events == [.next(1), .completed]) }
  }

  @Test func startRunsTheWorkWithoutSubscribers() {
    let runs = Counter()
    let promise = Promise<Int, Never>(on: time) { _ in runs.add() }
    promise.start()
    #expect(runs.value == 0)
    runPendingWork()
    #expect(runs.value == 1)
  }

  @Test func workThatHasBegunCannotBeCancelled() {
    let cancelled = Counter()
    let box = Box<Observer<Int, Never>>()
    var promise: Promise<Int, Never>? = Promise(on: time) { observer in
      observer.onDispose { cancelled.add() }
      box.value = observer
    }
    let results = promise?.deferred
    let subscription = results?.subscribe { _ in }
    runPendingWork()
    subscription?.dispose()
    promise = nil
    runPendingWork()
    #expect(cancelled.value == 0)
    box.value?.send(1)
    box.value?.complete()
    box.value = nil
    let late = results?.recorded()
    runPendingWork()
    #expect(late?.events == [.next(1), .completed])
  }

  @Test func resultsAreDeliveredOnItsScheduler() {
    let promise = Promise<Int, Never>(on: time) { observer in
      observer.send(1)
      observer.complete()
    }
    promise.start()
    runPendingWork()
    let seen = promise.deferred.recorded()
    #expect(seen.events.isEmpty)
    runPendingWork()
    #expect(seen.events == [.next(1), .completed])
  }

  @Test func anySignalCanBecomeAPromise() {
    let subscriptions = Counter()
    let subject = Subject<Int, TestFailure>()
    let promise = subject.signal.doStarted { subscriptions.add() }.promise(on: time)
    let first = promise.deferred.recorded()
    let second = promise.deferred.recorded()
    runPendingWork()
    subject.send(1)
    subject.fail(TestFailure())
    runPendingWork()
    #expect(subscriptions.value == 1)
    #expect(first.events == [.next(1), .failed(TestFailure())])
    #expect(second.events == first.events)
  }

  @Test func releasingTheObserverEndsSubscriptionsWithoutAnEvent() {
    let promise = Promise<Int, Never>(on: time) { _ in }
    let seen = promise.deferred.recorded()
    runPendingWork()
    #expect(seen.isDisposed)
    #expect(!seen.hasEnded)
  }

  @Test func disposalFromInsideAResultStopsTheRest() {
    let promise = Promise<Int, Never>(on: time) { observer in for n in 1...5 { observer.send(n) } }
    let seen = promise.deferred.take(2).recorded()
    runPendingWork()
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test(.tags(.stress)) func eightThreadsStartTheWorkOnce() {
    for _ in 0..<scaledCount(200) {
      let runs = Counter()
      let latch = Latch(8)
      let promise = Promise<Int, Never>(on: .background) { observer in
        runs.add()
        observer.complete()
      }
      onPlainThreads(8) { index in
        if index % 2 == 0 { promise.start() }
        promise.deferred.subscribe(completed: { latch.signal() })
      }
      #expect(latch.wait())
      #expect(runs.value == 1)
    }
  }

  @Test func itsValueCanBeAwaited() async throws {
    let promise = Promise<Int, TestFailure>(on: .background) { observer in
      observer.send(1)
      observer.send(2)
      observer.complete()
    }
    #expect(try await promise.value() == 2)
    #expect(try await promise.value() == 2)
    let none = Promise<Int, Never>(on: .background) { $0.complete() }
    #expect(await none.value() == nil)
    let gone = Promise<Int, Never>(on: .background) { _ in }
    #expect(await gone.value() == nil)
    let failing = Promise<Int, TestFailure>(on: .background) { $0.fail(TestFailure(code: 1)) }
    await #expect(throws: TestFailure(code: 1)) { try await failing.value() }
  }

  @Test func aCancelledTaskStopsWaiting() async {
    let held = Box<Observer<Int, Never>>()
    let promise = Promise<Int, Never>(on: .background) { held.value = $0 }
    let task = Task { await promise.value() }
    while held.value == nil { await Task.yield() }
    task.cancel()
    #expect(await task.value == nil)
    held.value?.send(3)
    held.value?.complete()
    #expect(await promise.value() == 3)
  }

  @Test func aTaskCancelledBeforehandDoesNotWait() async {
    let promise = Promise<Int, Never>(on: time) { _ in }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await promise.value()
    }
    #expect(await task.value == nil)
  }
}
