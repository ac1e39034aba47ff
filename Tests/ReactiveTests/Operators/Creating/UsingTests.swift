import Reactive
import ReactiveTesting
import Testing

@Suite struct UsingTests {
  /// A signal that records when its resource is acquired and released and its source disposed of.
  private func recordingResource(
    _ order: Recorder<String, Never>,
    _ source: Signal<Int, TestFailure>
  ) -> Signal<Int, TestFailure> {
    .using {
      order.next("acquire")
      return ActionDisposable { order.next("release") }
    } _: { _ in
      source.doDisposed { order.next("source") }
    }
  }

  @Test func theResourceIsReleasedAfterTheSourceAndBeforeTheEndIsDelivered() {
    let order = Recorder<String, Never>()
    recordingResource(order, .just(1))
      .subscribe(next: { _ in order.next("next") }, completed: { order.next("completed") })
    #expect(order.values == ["acquire", "next", "source", "release", "completed"])
    order.reset()
    recordingResource(order, .failed(TestFailure())).subscribe(failed: { _ in order.next("failed") }
    )
    #expect(order.values == ["acquire", "source", "release", "failed"])
  }

  @Test func disposalReleasesTheResource() {
    let order = Recorder<String, Never>()
    let subscription = recordingResource(order, .never()).subscribe(failed: { _ in })
    #expect(order.values == ["acquire"])
    subscription.dispose()
    #expect(order.values == ["acquire", "source", "release"])
  }

  @Test func eachSubscriptionHasASeparateResource() {
    let made = Counter()
    let released = Recorder<Int, Never>()
    let signal = Signal<Int, Never>.using {
      made.add()
    } release: {
      released.next($0)
    } _: {
      .just($0 * 10)
    }
    #expect(signal.recorded().values == [10])
    #expect(signal.recorded().values == [20])
    #expect(released.values == [1, 2])
  }

  @Test func disposalDuringAcquisitionReleasesTheResourceAndMakesNoSignal() {
    let disposable = SerialDisposable()
    let start = Subject<Void, Never>()
    let order = Recorder<String, Never>()
    disposable.inner = start.signal
      .flatMap {
        Signal<Int, Never>.using {
          disposable.dispose()
        } release: { _ in
          order.next("release")
        } _: { _ in
          order.next("make")
          return .just(1)
        }
      }
      .subscribe()
    start.send()
    #expect(order.values == ["release"])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("using") { source in
      .using {
        ActionDisposable {}
      } _: { _ in
        source
      }
    }
    checkOperatorContract("using") { source in
      .using {
        1
      } release: { _ in
      } _: { _ in
        source
      }
    }
  }
}
