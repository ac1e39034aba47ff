import Reactive
import ReactiveTesting
import Testing

@Suite struct ConcatSequenceTests {
  /// A sequence of signals that counts the calls of its iterator's `next()`.
  private struct Counted: Sequence, Sendable {
    let all: [Signal<Int, Never>]
    let asked: Counter

    func makeIterator() -> AnyIterator<Signal<Int, Never>> {
      var rest = all[...]
      return AnyIterator {
        asked.add()
        return rest.popFirst()
      }
    }
  }

  @Test func aListIsForwardedInItsOrder() {
    expectMarbles("-1-|", "--2|", "-1---2|") { .concat([$0, $1]) }
    expectMarbles("-1-#", "--2|", "-1-#") { .concat([$0, $1]) }
  }

  @Test func anEmptyListCompletes() {
    #expect(Signal<Int, Never>.concat([]).recorded().events == [.completed])
  }

  @Test func aSequenceIsAskedForASignalOnlyWhenItIsNeeded() {
    let asked = Counter()
    let first = Subject<Int, Never>()
    let signals = Counted(all: [first.signal, .just(2), .just(3)], asked: asked)
    let seen = Signal.concat(signals).take(2).recorded()
    #expect(asked.value == 1)
    first.send(1)
    first.complete()
    #expect(seen.events == [.next(1), .next(2), .completed])
    #expect(asked.value == 2)
  }

  @Test func anEndlessSequenceEndsWithTake() {
    let signals = repeatElement(Signal<Int, Never>.just(1), count: .max)
    #expect(
      Signal.concat(signals).take(3).recorded().events == [1, 1, 1].map { .next($0) } + [.completed]
    )
  }

  @Test func eachSubscriptionBeginsWithTheFirst() {
    let signal = Signal<Int, Never>.concat([.just(1), .just(2)])
    #expect(signal.recorded().values == [1, 2])
    #expect(signal.recorded().values == [1, 2])
  }

  @Test func takeEndsAnEndlessSignalThatFollowsDuringADelivery() {
    let first = Subject<Int, Never>()
    let other = Subject<Int, Never>()
    let seen = Recorder<Int, Never>()
    Signal.merge([.concat([first.signal, endless()]), other.signal]).take(4).subscribe(
      next: { value in
        seen.next(value)
        if value == -1 { first.complete() }
      },
      completed: { seen.complete() }
    )
    other.send(-1)
    #expect(seen.events == [.next(-1), .next(0), .next(1), .next(2), .completed])
  }

  // MARK: onFailureResumeNext

  @Test func resumesAfterFailureAndCompletion() {
    expectMarbles("-1-#", "-2-|", "-1--2-|") { $0.onFailureResumeNext(with: $1) }
    expectMarbles("-1-|", "-2-|", "-1--2-|") { $0.onFailureResumeNext(with: $1) }
    expectMarbles("-1-|", "-2-#", "-1--2-|") { $0.onFailureResumeNext(with: $1) }
    expectMarbles("-1-#", "-1-|") { $0.onFailureResumeNext() }
  }

  @Test func disposalEndsTheRunningSignal() {
    let time = TestScheduler()
    let second = MarbleSource(cold: "-1-1-1", on: time)
    let third = MarbleSource(cold: "-1", on: time)
    let seen = time.cold("-#").onFailureResumeNext(with: second.signal, third.signal).recorded()
    time.advance(by: .frames(3))
    #expect(second.activeCount == 1)
    seen.dispose()
    #expect(second.activeCount == 0)
    #expect(third.subscriptions.isEmpty)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("concat") { .concat([$0, .empty()]) }
    checkOperatorContract("concat") { .concat([.empty(), $0]) }
    checkOperatorContract("onFailureResumeNext", .handlesFailure) { source in
      source.onFailureResumeNext(with: .empty())
    }
  }
}
