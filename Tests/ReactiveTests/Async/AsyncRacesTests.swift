import Foundation
import Reactive
import ReactiveTesting
import Testing

/// A waiting task is resumed exactly once, even if several causes end its wait at the same time.
@Suite(.tags(.stress), .timeLimit(.minutes(30))) struct AsyncRacesTests {
  /// Runs `attack` on eight threads while `wait` waits in a task, and returns the result of `wait`.
  private static func race<Result: Sendable>(
    _ subject: Subject<Int, TestFailure>,
    _ wait: @escaping @Sendable (Signal<Int, TestFailure>) async -> Result,
    _ attack: @escaping @Sendable (Int, Task<Result, Never>) -> Void
  ) async -> Result {
    let task = Task { await wait(subject.signal) }
    await withCheckedContinuation { done in
      let left = Counter()
      ImmediateThreads.run(8) { index in
        attack(index, task)
        if left.add() == 8 { done.resume() }
      }
    }
    return await task.value
  }

  private static func perform(
    _ index: Int,
    _ subject: Subject<Int, TestFailure>,
    _ cancel: () -> Void
  ) {
    switch index {
    case 0: cancel()
    case 1: subject.complete()
    case 2: subject.fail(TestFailure(code: 9))
    default: for value in 0..<5 { subject.send(value) }
    }
  }

  @Test func aWaitForTheFirstValueEndsOnceWhateverEndsIt() async {
    for _ in 0..<scaledCount(500) {
      let subject = Subject<Int, TestFailure>()
      let result = await Self.race(subject) { signal in
        do throws(TestFailure) { return try await signal.first() } catch { return error.code }
      } _: { index, task in
        Self.perform(index, subject) { task.cancel() }
      }
      #expect(result == nil || result == 9 || result.map { 0..<5 ~= $0 } == true)
    }
  }

  @Test func aWaitForTheLastValueEndsOnceWhateverEndsIt() async {
    for _ in 0..<scaledCount(500) {
      let subject = Subject<Int, TestFailure>()
      let result = await Self.race(subject) { signal in
        do throws(TestFailure) { return try await signal.last() } catch { return error.code }
      } _: { index, task in
        Self.perform(index, subject) { task.cancel() }
      }
      #expect(result == nil || result == 9 || result.map { 0..<5 ~= $0 } == true)
    }
  }

  @Test func aLoopEndsOnceWhateverEndsTheWait() async {
    for round in 0..<scaledCount(500) {
      let subject = Subject<Int, TestFailure>()
      let buffering: [ValuesBuffering] = [.unbounded, .newest(1), .oldest(1)]
      let count = await Self.race(subject) { signal in
        var count = 0
        do throws(TestFailure) {
          let values = signal.values(buffering: buffering[round % 3])
          let iterator = values.makeAsyncIterator()
          while try await iterator.next(isolation: nil) != nil { count += 1 }
        } catch {
          #expect(error.code == 9)
        }
        return count
      } _: { index, task in
        Self.perform(index, subject) { task.cancel() }
      }
      #expect(count <= 25)
    }
  }

  @Test func releasingTheSourceDuringTheWaitIsSafe() async {
    for round in 0..<scaledCount(500) {
      let box = Box<Subject<Int, TestFailure>>(Subject())
      guard let signal = box.value?.signal else { return }
      let task = Task { () -> Int? in
        round % 2 == 0 ? try? await signal.first() : try? await signal.values.collect().first
      }
      await withCheckedContinuation { done in
        let left = Counter()
        ImmediateThreads.run(8) { index in
          switch index {
          case 0: box.value = nil
          case 1: task.cancel()
          default: box.value?.send(index)
          }
          if left.add() == 8 { done.resume() }
        }
      }
      let value = await task.value
      #expect(value == nil || value.map { 2..<8 ~= $0 } == true)
    }
  }

  @Test func disposingOfATaskWhileItEndsIsSafe() async {
    let lives = LifeCount()
    for _ in 0..<scaledCount(500) {
      let seen = Counter()
      let signal = Signal<LifeCount.Token, Never>.task {
        await Task.yield()
        return lives.token()
      }
      let subscription = signal.subscribe { _ in seen.add() }
      await withCheckedContinuation { done in
        let left = Counter()
        ImmediateThreads.run(8) { _ in
          subscription.dispose()
          if left.add() == 8 { done.resume() }
        }
      }
      #expect(seen.value <= 1)
    }
    // A cancelled task may end after `dispose()` has returned.
    while lives.count > 0 { await Task.yield() }
  }

  @Test func noContinuationIsLeakedOrResumedTwice() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let races = AsyncRacesTests()
      await races.aWaitForTheFirstValueEndsOnceWhateverEndsIt()
      await races.aWaitForTheLastValueEndsOnceWhateverEndsIt()
      await races.aLoopEndsOnceWhateverEndsTheWait()
      await races.releasingTheSourceDuringTheWaitIsSafe()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!text.contains("CONTINUATION MISUSE"), "\(text)")
  }
}

/// Starts detached threads that run `body`, and does not wait for them, because a task must not
/// block.
private enum ImmediateThreads {
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    for index in 0..<count { Thread.detachNewThread { body(index) } }
  }
}
