import Reactive
import ReactiveTesting
import Testing

/// Tests `tryMap`, `tryFilter`, `tryCompactMap`, `tryScan`, `attempt` and `attemptMap`.
@Suite struct TryTests {
  @Test(arguments: ["-1-2-3-|", "-1-#", "|", "---"] as [Marbles])
  func withoutAnErrorTheyEndWithTheirSource(source: Marbles) {
    expectMarbles(source, source) { $0.tryMap { $0 } }
    expectMarbles(source, source) { $0.tryMap({ $0 }, orFail: { _ in MarbleFailure() }) }
    expectMarbles(source, source) { $0.tryFilter { _ in true } }
    expectMarbles(source, source) { $0.tryCompactMap { $0 } }
    expectMarbles(source, source) { $0.tryScan("") { $1 } }
    expectMarbles(source, source) { $0.attempt { _ in .success(()) } }
    expectMarbles(source, source) { $0.attemptMap { .success($0) } }
  }

  @Test func anErrorIsTheFailureOfTheSignal() {
    expectMarbles("-1-2-x-4-|", "-1-2-#") { $0.tryMap(Self.parse) }
    expectMarbles("-1-2-x-4-|", "-1-2-#") {
      $0.tryMap({ try Self.parseUntyped($0) }, orFail: { _ in MarbleFailure() })
    }
    expectMarbles("-1-2-x-4-|", "---2-#") {
      $0.tryFilter { text throws(MarbleFailure) in try Self.parse(text) > 1 }
    }
    expectMarbles("-1-2-x-4-|", "---2-#") {
      $0.tryCompactMap { text throws(MarbleFailure) in
        let number = try Self.parse(text)
        return number > 1 ? number : nil
      }
    }
    expectMarbles("-1-2-x-4-|", "-1-3-#") {
      $0.tryScan(0) { sum, text throws(MarbleFailure) in sum + (try Self.parse(text)) }
    }
    expectMarbles("-1-2-x-4-|", "-1-2-#") { $0.attempt { Self.parsed($0).map { _ in } } }
    expectMarbles("-1-2-x-4-|", "-1-2-#") { $0.attemptMap { Self.parsed($0) } }
  }

  @Test func anErrorEndsTheSource() {
    let time = TestScheduler()
    let source = MarbleSource(cold: "-1-x-3-4-|", on: time)
    let seen = source.signal.tryMap(Self.parse).recorded()
    time.run()
    #expect(source.subscriptions.map(\.ended) == [.frames(3)])
    #expect(seen.events == [.next(1), .failed(MarbleFailure())])
  }

  @Test func anErrorEndsAnEndlessSource() {
    let seen = endless()
      .tryMap { number throws(TestFailure) in
        if number == 3 { throw TestFailure(code: 3) }
        return number
      }
      .recorded()
    #expect(seen.events == [.next(0), .next(1), .next(2), .failed(TestFailure(code: 3))])
  }

  @Test func nothingRunsAfterAnError() {
    let calls = Counter()
    let subject = Subject<Int, TestFailure>()
    let seen = Recorder<Int, TestFailure>()
    subject.signal
      .attemptMap { value in
        calls.add()
        // This value waits until the current one is handled, which fails the signal.
        subject.send(value + 1)
        return .failure(TestFailure())
      }
      .subscribe(next: { seen.next($0) }, failed: { seen.fail($0) })
    subject.send(1)
    #expect(calls.value == 1)
    #expect(seen.events == [.failed(TestFailure())])
  }

