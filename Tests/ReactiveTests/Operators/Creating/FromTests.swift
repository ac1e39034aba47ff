import Reactive
import ReactiveTesting
import Testing

@Suite struct FromTests {
  @Test func sendsTheValuesAndCompletes() {
    #expect(
      Signal<Int, Never>.from([1, 2, 3]).recorded().events
        == [.next(1), .next(2), .next(3), .completed]
    )
    #expect(Signal<Int, Never>.from([]).recorded().events == [.completed])
  }

  @Test func readsNoValueAfterTheEnd() {
    let asked = Counter()
    let seen = Signal<Int, Never>.from(CountingSequence(asked: asked)).take(3).recorded()
    #expect(seen.values == [1, 2, 3])
    #expect(asked.value == 3)
  }

  @Test func theSequenceRunsAnewForEachSubscription() {
    let signal = Signal<Int, Never>.from(1...3)
    #expect(signal.recorded().values == [1, 2, 3])
    #expect(signal.recorded().values == [1, 2, 3])
  }
}

private struct CountingSequence: Sequence, Sendable {
  let asked: Counter

  func makeIterator() -> AnyIterator<Int> { AnyIterator { asked.add() } }
}
