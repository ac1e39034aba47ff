import Dispatch
import Reactive
import ReactiveTesting
import Testing

extension OneMainQueue {
  @Suite struct UISchedulerTests {
    @Test @MainActor func onTheMainQueueWorkRunsAtOnce() {
      let order = Recorder<String, Never>()
      UIScheduler.shared.schedule { order.next("work") }
      order.next("after")
      #expect(order.values == ["work", "after"])
    }

    @Test @MainActor func workInsideWorkRunsAfterIt() {
      let order = Recorder<String, Never>()
      UIScheduler.shared.schedule {
        UIScheduler.shared.schedule { order.next("inner") }
        order.next("outer")
      }
      #expect(order.values == ["outer", "inner"])
    }

    @Test @MainActor func fromElsewhereItIsQueuedAndTheOrderIsKept() async {
      let order = Recorder<String, Never>()
      onPlainThread { UIScheduler.shared.schedule { order.next("first") } }
      // Something waits: this does not overtake it.
      UIScheduler.shared.schedule { order.next("second") }
      #expect(order.values.isEmpty)
      await withCheckedContinuation { continuation in
        UIScheduler.shared.schedule { continuation.resume() }
      }
      #expect(order.values == ["first", "second"])
    }

    @Test func elsewhereItRunsOnTheMainActor() async {
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

    @Test @MainActor func deliveriesThatCauseEachOtherTakeNoStack() {
      let seen = Counter()
      let bounce = Box<@Sendable (Int) -> Void>()
      bounce.value = { count in
        Signal<Int, Never>.just(count).deliver(on: .ui).subscribe { value in
          seen.add()
          if value < 20_000 { bounce.value?(value + 1) }
        }
      }
      bounce.value?(1)
      bounce.value = nil
      #expect(seen.value == 20_000)
    }

    @Test @MainActor func whatWaitsCanBeCancelled() async {
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
      let count = stress(2_000)
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
