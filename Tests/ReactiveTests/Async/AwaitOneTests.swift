import Reactive
import ReactiveTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct AwaitOneTests {
  private typealias Numbers = Signal<Int, TestFailure>

  @Test func firstReturnsTheFirstValueAndEndsTheSubscription() async {
    let disposed = Counter()
    let signal = endless().doDisposed { disposed.add() }
    #expect(await signal.first() == 0)
    #expect(disposed.value == 1)
  }

  @Test func lastReturnsTheLastValueOnCompletion() async throws {
    #expect(await Signal<Int, Never>.from(1...3).last() == 3)
    #expect(try await Numbers.empty().last() == nil)
  }

  @Test func collectReturnsAllValuesOnCompletion() async throws {
    #expect(await Signal<Int, Never>.from(1...3).values.collect() == [1, 2, 3])
    #expect(try await Numbers.empty().values.collect() == [])
  }

  @Test func withoutAValueFirstReturnsNil() async throws {
    #expect(try await Numbers.empty().first() == nil)
    let nothing = Signal<Int?, Never>.just(nil)
    #expect(await nothing.first() == .some(nil))
  }

  @Test func failuresAreThrownWithTheirType() async {
    let failing = Numbers.from([1]).concat(.failed(TestFailure(code: 3)))
    do throws(TestFailure) { _ = try await failing.last() } catch { #expect(error.code == 3) }
    do throws(TestFailure) {
      _ = try await failing.values.collect()
      Issue.record("no failure")
    } catch {
      #expect(error.code == 3)
    }
    await #expect(throws: TestFailure(code: 4)) {
      try await Numbers.failed(TestFailure(code: 4)).first()
    }
    await #expect(throws: Never.self) { try await failing.first() }
  }

  @Test func laterValuesAreAwaited() async throws {
    let subject = ReplaySubject<Int, TestFailure>()
    let signal = subject.signal
    let tasks = (
      Task { try await signal.first() }, Task { try await signal.last() },
      Task { try await signal.values.collect() }
    )
    subject.send(1)
    await Task.yield()
    subject.send(2)
    subject.complete()
    #expect(try await tasks.0.value == 1)
    #expect(try await tasks.1.value == 2)
    #expect(try await tasks.2.value == [1, 2])
  }

  @Test func cancellationReturnsTheValuesSoFar() async {
    func cancelled<Result: Sendable>(
      _ wait: @escaping @Sendable (Signal<Int, Never>) async -> Result
    ) async -> Result {
      let disposed = Counter()
      let (started, start) = AsyncStream<Void>.makeStream()
      // The second part starts once both values have been delivered.
      let signal = Signal<Int, Never>.from(1...2).concat(.never().doStarted { start.yield() })
        .doDisposed { disposed.add() }
      let task = Task { await wait(signal) }
      for await _ in started { break }
      task.cancel()
      let result = await task.value
      #expect(disposed.value == 1)
      return result
    }
    #expect(await cancelled { await $0.skip(5).first() } == nil)
    #expect(await cancelled { await $0.last() } == 2)
    #expect(await cancelled { await $0.values.collect() }.allSatisfy { $0 < 3 })
  }

  @Test func anAlreadyCancelledTaskDoesNotSubscribe() async {
    let subscribed = Counter()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let signal = endless().doStarted { subscribed.add() }
      return (await signal.first(), await signal.last())
    }
    let (first, last) = await task.value
    #expect(first == nil && last == nil)
    #expect(subscribed.value == 0)
  }

  @Test func theWaitEndsWhenNothingCanSendAnyMore() async {
    let box = Box<Subject<Int, Never>>(Subject())
    let (started, start) = AsyncStream<Void>.makeStream()
    let signal = box.value?.signal.startWith(1).doNext { _ in start.yield() }
    let task = Task { await signal?.last() }
    for await _ in started { break }
    box.value = nil
    #expect(await task.value == 1)
    let lost = Signal<Int, Never>.create { _ in }
    #expect(await lost.first() == nil)
    #expect(await lost.values.collect() == [])
  }

  @Test func aValueWhoseReleaseEndsTheWaitDoesNotBlockTheThread() async {
    let held = Box<Observer<DeinitAction, Never>>()
    let task = Task { await Signal<DeinitAction, Never>.create { held.value = $0 }.last() != nil }
    while held.value == nil { await Task.yield() }
    held.value?.send(DeinitAction { task.cancel() })
    held.value?.send(DeinitAction {})
    #expect(await task.value)
  }

  @Test func theWaitEndsWhenTheSchedulerDropsItsWork() async {
    let clock = Box(ManualClock())
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      guard let signal = clock.value.map({ Signal<Int, Never>.from([1], on: $0) }) else { return 7 }
      let waiting = signal.doStarted { start.yield() }
      return await waiting.first() ?? 0
    }
    for await _ in started { break }
    clock.value = nil
    task.cancel()
    #expect(await task.value == 0)
  }

  // MARK: wait

  @Test func waitReturnsWhenTheSignalHasCompleted() async throws {
    let subject = ReplaySubject<Int, TestFailure>()
    let signal = subject.signal
    let task = Task { try await signal.wait() }
    subject.send(1)
    await Task.yield()
    subject.complete()
    #expect(try await task.value)
    #expect(try await Numbers.empty().wait())
  }

  @Test func waitThrowsTheFailureWithItsType() async {
    do throws(TestFailure) {
      try await Numbers.just(1).concat(.failed(TestFailure(code: 3))).wait()
      Issue.record("no failure")
    } catch {
      #expect(error.code == 3)
    }
  }

  @Test func waitReportsThatTheSignalDidNotComplete() async throws {
    let gone = Subject<Int, TestFailure>().signal
    #expect(try await !gone.wait())
    let disposed = Counter()
    let started = Latch()
    let task = Task {
      await Signal<Int, Never>.never().doStarted { started.signal() }.doDisposed { disposed.add() }
        .wait()
    }
    while await !Task.detached(operation: { started.wait(milliseconds: 1) }).value {}
    task.cancel()
    #expect(await !task.value)
    #expect(disposed.value == 1)
  }
}
