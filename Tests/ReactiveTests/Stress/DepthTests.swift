import Reactive
import ReactiveTesting
import Testing

/// A million signals, one after another, take no more stack than one
/// (contract rule 10).
@Suite(.tags(.stress)) struct DepthTests {
  static let depth = stress(1_000_000)

  @Test func repeatDoesNotGrowTheStack() {
    let seen = Counter()
    let ended = Counter()
    Signal<Int, Never>.just(1).repeat(Self.depth)
      .subscribe(next: { seen.add($0) }, completed: { ended.add() })
    #expect(seen.value == Self.depth)
    #expect(ended.value == 1)
  }

  @Test func endlessRepetitionStopsFromInsideAValue() {
    let seen = Counter()
    let ended = Counter()
    Signal<Int, Never>.just(1).repeat().take(Self.depth)
      .subscribe(next: { seen.add($0) }, completed: { ended.add() })
    #expect(seen.value == Self.depth)
    #expect(ended.value == 1)
  }

  @Test func retryDoesNotGrowTheStack() {
    let tries = Counter()
    let failing = Signal<Int, TestFailure>.failed(TestFailure()).doFailed { _ in tries.add() }
    let seen = failing.retry(Self.depth).recorded()
    #expect(tries.value == Self.depth + 1)
    #expect(seen.events == [.failed(TestFailure())])
  }
}
