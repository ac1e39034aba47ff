import Reactive
import ReactiveTesting
import Testing

@Suite struct TrampolineSchedulerTests {
  @Test func workInsideWorkRunsAfterIt() {
    let order = Recorder<String, Never>()
    TrampolineScheduler.shared.schedule {
      order.next("begin")
      TrampolineScheduler.shared.schedule { order.next("second") }
      TrampolineScheduler.shared.schedule { order.next("third") }
      order.next("end")
    }
    #expect(order.values == ["begin", "end", "second", "third"])
  }

  @Test func workThatSchedulesItselfDoesNotGrowTheStack() {
    let count = Counter()
    let step = Box<@Sendable () -> Void>()
    step.value = {
      guard count.add() < scaledDepth(200_000), let next = step.value else { return }
      TrampolineScheduler.shared.schedule(next)
    }
    if let first = step.value { TrampolineScheduler.shared.schedule(first) }
    #expect(count.value == scaledDepth(200_000))
    step.value = nil
  }

  @Test func eachThreadHasASeparateQueue() {
    let order = Recorder<String, Never>()
    TrampolineScheduler.shared.schedule {
      onPlainThread { TrampolineScheduler.shared.schedule { order.next("elsewhere") } }
      order.next("here")
    }
    #expect(order.values == ["elsewhere", "here"])
  }

  @Test func pendingWorkCanBeCancelled() {
    let calls = Counter()
    TrampolineScheduler.shared.schedule {
      TrampolineScheduler.shared.schedule { calls.add() }.dispose()
    }
    #expect(calls.value == 0)
  }

  /// Each delivery subscribes to a new signal that delivers on the same scheduler.
  @Test func deliveriesThatCauseEachOtherDoNotGrowTheStack() {
    let seen = Counter()
    let bounce = Box<@Sendable (Int) -> Void>()
    bounce.value = { count in
      Signal<Int, Never>.just(count).deliver(on: .trampoline).subscribe { value in
        seen.add()
        if value < 20_000 { bounce.value?(value + 1) }
      }
    }
    bounce.value?(1)
    bounce.value = nil
    #expect(seen.value == 20_000)
  }

  @Test func delayedWorkWaitsOnTheBackgroundScheduler() {
    let latch = Latch()
    let clock = TrampolineScheduler.shared
    let began = clock.now
    clock.schedule(after: .milliseconds(5)) { latch.signal() }
    #expect(latch.wait())
    #expect(clock.now - began >= .milliseconds(5))
  }
}
