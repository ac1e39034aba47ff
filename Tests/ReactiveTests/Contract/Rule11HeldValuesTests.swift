import Reactive
import ReactiveTesting
import Testing

/// Contract rule 11: when the source of an operator is released before it has ended, values that
/// only wait to be forwarded still arrive, but results that a completion would cause are not sent.
@Suite struct Rule11HeldValuesTests {
  private typealias Numbers = Signal<Int, TestFailure>

  /// The events of an operator whose source sends 1 and 2 and is released; `other` then sends 0.
  private static func events<Value: Equatable & Sendable>(
    _ apply: (Signal<Int, TestFailure>, TestScheduler, Signal<Int, TestFailure>) -> Signal<
      Value, TestFailure
    >
  ) -> (recorder: Recorder<Value, TestFailure>, other: Subject<Int, TestFailure>) {
    let time = TestScheduler()
    let other = Subject<Int, TestFailure>()
    let seen = Recorder<Value, TestFailure>()
    do {
      let source = Subject<Int, TestFailure>()
      seen.record(apply(source.signal, time, other.signal))
      source.send(1)
      source.send(2)
    }
    time.advance(by: .seconds(10))
    other.send(0)
    time.advance(by: .seconds(10))
    return (seen, other)
  }

  // MARK: Values that wait to be forwarded

  private static let onTheirWay: [(String, expected: [Int])] = [
    ("delay", [1, 2]), ("debounce", [2]), ("throttle", [1, 2]), ("audit", [2]),
    ("deliver", [1, 2]), ("buffer", [1, 2]), ("delay until", [1, 2]), ("concatMap", [0]),
    ("flatMapLatest", [0]), ("gate", [1, 2]),
  ]

  @Test(arguments: onTheirWay)
  func heldValuesArriveAfterTheSourceIsGone(_ name: String, _ expected: [Int]) {
    let (seen, _) = Self.events { source, time, other -> Numbers in
      switch name {
      case "delay": source.delay(.seconds(1), on: time)
      case "debounce": source.debounce(.seconds(1), on: time)
      case "throttle": source.throttle(.seconds(1), on: time)
      case "audit": source.audit(.seconds(1), on: time)
      case "deliver": source.deliver(on: time)
      case "buffer": source.buffer(4, whenFull: .dropNewest, on: time)
      case "delay until": source.delay { _ in other }
      // The first inner signal waits for `other`, and the second waits for the first to end.
      case "concatMap": source.concatMap { _ in other.take(1) }.take(1)
      case "flatMapLatest": source.flatMapLatest { _ in other.take(1) }
      default: source.merge(with: .never()).take(2)
      }
    }
    #expect(seen.values == expected)
    #expect(seen.isDisposed)
  }

  @Test(arguments: ["collect", "boundary", "openings"])
  func aListThatATimerOrAnotherSignalWouldHaveSentArrives(_ name: String) {
    let (seen, other) = Self.events { source, time, other -> Signal<[Int], TestFailure> in
      switch name {
      case "collect": source.collect(every: .seconds(1), on: time)
      case "boundary": source.buffer(boundary: other)
      default: source.buffer(openings: Numbers.just(0).concat(.never())) { _ in other }
      }
    }
    #expect(seen.events == [.next([1, 2])])
    #expect(seen.isDisposed)
    withExtendedLifetime(other) {}
  }

  @Test func signalsThatWaitBehindAnInnerSignalFollowIt() {
    let first = Box<Subject<Int, TestFailure>>(Subject())
    let seen = Recorder<Int, TestFailure>()
    do {
      let source = Subject<Int, TestFailure>()
      let inner = first.value?.signal ?? .never()
      seen.record(source.signal.concatMap { $0 == 1 ? inner : Numbers.just($0) })
      source.send(1)
      source.send(2)
    }
    first.value?.send(10)
    #expect(seen.values == [10])
    // This releases the source of the inner signal too.
    first.value = nil
    #expect(seen.values == [10, 2])
    #expect(seen.isDisposed)
    #expect(!seen.hasEnded)
  }

  // MARK: Results that are sent at completion

  private static let madeOfACompletion = [
    "take(last:)", "reduce", "count", "max", "last(where:)", "forkJoin", "then", "append",
    "endWith",
    "concat", "defaultIfEmpty", "allSatisfy", "isEmpty", "repeat", "ifEmpty",
  ]

