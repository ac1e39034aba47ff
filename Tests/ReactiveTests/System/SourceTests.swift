import Dispatch
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// Tests `Signal.source` and `Inlet`, with which libraries make signals from callbacks.
@Suite struct SourceTests {
  private static let callbacks = SchedulerIdentity(name: "library", kind: .serialQueue)

  private static func site(_ traits: SiteTraits = [], line: UInt = #line) -> Site {
    Site("readings", #fileID, line, 1, traits)
  }

  @Test func isNamedAfterItsSiteAndRunsItsClosureForEachSubscription() {
    let runs = Counter()
    let signal = Signal<Int, Never>.source(Self.site(), argument: "a") { inlet in
      inlet.send(runs.add())
      inlet.complete()
    }
    #expect(signal.description == "readings(a)")
    #expect(signal.recorded().values == [1])
    let second = signal.recorded()
    #expect(second.values == [2] && second.isCompleted)
  }

  @Test func endsWithoutAnEventWhenTheInletIsReleased() {
    let held = Box<Inlet<Int, Never>>()
    let seen = Recorder<Int, Never>()
    let subscription = seen.record(Signal.source(Self.site()) { held.value = $0 })
    held.value?.send(1)
    #expect(!subscription.isDisposed)
    held.value = nil
    #expect(subscription.isDisposed)
    #expect(seen.values == [1] && !seen.hasEnded)
  }

  @Test func aRetainedInletReleasesTheHandlersWhenTheSubscriptionEnds() {
    let held = Box<Inlet<Int, TestFailure>>()
    let (lives, ends) = (LifeCount(), Counter())
    let signal = Signal<Int, TestFailure>.source(Self.site()) { inlet in
      held.value = inlet
      inlet.onDispose { ends.add() }
    }
    for round in 1...3 {
      let subscription = signal.subscribe(
        next: { [token = lives.token()] _ in token.touch() },
        failed: { _ in }
      )
      #expect(lives.count == 1)
      switch round {
      case 1: subscription.dispose()
      case 2: held.value?.complete()
      default: held.value?.fail(TestFailure())
      }
      #expect(lives.count == 0 && ends.value == round && held.value?.isDisposed == true)
      held.value?.send(1)
      held.value?.onDispose { ends.add(10) }
      #expect(ends.value == round + 10)
      ends.add(-10)
    }
  }

  @Test func theHandledClosureOfSendRunsOnceTheValueIsHandledOrDropped() {
    let held = Box<Inlet<Int, Never>>()
    let order = Recorder<String, Never>()
    let subscription = Signal.source(Self.site()) { held.value = $0 }.subscribe { value in
      // A value sent from inside a handler waits until the handler has returned.
      if value == 1 { held.value?.send(2) { order.next("handled 2") } }
      order.next("\(value)")
    }
    held.value?.send(1) { order.next("handled 1") }
    #expect(order.values == ["1", "2", "handled 2", "handled 1"])
    subscription.dispose()
    held.value?.send(3) { order.next("dropped 3") }
    #expect(order.values.last == "dropped 3")
  }

  @Test func aHotSourceStartsOnTheSubscribingThreadAndAColdOneOnAScheduler() {
    let (hot, cold) = (Box<UInt>(), Box<UInt>())
    let started = Latch()
    let plain = Box<UInt>()
    onPlainThread {
      plain.value = threadNumber()
      Signal<Int, Never>.source(Self.site(.hot)) { _ in hot.value = threadNumber() }.subscribe()
      Signal<Int, Never>.source(Self.site()) { _ in
        cold.value = threadNumber()
        started.signal()
      }.subscribe()
      #expect(started.wait())
    }
    #expect(hot.value == plain.value)
    #expect(cold.value != plain.value)
  }

  @Test func workOnASchedulerIsCancelledWithTheSubscription() {
    let time = TestScheduler()
    let signal = Signal<Int, Never>.source(Self.site()) { inlet in
      inlet.run(on: time) { inlet.send(1) }
    }
    let seen = signal.recorded()
    let other = signal.recorded()
    other.dispose()
    time.run()
    #expect(seen.values == [1] && other.values.isEmpty)
  }

  @inline(never)
  private static func subscribeHere(
    _ signal: Signal<Int, Never>,
    _ report: @escaping @Sendable (String) -> Void
  ) -> any Disposable {
    let subscription = signal.subscribe { _ in report("\(AsyncBacktrace.current)") }
    withExtendedLifetime(subscription) {}
    return subscription
  }

  @Test func callbacksAreRecordedAsHopsAndHaveTheBacktraceOfTheSubscription() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let held = Box<Inlet<Int, Never>>()
      let signal = Signal<Int, Never>.source(Self.site(), on: Self.callbacks) { held.value = $0 }
      let seen = Recorder<String, Never>()
      let subscription = Self.subscribeHere(signal) { seen.next($0) }
      onPlainThread { for value in 0..<2 { held.value?.send(value) } }
      #expect(seen.count == 2)
      #expect(seen.values.allSatisfy { $0.contains("subscribeHere") }, "\(seen.values)")
      let trace = try TraceReader(path: try #require(Trace.path)).snapshot()
      let scheduler = try #require(trace.schedulers.first { $0.name == "library" })
      let hops = trace.records.compactMap(\.hopScheduling)
        .filter { $0.scheduler == scheduler.index }
      #expect(hops.count == 2)
      #expect(trace.sites.contains { $0.name == "readings" && $0.subscribed == 1 })
      subscription.dispose()
      held.value = nil
    }
  }
}
