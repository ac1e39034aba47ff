import Reactive
import ReactiveTesting
import Testing

/// Contract rule 10, for signals to which an operator subscribes later than to its source.
///
/// A gate lets one thread at a time deliver events. If an endless signal begins while another event
/// is delivered downstream, every gate downstream of that signal must be open.
@Suite struct Rule10LaterSubscriptionsTests {
  private struct Broken: Error {}

  /// Merges `late` with a subject, and runs `trigger` while a value of the subject is delivered.
  private func firstValues(
    of late: Signal<Int, Never>,
    startedBy trigger: @escaping @Sendable () -> Void
  ) -> [Int] {
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    Signal.merge([late, other.signal]).take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -1 { trigger() }
      },
      completed: { seen.complete() }
    )
    other.send(-1)
    #expect(seen.hasEnded)
    return seen.values
  }

  @Test(.timeLimit(.minutes(30))) func concatSubscribesWithTheGatesBelowOpen() {
    let first = Subject<Int, Never>()
    let late = first.signal.concat(endless())
    #expect(firstValues(of: late) { first.complete() } == [-1, 0, 1, 2])
  }

  @Test(.timeLimit(.minutes(30))) func catchSubscribesWithTheGatesBelowOpen() {
    let first = Subject<Int, Broken>()
    let late = first.signal.catch { _ in endless() }
    #expect(firstValues(of: late) { first.fail(Broken()) } == [-1, 0, 1, 2])
  }

  @Test(.timeLimit(.minutes(30))) func retrySubscribesWithTheGatesBelowOpen() {
    let first = Subject<Int, Broken>()
    let tries = Recorder<Void, Never>()
    let late = Signal<Int, Broken>.create { observer in
      tries.next(())
      guard tries.count > 1 else {
        // The first subscription lasts until the subject fails.
        observer.disposables.add(first.signal.subscribe(failed: { observer.fail($0) }))
        return
      }
      var value = 0
      while !observer.isDisposed {
        observer.send(value)
        value += 1
      }
    }
    .retry(1)
    .catch { _ in Signal<Int, Never>.empty() }
    #expect(firstValues(of: late) { first.fail(Broken()) } == [-1, 0, 1, 2])
  }

  @Test(.timeLimit(.minutes(30))) func aFlatMapInsideAMergeSubscribesWithBothGatesOpen() {
    let outer = Subject<Int, Never>()
    let late = outer.signal.flatMap { _ in endless() }
    #expect(firstValues(of: late) { outer.send(0) } == [-1, 0, 1, 2])
  }

  @Test(.timeLimit(.minutes(30))) func aSwitchInsideTwoMergesSubscribesWithAllGatesOpen() {
    let outer = Subject<Signal<Int, Never>, Never>()
    let late = Signal.merge([outer.signal.switchToLatest(), .never()])
    #expect(firstValues(of: late) { outer.send(endless()) } == [-1, 0, 1, 2])
  }

  @Test(.timeLimit(.minutes(30))) func aSignalInsideACombineLatestFindsTheGatesBelowOpen() {
    let outer = Subject<Int, Never>()
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    let late = outer.signal.flatMap { _ in endless() }.startWith(-2)
    combineLatest(late, other.signal).map { $0.0 }.take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -2 { outer.send(0) }
      },
      completed: { seen.complete() }
    )
    other.send(0)
    #expect(seen.values == [-2, 0, 1, 2])
    #expect(seen.hasEnded)
  }
}
