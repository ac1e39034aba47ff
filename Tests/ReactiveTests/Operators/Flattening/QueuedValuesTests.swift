import Reactive
import ReactiveTesting
import Testing

/// A value that waits in a gate when its source completes is delivered (contract rule 3).
///
/// `Rule03OrderTests` tests the same rule for other operators with several inputs.
@Suite struct QueuedValuesTests {
  @Test(arguments: ["limit", "earliest", "latest"])
  func aQueuedValueOfAnInnerSignalIsDelivered(_ name: String) {
    let inner = (0..<2).map { _ in Subject<Int, Never>() }
    let outer = Signal<Signal<Int, Never>, Never>.from(inner.map(\.signal))
    let flattened: Signal<Int, Never> =
      switch name {
      case "limit": outer.flatMap(limit: 2) { $0 }
      case "earliest": outer.flatten(limit: 2, policy: .disposeEarliest)
      default: outer.flatten(limit: 2, policy: .disposeLatest)
      }
    let seen = Recorder<Int, Never>()
    flattened.subscribe(
      next: { value in
        if value == 1 {
          inner[1].send(2)
          inner[1].complete()
          inner[0].complete()
        }
        seen.next(value)
      },
      completed: { seen.complete() }
    )
    inner[0].send(1)
    #expect(seen.events == [.next(1), .next(2), .completed])
  }

  @Test func aQueuedValueOfAnInputOfCombineLatestIsCombined() {
    let inputs = (0..<2).map { _ in Subject<Int, Never>() }
    let seen = Recorder<[Int], Never>()
    combineLatest(inputs.map(\.signal)).subscribe(
      next: { values in
        if values == [1, 1] {
          inputs[0].send(2)
          inputs[0].complete()
          inputs[1].complete()
        }
        seen.next(values)
      },
      completed: { seen.complete() }
    )
    inputs[0].send(1)
    inputs[1].send(1)
    #expect(seen.events == [.next([1, 1]), .next([2, 1]), .completed])
  }

  @Test func aQueuedValueOfAnInputOfForkJoinIsUsed() {
    let inputs = (0..<2).map { _ in Subject<Int, Never>() }
    let side = Subject<[Int], Never>()
    let seen = Recorder<[Int], Never>()
    forkJoin(inputs.map(\.signal)).merge(with: side.signal).subscribe { values in
      if values.isEmpty {
        for input in inputs {
          input.send(3)
          input.complete()
        }
      }
      seen.next(values)
    }
    side.send([])
    #expect(seen.values == [[], [3, 3]])
  }

  @Test func aQueuedValueOfAnInputOfZipIsPaired() {
    let inputs = (0..<2).map { _ in Subject<Int, Never>() }
    let seen = Recorder<[Int], Never>()
    zip(inputs.map(\.signal)).subscribe(
      next: { values in
        if values == [1, 1] {
          inputs[0].send(2)
          inputs[0].complete()
        }
        seen.next(values)
      },
      completed: { seen.complete() }
    )
    inputs[0].send(1)
    inputs[1].send(1)
    inputs[1].send(2)
    #expect(seen.events == [.next([1, 1]), .next([2, 2]), .completed])
  }

  @Test func aQueuedValueOfTheOtherInputOfWithLatestIsUsed() {
    let source = Subject<Int, Never>()
    let other = Subject<Int, Never>()
    let seen = Recorder<[Int], Never>()
    source.signal.withLatest(from: other.signal).subscribe { value, latest in
      if value == 1 {
        other.send(20)
        other.complete()
      }
      seen.next([value, latest])
    }
    other.send(10)
    source.send(1)
    source.send(2)
    #expect(seen.values == [[1, 10], [2, 20]])
  }

  @Test(arguments: ["concat", "then", "catch", "resume", "retry", "repeat", "amb", "race", "if"])
  func aQueuedValueIsDeliveredBeforeTheFollowingSignal(_ name: String) {
    let first = Subject<Int, TestFailure>()
    let other = Subject<Int, TestFailure>()
    let end = Signal<Int, TestFailure>.just(9)
    let tries = Counter()
    let twice = Signal<Int, TestFailure>.deferred { [signal = first.signal] in
      tries.add() == 1 ? signal : end
    }
    let fails = ["catch", "resume", "retry"].contains(name)
    let late: Signal<Int, TestFailure> =
      switch name {
      case "concat": .concat([first.signal, end])
      case "then": first.signal.then(end)
      case "catch": first.signal.catch(to: end)
      case "resume":
        first.signal.onFailureResumeNext(with: end).promoteFailure(to: TestFailure.self)
      case "retry": twice.retry(when: { $0.promoteFailure(to: TestFailure.self) })
      case "repeat": twice.repeat(2)
      case "amb": first.signal.amb(with: .never()).endWith(9)
      case "race": Signal.from([first.signal]).flattenRace().endWith(9)
      default: Signal.if(.just(true), then: first.signal, else: end).append(end)
      }
    let seen = Recorder<Int, TestFailure>()
    Signal.merge([late, other.signal]).subscribe(
      next: { value in
        if value == 0 {
          first.send(1)
          if fails { first.fail(TestFailure()) } else { first.complete() }
        }
        seen.next(value)
      },
      failed: { seen.fail($0) }
    )
    other.send(0)
    #expect(seen.values == (name == "then" ? [0, 9] : [0, 1, 9]))
  }
}
