import Dispatch
import Reactive
import ReactiveTesting
import Testing

/// If there is a current scheduler, a cold source starts before `subscribe` returns.
@Suite struct CurrentSchedulerTests {
  private static func startsAtOnce() -> Bool {
    let starts = Counter()
    Signal<Int, Never>.create { observer in
      starts.add()
      observer.complete()
    }
    .subscribe()
    return starts.value == 1
  }

  @Test func aTaskHasACurrentScheduler() { #expect(Self.startsAtOnce()) }

  @Test @MainActor func theMainThreadHasACurrentScheduler() { #expect(Self.startsAtOnce()) }

  @Test func scheduledWorkHasACurrentSchedulerUntilTheWorkEnds() {
    let starts = Recorder<Bool, Never>()
    onPlainThread {
      ImmediateScheduler.shared.schedule { starts.next(Self.startsAtOnce()) }
    }
    #expect(starts.values == [true])
  }

  @Test func workInsideWorkRestoresTheOuterScheduler() {
    let starts = Recorder<Bool, Never>()
    onPlainThread {
      ImmediateScheduler.shared.schedule {
        ImmediateScheduler.shared.schedule { starts.next(Self.startsAtOnce()) }
        starts.next(Self.startsAtOnce())
      }
    }
    #expect(starts.values == [true, true])
  }

  @Test func plainThreadsAndPlainQueuesHaveNoCurrentScheduler() {
    let gate = Latch()
    let ended = Latch(2)
    let seen = Recorder<String, Never>()
    let deferred: @Sendable (String) -> Void = { name in
      Signal<Int, Never>.create { observer in
        _ = gate.wait()
        seen.next(name)
        observer.complete()
      }
      .subscribe(completed: { ended.signal() })
      // This is reached although the source waits, because the source runs on another thread.
      seen.next("after \(name)")
    }
    onPlainThread { deferred("thread") }
    let queued = Latch()
    DispatchQueue(label: "plain").async {
      deferred("queue")
      queued.signal()
    }
    #expect(queued.wait())
    #expect(seen.values == ["after thread", "after queue"])
    gate.signal()
    #expect(ended.wait())
  }

  @Test func workHasTheSchedulerThatRunsIt() {
    let queue = QueueScheduler(label: "test.current")
    let seen = Recorder<Bool, Never>()
    let latch = Latch()
    queue.schedule {
      seen.next(CurrentScheduler.scheduler === queue)
      ImmediateScheduler.shared.schedule {
        seen.next(CurrentScheduler.scheduler === ImmediateScheduler.shared)
      }
      seen.next(CurrentScheduler.scheduler === queue)
      latch.signal()
    }
    #expect(latch.wait())
    #expect(seen.values == [true, true, true])
  }

  @Test func anUnreferencedSchedulerIsCurrentUntilItsWorkHasRun() {
    let name = Box<String>()
    let latch = Latch()
    QueueScheduler(label: "test.forgotten").schedule {
      name.value = CurrentScheduler.scheduler?.identity.name
      latch.signal()
    }
    #expect(latch.wait())
    #expect(name.value == "test.forgotten")
  }

  /// While a repeating block runs, its scheduler is current, so cold sources start immediately.
  @Test(arguments: [Duration.zero, .milliseconds(1)])
  func aRepeatingBlockHasACurrentSchedulerAtEachFire(_ leeway: Duration) {
    let queue = QueueScheduler(label: "test.current.repeat")
    let seen = Recorder<Bool, Never>()
    let latch = Latch(3)
    let timer = queue.schedule(every: .milliseconds(1), leeway: leeway) {
      seen.next(CurrentScheduler.scheduler === queue && Self.startsAtOnce())
      latch.signal()
    }
    #expect(latch.wait())
    timer.dispose()
    #expect(Array(seen.values.prefix(3)) == [true, true, true])
  }

  @Test @MainActor func theMainQueueHasTheMainScheduler() {
    #expect(CurrentScheduler.scheduler === QueueScheduler.main)
  }

  @Test func aPlainBlockOnTheMainQueueHasTheMainScheduler() async {
    let isMain = await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        continuation.resume(
          returning: CurrentScheduler.scheduler === QueueScheduler.main && Self.startsAtOnce()
        )
      }
    }
    #expect(isMain)
  }

  @Test func aTaskHasTheTasksScheduler() {
    #expect(CurrentScheduler.scheduler === ExecutorScheduler.tasks)
  }

  @Test func aPlainThreadHasNoScheduler() {
    let isNone = Box<Bool>()
    onPlainThread { isNone.value = CurrentScheduler.scheduler == nil }
    #expect(isNone.value == true)
  }

  @Test func beingCurrentDoesNotKeepASchedulerAlive() {
    let lives = LifeCount()
    do {
      let time = TestScheduler()
      time.schedule { [token = lives.token()] in token.touch() }
    }
    #expect(lives.count == 0)
  }
}