  @Test func aSignalThatCannotFailGetsTheFailureTypeOfTheFunction() {
    let source = Signal<Int, Never>.from([1, 2])
    let thrown: @Sendable (Int) throws(TestFailure) -> Int = { value throws(TestFailure) in
      if value == 2 { throw TestFailure() }
      return value
    }
    let failed: [Event<Int, TestFailure>] = [.next(1), .failed(TestFailure())]
    #expect(source.tryMap(thrown).recorded().events == failed)
    #expect(
      source.tryFilter { value throws(TestFailure) in try thrown(value) == 1 }.recorded().events
        == failed
    )
    #expect(
      source.tryCompactMap { value throws(TestFailure) in try thrown(value) }.recorded().events
        == failed
    )
    #expect(
      source.tryScan(0) { sum, value throws(TestFailure) in try thrown(sum + value) }.recorded()
        .values == [1, 3]
    )
    #expect(
      source.tryMap({ try thrown($0) }, orFail: { _ in TestFailure() }).recorded().events == failed
    )
    let result: @Sendable (Int) -> Result<Int, TestFailure> = { value in
      value == 2 ? .failure(TestFailure()) : .success(value)
    }
    #expect(source.attempt { result($0).map { _ in } }.recorded().events == failed)
    #expect(source.attemptMap(result).recorded().events == failed)
  }

  @Test func aClosureThatCannotThrowLeavesASignalUnableToFail() {
    let mapped: Signal<String, Never> = Signal<Int, Never>.from([1]).tryMap { "\($0)" }
    #expect(mapped.recorded().events == [.next("1"), .completed])
  }

  @Test func aSignalThatCannotFailIsFilteredToo() {
    let seen = Signal<Int, Never>.from(1...4)
      .tryFilter { value throws(TestFailure) in
        if value == 4 { throw TestFailure() }
        return value != 2
      }
      .recorded()
    #expect(seen.events == [.next(1), .next(3), .failed(TestFailure())])
  }

  @Test func nilIsAValueThatPasses() {
    let source = Signal<Int?, TestFailure>.from([nil, 1])
    #expect(source.tryFilter { _ in true }.recorded().values == [nil, 1])
    #expect(source.tryMap { $0 }.recorded().values == [nil, 1])
    #expect(source.attempt { _ in .success(()) }.recorded().values == [nil, 1])
  }

  @Test func aFunctionMayThrowAnythingWhereTheFailureIsAnyError() {
    let source = Signal<String, any Error>.from(["1", "x"])
    let seen = source.tryMap { try Self.parseUntyped($0) }.recorded()
    #expect(seen.values == [1])
    #expect(seen.failure is TestFailure)
  }

  @Test func theSumOfAFailedScanIsFreed() {
    let lives = LifeCount()
    let subject = Subject<Int, TestFailure>()
    subject.signal
      .tryScan([lives.token()]) { list, value throws(TestFailure) in
        if value == 2 { throw TestFailure() }
        return list + [lives.token()]
      }
      .subscribe(failed: { _ in })
    subject.send(1)
    #expect(lives.count == 2)
    subject.send(2)
    #expect(lives.count == 0)
  }

  @Test func obeysTheOperatorContract() {
    checkOperatorContract("tryMap") { $0.tryMap { $0 + 1 } }
    checkOperatorContract("tryMap", [.handlesFailure, .endsEarly]) { source in
      source.catch { _ in Signal<Int, Never>.empty() }
        .tryMap { value throws(TestFailure) in
          if value == 9 { throw TestFailure() }
          return value
        }
    }
    checkOperatorContract("tryMap(orFail:)") { source in
      source.tryMap({ $0 + 1 }, orFail: { _ in ContractFailure() })
    }
    checkOperatorContract("tryFilter") { $0.tryFilter { $0 > 1 } }
    checkOperatorContract("tryCompactMap") { $0.tryCompactMap { $0 > 1 ? $0 : nil } }
    checkOperatorContract("tryScan") { $0.tryScan(0) { $0 + $1 } }
    checkOperatorContract("attempt") { $0.attempt { _ in .success(()) } }
    checkOperatorContract("attemptMap") { $0.attemptMap { .success($0) } }
  }

  private static func parse(_ text: String) throws(MarbleFailure) -> Int {
    guard let number = Int(text) else { throw MarbleFailure() }
    return number
  }

  private static func parseUntyped(_ text: String) throws -> Int {
    guard let number = Int(text) else { throw TestFailure() }
    return number
  }

  private static func parsed(_ text: String) -> Result<Int, MarbleFailure> {
    Int(text).map { .success($0) } ?? .failure(MarbleFailure())
  }
}
