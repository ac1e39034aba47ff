import Dispatch
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

private actor Ledger {
  private(set) var entries: [Int] = []
  func append(_ entry: Int) { entries.append(entry) }
  /// Called from work that runs on this actor.
  nonisolated func appendHere(_ entry: Int) { assumeIsolated { $0.entries.append(entry) } }
}

/// An actor executor that uses one dispatch queue.
private final class QueueExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "test.executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// A task executor that uses one dispatch queue.
private final class QueueTaskExecutor: TaskExecutor {
  let queue = DispatchQueue(label: "test.task.executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

@Suite struct ActorSchedulerTests {
  private static func finish(_ scheduler: some Scheduler) async {
    await withCheckedContinuation { continuation in
      scheduler.schedule { continuation.resume() }
    }
  }

  @Test func workRunsOnTheActorInItsOrder() async {
    let ledger = Ledger()
    let scheduler = ActorScheduler(ledger)
    for number in 0..<1_000 { scheduler.schedule { ledger.appendHere(number) } }
    await Self.finish(scheduler)
    #expect(await ledger.entries == Array(0..<1_000))
  }

  @Test func aSignalIsDeliveredOnAnActor() async {
    let ledger = Ledger()
    await withCheckedContinuation { continuation in
      Signal<Int, Never>.from(0..<100).deliver(on: ActorScheduler(ledger)).subscribe(
        next: { ledger.appendHere($0) },
        completed: { continuation.resume() }
      )
    }
    #expect(await ledger.entries == Array(0..<100))
  }

  @Test func itsWorkHasItAsTheCurrentScheduler() async {
    let scheduler = ActorScheduler(Ledger())
    let isCurrent = await withCheckedContinuation { continuation in
      scheduler.schedule {
        continuation.resume(returning: CurrentScheduler.scheduler === scheduler)
      }
    }
    #expect(isCurrent)
  }

  @Test func theMainActorCanBeAScheduler() async {
    await withCheckedContinuation { continuation in
      ActorScheduler.mainActor.schedule {
        MainActor.preconditionIsolated()
        continuation.resume()
      }
    }
    #expect(ActorScheduler.mainActor.identity.kind == .main)
  }

  @Test func cancelledWorkIsNotRunAndIsFreed() async {
    let lives = LifeCount()
    let scheduler = ActorScheduler(Ledger())
    let calls = Counter()
    await withCheckedContinuation { continuation in
      scheduler.schedule {
        // This work keeps the actor busy, so the next work is disposed of before it can begin.
        let work = scheduler.schedule { [token = lives.token()] in
          token.touch()
          calls.add()
        }
        work.dispose()
        #expect(lives.count == 0)
        scheduler.schedule { continuation.resume() }
      }
    }
    #expect(calls.value == 0)
  }

  @Test func delayedWorkDoesNotRunEarly() async {
    let scheduler = ActorScheduler(Ledger())
    let began = scheduler.now
    await withCheckedContinuation { continuation in
      scheduler.schedule(after: .milliseconds(5)) { continuation.resume() }
    }
    #expect(scheduler.now - began >= .milliseconds(5))
  }

  @Test func aSerialExecutorCanBeAScheduler() async {
    let executor = QueueExecutor()
    let key = DispatchSpecificKey<Bool>()
    executor.queue.setSpecific(key: key, value: true)
    let scheduler = ActorScheduler(executor: executor)
    let seen = Recorder<Bool, Never>()
    for _ in 0..<10 {
      scheduler.schedule { seen.next(DispatchQueue.getSpecific(key: key) == true) }
    }
    await Self.finish(scheduler)
    #expect(seen.values == Array(repeating: true, count: 10))
  }

  @Test func aTaskExecutorCanBeAScheduler() async {
    let executor = QueueTaskExecutor()
    let key = DispatchSpecificKey<Bool>()
    executor.queue.setSpecific(key: key, value: true)
    let scheduler = ExecutorScheduler(executor, name: "test")
    let wasThere = await withCheckedContinuation { continuation in
      scheduler.schedule {
        let isCurrent = CurrentScheduler.scheduler === scheduler
        continuation.resume(returning: isCurrent && DispatchQueue.getSpecific(key: key) == true)
      }
    }
    #expect(wasThere)
  }

  @Test func theGlobalExecutorCanBeASchedulerAndEventsKeepTheirOrder() async {
    let seen = Recorder<Int, Never>()
    await withCheckedContinuation { continuation in
      Signal<Int, Never>.from(0..<1_000).deliver(on: ExecutorScheduler.tasks).subscribe(
        next: { seen.next($0) },
        completed: { continuation.resume() }
      )
    }
    #expect(seen.values == Array(0..<1_000))
  }

  @Test func aDelayedTaskDoesNotRunEarly() async {
    let tasks = ExecutorScheduler.tasks
    for delay in [Duration.zero, .milliseconds(5)] {
      let began = tasks.now
      let ended = await withCheckedContinuation { continuation in
        tasks.schedule(after: delay) { continuation.resume(returning: tasks.now) }
      }
      #expect(ended - began >= delay)
    }
  }

  @Test func theMainActorHasAShortName() {
    func itself<Given: Scheduler>(_ scheduler: Given) -> Given { scheduler }
    let short = itself(.mainActor)
    #expect(short === ActorScheduler.mainActor)
  }

  @Test(.tags(.stress)) func eachThreadsWorkKeepsItsOrder() async {
    let count = scaledCount(2_000)
    let ledger = Ledger()
    let scheduler = ActorScheduler(ledger)
    await withCheckedContinuation { continuation in
      onPlainThreads(8) { index in
        for value in 0..<count { scheduler.schedule { ledger.appendHere(index * count + value) } }
      }
      scheduler.schedule { continuation.resume() }
    }
    let entries = await ledger.entries
    #expect(entries.count == 8 * count)
    for index in 0..<8 {
      let own = entries.filter { $0 / count == index }
      #expect(own == own.sorted())
    }
  }
}
