import Reactive
import ReactiveTesting
import Testing

/// Contract rule 10: an operator neither blocks, nor adds concurrency, nor recurses without bound;
/// it never subscribes to an inner signal while it holds its gate, which lets one thread at a time
/// deliver events.
@Suite struct Rule10BoundsTests {
  @Test func flatMapOverAnEndlessSignalEnds() {
    let seen = Signal<Int, Never>.just(0).flatMap { _ in endless() }.take(3).recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func flatMapOfAnEndlessSourceIntoEndlessOnesEnds() {
    let seen = endless().flatMap { _ in endless() }.take(3).recorded()
    #expect(seen.values == [0, 1, 2])
  }

  @Test func mergeOverAnEndlessSignalEnds() {
    let seen = Signal.merge([endless(), endless()]).take(3).recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func concatOverAnEndlessSignalEnds() {
    let two = Signal<Int, Never>.just(7).concat(endless()).take(3).recorded()
    #expect(two.events == [.next(7), .next(0), .next(1), .completed])
    let many = Signal.from([endless(), endless()]).concat().take(3).recorded()
    #expect(many.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func flattenWithALimitOverAnEndlessSignalEnds() {
    let seen = Signal.from([endless(), endless()]).flatten(limit: 1).take(3).recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func switchToLatestOverAnEndlessSignalEnds() {
    let seen = Signal.from([endless(), endless()]).switchToLatest().take(3).recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func takeUntilEndsAnEndlessSignal() {
    let trigger = Subject<Void, Never>()
    let seen = endless()
      .doNext { if $0 == 3 { trigger.send() } }
      .take(until: trigger.signal)
      .recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .completed])
  }

  // MARK: Inner signals that begin during a delivery

  static let flattening = ["flatMap", "flatten", "concat", "limit", "switch"]

  static func flattened(
    _ name: String,
    _ outer: Signal<Signal<Int, Never>, Never>
  ) -> Signal<Int, Never> {
    switch name {
    case "flatMap": outer.flatMap { $0 }
    case "flatten": outer.flatten()
    case "concat": outer.concat()
    case "limit": outer.flatten(limit: 2)
    default: outer.switchToLatest()
    }
  }

  @Test(arguments: flattening)
  func takeEndsAnEndlessInnerSignalThatWasSentReentrantly(_ name: String) {
    let outer = Subject<Signal<Int, Never>, Never>()
    let first = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    Self.flattened(name, outer.signal).take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -1 {
          outer.send(endless())
          first.complete()
        }
      },
      completed: { seen.complete() }
    )
    outer.send(first.signal)
    first.send(-1)
    #expect(seen.events == [.next(-1), .next(0), .next(1), .next(2), .completed])
  }

