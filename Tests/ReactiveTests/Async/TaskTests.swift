import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

@Suite(.timeLimit(.minutes(30))) struct TaskTests {
  @TaskLocal static var local = 0

  @Test func sendsTheResultOfTheFunctionAndCompletes() async {
    let signal = Signal<Int, Never>.task { await Task { 7 }.value }
    #expect(await signal.values.collect() == [7])
  }

  @Test func failsWithTheErrorOfTheFunction() async {
    let signal = Signal<Int, TestFailure>.task { () async throws(TestFailure) -> Int in
      throw TestFailure(code: 3)
    }
    await #expect(throws: TestFailure(code: 3)) { try await signal.first() }
    let any = Signal<Int, any Error>.task { try await signal.first() ?? 0 }
    await #expect(throws: TestFailure(code: 3)) { try await any.first() }
  }

  @Test func eachSubscriptionRunsTheFunctionAnew() async {
    let runs = Counter()
    let signal = Signal<Int, Never>.task { runs.add() }
    #expect(runs.value == 0)
    #expect(await signal.first() == 1)
    #expect(await signal.first() == 2)
  }

  @Test func disposalCancelsTheTaskAndDropsItsResult() async {
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Bool>.makeStream()
    let seen = Recorder<Int, any Error>()
    let signal = Signal<Int, any Error>.task {
      begin.yield()
      // This stream sends nothing, so the loop ends only when the task is cancelled.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      end.yield(Task.isCancelled)
      return 1
    }
    let subscription = seen.record(signal)
    for await _ in begun { break }
    subscription.dispose()
    for await isCancelled in ended {
      #expect(isCancelled)
      break
    }
    #expect(seen.events.isEmpty)
  }

  @Test func aTaskDisposedOfImmediatelyDoesNotBegin() async {
    let runs = Counter()
    let signal = Signal<Int, Never>.task { runs.add() }
    for _ in 0..<100 { signal.take(until: Signal<Int, Never>.just(0)).subscribe() }
    #expect(await signal.first() == 1)
  }

  @Test func theTaskHasTheTaskLocalValuesOfTheSubscriber() async {
    let signal = Signal<Int, Never>.task { Self.local }
    let value = await Self.$local.withValue(5) { await signal.first() }
    #expect(value == 5)
  }

  // MARK: Sequences

  @Test func sendsTheElementsOfASequenceAndItsEnd() async {
    let stream = AsyncStream { continuation in
      for value in 1...3 { continuation.yield(value) }
      continuation.finish()
    }
    #expect(await Signal.from(async: stream).values.collect() == [1, 2, 3])
  }

  @Test func failsWithTheErrorOfTheSequence() async {
    let stream = AsyncThrowingStream<Int, any Error> { continuation in
      continuation.yield(1)
      continuation.finish(throwing: TestFailure(code: 3))
    }
    let signal = Signal.from(async: stream)
    let all = Recorder<Int, any Error>()
    await #expect(throws: TestFailure(code: 3)) {
      try await signal.doNext { all.next($0) }.last()
    }
    #expect(all.values == [1])
  }

  @Test func valuesOfASignalAreASequence() async throws {
    let signal = Signal<Int, TestFailure>.from(1...3)
    let again = Signal.from(async: signal.values)
    #expect(try await again.values.collect() == [1, 2, 3])
    let failing = Signal.from(async: Signal<Int, TestFailure>.failed(TestFailure(code: 2)).values)
    await #expect(throws: TestFailure(code: 2)) { try await failing.last() }
  }

  @Test func disposalCancelsTheSequence() async {
    let (cancelled, cancel) = AsyncStream<Void>.makeStream()
    let stream = AsyncStream<Int> { continuation in
      continuation.onTermination = { _ in cancel.yield() }
      continuation.yield(1)
    }
    #expect(await Signal.from(async: stream).first() == 1)
    for await _ in cancelled { break }
  }
}
