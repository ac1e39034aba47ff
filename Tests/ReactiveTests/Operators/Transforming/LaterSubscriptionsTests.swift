import Reactive
import ReactiveTesting
import Testing

/// Tests contract rule 10 for `bind`, `mergeScan`, `switchScan` and `expand`.
@Suite struct LaterSubscriptionsTests {
  static let operators = ["bind", "mergeScan", "switchScan"]

  private static func flattened(
    _ name: String,
    _ outer: Signal<Signal<Int, Never>, Never>
  ) -> Signal<Int, Never> {
    switch name {
    case "bind": outer.bind { { inner, _ in inner } }
    case "mergeScan": outer.mergeScan(0) { _, inner in inner }
    default: outer.switchScan(0) { _, inner in inner }
    }
  }

  @Test(.timeLimit(.minutes(30)), arguments: operators)
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

  @Test(.timeLimit(.minutes(30)), arguments: operators)
  func anEndlessSignalFindsTheGatesBelowOpen(_ name: String) {
    let outer = Subject<Signal<Int, Never>, Never>()
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    Signal.merge([Self.flattened(name, outer.signal), other.signal]).take(4).subscribe { value in
      seen.next(value)
      if value == -1 { outer.send(endless()) }
    }
    other.send(-1)
    #expect(seen.values == [-1, 0, 1, 2])
  }

  @Test(.timeLimit(.minutes(30))) func expandSubscribesWithTheGatesBelowOpen() {
    let outer = Subject<Int, Never>()
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let late = outer.signal.expand { $0 == -2 ? endless() : .empty() }
    Signal.merge([late, other.signal]).take(5).subscribe { value in
      seen.next(value)
      if value == -1 { outer.send(-2) }
    }
    other.send(-1)
    #expect(seen.values == [-1, -2, 0, 1, 2])
  }

  @Test(arguments: operators)
  func signalsStartedByTheValuesOfOthersDoNotGrowTheStack(_ name: String) {
    let outer = Subject<Signal<Int, Never>, Never>()
    let seen = Counter()
    let subscription = Self.flattened(name, outer.signal).subscribe { value in
      seen.add()
      if value < scaledDepth(100_000) { outer.send(.just(value + 1)) }
    }
    outer.send(.just(0))
    #expect(seen.value == scaledDepth(100_000) + 1)
    subscription.dispose()
  }

  @Test(arguments: operators)
  func endsWithoutAnEventWhenNoneCanSend(_ name: String) {
    let seen = Recorder<Int, Never>()
    do {
      let inner = Subject<Int, Never>()
      do {
        let outer = Subject<Signal<Int, Never>, Never>()
        seen.record(Self.flattened(name, outer.signal))
        outer.send(inner.signal)
      }
      inner.send(1)
      #expect(!seen.isDisposed)
    }
    #expect(seen.events == [.next(1)])
    #expect(seen.isDisposed)
  }

  // MARK: Threads

  @Test(.tags(.stress)) func eachValueIsCombinedWithAnEarlierResult() {
    let count = scaledCount(5_000)
    let values = Subject<Int, Never>()
    let results = Subject<Int, Never>()
    let combined = Recorder<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = values.signal
      .mergeScan(-1) { latest, _ in
        combined.next(latest)
        return results.signal.take(1)
      }
      .subscribe { seen.next($0) }
    onPlainThreads(2) { index in
      for number in 0..<count { index == 0 ? values.send(number) : results.send(number) }
    }
    // The results increase. `combined` contains some of them in the same order, so its values
    // increase, too.
    #expect(combined.values == combined.values.sorted())
    #expect(Set(combined.values).subtracting(seen.values).isSubset(of: [-1]))
    subscription.dispose()
  }

  @Test(.tags(.stress)) func theCombinedBooleanIsCorrectAcrossThreads() {
    let count = scaledCount(10_000)
    let subjects = (0..<3).map { _ in Subject<Bool, Never>() }
    let seen = Recorder<Bool, Never>()
    let all = Signal.all(subjects.map(\.signal)).subscribe { seen.next($0) }
    onPlainThreads(3) { index in
      for number in 0..<count { subjects[index].send(number.isMultiple(of: 2)) }
      subjects[index].send(true)
    }
    #expect(seen.values.last == true)
    all.dispose()
  }

  @Test(.tags(.stress)) func lazyMapAlwaysSendsTheLastValue() {
    let count = scaledCount(10_000)
    let subject = Subject<Int, Never>()
    let ended = Latch()
    let last = Box<Int>()
    subject.signal.lazyMap(on: QueueScheduler.background) { $0 }
      .subscribe(next: { last.value = $0 }, completed: { ended.signal() })
    onPlainThread {
      for value in 1...count { subject.send(value) }
      subject.complete()
    }
    #expect(ended.wait())
    #expect(last.value == count)
  }
}
