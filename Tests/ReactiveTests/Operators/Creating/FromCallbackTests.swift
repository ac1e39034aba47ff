import Reactive
import ReactiveTesting
import Testing

@Suite struct FromCallbackTests {
  private typealias Callback = @Sendable (Result<Int, TestFailure>) -> Void

  @Test func sendsTheArgumentOfTheCallback() {
    let good = Signal<Int, TestFailure>.fromCallback { $0(.success(1)) }
    let bad = Signal<Int, TestFailure>.fromCallback { $0(.failure(TestFailure())) }
    #expect(good.recorded().events == [.next(1), .completed])
    #expect(bad.recorded().events == [.failed(TestFailure())])
  }

  @Test func theCallMayComeLater() {
    let kept = Box<Callback>()
    let seen = Signal<Int, TestFailure>.fromCallback { kept.value = $0 }.recorded()
    #expect(seen.events.isEmpty)
    kept.value?(.success(5))
    #expect(seen.events == [.next(5), .completed])
  }

  @Test func onlyTheFirstCallCounts() {
    let kept = Box<Callback>()
    let seen = Signal<Int, TestFailure>.fromCallback { kept.value = $0 }.recorded()
    onPlainThreads(4) { index in kept.value?(.success(index)) }
    kept.value?(.failure(TestFailure()))
    #expect(seen.count == 1)
    #expect(seen.events.count == 2)
    #expect(seen.isCompleted)
  }

  @Test func releasingTheCallbackEndsTheSubscriptionWithoutAnEvent() {
    let kept = Box<Callback>()
    let seen = Signal<Int, TestFailure>.fromCallback { kept.value = $0 }.recorded()
    #expect(!seen.isDisposed)
    kept.value = nil
    #expect(seen.isDisposed)
    #expect(seen.events.isEmpty)
  }

  @Test func aCallAfterDisposalIsDropped() {
    let kept = Box<Callback>()
    let lives = LifeCount()
    let seen = Recorder<Int, Never>()
    let subscription = Signal<Int, TestFailure>.fromCallback { kept.value = $0 }
      .subscribe(
        next: { [token = lives.token()] value in
          token.touch()
          seen.next(value)
        },
        failed: { _ in }
      )
    subscription.dispose()
    kept.value?(.success(5))
    #expect(seen.events.isEmpty)
    #expect(lives.count == 0)
  }

  @Test func eachSubscriptionRunsTheClosure() {
    let calls = Counter()
    let signal = Signal<Int, TestFailure>.fromCallback { $0(.success(calls.add())) }
    #expect(signal.recorded().values == [1])
    #expect(signal.recorded().values == [2])
  }
}