  @Test(arguments: flattening)
  func takeEndsAnEndlessInnerSignalThatAnotherThreadSent(_ name: String) {
    let outer = Subject<Signal<Int, Never>, Never>()
    let first = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let ended = Latch()
    Self.flattened(name, outer.signal).take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -1 {
          onPlainThread { outer.send(endless()) }
          first.complete()
        }
      },
      completed: { ended.signal() }
    )
    outer.send(first.signal)
    first.send(-1)
    #expect(ended.wait())
    #expect(seen.values == [-1, 0, 1, 2])
  }

  @Test func takeEndsAnEndlessInnerSignalThatWaitedForTheLimit() {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    Signal.from([first.signal, second.signal, endless()]).flatten(limit: 2).take(4).subscribe(
      next: { value in
        seen.next(value)
        // This starts the endless signal while a value of the first signal is delivered.
        if value == -1 { second.complete() }
      },
      completed: { seen.complete() }
    )
    first.send(-1)
    #expect(seen.events == [.next(-1), .next(0), .next(1), .next(2), .completed])
  }

  @Test func endlessSignalsStartedByTheirOwnValuesEnd() {
    let outer = Subject<Signal<Int, Never>, Never>()
    let seen = Recorder<Int, Never>()
    outer.signal.flatten().take(5).subscribe { value in
      seen.next(value)
      outer.send(endless())
    }
    outer.send(endless())
    #expect(seen.count == 5)
  }

  // MARK: Depth

  @Test func aHundredThousandRetriesDoNotGrowTheStack() {
    let tries = Counter()
    let failing = Signal<Int, TestFailure>.create { observer in
      tries.add()
      observer.fail(TestFailure())
    }
    let seen = failing.retry(scaledDepth(100_000)).recorded()
    #expect(tries.value == scaledDepth(100_000) + 1)
    #expect(seen.events == [.failed(TestFailure())])
  }

  @Test func endlessRetriesEndWhenTheSourceSucceeds() {
    let tries = Counter()
    let source = Signal<Int, TestFailure>.create { observer in
      if tries.add() < scaledDepth(100_000) {
        observer.fail(TestFailure())
      } else {
        observer.complete()
      }
    }
    #expect(source.retry().recorded().events == [.completed])
  }

  @Test func concatOfAHundredThousandSignalsDoesNotGrowTheStack() {
    let many = Signal<Signal<Int, Never>, Never>.from((0..<scaledDepth(100_000)).map { .just($0) })
    let seen = many.concat().recorded()
    #expect(seen.count == scaledDepth(100_000))
    #expect(seen.isCompleted)
  }

  @Test func waitingSignalsDoNotGrowTheStack() {
    let outer = Subject<Signal<Int, Never>, Never>()
    let first = Subject<Int, Never>()
    let seen = outer.signal.flatten(limit: 1).recorded()
    outer.send(first.signal)
    for number in 0..<scaledDepth(100_000) { outer.send(.just(number)) }
    outer.complete()
    first.complete()
    #expect(seen.count == scaledDepth(100_000))
    #expect(seen.isCompleted)
  }

  @Test func valuesSentFromInsideADeliveryDoNotGrowTheStack() {
    let subject = Subject<Int, Never>()
    let seen = Counter()
    let subscription = subject.signal.map { $0 }.merge(with: .never()).subscribe { value in
      seen.add()
      if value < scaledDepth(100_000) { subject.send(value + 1) }
    }
    subject.send(0)
    #expect(seen.value == scaledDepth(100_000) + 1)
    subscription.dispose()
  }

  @Test(arguments: flattening)
  func signalsStartedByTheValuesOfOthersDoNotGrowTheStack(_ name: String) {
    let outer = Subject<Signal<Int, Never>, Never>()
    let first = Subject<Int, Never>()
    let seen = Counter()
    let subscription = Self.flattened(name, outer.signal).subscribe { value in
      seen.add()
      if value < scaledDepth(100_000) { outer.send(.just(value + 1)) }
      if value == 0 { first.complete() }
    }
    outer.send(first.signal)
    first.send(0)
    #expect(seen.value == scaledDepth(100_000) + 1)
    subscription.dispose()
  }

  @Test func aSignalNeedNotWaitForAnEndlessOne() {
    let outer = Subject<Signal<Int, Never>, Never>()
    let first = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    outer.signal.flatten().take(8).subscribe { value in
      seen.next(value)
      if value == -9 { outer.send(endless()) }
      if value == 3 { outer.send(.from([-1, -2])) }
    }
    outer.send(first.signal)
    first.send(-9)
    #expect(seen.values == [-9, 0, 1, 2, 3, -1, -2, 4])
  }

  @Test func deliveringOnTheImmediateSchedulerDoesNotGrowTheStack() {
    let first = Subject<Int, Never>()
    let seen = Counter()
    let subscription = first.signal.deliver(on: .immediate).subscribe { value in
      seen.add()
      if value < scaledDepth(100_000) { first.send(value + 1) }
    }
    first.send(0)
    #expect(seen.value == scaledDepth(100_000) + 1)
    subscription.dispose()
  }

  @Test func eventsStayOnTheThreadOfTheirSender() {
    let subject = Subject<Int, TestFailure>()
    let handler = Box<UInt>()
    let subscription = subject.signal
      .map { $0 + 1 }
      .filter { $0 > 0 }
      .scan(0, +)
      .distinctUntilChanged()
      .merge(with: .never())
      .combineLatest(with: .just(0))
      .map { $0.0 }
      .catch { _ in Signal<Int, Never>.never() }
      .subscribe { _ in handler.value = threadNumber() }
    for value in 1...2 {
      onPlainThread {
        subject.send(value)
        #expect(handler.value == threadNumber())
      }
      handler.value = nil
    }
    subscription.dispose()
  }
}
