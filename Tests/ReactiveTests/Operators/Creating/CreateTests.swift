import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

@Suite struct CreateTests {
  @Test func runsItsClosureForEachSubscription() {
    let runs = Counter()
    let signal = Signal<Int, Never>.create { observer in
      runs.add()
      observer.send(1)
      observer.complete()
    }
    #expect(runs.value == 0)
    #expect(signal.recorded().events == [.next(1), .completed])
    #expect(signal.recorded().events == [.next(1), .completed])
    #expect(runs.value == 2)
  }

  @Test func anObserverAcceptsEventsAsArguments() {
    let events: [Event<Int, TestFailure>] = [.next(1), .failed(TestFailure())]
    let seen = Signal<Int, TestFailure>.create { observer in
      for event in events { observer.send(event) }
    }
    .recorded()
    #expect(seen.events == events)
  }

  @Test func anObserverOfVoidSendsWithoutAnArgument() {
    let seen = Signal<Void, Never>.create { observer in
      observer.send()
      observer.complete()
    }
    .recorded()
    #expect(seen.count == 1)
  }

  @Test func theObserverKnowsWhenItIsDisposedOf() {
    let box = Box<Observer<Int, Never>>()
    let seen = Signal<Int, Never>.create { box.value = $0 }.recorded()
    #expect(box.value?.isDisposed == false)
    seen.dispose()
    #expect(box.value?.isDisposed == true)
    box.value?.send(1)
    #expect(seen.events.isEmpty)
  }

  @Test func aDisposableAddedAfterTheEndIsDisposedOfAtOnce() {
    let calls = Counter()
    let box = Box<Observer<Int, Never>>()
    Signal<Int, Never>.create { box.value = $0 }.subscribe().dispose()
    box.value?.onDispose { calls.add() }
    #expect(calls.value == 1)
  }

  @Test func cleansUpBeforeTheEndIsDelivered() {
    let order = Recorder<String, Never>()
    Signal<Int, Never>.create { observer in
      observer.onDispose { order.next("cleaned up") }
      observer.complete()
    }
    .subscribe(completed: { order.next("notified") })
    #expect(order.values == ["cleaned up", "notified"])
  }

  @Test(.tags(.stress)) func valuesOfSeveralThreadsArriveOneAtATime() {
    let box = Box<Observer<Int, Never>>()
    let inside = Counter()
    let overlaps = Counter()
    let seen = Recorder<Int, Never>()
    Signal<Int, Never>.create { box.value = $0 }.subscribe { value in
      if inside.add() != 1 { overlaps.add() }
      seen.next(value)
      inside.add(-1)
    }
    let count = scaledCount(4_000)
    onPlainThreads(4) { index in
      for value in 0..<count { box.value?.send(index * count + value) }
    }
    #expect(overlaps.value == 0)
    let isComplete = seen.values.sorted() == Array(0..<4 * count)
    #expect(isComplete)
  }

  @Test func eventsAfterTheEndAreRefusedAndTraced() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let box = Box<Observer<Int, TestFailure>>()
      let seen = Signal<Int, TestFailure>.create { box.value = $0 }.recorded()
      box.value?.complete()
      box.value?.send(1)
      box.value?.fail(TestFailure())
      box.value?.complete()
      #expect(seen.events == [.completed])
      let path = try #require(Trace.path)
      let snapshot = try TraceReader(path: path, recordLimit: 1 << 16).snapshot()
      #expect(snapshot.records.compactMap(\.refusedEvent) == [.next, .failed, .completed])
      #expect(snapshot.sites.filter { $0.name == "create" }.map(\.refused) == [3])
    }
  }
}