  @Test(arguments: madeOfACompletion)
  func resultsSentAtCompletionAreNotSent(_ name: String) {
    let (seen, _) = Self.events { source, _, _ -> Numbers in
      switch name {
      case "take(last:)": source.take(last: 1)
      case "reduce": source.reduce(0) { $0 + $1 }
      case "count": source.count()
      case "max": source.max()
      case "last(where:)": source.last { $0 > 0 }
      case "forkJoin": forkJoin(source, Numbers.just(5)).map { $0.0 }
      case "then": source.then(Numbers.just(5))
      case "append": source.filter { _ in false }.append(.just(5))
      case "endWith": source.filter { _ in false }.endWith(5)
      case "concat": Numbers.concat([source.filter { _ in false }, .just(5)])
      case "defaultIfEmpty": source.filter { _ in false }.defaultIfEmpty(5)
      case "allSatisfy": source.allSatisfy { $0 > 0 }.map { $0 ? 1 : 0 }
      case "isEmpty": source.filter { _ in false }.isEmpty().map { $0 ? 1 : 0 }
      case "repeat": source.filter { _ in false }.repeat(3)
      default: source.filter { _ in false }.ifEmpty(switchTo: .just(5))
      }
    }
    #expect(seen.events.isEmpty)
    #expect(seen.isDisposed)
  }

  @Test(arguments: ["collect", "collect(count:)", "buffer(count:)", "collect(while:)"])
  func anUnfinishedListIsNotSent(_ name: String) {
    let (seen, _) = Self.events { source, _, _ -> Signal<[Int], TestFailure> in
      switch name {
      case "collect": source.collect()
      case "collect(count:)": source.collect(count: 3)
      case "buffer(count:)": source.buffer(count: 3)
      default: source.collect { _, _ in true }
      }
    }
    #expect(seen.events.isEmpty)
    #expect(seen.isDisposed)
  }

  // MARK: Operators that a timer or a trigger ends

  @Test(arguments: ["take(until:)", "take(for:)", "timeout(after:)", "timeout(each:)", "switching"])
  func operatorsEndedByATimerOrTriggerWaitForIt(_ name: String) {
    let timedOut = TestFailure(code: 9)
    let (seen, _) = Self.events { source, time, other -> Numbers in
      switch name {
      case "take(until:)": source.take(until: other)
      case "take(for:)": source.take(for: .seconds(5), on: time)
      case "timeout(after:)": source.timeout(after: .seconds(5), on: time, failingWith: timedOut)
      case "timeout(each:)": source.timeout(each: .seconds(5), on: time, failingWith: timedOut)
      default: source.timeout(after: .seconds(5), on: time, switchingTo: .just(3))
      }
    }
    let end: [Event<Int, TestFailure>] =
      switch name {
      case "timeout(after:)", "timeout(each:)": [.failed(timedOut)]
      case "switching": [.next(3), .completed]
      default: [.completed]
      }
    #expect(seen.events == [.next(1), .next(2)] + end)
  }

  @Test func takeDuringEndsWithItsObject() {
    let seen = Recorder<Int, Never>()
    do {
      let token = Lifetime.Token()
      do {
        let source = Subject<Int, Never>()
        seen.record(source.signal.take(during: token.lifetime))
        source.send(1)
      }
      #expect(!seen.isDisposed)
      withExtendedLifetime(token) {}
    }
    #expect(seen.events == [.next(1), .completed])
  }

  @Test(arguments: [true, false])
  func takeUntilEndsWithoutAnEventWhenBothAreGone(sourceFirst: Bool) {
    let seen = Recorder<Int, Never>()
    let lives = LifeCount()
    let source = Box<Subject<Int, Never>>(Subject())
    let trigger = Box<Subject<Int, Never>>(Subject())
    if let values = source.value?.signal, let end = trigger.value?.signal {
      seen.record(values.take(until: end).doNext { [token = lives.token()] _ in token.touch() })
    }
    (sourceFirst ? source : trigger).value = nil
    #expect(!seen.isDisposed)
    #expect(lives.count == 1)
    (sourceFirst ? trigger : source).value = nil
    #expect(seen.isDisposed)
    #expect(seen.events.isEmpty)
    #expect(lives.count == 0)
  }
}
