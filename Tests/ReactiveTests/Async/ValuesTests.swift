import Reactive
import ReactiveTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct ValuesTests {
  @Test func aLoopGetsTheValuesAndEndsWithCompletion() async {
    var seen: [Int] = []
    for await value in Signal<Int, Never>.from(1...3).values { seen.append(value) }
    #expect(seen == [1, 2, 3])
  }

  @Test func aFailureIsThrownWithItsTypeAfterTheValues() async {
    let signal = Signal<Int, TestFailure>.from([1, 2]).concat(.failed(TestFailure(code: 3)))
    var seen: [Int] = []
    do throws(TestFailure) {
      let iterator = signal.values.makeAsyncIterator()
      while let value = try await iterator.next(isolation: nil) { seen.append(value) }
      Issue.record("no failure")
    } catch {
      #expect(error.code == 3)
    }
    #expect(seen == [1, 2])
  }

  private func sum(_ signal: Signal<Int, TestFailure>) async throws(TestFailure) -> Int {
    var sum = 0
    for try await value in signal.values { sum += value }
    return sum
  }

  @Test func aLoopKeepsTheTypeOfTheFailure() async throws {
    #expect(try await sum(.from(1...3)) == 6)
    do throws(TestFailure) { _ = try await sum(.failed(TestFailure(code: 3))) } catch {
      #expect(error.code == 3)
    }
  }

  @Test func theIteratorReturnsNilAfterAFailure() async throws {
    let iterator = Signal<Int, TestFailure>.failed(TestFailure()).values.makeAsyncIterator()
    await #expect(throws: TestFailure.self) { try await iterator.next(isolation: nil) }
    #expect(try await iterator.next(isolation: nil) == nil)
  }

  @Test func eachLoopSubscribesSeparately() async {
    let subscribed = Counter()
    let values = Signal<Int, Never>.from([1]).doStarted { subscribed.add() }.values
    #expect(subscribed.value == 0)
    #expect(await values.collect() == [1])
    #expect(await values.collect() == [1])
    #expect(subscribed.value == 2)
  }

  @Test func theIteratorSubscribesWhenItIsCreatedSoThatNoValueIsMissed() async {
    let subject = Subject<Int, Never>()
    let iterator = subject.signal.values.makeAsyncIterator()
    subject.send(1)
    subject.send(2)
    subject.complete()
    var seen: [Int] = []
    while let value = await iterator.next(isolation: nil) { seen.append(value) }
    #expect(seen == [1, 2])
  }

  @Test func leavingTheLoopEndsTheSubscription() async {
    let ended = Counter()
    for await value in endless().take(100).doDisposed({ ended.add() }).concat(.never()).values
    where value == 3 {
      break
    }
    let subject = Subject<Int, Never>()
    let disposed = Counter()
    do {
      let iterator = subject.signal.doDisposed { disposed.add() }.values.makeAsyncIterator()
      subject.send(1)
      #expect(await iterator.next(isolation: nil) == 1)
      #expect(disposed.value == 0)
    }
    #expect(disposed.value == 1)
    #expect(ended.value == 1)
  }

  @Test func cancellingTheTaskEndsTheLoopAndTheSubscription() async {
    let subject = Subject<Int, Never>()
    let (waits, wait) = AsyncStream<Void>.makeStream()
    let disposed = Counter()
    let task = Task {
      let iterator = subject.signal.doDisposed { disposed.add() }.values.makeAsyncIterator()
      wait.yield()
      var count = 0
      while await iterator.next(isolation: nil) != nil { count += 1 }
      return (count, disposed.value)
    }
    for await _ in waits { break }
    subject.send(1)
    task.cancel()
    let (count, disposals) = await task.value
    #expect(count <= 1 && disposals == 1)
  }

  @Test func aTaskCancelledBeforeItBeginsGetsNoValue() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      // This signal sends without a pause and never ends.
      return await endless().values.collect()
    }
    #expect(await task.value == [])
  }

  @Test func valuesSentByACancelledTaskReachOthers() async {
    let subject = Subject<Int, Never>()
    let iterator = subject.signal.values.makeAsyncIterator()
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      subject.send(1)
    }.value
    #expect(await iterator.next(isolation: nil) == 1)
  }

  @Test func aLoopEndsWhenNothingCanSendAnyMore() async {
    let box = Box<Subject<Int, Never>>(Subject())
    let iterator = box.value?.signal.values.makeAsyncIterator()
    box.value?.send(1)
    box.value = nil
    #expect(await iterator?.next(isolation: nil) == 1)
    #expect(await iterator?.next(isolation: nil) == .some(nil))
  }

  @Test func theBufferKeepsTheNewestOrTheOldest() async {
    func kept(_ buffering: ValuesBuffering) async -> [Int] {
      await Signal<Int, Never>.from(1...5).values(buffering: buffering).collect()
    }
    #expect(await kept(.unbounded) == [1, 2, 3, 4, 5])
    #expect(await kept(.newest(2)) == [4, 5])
    #expect(await kept(.oldest(2)) == [1, 2])
    #expect(await kept(.newest(0)) == [])
    #expect(await kept(.oldest(0)) == [])
    #expect(await kept(.newest(9)) == [1, 2, 3, 4, 5])
  }

  @Test func aDroppedValueWhoseReleaseEndsTheLoopDoesNotBlockTheThread() {
    let subject = Subject<DeinitAction, Never>()
    let values = subject.signal.values(buffering: .newest(1))
    nonisolated(unsafe) var iterator = Optional(values.makeAsyncIterator())
    let released = Counter()
    subject.send(
      DeinitAction {
        iterator = nil
        released.add()
      }
    )
    subject.send(DeinitAction {})
    #expect(released.value == 1)
    #expect(iterator == nil)
  }

  @Test func cancellingTheTaskDropsBufferedValuesAndTheFailureAfterThem() async throws {
    let signal = Signal<Int, TestFailure>.from([1, 2]).concat(.failed(TestFailure()))
    let task = Task {
      let iterator = signal.values.makeAsyncIterator()
      let first = try await iterator.next(isolation: nil)
      withUnsafeCurrentTask { $0?.cancel() }
      return (first, try await iterator.next(isolation: nil))
    }
    let (first, second) = try await task.value
    #expect(first == 1)
    #expect(second == nil)
  }

  @Test(.enabled(if: _isDebugAssertConfiguration(), "an optimised build traps without a word"))
  func aNegativeBufferSizeTrapsWithTheRule() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Signal<Int, Never>.never().values(buffering: .newest(-1))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("the count must be ≥ 0"), "\(text)")
  }

  @Test func bufferedValuesAreFreedWithTheLoop() async {
    let lives = LifeCount()
    let subject = Subject<LifeCount.Token, Never>()
    do {
      let iterator = subject.signal.values.makeAsyncIterator()
      for _ in 0..<10 { subject.send(lives.token()) }
      #expect(await iterator.next(isolation: nil) != nil)
      #expect(lives.count == 9)
    }
    #expect(lives.count == 0)
  }

  @MainActor @Test func subscribesOnTheActorOfTheLoop() async {
    let isMain = Box<Bool>()
    let signal = Signal<Int, Never>.deferred {
      isMain.value = CurrentScheduler.scheduler === QueueScheduler.main
      return .just(1)
    }
    for await value in signal.values { #expect(value == 1) }
    #expect(isMain.value == true)
    isMain.value = nil
    #expect(await signal.first() == 1)
    #expect(isMain.value == true)
  }
}
