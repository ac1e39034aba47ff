import Reactive
import ReactiveTesting
import Testing

@Suite struct RecursionTests {
  @Test func aMillionRunsDoNotGrowTheStackIfWorkRunsAtOnce() {
    let count = scaledDepth(1_000_000)
    let runs = Counter()
    ImmediateScheduler.shared.scheduleRecursively { again in
      if runs.add() < count { again() }
    }
    #expect(runs.value == count)
  }

  @Test func manyRunsOnATrampolineDoNotGrowTheStack() {
    let runs = Counter()
    TrampolineScheduler.shared.scheduleRecursively { again in
      if runs.add() < scaledDepth(100_000) { again() }
    }
    #expect(runs.value == scaledDepth(100_000))
  }

  @Test func manyRunsOnAQueueFollowEachOther() {
    let count = scaledDepth(100_000)
    let runs = Counter()
    let latch = Latch()
    QueueScheduler(label: "test.recursion").scheduleRecursively { again in
      if runs.add() < count { again() } else { latch.signal() }
    }
    #expect(latch.wait())
    #expect(runs.value == count)
  }

  @Test func eachRunIsASeparatePieceOfWork() {
    let time = TestScheduler()
    let order = Recorder<String, Never>()
    time.scheduleRecursively { again in
      order.next("run")
      if order.count < 4 { again() }
    }
    time.schedule { order.next("other") }
    time.run()
    #expect(order.values == ["run", "other", "run", "run"])
  }

  @Test func schedulingTwiceGivesTwoRuns() {
    let runs = Counter()
    ImmediateScheduler.shared.scheduleRecursively { again in
      if runs.add() < 8 {
        again()
        again()
      }
    }
    // Runs 1 to 7 schedule two runs each: 1 + 7 × 2.
    #expect(runs.value == 15)
  }

  @Test func runsDoNotNestOnASchedulerThatRunsWorkAtOnce() {
    let order = Recorder<String, Never>()
    ImmediateScheduler.shared.scheduleRecursively { again in
      let number = order.count / 2
      order.next("begin \(number)")
      if number < 2 { again() }
      order.next("end \(number)")
    }
    #expect(order.values == ["begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2"])
  }

  @Test func aRunScheduledAfterTheWorkHasRunStillStarts() {
    let time = TestScheduler()
    let asks = Box<@Sendable () -> Void>()
    let runs = Counter()
    let work = time.scheduleRecursively { again in
      runs.add()
      asks.value = again
    }
    time.run()
    #expect(runs.value == 1)
    onPlainThread { asks.value?() }
    #expect(runs.value == 1)
    time.run()
    #expect(runs.value == 2)
    work.dispose()
    asks.value = nil
  }

  @Test func disposalCancelsTheRunsThatHaveNotBegunAndFreesTheWork() {
    let time = TestScheduler()
    let lives = LifeCount()
    let runs = Counter()
    let asks = Box<@Sendable () -> Void>()
    let disposable = time.scheduleRecursively { [token = lives.token()] again in
      token.touch()
      runs.add()
      asks.value = again
      again()
    }
    time.step()
    disposable.dispose()
    #expect(disposable.isDisposed)
    #expect(lives.count == 0)
    asks.value?()
    time.run()
    #expect(runs.value == 1)
    #expect(time.pendingCount == 0)
  }

  @Test func itCanBeDisposedOfFromInside() {
    let runs = Counter()
    let serial = SerialDisposable()
    let time = TestScheduler()
    serial.inner = time.scheduleRecursively { again in
      again()
      if runs.add() == 3 { serial.dispose() }
    }
    time.run()
    #expect(runs.value == 3)
  }

  @Test func theWorkIsFreedWhenNothingCanScheduleItAnyMore() {
    let lives = LifeCount()
    do {
      ImmediateScheduler.shared.scheduleRecursively { [token = lives.token()] _ in token.touch() }
    }
    #expect(lives.count == 0)
  }

  @Test(.tags(.stress)) func runsNeverOverlapHoweverManyThreadsScheduleThem() {
    let count = scaledCount(2_000)
    let inside = Counter()
    let overlaps = Counter()
    let asks = Box<@Sendable () -> Void>()
    let ready = Latch()
    let done = Latch(8 * count + 1)
    let queue = QueueScheduler(concurrent: "test.recursion.concurrent")
    queue.scheduleRecursively { again in
      if inside.add() > 1 { overlaps.add() }
      if asks.value == nil {
        asks.value = again
        ready.signal()
      }
      inside.add(-1)
      done.signal()
    }
    #expect(ready.wait())
    onPlainThreads(8) { _ in
      for _ in 0..<count { asks.value?() }
    }
    #expect(done.wait())
    #expect(overlaps.value == 0)
    asks.value = nil
  }
}
