import Reactive
import ReactiveTesting
import Testing

@Suite struct IfEmptyTests {
  @Test func continuesWithTheOtherIfThereWasNoValue() {
    expectMarbles("---|", "----1-2-|") { signal, time in
      signal.ifEmpty(switchTo: time.cold("-1-2-|"))
    }
    expectMarbles("--|", "---#") { signal, time in signal.ifEmpty(switchTo: time.cold("-#")) }
  }

  @Test func neverSubscribesToTheOtherSignalAfterAValueOrAFailure() {
    let time = TestScheduler()
    let other = MarbleSource(cold: "-1-|", on: time)
    let filled = time.cold("-1-|").ifEmpty(switchTo: other.signal).recorded()
    let failed = time.cold("--#").ifEmpty(switchTo: other.signal).recorded()
    time.run()
    #expect(filled.values == ["1"])
    #expect(filled.isCompleted)
    #expect(failed.failure != nil)
    #expect(other.subscriptions.isEmpty)
  }

  @Test func disposalEndsTheOtherSignal() {
    let time = TestScheduler()
    let other = MarbleSource(cold: "-1-1-1", on: time)
    let seen = time.cold("-|").ifEmpty(switchTo: other.signal).recorded()
    time.advance(by: .frames(3))
    #expect(other.activeCount == 1)
    seen.dispose()
    #expect(other.activeCount == 0)
  }

  /// Contract rule 10: the gates downstream are open while the second signal is subscribed to.
  @Test(.timeLimit(.minutes(30))) func anEndlessOtherSignalCanBeEndedFromDownstream() {
    let empty = Subject<Int, Never>()
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    Signal.merge([empty.signal.ifEmpty(switchTo: endless()), other.signal]).take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -1 { empty.complete() }
      },
      completed: { seen.complete() }
    )
    other.send(-1)
    #expect(seen.values == [-1, 0, 1, 2])
    #expect(seen.hasEnded)
  }

  @Test func continuingWithItselfDoesNotGrowTheStack() {
    @Sendable func poll(_ left: Int) -> Signal<Int, Never> {
      left == 0 ? .just(7) : .empty().ifEmpty(switchTo: .deferred { poll(left - 1) })
    }
    #expect(poll(100_000).recorded().events == [.next(7), .completed])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("ifEmpty(switchTo:)") { $0.ifEmpty(switchTo: .just(9)) }
    checkOperatorContract("ifEmpty(switchTo:)") { source in
      source.filter { _ in false }.ifEmpty(switchTo: .just(9))
    }
  }
}
