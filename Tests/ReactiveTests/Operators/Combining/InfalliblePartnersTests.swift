import Reactive
import ReactiveTesting
import Testing

/// Tests combinations of signals that cannot fail with signals that can.
@Suite struct InfalliblePartnersTests {
  private let failing = Signal<Int, TestFailure>.from([1, 2])
  private let sure = Signal<Int, Never>.from([3, 4])
  private let failed = Signal<Int, TestFailure>.failed(TestFailure())

  private func expectValues(_ signal: Signal<Int, TestFailure>, _ values: [Int]) {
    #expect(signal.recorded().events == values.map { .next($0) } + [.completed])
  }

  @Test func mergeAcceptsSignalsThatCannotFail() {
    expectValues(failing.merge(with: sure, sure), [1, 2, 3, 4, 3, 4])
    expectValues(sure.merge(with: failing, failing), [3, 4, 1, 2, 1, 2])
    expectValues(merge(failing, sure, sure), [1, 2, 3, 4, 3, 4])
    expectValues(merge(sure, failing), [3, 4, 1, 2])
    #expect(failed.merge(with: sure).recorded().events == [.failed(TestFailure())])
    #expect(merge(sure, failed).recorded().failure == TestFailure())
  }

  @Test func concatAppendAndPrependAcceptSignalsThatCannotFail() {
    expectValues(failing.concat(sure), [1, 2, 3, 4])
    expectValues(sure.concat(failing), [3, 4, 1, 2])
    expectValues(failing.append(sure), [1, 2, 3, 4])
    expectValues(sure.append(failing), [3, 4, 1, 2])
    expectValues(failing.prepend(sure), [3, 4, 1, 2])
    expectValues(sure.prepend(failing), [1, 2, 3, 4])
    #expect(failed.concat(sure).recorded().events == [.failed(TestFailure())])
    #expect(sure.concat(failed).recorded().events.last == .failed(TestFailure()))
  }

  @Test func zipAndCombineLatestAcceptSignalsThatCannotFail() {
    expectValues(zip(failing, sure).map { $0 * 10 + $1 }, [13, 24])
    expectValues(zip(sure, failing) { $0 * 10 + $1 }, [31, 42])
    expectValues(failing.zip(with: sure).map { $0 + $1 }, [4, 6])
    expectValues(sure.zip(with: failing).map { $0 - $1 }, [2, 2])
    expectValues(combineLatest(failing, sure).map { $0 * 10 + $1 }, [23, 24])
    expectValues(combineLatest(sure, failing) { $0 * 10 + $1 }, [41, 42])
    expectValues(failing.combineLatest(with: sure).map { $0 + $1 }, [5, 6])
    expectValues(sure.combineLatest(with: failing).map { $0 - $1 }, [3, 2])
    #expect(zip(sure, failed).recorded().failure == TestFailure())
    #expect(combineLatest(failed, sure) { $0 + $1 }.recorded().failure == TestFailure())
  }

  @Test func aLongTailOfSignalsThatCannotFailDoesNotGrowTheStack() {
    let long = (1...20_000).reduce(failing) { chain, number in
      Signal<Int, Never>.just(number).concat(chain)
    }
    #expect(long.count().recorded().values == [20_002])
  }

  @Test func implicitMembersHaveTheFailureTypeOfTheReceiver() {
    expectValues(failing.flatMap { .just($0 * 2) }, [2, 4])
    expectValues(failing.delay(until: { _ in .just(1) }), [1, 2])
    expectValues(failing.merge(with: .just(9)), [1, 2, 9])
    expectValues(failing.concat(.just(9)), [1, 2, 9])
    expectValues(failing.sample(on: .just(1)), [])  // The source ends before it is sampled.
    #expect(failed.catch { _ in .just(0) }.recorded().events == [.next(0), .completed])
  }

  @Test func anySequenceOfSignalsIsAccepted() {
    let all: Set = [1]
    let signals = all.map { Signal<Int, TestFailure>.just($0) }
    expectValues(combineLatest(signals.reversed()).map { $0.reduce(0, +) }, [1])
    expectValues(zip(signals.prefix(1)).map { $0.count }, [1])
    expectValues(merge(signals.lazy.map { $0.map { $0 + 1 } }), [2])
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("merge") { $0.merge(with: Signal<Int, Never>.empty()) }
    checkOperatorContract("concat") { $0.concat(Signal<Int, Never>.empty()) }
    checkOperatorContract("append") { $0.append(Signal<Int, Never>.empty()) }
    checkOperatorContract("prepend") { $0.prepend(Signal<Int, Never>.empty()) }
    checkOperatorContract("zip") {
      zip($0, Signal<Int, Never>.from(1...100)) { value, _ in value }
    }
    checkOperatorContract("combineLatest") {
      combineLatest(Signal<Int, Never>.just(1), $0) { _, value in value }
    }
  }
}
