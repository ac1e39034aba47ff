import Reactive
import ReactiveTesting
import Testing

/// The samples of ReactiveCocoa's Design Guidelines, section "Implementing new operators".
@Suite struct TourImplementingOperatorsTests {
  /// A `map` made from `flatMap` returns immediately; the signal that it returns does the work.
  @Test func anOperatorComposedOfOthersDoesNoWorkBeforeItIsSubscribedTo() {
    let calls = Counter()
    let tenfold = Signal<Int, Never>.from([1, 2, 3]).mapped { value in
      calls.add()
      return value * 10
    }

    #expect(calls.value == 0)
    #expect(tenfold.recorded().events == [.next(10), .next(20), .next(30), .completed])
    #expect(calls.value == 3)
  }

  /// The stack position at each of `count` subscriptions to a source that completes immediately.
  private static func stackPositions(
    _ count: Int = 100,
    _ repeating: (Signal<Int, Never>) -> Signal<Int, Never>
  ) -> [Int] {
    let positions = Recorder<Int, Never>()
    let source = Signal<Int, Never>.create { observer in
      positions.next(stackPosition())
      observer.send(1)
      observer.complete()
    }
    repeating(source).take(count).subscribe()
    return positions.values
  }

  /// Each subscription takes more stack than the last one, until one is postponed.
  @Test func repeatingFromTheHandlerOfTheEndGrowsTheStackUpToABound() throws {
    let positions = Self.stackPositions(5_000) { $0.recursivelyRepeated() }
    #expect(positions.count == 5_000)
    #expect(positions[0] > positions[1] && positions[1] > positions[2])
    let (highest, lowest) = (try #require(positions.max()), try #require(positions.min()))
    #expect(highest - lowest < 256 << 10)
  }

  @Test func repeatingWithRecursiveSchedulingDoesNotGrowTheStack() {
    let positions = Self.stackPositions { $0.repeated(on: .immediate) }
    #expect(positions.count == 100)
    #expect(Set(positions).count == 1)
  }

  @Test func theRepeatOperatorNeedsNoScheduler() {
    let positions = Self.stackPositions { $0.repeat() }
    #expect(positions.count == 100)
    #expect(Set(positions.dropFirst()).count == 1)
    #expect(Signal<Int, Never>.just(1).repeat().take(100_000).recorded().count == 100_000)
  }

  @Test func repeatingStopsWhenItIsDisposedOf() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1|", on: time, where: ["1": 1])
    let seen = source.signal.repeated(on: time).recorded(at: time)

    time.advance(by: .frames(5))
    seen.dispose()

    #expect(seen.values == [1, 1, 1])
    #expect(source.activeCount == 0)
    #expect(time.pendingCount == 0)
  }
}

/// An address in the stack frame of this call, which shows how deep the stack is.
private func stackPosition() -> Int {
  var here: UInt8 = 0
  return withUnsafeMutablePointer(to: &here) { Int(bitPattern: $0) }
}

extension Signal {
  /// The wrong sample: each subscription begins in the completion handler of the previous one.
  fileprivate func recursivelyRepeated() -> Signal {
    .create { [self] observer in
      let inner = SerialDisposable()
      observer.disposables.add(inner)
      subscribeAgain(observer, inner)
    }
  }

  private func subscribeAgain(_ observer: Observer<Value, Failure>, _ inner: SerialDisposable) {
    if observer.isDisposed { return }
    inner.inner = self.subscribe(
      next: { observer.send($0) },
      failed: { observer.fail($0) },
      completed: { self.subscribeAgain(observer, inner) }
    )
  }

  /// The correct sample: the scheduler turns the recursion into a loop.
  fileprivate func repeated(on scheduler: some Scheduler) -> Signal {
    .create { [self] observer in
      let inner = SerialDisposable()
      let work = scheduler.scheduleRecursively { again in
        if observer.isDisposed { return }
        inner.inner = self.subscribe(
          next: { observer.send($0) },
          failed: { observer.fail($0) },
          completed: { again() }
        )
      }
      observer.disposables.add(work)
      observer.disposables.add(inner)
    }
  }
}

extension Signal {
  fileprivate func mapped<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    flatMap({ Signal<Result, Failure>.just(transform($0)) }, file: file, line: line, column: column)
  }
}
