import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

@Suite struct StartTests {
  // MARK: Eagerly

  @Test func eagerWorkRunsWithoutASubscriberOnItsScheduler() {
    let time = TestScheduler()
    let runs = Counter()
    let signal = Signal<Int, Never>.startEagerly(on: time) { observer in
      runs.add()
      observer.send(1)
      observer.complete()
    }
    #expect(runs.value == 0)
    time.run()
    #expect(runs.value == 1)
    #expect(signal.recorded().events == [.next(1), .completed])
    #expect(signal.recorded().events == [.next(1), .completed])
    #expect(runs.value == 1)
  }

  @Test func allSubscribersSeeTheSameEvents() {
    let time = TestScheduler()
    let kept = Box<Observer<Int, TestFailure>>()
    let signal = Signal<Int, TestFailure>.startEagerly(on: time) { kept.value = $0 }
    let early = signal.recorded()
    time.run()
    kept.value?.send(1)
    let late = signal.recorded()
    kept.value?.send(2)
    kept.value?.fail(TestFailure())
    let after = signal.recorded()
    let all: [Event<Int, TestFailure>] = [.next(1), .next(2), .failed(TestFailure())]
    #expect(early.events == all)
    #expect(late.events == all)
    #expect(after.events == all)
  }

  @Test func noSubscriptionCancelsEagerWork() {
    let time = TestScheduler()
    let kept = Box<Observer<Int, Never>>()
    let signal = Signal<Int, Never>.startEagerly(on: time) { kept.value = $0 }
    let first = signal.recorded()
    time.run()
    first.dispose()
    #expect(kept.value?.isDisposed == false)
    kept.value?.send(1)
    #expect(signal.recorded().values == [1])
    #expect(first.values.isEmpty)
  }

  @Test func eagerWorkIsASubscriptionInTraces() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let time = TestScheduler()
      let signal = Signal<Int, Never>.startEagerly(on: time) { observer in
        observer.send(1)
        observer.complete()
      }
      time.run()
      let path = try #require(Trace.path)
      let row = try TraceReader(path: path).snapshot().sites.first {
        $0.name == "startEagerly(on:)"
      }
      #expect(row?.subscribed == 1)
      #expect(row?.live == 0)
      #expect(signal.recorded().values == [1])
    }
  }

  @Test func workThatReleasesItsObserverEndsSubscriptionsWithoutAnEvent() {
    let time = TestScheduler()
    let signal = Signal<Int, Never>.startEagerly(on: time) { $0.send(1) }
    let seen = signal.recorded()
    #expect(!seen.isDisposed)
    time.run()
    #expect(seen.events == [.next(1)])
    #expect(seen.isDisposed)
    #expect(signal.recorded().isDisposed)
  }

  @Test func theWorkIsFreedWhenItHasRun() {
    let lives = LifeCount()
    let time = TestScheduler()
    let signal = Signal<Int, Never>.startEagerly(on: time) { [token = lives.token()] observer in
      token.touch()
      observer.complete()
    }
    #expect(lives.count == 1)
    time.run()
    #expect(lives.count == 0)
    #expect(signal.recorded().isCompleted)
  }

  @Test func theValuesAreFreedWithTheSignal() {
    let lives = LifeCount()
    let signal = Box(
      Signal<LifeCount.Token, Never>.startEagerly(on: .immediate) { observer in
        observer.send(lives.token())
        observer.complete()
      }
    )
    #expect(lives.count == 1)
    signal.value = nil
    #expect(lives.count == 0)
  }

  // MARK: Lazily

  @Test func lazyWorkRunsWithTheFirstSubscription() {
    let time = TestScheduler()
    let runs = Counter()
    let signal = Signal<Int, Never>.startLazily(on: time) { observer in
      observer.send(runs.add())
      observer.complete()
    }
    time.run()
    #expect(runs.value == 0)
    let first = signal.recorded()
    let second = signal.recorded()
    #expect(first.events.isEmpty)
    time.run()
    #expect(first.events == [.next(1), .completed])
    #expect(second.events == [.next(1), .completed])
    #expect(signal.recorded().events == [.next(1), .completed])
    #expect(runs.value == 1)
  }

  @Test func disposalDoesNotCancelLazyWork() {
    let time = TestScheduler()
    let runs = Counter()
    let signal = Signal<Int, Never>.startLazily(on: time) { observer in
      observer.send(runs.add())
      observer.complete()
    }
    signal.recorded().dispose()
    time.run()
    #expect(runs.value == 1)
    #expect(signal.recorded().events == [.next(1), .completed])
  }

  @Test func lazyWorkThatNeverRanIsFreedWithTheSignal() {
    let lives = LifeCount()
    let signal = Box(
      Signal<Int, Never>.startLazily(on: .immediate) { [token = lives.token()] observer in
        token.touch()
        observer.complete()
      }
    )
    #expect(lives.count == 1)
    signal.value = nil
    #expect(lives.count == 0)
  }
}
