import Reactive
import ReactiveTesting
import Testing

/// Nested operators that run one inner signal at a time become levels of one `Descent`, which runs
/// them without recursion.
///
/// The outermost operator is the lowest level. Each level behaves as if it were a separate
/// subscription.
@Suite struct DescentTests {
  private let outer = Subject<Int, TestFailure>()
  private let inner = Subject<Int, TestFailure>()

  @Test func valuesThatWaitInALowerLevelFollowThoseOfAHigherOne() {
    let second = Subject<Int, TestFailure>()
    let seen = outer.signal.concatMap { [inner] number in
      number == 1
        ? inner.signal.concatMap { .from([$0, $0 + 1]) } : Signal.just(number).concat(second.signal)
    }
    .recorded()
    outer.send(1)
    outer.send(2)
    outer.send(3)
    outer.complete()
    inner.send(10)
    inner.send(20)
    #expect(seen.values == [10, 11, 20, 21])
    inner.complete()
    #expect(seen.values == [10, 11, 20, 21, 2])
    second.send(30)
    second.complete()
    #expect(seen.values == [10, 11, 20, 21, 2, 30, 3])
    #expect(seen.isCompleted)
  }

  @Test func aLowerLevelThatSwitchesEndsAllAboveIt() {
    let ended = Counter()
    let deep = Subject<Int, TestFailure>()
    let seen = outer.signal.flatMapLatest { [inner] number in
      inner.signal.doDisposed { ended.add() }.concatMap { value in
        deep.signal.doDisposed { ended.add(10) }.map { number * 100 + value * 10 + $0 }
      }
    }
    .recorded()
    outer.send(1)
    inner.send(1)
    deep.send(1)
    outer.send(2)
    #expect(ended.value == 11)
    deep.send(2)
    inner.send(2)
    deep.send(3)
    #expect(seen.values == [111, 223])
    seen.dispose()
    #expect(ended.value == 22)
  }

  @Test func aHigherLevelThatSwitchesDoesNotAffectLowerOnes() {
    let seen = outer.signal.concatMap { [inner] number in
      inner.signal.flatMapLatest { value in
        Signal<Int, TestFailure>.just(value).concat(.never())
      }
      .map { number * 10 + $0 }
      .concat(.just(0))
    }
    .recorded()
    outer.send(1)
    outer.send(2)
    inner.send(1)
    inner.send(2)
    #expect(seen.values == [11, 12])
    #expect(!seen.isCompleted)
  }

  @Test func valuesAreSkippedWhileAHigherLevelRuns() {
    let runs = Counter()
    let seen = outer.signal.flatMapFirst { [inner] number in
      runs.add()
      return Signal<Int, TestFailure>.just(number)
        .concat(inner.signal.take(1).concatMap { .just($0) })
    }
    .recorded()
    outer.send(1)
    outer.send(2)
    inner.send(9)
    outer.send(3)
    #expect(seen.values == [1, 9, 3])
    #expect(runs.value == 2)
  }

  /// A waiting value of a replaced signal is dropped (contract rule 3), even if the higher level
  /// that sent it has already completed.
  @Test func waitingValuesOfAReplacedLevelAreDropped() {
    let seen = Recorder<Int, TestFailure>()
    let subscription = outer.signal.flatMapLatest { [inner] number in
      inner.signal.take(2).concatMap { .just(number * 10 + $0) }
    }
    .subscribe(
      next: { [outer, inner] value in
        seen.next(value)
        if value == 11 {
          inner.send(2)  // This value waits, and `take(2)` completes the level.
          outer.send(2)
        }
      },
      failed: { _ in }
    )
    outer.send(1)
    inner.send(1)
    inner.send(5)
    #expect(seen.values == [11, 25])
    subscription.dispose()
  }

  @Test func aFailureOfAnyLevelEndsAll() {
    let ended = Counter()
    let seen = outer.signal.doDisposed { ended.add() }.concatMap { [inner] _ in
      inner.signal.doDisposed { ended.add() }.flatMapLatest { _ in
        Signal<Int, TestFailure>.never().doDisposed { ended.add() }
      }
    }
    .recorded()
    outer.send(1)
    inner.send(1)
    inner.fail(TestFailure(code: 3))
    #expect(seen.events == [.failed(TestFailure(code: 3))])
    #expect(ended.value == 3)
  }

  @Test func aHigherLevelWhoseSourceIsGoneIsNotACompletion() {
    let seen = Recorder<Int, TestFailure>()
    var gone: Subject<Int, TestFailure>? = Subject()
    let inner = gone?.signal.concatMap { .just($0) } ?? .never()
    let subscription = seen.record(Signal<Int, TestFailure>.just(1).concatMap { _ in inner })
    gone?.send(1)
    gone = nil
    #expect(seen.events == [.next(1)])
    #expect(subscription.isDisposed)
  }

  @Test func aLostSourceOfAReplacedLevelDoesNotCount() {
    let seen = Recorder<Int, TestFailure>()
    var gone: Subject<Int, TestFailure>? = Subject()
    let lost = gone?.signal ?? .never()
    let inner = inner
    seen.record(
      outer.signal.flatMapLatest { number in
        number == 1 ? inner.signal.concatMap { _ in lost } : .just(number)
      }
    )
    outer.send(1)
    inner.send(1)
    gone = nil
    outer.send(2)
    outer.complete()
    #expect(seen.events == [.next(2), .completed])
  }

  @Test func anEndlessSignalInAHigherLevelCanBeEndedFromDownstream() {
    let seen = Signal<Int, TestFailure>.from([1, 2]).concatMap { _ in
      Signal<Int, TestFailure>.from(0...).concatMap { .just($0) }
    }
    .take(5).recorded()
    #expect(seen.values == [0, 1, 2, 3, 4])
    #expect(seen.isCompleted)
  }

  @Test func disposalEndsAllLevelsAndFreesWaitingValues() {
    let lives = LifeCount()
    let ended = Counter()
    let seen = outer.signal.concatMap { [inner] _ in
      let token = lives.token()
      return inner.signal.doDisposed { ended.add() }.concatMap { [token] _ in
        token.touch()
        return Signal<Int, TestFailure>.never().doDisposed { ended.add() }
      }
    }
    .recorded()
    for number in 1...3 { outer.send(number) }
    for number in 1...3 { inner.send(number) }
    #expect(lives.count == 3)
    seen.dispose()
    #expect(ended.value == 2)
    #expect(lives.count == 0)
  }

  @Test func aLevelStartsDuringTheDeliveryOfItsValue() {
    let result = Subject<Int, Never>()
    // The inner signals cannot fail, but the outer one can.
    let seen = outer.signal.concatMap { number in
      result.signal.map { $0 + number }.flatMapLatest { Signal<Int, Never>.from([$0, $0 + 1]) }
    }
    .recorded()
    outer.send(100)
    result.send(1)
    #expect(seen.values == [101, 102])
  }
}
