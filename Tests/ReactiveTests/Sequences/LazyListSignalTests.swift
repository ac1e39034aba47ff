import Dispatch
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

@Suite struct LazyListSignalTests {
  @Test func sendsEachElementInASeparatePieceOfWork() {
    let time = TestScheduler()
    let seen = Evaluations()
    let list = [1, 2, 3].lazyList.map { seen.noting($0) }
    let log = Recorder<String, Never>()
    list.signal(on: time).subscribe(
      next: { value in
        log.next("\(value)")
        time.schedule { log.next("other work") }
      },
      completed: { log.next("completed") }
    )
    #expect(log.values == [] && seen.all == [])
    time.run()
    #expect(log.values == ["1", "other work", "2", "other work", "3", "other work", "completed"])
    #expect(list.signal(on: ImmediateScheduler.shared).recorded().values == [1, 2, 3])
    #expect(seen.all == ["1", "2", "3"])
  }

  @Test func everySequenceCanBeSentOnAScheduler() {
    let signal = Signal<Int, TestFailure>.from(1...3, on: ImmediateScheduler.shared)
    #expect(signal.recorded().events == [.next(1), .next(2), .next(3), .completed])
    #expect("\(signal)" == "from(…, on: .immediate)")
    #expect([1, 2].signal(on: ImmediateScheduler.shared).recorded().values == [1, 2])
    #expect(Signal<Int, Never>.from(2...4, on: .main).site.name.description == "from(on:)")
  }

  @Test func disposalEndsAnEndlessList() throws {
    let time = TestScheduler()
    let seen = Evaluations()
    let list = numbers(seen)
    let taken = list.signal(on: time).take(3).recorded()
    try #require(time.run(atMost: 100))
    #expect(taken.values == [0, 1, 2] && taken.isCompleted)
    #expect(seen.all == ["0", "1", "2"])
    let subscription = list.signal(on: time).subscribe()
    subscription.dispose()
    try #require(time.run(atMost: 100))
    #expect(seen.all.count == 3)
    #expect(list.signal(on: ImmediateScheduler.shared).take(5).recorded().values.count == 5)
  }

  @Test func aMillionElementsDoNotGrowTheStackIfWorkRunsAtOnce() {
    let sum = Counter()
    let count = scaledDepth(1_000_000)
    (0..<count).signal(on: ImmediateScheduler.shared).subscribe { _ in sum.add() }
    #expect(sum.value == count)
  }

  // MARK: From signals

  @Test func aListWaitsForTheValuesOfASignal() {
    let subscribed = Counter()
    let signal = Signal<Int, Never>.from(1...3).doStarted { subscribed.add() }
    let list = signal.lazyList()
    #expect(subscribed.value == 0)
    #expect(Array(list) == [1, 2, 3] && Array(list.map { -$0 }) == [-1, -2, -3])
    #expect(subscribed.value == 1)
  }

  @Test func readingWaitsForValuesOfAnotherThread() {
    let sender = Box<Observer<Int, Never>>()
    let isSubscribed = Latch()
    let list = Signal<Int, Never>.create { observer in
      sender.value = observer
      isSubscribed.signal()
    }
    .lazyList()
    let sums = Locked<[Int]>([])
    onPlainThreads(3) { index in
      if index == 0 {
        _ = isSubscribed.wait()
        for value in 1...1_000 { sender.value?.send(value) }
        sender.value?.complete()
        return sender.value = nil
      }
      let sum = list.foldLeft(0, +)
      sums.withLock { $0.append(sum) }
    }
    #expect(sums.withLock { $0 } == [500_500, 500_500])
  }

  @Test func releasingTheListEndsTheSubscription() {
    let ended = Latch()
    do {
      let list = Signal<Int, Never>.from([1]).concat(.never()).doDisposed { ended.signal() }
        .lazyList()
      #expect(list.head == 1)
    }
    #expect(ended.wait())
  }

  @Test func theListEndsWhenNothingCanSendToTheSignal() {
    let isSubscribed = Latch()
    let box = Box<Subject<Int, Never>>(Subject())
    let list = box.value?.signal.startWith(1).doStarted { isSubscribed.signal() }.lazyList()
    onPlainThreads(2) { index in
      if index == 0 {
        _ = isSubscribed.wait()
        box.value = nil
      } else {
        #expect(list.map { Array($0) } == [1])
      }
    }
  }

  @Test func failuresAreResults() {
    let failing = Signal<Int, TestFailure>.from([1]).concat(.failed(TestFailure(code: 3)))
    let list = failing.materializeResults().lazyList()
    #expect(Array(list) == [.success(1), .failure(TestFailure(code: 3))])
  }

  /// A list made from a signal that is made from a range, and the line of both calls.
  static func roundTrip(_ queue: QueueScheduler) -> (LazyList<Int>, UInt32) {
    let line = UInt32(#line + 1)
    let list = (1...3).signal(on: queue).lazyList(on: queue)
    return (list, line)
  }

  @Test func bothAppearInATraceWithTheirPlaceAndTheirHops() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let (list, line) = Self.roundTrip(QueueScheduler(label: "lists"))
      #expect(Array(list) == [1, 2, 3])
      let trace = try TraceReader(path: Trace.path ?? "").snapshot()
      for name in ["from(on:)", "lazyList(on:)"] {
        let site = try #require(trace.sites.first { $0.name == name }, "\(name)")
        #expect(site.line == line && site.file.hasSuffix("LazyListSignalTests.swift"))
        #expect(site.subscribed == 1)
      }
      // There is a hop (work scheduled in one place and run in another) for the subscription, three
      // for the values and one for the end.
      #expect(trace.records.count { $0.kind == .hopBegan } >= 5)
    }
  }
}
