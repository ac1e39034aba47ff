import Dispatch
import Reactive
import ReactiveTesting
import Testing

extension MainQueueTests {
  @Suite struct UISchedulerTests {
    @Test @MainActor func onTheMainQueueWorkRunsAtOnce() {
      let order = Recorder<String, Never>()
      UIScheduler.shared.schedule { order.next("work") }
      order.next("after")
      #expect(order.values == ["work", "after"])
    }

    @Test @MainActor func workInsideWorkRunsAfterIt() async {
      let order = Recorder<String, Never>()
      // The scheduler runs waiting work for about a millisecond, and then queues the rest again. So
      // the inner work may run later than this block of the main queue.
      await withCheckedContinuation { continuation in
        UIScheduler.shared.schedule {
          UIScheduler.shared.schedule {
            order.next("inner")
            continuation.resume()
          }
          order.next("outer")
        }
      }
      #expect(order.values == ["outer", "inner"])
    }

    @Test @MainActor func workOnTheMainQueueDoesNotOvertakeWorkFromOtherThreads() async {
      let order = Recorder<String, Never>()
      onPlainThread { UIScheduler.shared.schedule { order.next("first") } }
      // This work must not overtake the pending work of the other thread.
      UIScheduler.shared.schedule { order.next("second") }
      #expect(order.values.isEmpty)
      await withCheckedContinuation { continuation in
        UIScheduler.shared.schedule { continuation.resume() }
      }
      #expect(order.values == ["first", "second"])
    }

    @Test func workFromOtherThreadsRunsOnTheMainActor() async {
      let mark = DispatchSpecificKey<Void>()
      DispatchQueue.main.setSpecific(key: mark, value: ())
      let (isOnMainQueue, isCurrent) = await withCheckedContinuation { continuation in
        onPlainThread {
          UIScheduler.shared.schedule {
            let isOnMainQueue = DispatchQueue.getSpecific(key: mark) != nil
            if isOnMainQueue { MainActor.preconditionIsolated() }
            let isCurrent = CurrentScheduler.scheduler === UIScheduler.shared
            continuation.resume(returning: (isOnMainQueue, isCurrent))
          }
        }
      }
      DispatchQueue.main.setSpecific(key: mark, value: nil)
      #expect(isOnMainQueue)
      #expect(isCurrent)
    }

    @Test @MainActor func deliveriesThatCauseEachOtherDoNotGrowTheStack() async {
      let seen = Counter()
      let bounce = Box<@Sendable (Int) -> Void>()
      await withCheckedContinuation { continuation in
        bounce.value = { count in
          Signal<Int, Never>.just(count).deliver(on: .ui).subscribe { value in
            seen.add()
            if value == 20_000 { continuation.resume() } else { bounce.value?(value + 1) }
          }
        }
        bounce.value?(1)
      }
      bounce.value = nil
      #expect(seen.value == 20_000)
    }

    @Test @MainActor func aBlockOfTheMainQueueWaitsForTwoTurnsAtMost() async {
      let order = Recorder<Int, Never>()
      let before = Box<Int>()
      await withCheckedContinuation { continuation in
        UIScheduler.shared.schedule {
          for number in 0..<1_000 { UIScheduler.shared.schedule { order.next(number) } }
          DispatchQueue.main.async { before.value = order.count }
          UIScheduler.shared.schedule { continuation.resume() }
        }
      }
      // A turn runs at most 64 pieces of work. One turn had begun, and one was pending when the
      // block was added.
      #expect(before.value.map { $0 <= 2 * 64 } == true)
      #expect(order.values == Array(0..<1_000))
    }

    @Test(arguments: [true, false])
    @MainActor func aConsumerThatSendsToItselfDoesNotOccupyTheMainQueue(isAtOnce: Bool) async {
      let numbers = Subject<Int, Never>()
      let isOver = BooleanDisposable()
      let seen = Counter()
      let subscription = numbers.signal.deliver(on: .ui).subscribe { number in
        seen.add()
        // The numbers are bounded, so that the test fails instead of never ending.
        if !isOver.isDisposed, number < 100_000 { numbers.send(number + 1) }
      }
      DispatchQueue.main.async { isOver.dispose() }
      if isAtOnce { numbers.send(0) } else { onPlainThread { numbers.send(0) } }
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
      subscription.dispose()
      #expect(isOver.isDisposed)
      #expect(seen.value > 0)
      #expect(seen.value <= 200)
    }

    @Test @MainActor func repeatedSubscriptionsDoNotOccupyTheMainQueue() async {
      let seen = Counter()
      let subscription = Signal<Int, Never>.just(1).deliver(on: .ui).repeat().take(100_000)
        .subscribe { _ in seen.add() }
      let before = Box<Int>()
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          before.value = seen.value
          continuation.resume()
        }
      }
      subscription.dispose()
      #expect(before.value.map { 0 < $0 && $0 <= 200 } == true)
    }

    @Test @MainActor func valuesThatTheProgramSendsInALoopAreDeliveredAtOnce() {
      let numbers = Subject<Int, Never>()
      let seen = Recorder<Int, Never>()
      let subscription = numbers.signal.deliver(on: .ui).subscribe { seen.next($0) }
      for number in 0..<1_000 {
        numbers.send(number)
        #expect(seen.count == number + 1)
      }
      subscription.dispose()
    }

    @Test @MainActor func pendingWorkCanBeCancelled() async {
      let calls = Counter()
      let work = Box<any Disposable>()
      onPlainThread { work.value = UIScheduler.shared.schedule { calls.add() } }
      work.value?.dispose()
      await withCheckedContinuation { continuation in
        UIScheduler.shared.schedule { continuation.resume() }
      }
      #expect(calls.value == 0)
    }

    @Test func delayedWorkDoesNotRunEarly() async {
      let began = UIScheduler.shared.now
      await withCheckedContinuation { continuation in
        UIScheduler.shared.schedule(after: .milliseconds(5)) { continuation.resume() }
      }
      #expect(UIScheduler.shared.now - began >= .milliseconds(5))
    }

    @Test(.tags(.stress)) func eachThreadsWorkKeepsItsOrder() async {
      let count = scaledCount(2_000)
      let seen = Recorder<Int, Never>()
      await withCheckedContinuation { continuation in
        onPlainThreads(8) { index in
          for value in 0..<count {
            UIScheduler.shared.schedule { seen.next(index * count + value) }
          }
        }
        UIScheduler.shared.schedule { continuation.resume() }
      }
      #expect(seen.count == 8 * count)
      for index in 0..<8 {
        let own = seen.values.filter { $0 / count == index }
        #expect(own == own.sorted())
      }
    }
  }
}
