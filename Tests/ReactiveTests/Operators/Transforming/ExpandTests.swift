import Reactive
import ReactiveTesting
import Testing

@Suite struct ExpandTests {
  @Test func valuesOfInnerSignalsAreExpandedToo() {
    expectMarbles("-1---------|", "-1-2-4-8---|") { signal, time in
      signal.map { Int($0) ?? 0 }
        .expand { number in
          number == 8 ? .empty() : time.cold("--x|").map { _ in number * 2 }
        }
    }
  }

  @Test func completesAfterTheSourceAndAllInnerSignals() {
    expectMarbles("1|", "1--(x)|") { signal, time in
      signal.expand { $0 == "x" ? .empty() : time.cold("---x|") }
    }
    expectMarbles("|", "|") { $0.expand { .just($0) } }
  }

  @Test func anyFailureEndsAll() {
    expectMarbles("1-1-----|", "1-1#") { signal, time in signal.expand { _ in time.cold("---#") } }
    expectMarbles("1-#", "1-#") { signal, time in signal.expand { _ in time.cold("---x") } }
  }

  @Test func walksATree() {
    let seen = Signal<Int, Never>.just(1).expand { node in
      node < 8 ? .from([2 * node, 2 * node + 1]) : .empty()
    }
    .recorded()
    // Each value precedes the values that it expands to.
    #expect(seen.values == [1, 2, 4, 8, 9, 5, 10, 11, 3, 6, 12, 13, 7, 14, 15])
    #expect(seen.isCompleted)
  }

  @Test func aHundredThousandLevelsDoNotGrowTheStack() {
    let seen = Counter()
    let ends = Counter()
    Signal<Int, Never>.just(0)
      .expand { $0 < scaledDepth(100_000) ? .just($0 + 1) : .empty() }
      .subscribe(next: { _ in seen.add() }, completed: { ends.add() })
    #expect(seen.value == scaledDepth(100_000) + 1)
    #expect(ends.value == 1)
  }

  @Test(.timeLimit(.minutes(30))) func aHundredThousandLevelsBelowAnotherGateDoNotGrowTheStack() {
    let other = Subject<Int, Never>()
    let seen = Counter()
    let late = other.signal.flatMap { first in
      Signal<Int, Never>.just(first).expand { $0 < scaledDepth(100_000) ? .just($0 + 1) : .empty() }
    }
    Signal.merge([late, other.signal]).subscribe { _ in seen.add() }
    other.send(0)
    #expect(seen.value == scaledDepth(100_000) + 2)
  }

  @Test func endlessSignalsCanBeEnded() {
    let one = Signal<Int, Never>.just(-1).expand { $0 == -1 ? endless() : .empty() }.take(4)
    #expect(one.recorded().events == [.next(-1), .next(0), .next(1), .next(2), .completed])
    let many = Signal<Int, Never>.just(7).expand { _ in endless() }.take(100).recorded()
    #expect(many.count == 100)
    #expect(many.isCompleted)
  }

  @Test func disposalFromInsideAValueKeepsItFromBeingExpanded() {
    let calls = Counter()
    let subject = Subject<Int, Never>()
    let held = SerialDisposable()
    held.inner = subject.signal
      .expand { value in
        calls.add()
        return .just(value)
      }
      .subscribe { _ in held.dispose() }
    subject.send(1)
    #expect(calls.value == 0)
  }

  @Test func aValueSentFromInsideADeliveryFollowsIt() {
    let subject = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = subject.signal.expand { $0 < 10 ? .just($0 + 10) : .empty() }.subscribe {
      value in
      if value == 1 {
        subject.send(2)
        #expect(seen.count == 0)
      }
      seen.next(value)
    }
    subject.send(1)
    #expect(seen.values == [1, 11, 2, 12])
    subscription.dispose()
  }

  @Test func innerSignalsAreFreedWithTheSubscription() {
    let lives = LifeCount()
    let subject = Subject<Int, Never>()
    let subscription = subject.signal
      .expand { _ in
        Signal<Int, Never>.never().doNext { [token = lives.token()] _ in token.touch() }
      }
      .subscribe()
    for value in 0..<5 { subject.send(value) }
    #expect(lives.count == 5)
    subscription.dispose()
    #expect(lives.count == 0)
  }

  @Test func aValueOfAnInnerSignalSentFromInsideADeliveryFollowsIt() {
    let outer = Subject<Int, Never>()
    let inner = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let subscription = outer.signal.expand { $0 == 1 ? inner.signal : .empty() }.subscribe {
      value in
      if value == 2 {
        inner.send(3)
        #expect(seen.values == [1])
      }
      seen.next(value)
    }
    outer.send(1)
    outer.send(2)
    #expect(seen.values == [1, 2, 3])
    subscription.dispose()
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("expand") { source in
      source.expand { $0 < 100 ? .just($0 + 100) : .empty() }
    }
  }
}
